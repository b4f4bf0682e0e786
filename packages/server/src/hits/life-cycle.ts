/**
 * The life cycle of entities: hit points, and who killed whom (N §3.5.2.3). Blows are held back until none that struck earlier can
 * arrive any more (local rollback, N §2.5.3), and carried out in the order in which they struck. So of "A shoots B" and "B shoots C" that
 * come in the wrong order only the true one is published, and nobody who was declared dead gets up again.
 *
 * How long is that? Whoever calls `settle` says up to which time nothing earlier can come, as far as that is known (`room.earliestShotMs` of
 * rooms with lag compensation). Past `windowMs` a blow waits for nobody: what comes later than that is refused, however early it struck.
 *
 * Invariant: what is published depends on the blows that were held and on the times of `settle`, not on the order in which blows came.
 * Blows that strike in the same moment all count: two can kill each other.
 */

import type { ObjectId } from "@nearfield/schema";
import { ServerError } from "../errors.ts";

export interface LifeCycleOptions {
  /** The longest that a blow is held back, ms. A larger value is fairer to slow links, and everybody hears of every hit later. */
  readonly windowMs: number;
  /** Most blows held at once. Default 4,096; further ones are refused with "full". */
  readonly maxHeld?: number;
}

export interface Blow {
  /** When it struck, in the server's time, ms. */
  readonly atMs: number;
  /** Who struck. Undefined: nobody who could have been dead by then (a fall, lava). */
  readonly attacker: ObjectId | undefined;
  readonly target: ObjectId;
  /** Hit points it takes; below 0 it heals, up to what the target began with. */
  readonly damage: number;
}

/** A blow that counts. */
export interface Hit extends Blow {
  /** Hit points that are left; 0: it killed. */
  readonly left: number;
  readonly killed: boolean;
}

/**
 * "late": blows of that time have been published. "full": too many are held. "unknown": the target has no life here, or attacker or
 * target is dead already.
 */
export type BlowAnswer = "held" | "late" | "full" | "unknown";

interface Life {
  readonly most: number;
  readonly bornMs: number;
  left: number;
  /** `Infinity` while it lives. */
  diedMs: number;
}

const MAX_HELD = 4096;

export class LifeCycle {
  /** Blows that came to nothing because somebody was dead by then, and blows refused because they came too late or were too many. */
  voided = 0;
  refused = 0;
  readonly #windowMs: number;
  readonly #maxHeld: number;
  readonly #lives = new Map<ObjectId, Life>();
  /** In the order in which they struck. */
  readonly #held: Blow[] = [];
  #settledMs = Number.NEGATIVE_INFINITY;

  constructor({ windowMs, maxHeld = MAX_HELD }: LifeCycleOptions) {
    if (!(windowMs >= 0 && Number.isFinite(windowMs))) throw bad(`windowMs is ${windowMs}, but must be 0 or more`);
    if (!(maxHeld >= 1)) throw bad(`maxHeld is ${maxHeld}, but must be at least 1`);
    this.#windowMs = windowMs;
    this.#maxHeld = maxHeld;
  }

  /** Blows held now. */
  get held(): number {
    return this.#held.length;
  }

  /** Up to this time everything is published, ms. */
  get settledMs(): number {
    return this.#settledMs;
  }

  // ── lives ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A life begins, for the first time or again. Blows that struck before do not touch it. */
  enter(id: ObjectId, hitPoints: number, atMs: number): void {
    if (!(hitPoints > 0 && Number.isFinite(hitPoints)))
      throw bad(`object ${id} begins with ${hitPoints} hit points, but must have more than 0`);
    const bornMs = Math.max(atMs, this.#settledMs);
    this.#lives.set(id, { most: hitPoints, left: hitPoints, bornMs, diedMs: Number.POSITIVE_INFINITY });
  }

  /** Forgets an object; blows at it come to nothing. */
  leave(id: ObjectId): void {
    this.#lives.delete(id);
  }

  /** Hit points as published; 0 for the dead and the unknown. */
  hitPoints(id: ObjectId): number {
    return this.#lives.get(id)?.left ?? 0;
  }

  isAlive(id: ObjectId): boolean {
    return this.hitPoints(id) > 0;
  }

  /** Hit points if nothing else arrives: what a game may hint at, and must not declare. */
  expected(id: ObjectId): number {
    const lives = new Map<ObjectId, Life>();
    for (const [known, life] of this.#lives) lives.set(known, { ...life });
    for (const blow of this.#held) carryOut(lives, blow);
    return lives.get(id)?.left ?? 0;
  }

  // ── blows ──────────────────────────────────────────────────────────────────────────────────────────────────────

  strike(blow: Blow): BlowAnswer {
    const { atMs, attacker, target, damage } = blow;
    if (!Number.isFinite(atMs) || !Number.isFinite(damage))
      throw bad(`a blow has the time ${atMs} and the damage ${damage}, but both must be finite`);
    if (!this.isAlive(target) || (attacker !== undefined && this.#isDead(attacker))) return "unknown";
    const answer = atMs <= this.#settledMs ? "late" : this.#held.length >= this.#maxHeld ? "full" : "held";
    if (answer === "held") this.#hold({ atMs, attacker, target, damage });
    else this.refused += 1;
    return answer;
  }

  /**
   * Publishes the blows before which nothing can come any more, in the order in which they struck.
   *
   * @param earliestMs nothing that struck at this time or before it can still arrive. Default: that is not known.
   */
  settle(nowMs: number, publish: (hit: Hit) => void, earliestMs: number = Number.NEGATIVE_INFINITY): void {
    const upTo = Math.max(nowMs - this.#windowMs, Math.min(earliestMs, nowMs));
    if (!(upTo > this.#settledMs)) return;
    this.#settledMs = upTo;
    let count = 0;
    while (count < this.#held.length && this.#held[count]!.atMs <= upTo) count++;
    for (const blow of this.#held.splice(0, count)) {
      const hit = carryOut(this.#lives, blow);
      if (hit === undefined) this.voided += 1;
      else publish(hit);
    }
  }

  /** Whether it died; who never had a life here (a turret) strikes as it likes. */
  #isDead(id: ObjectId): boolean {
    return this.#lives.get(id)?.left === 0;
  }

  #hold(blow: Blow): void {
    let at = this.#held.length;
    while (at > 0 && isBefore(blow, this.#held[at - 1]!)) at--;
    this.#held.splice(at, 0, blow);
  }
}

/** Time decides; then numbers that do not depend on who was heard first. */
function isBefore(a: Blow, b: Blow): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  const [first, second] = [a.attacker ?? -1, b.attacker ?? -1];
  if (first !== second) return first < second;
  return a.target === b.target ? a.damage < b.damage : a.target < b.target;
}

/** A blow counts if the target was alive and its attacker not dead before. Nothing changes where it does not count. */
function carryOut(lives: ReadonlyMap<ObjectId, Life>, blow: Blow): Hit | undefined {
  const target = lives.get(blow.target);
  if (target === undefined || target.left === 0 || blow.atMs < target.bornMs) return undefined;
  const attacker = blow.attacker === undefined ? undefined : lives.get(blow.attacker);
  if (attacker !== undefined && (blow.atMs < attacker.bornMs || blow.atMs > attacker.diedMs)) return undefined;
  target.left = Math.max(0, Math.min(target.most, target.left - blow.damage));
  const killed = target.left === 0;
  if (killed) target.diedMs = blow.atMs;
  return { ...blow, left: target.left, killed };
}

function bad(text: string): ServerError {
  return new ServerError("bad-option", `life cycle: ${text}`);
}
