/**
 * The eyes and the trigger of a bot: whom it sees, where it looks, how fast its gaze turns, how far its aim is off, and when it fires. A few lines
 * of sight are asked for in a thought; between two thoughts the gaze only turns.
 */

import type { Dice } from "@nearfield/kit";
import { exact } from "@nearfield/simulation";
import type { ActValues } from "../movement.ts";
import { ROCKET, type Spot } from "../state.ts";
import type { SeenAvatar, Senses } from "./senses.ts";
import type { Traits } from "./traits.ts";

/** How far a bot sees, as far as a person's screen reaches; and how far it notices somebody behind its back. */
const SIGHT = 380;
const ZOOMED_SIGHT = 650;
const HEARING = 110;
/** Half the angle it sees, radians. */
const HALF_VIEW = 1.2;
/** Lines of sight asked for in one thought. */
const MOST_LOOKS = 4;
/** Older than this, nobody knows where the other has gone, ms. */
const MOST_AGE_MS = 200;
/** The bot does not fire if its aim is off by more than this, radians. */
const ON_TARGET = 0.06;
/** Somewhere out there, world units. */
const GLANCE_WAY = 200;

export class Eyes {
  readonly #dice: Dice;
  readonly #traits: Traits;
  /** The nearest few it may see, and how far they are. */
  readonly #nearest: SeenAvatar[] = [];
  readonly #distances: Float64Array = new Float64Array(MOST_LOOKS);
  #enemy: SeenAvatar | undefined;
  /** It has seen its enemy since then. */
  #seenSinceMs = 0;
  #heading = 0;
  /** Where it looks when there is no enemy. */
  #lookX = 0;
  #lookY = 0;
  #error = 0;
  #glanceUntilMs = 0;
  /** A burst lasts until the one, the pause after it until the other; whether it looks round meanwhile. */
  #burstUntilMs = 0;
  #pauseUntilMs = 0;
  #glances = false;

  constructor(dice: Dice, traits: Traits) {
    this.#dice = dice;
    this.#traits = traits;
  }

  /** Whom it fights; undefined: nobody is in sight. */
  get enemy(): SeenAvatar | undefined {
    return this.#enemy;
  }

  open(heading: number): void {
    this.#heading = heading;
    this.#enemy = undefined;
  }

  // ── seeing ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Looks for somebody to fight: of the nearest few, the first with nothing between; rather the one it fights already. */
  seek(senses: Senses): void {
    const before = this.#enemy;
    this.#enemy = this.#nearestVisible(senses);
    this.#error += (this.#dice.bell() * this.#traits.aimError - this.#error) * 0.35;
    if (this.#enemy === undefined || this.#enemy === before) return;
    this.#seenSinceMs = senses.nowMs;
    this.#error = this.#dice.bell() * this.#traits.aimError * 2;
  }

  /** Whoever died or left is nobody's enemy any more. */
  blink(): void {
    if (this.#enemy !== undefined && (!this.#enemy.alive || this.#enemy.condition === "dead")) this.#enemy = undefined;
  }

  #nearestVisible({ own, avatars, navigation }: Senses): SeenAvatar | undefined {
    const reach = own.zoomed ? ZOOMED_SIGHT : SIGHT;
    const { x, y, number } = own;
    const nearest = this.#nearest;
    const distances = this.#distances;
    let count = 0;
    for (const avatar of avatars()) {
      const dx = avatar.x - x;
      const dy = avatar.y - y;
      const distance = Math.sqrt(dx * dx + dy * dy) * (avatar === this.#enemy ? 0.6 : 1);
      if (distance > reach || (count === MOST_LOOKS && distance >= distances[count - 1]!)) continue;
      if (avatar.number === number || avatar.condition === "dead") continue;
      const isAside =
        distance > HEARING && Math.abs(exact.angleBetween(this.#heading, exact.directionOf(dx, dy))) > HALF_VIEW;
      if (isAside && avatar !== this.#enemy) continue;
      let at = count < MOST_LOOKS ? count++ : count - 1;
      for (; at > 0 && distances[at - 1]! > distance; at--) {
        distances[at] = distances[at - 1]!;
        nearest[at] = nearest[at - 1]!;
      }
      distances[at] = distance;
      nearest[at] = avatar;
    }
    for (let at = 0; at < count; at++) {
      const avatar = nearest[at]!;
      if (navigation.terrain.sees(x, y, avatar.x, avatar.y)) return avatar;
    }
    return undefined;
  }

  // ── looking ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Along the way, with a glance aside now and then: into doors and over the shoulder. */
  lookAhead(own: Spot, x: number, y: number, nowMs: number): void {
    if (nowMs < this.#glanceUntilMs) return;
    if (nowMs > this.#glanceUntilMs + 400 && this.#dice.chance(0.5)) {
      this.#glanceUntilMs = nowMs + 400 + 600 * this.#dice.next();
      this.lookRound(own);
      return;
    }
    this.#lookX = x;
    this.#lookY = y;
  }

  /** Aside or over the shoulder: where it has not looked for a while. */
  lookRound({ x, y }: Spot): void {
    const direction = this.#heading + Math.PI + this.#dice.bell();
    this.#lookX = x + GLANCE_WAY * exact.cosine(direction);
    this.#lookY = y + GLANCE_WAY * exact.sine(direction);
  }

  /** Turns the eyes towards the enemy, or along the way, and pulls the trigger. */
  aim(act: ActValues, { own, nowMs, isPlaying, ageOf }: Senses, seconds: number): void {
    const glances = this.#glances && nowMs >= this.#burstUntilMs && nowMs < this.#pauseUntilMs;
    const enemy = glances ? undefined : this.#enemy;
    let dx = this.#lookX - own.x;
    let dy = this.#lookY - own.y;
    if (enemy !== undefined) {
      dx = enemy.x - own.x;
      dy = enemy.y - own.y;
      // The other has gone on since it was sent; and a rocket takes its time.
      const flightMs = own.weapon === "rocket" ? (Math.sqrt(dx * dx + dy * dy) / ROCKET.speed) * 800 : 0;
      const leadS = (Math.min(MOST_AGE_MS, ageOf(enemy)) + flightMs) / 1000;
      dx += enemy.vx * leadS;
      dy += enemy.vy * leadS;
    }
    const wanted = dx * dx + dy * dy < 1 ? this.#heading : exact.directionOf(dx, dy) + (enemy ? this.#error : 0);
    const off = exact.angleBetween(this.#heading, wanted);
    const most = this.#traits.turnSpeed * seconds;
    this.#heading += Math.max(-most, Math.min(most, off));
    act.heading = this.#heading;
    act.fires = enemy !== undefined && isPlaying && this.#pulls(own, nowMs, Math.abs(off) - most);
  }

  /** In bursts, once the eyes are on the other and the mind has caught up. Between two, a glance round: there may be more of them. */
  #pulls(own: Spot, nowMs: number, off: number): boolean {
    if (nowMs < this.#seenSinceMs + this.#traits.reactionMs || off > ON_TARGET) return false;
    if (nowMs >= this.#pauseUntilMs) {
      this.#burstUntilMs = nowMs + 400 + 700 * this.#dice.next();
      this.#pauseUntilMs = this.#burstUntilMs + 900 + 1100 * this.#dice.next();
      this.#glances = this.#dice.chance(0.9);
      this.lookRound(own);
    }
    return nowMs < this.#burstUntilMs;
  }
}
