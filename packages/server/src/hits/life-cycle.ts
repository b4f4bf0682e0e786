/**
 * The life cycle of entities: hit points, and who killed whom (N §3.5.2.3). A blow is held back until no earlier blow can arrive any more
 * (local rollback, N §2.5.3). Blows are carried out in the order in which they struck. Example: "A shoots B" and "B shoots C" arrive in the
 * wrong order. Only the true outcome is published, and nobody who was declared dead gets up again.
 *
 * Whoever calls `settle` says up to which time no blow can come any more, if that is known (`room.earliestShotMs` of rooms with lag
 * compensation). After `windowMs` a blow is not held any longer; a blow that comes later than that is refused, however early it struck.
 *
 * Invariant: what is published depends on the blows that were held and on the times of `settle`, not on the order in which blows came.
 * Blows that strike in the same moment all count: two entities can kill each other.
 */

import type { ObjectId } from "@nearfield/schema";
import { ServerError } from "../errors.ts";

export interface LifeCycleOptions {
  /** The longest time that a blow is held back, ms. A larger value is fairer to slow links, but everybody hears of every hit later. */
  readonly windowMs: number;
  /** Most blows held at once. Default 4,096; further ones are refused with "full". */
  readonly maxHeld?: number;
}

export interface Blow {
  /** When it struck, in the server's time, ms. */
  readonly atMs: number;
  /** Who struck. Undefined: no attacker who could have died before (a fall, lava). */
  readonly attacker: ObjectId | undefined;
  readonly target: ObjectId;
  /** Hit points that the blow takes. A negative number heals, up to the hit points that the target began with. */
  readonly damage: number;
}

/** A blow that counts. */
export interface Hit extends Blow {
  /** Hit points that are left; 0: it killed. */
  readonly left: number;
  readonly killed: boolean;
}

/**
 * "late": blows of that time are already published. "full": too many blows are held. "unknown": the target has no life here, or attacker or
 * target is already dead.
 */
export type BlowAnswer = "held" | "late" | "full" | "unknown";

interface Life {
  readonly most: number;
  readonly bornMs: number;
  left: number;
  /** `Infinity` while the entity lives. */
  diedMs: number;
}

const MAX_HELD = 4096;

export class LifeCycle {
  /**
   * Blows that had no effect because attacker or target was already dead; and blows that were refused because they came too late or were
   * too many.
   */
  voided = 0;
  refused = 0;
  readonly #windowMs: number;
  readonly #maxHeld: number;
  readonly #lives = new Map<ObjectId, Life>();
  /** Sorted by the time at which they struck. */
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

  /** All blows up to this time are published, ms. */
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

  /** Forgets an object. Blows that are held for it have no effect. */
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

  /** Hit points if no other blow arrives. A game may hint at them, but must not declare anybody dead by them. */
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
   * Publishes, in the order in which they struck, the blows that no earlier one can precede any more.
   *
   * @param earliestMs no blow that struck at or before this time can still arrive. Default: not known.
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

  /** Whether the entity died. Something that never had a life here (a turret) is never dead. */
  #isDead(id: ObjectId): boolean {
    return this.#lives.get(id)?.left === 0;
  }

  #hold(blow: Blow): void {
    let at = this.#held.length;
    while (at > 0 && isBefore(blow, this.#held[at - 1]!)) at--;
    this.#held.splice(at, 0, blow);
  }
}

/** Time decides first; then ids and damage, so that the order of arrival does not matter. */
function isBefore(a: Blow, b: Blow): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  const [first, second] = [a.attacker ?? -1, b.attacker ?? -1];
  if (first !== second) return first < second;
  return a.target === b.target ? a.damage < b.damage : a.target < b.target;
}

/** A blow counts if its target was alive and its attacker had not died before. Otherwise nothing changes. */
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
