/**
 * The velocity that is sent with an entity: a guess at where it will be, computed from where it has been. Fast entities (vehicles, shots, players who
 * leap) get the velocity of the last round. Walkers get the mean velocity over twice the time between two rows of the source, so that the
 * source's rounding averages out; half of it is turned to where the walker looks. On recorded matches that saves a tenth of the updates of
 * players on foot (docs/decisions/0015-riders.md).
 *
 * Only the past counts, and nothing before the entity appeared or jumped (a teleporter, a respawn): such a jump is not used to predict its
 * movement.
 */

import { Kind } from "./trace.ts";
import type { Place } from "./track.ts";

/** World units per second; what is faster has jumped. */
export const FASTEST = 400;
/** World units per second; nobody walks or runs faster. */
const FASTEST_ON_FOOT = 8;
/** World units per second along the ground; who is slower looks around rather than ahead. */
const SLOWEST_AHEAD = 0.5;
/** Share of a walker's pace that goes where he looks. */
const LOOKING_SHARE = 0.5;

const AXES = 3;

export interface VelocityOptions {
  readonly roundMs: number;
  /** Usual time between two rows of the source, ms. */
  readonly spacingMs: number;
  readonly hasHeading: boolean;
}

/** Follows one entity, round by round. */
export class Velocity {
  x = 0;
  y = 0;
  z = 0;
  readonly #roundS: number;
  readonly #hasHeading: boolean;
  /** Rounds over which a walker is followed. */
  readonly #window: number;
  /** The last places, one for each of those rounds and one more, in a ring. */
  readonly #past: Float64Array;
  /** Rounds since it came or jumped. */
  #age = 0;

  constructor({ roundMs, spacingMs, hasHeading }: VelocityOptions) {
    this.#roundS = roundMs / 1000;
    this.#hasHeading = hasHeading;
    this.#window = Math.max(1, Math.round((2 * spacingMs) / roundMs));
    this.#past = new Float64Array((this.#window + 1) * AXES);
  }

  get speed(): number {
    return length(this.x, this.y, this.z);
  }

  /** It came, or is somewhere else now. */
  begin(place: Place): void {
    this.#age = 0;
    this.#note(place);
    this.#set(0, 0, 0);
  }

  /** It has come here in the last round. */
  follow(place: Place): void {
    this.#age += 1;
    this.#note(place);
    this.#over(1);
    if (this.speed > FASTEST) this.begin(place);
    else this.#guess(place);
  }

  #guess(place: Place): void {
    const { x, y, z } = this;
    this.#over(Math.min(this.#window, this.#age));
    if (this.speed >= FASTEST_ON_FOOT) this.#set(x, y, z);
    else if (this.#hasHeading && place.kind !== Kind.projectile) this.#lookAhead(place.heading);
  }

  #lookAhead(heading: number): void {
    const pace = Math.hypot(this.x, this.y);
    if (pace <= SLOWEST_AHEAD) return;
    this.x += LOOKING_SHARE * (pace * Math.cos(heading) - this.x);
    this.y += LOOKING_SHARE * (pace * Math.sin(heading) - this.y);
  }

  /** The mean velocity over so many rounds. */
  #over(rounds: number): void {
    const past = this.#past;
    const now = this.#at(this.#age);
    const then = this.#at(this.#age - rounds);
    const seconds = rounds * this.#roundS;
    this.#set(
      (past[now]! - past[then]!) / seconds,
      (past[now + 1]! - past[then + 1]!) / seconds,
      (past[now + 2]! - past[then + 2]!) / seconds,
    );
  }

  #note({ x, y, z }: Place): void {
    const at = this.#at(this.#age);
    this.#past[at] = x;
    this.#past[at + 1] = y;
    this.#past[at + 2] = z;
  }

  #at(age: number): number {
    return (age % (this.#window + 1)) * AXES;
  }

  #set(x: number, y: number, z: number): void {
    this.x = x;
    this.y = y;
    this.z = z;
  }
}

function length(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}
