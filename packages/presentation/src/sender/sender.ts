/**
 * Whether an object's owner sends an update now (N §2.7.1.4, §2.7.1.5). The sender runs the receivers' model along, so it knows where they
 * put the object and which way they turn it, latency aside; it sends when that is a threshold off the truth. Outside a sensitive region
 * around the nearest watcher the thresholds are larger. Pre-reckoning sends before anything is off: when the object starts, stops or
 * turns sharply, a threshold is about to be passed anyway.
 *
 * One sender per object. It has no clock and sends nothing itself: ask `reason`, and after a send say `sent`.
 */

import { angleBetween, cosine } from "../genres/angles.ts";
import { MOTION_SIZE, type MotionModel, PLACE_SIZE } from "../motion-model.ts";

export interface Thresholds {
  /** Sent when the model is this far off, in world units. Smaller is truer and costs updates. */
  readonly position: number;
  /** Sent when the shown heading is this far off, in radians. Default: headings never matter. */
  readonly angle?: number;
}

export interface PreReckoning {
  /** At or below this an object stands, in world units per second. Default 0. */
  readonly restSpeed?: number;
  /** A sharp turn: how far the velocity has turned away from the one sent, in radians. Default 80°. */
  readonly sharpTurn?: number;
}

export interface SenderOptions {
  /** What the receivers run. */
  readonly model: MotionModel;
  readonly thresholds: Thresholds;
  /** Larger thresholds beyond `radius` world units from the nearest watcher. Default: the same everywhere. */
  readonly outside?: Thresholds & { readonly radius: number };
  /** Default: off. */
  readonly preReckoning?: PreReckoning;
  /** Whether receivers turn the object on at the turn rate it was sent with. Default true; false: the heading stays as sent. */
  readonly carriesTurn?: boolean;
  /** Sends again after so long without, whatever the thresholds say, in ms. Default: never. */
  readonly longestMs?: number;
}

/** Why an update is due; "none" if it is not. */
export type SendReason = "none" | "first" | "start" | "stop" | "turn" | "position" | "angle" | "time";

const DEFAULT_SHARP_TURN: number = (80 * Math.PI) / 180;

export class Sender {
  readonly #model: MotionModel;
  readonly #inside: Required<Thresholds>;
  readonly #outside: Required<Thresholds>;
  readonly #radius: number;
  readonly #restSpeed: number;
  readonly #sharpCosine: number;
  readonly #preReckons: boolean;
  readonly #carriesTurn: boolean;
  readonly #longestMs: number;
  readonly #state: Float64Array;
  readonly #lastSent: Float64Array = new Float64Array(MOTION_SIZE);
  readonly #shown: Float64Array = new Float64Array(PLACE_SIZE);
  #sentHeading = 0;
  #sentTurnRate = 0;
  #sentAtMs = Number.NaN;

  constructor(options: SenderOptions) {
    const { model, thresholds, outside, preReckoning, carriesTurn = true, longestMs } = options;
    this.#model = model;
    this.#inside = resolve(thresholds);
    this.#outside = outside === undefined ? this.#inside : resolve(outside);
    this.#radius = outside?.radius ?? Number.POSITIVE_INFINITY;
    this.#preReckons = preReckoning !== undefined;
    this.#restSpeed = preReckoning?.restSpeed ?? 0;
    this.#sharpCosine = cosine(preReckoning?.sharpTurn ?? DEFAULT_SHARP_TURN);
    this.#carriesTurn = carriesTurn;
    this.#longestMs = longestMs ?? Number.POSITIVE_INFINITY;
    this.#state = new Float64Array(model.stateSize);
  }

  /**
   * Whether to send now, and why.
   *
   * @param motion the truth: `MOTION_SIZE` numbers from `at` on.
   * @param heading in radians; left alone if there is no threshold on angles.
   * @param watcherDistance of the nearest watcher, in world units. Default: near.
   */
  reason(motion: Float64Array, at: number, heading: number, nowMs: number, watcherDistance = 0): SendReason {
    if (Number.isNaN(this.#sentAtMs)) return "first";
    const early = this.#preReckons ? this.#foresee(motion, at) : "none";
    if (early !== "none") return early;
    const { position, angle } = watcherDistance > this.#radius ? this.#outside : this.#inside;
    const elapsedMs = nowMs - this.#sentAtMs;
    if (this.#distanceOff(motion, at, elapsedMs) >= position) return "position";
    if (Math.abs(angleBetween(this.headingAt(nowMs), heading)) >= angle) return "angle";
    return elapsedMs >= this.#longestMs ? "time" : "none";
  }

  /** The object was sent like this, in wire form. `settles`: it stands still, whatever its velocity says. */
  sent(motion: Float64Array, at: number, heading: number, turnRate: number, nowMs: number, settles = false): void {
    const sinceMs = Number.isNaN(this.#sentAtMs) ? 0 : nowMs - this.#sentAtMs;
    this.#model.receive(this.#state, 0, motion, at, sinceMs, settles);
    for (let i = 0; i < MOTION_SIZE; i++) this.#lastSent[i] = motion[at + i]!;
    if (settles) this.#lastSent.fill(0, PLACE_SIZE);
    this.#sentHeading = heading;
    this.#sentTurnRate = turnRate;
    this.#sentAtMs = nowMs;
  }

  /** Where receivers would show it without latency, `PLACE_SIZE` numbers into `out`. */
  placeAt(nowMs: number, out: Float64Array, outAt: number): void {
    this.#model.place(this.#state, 0, nowMs - this.#sentAtMs, out, outAt);
  }

  /** The heading they would show. */
  headingAt(nowMs: number): number {
    return this.#carriesTurn
      ? this.#sentHeading + (this.#sentTurnRate * (nowMs - this.#sentAtMs)) / 1000
      : this.#sentHeading;
  }

  #distanceOff(motion: Float64Array, at: number, elapsedMs: number): number {
    this.#model.place(this.#state, 0, elapsedMs, this.#shown, 0);
    let square = 0;
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      const off = motion[at + axis]! - this.#shown[axis]!;
      square += off * off;
    }
    return Math.sqrt(square);
  }

  /** Start, stop and sharp turn, by the velocity now and the one last sent. */
  #foresee(motion: Float64Array, at: number): SendReason {
    let dot = 0;
    let sentSquare = 0;
    let square = 0;
    for (let axis = PLACE_SIZE; axis < MOTION_SIZE; axis++) {
      const sent = this.#lastSent[axis]!;
      const now = motion[at + axis]!;
      dot += sent * now;
      sentSquare += sent * sent;
      square += now * now;
    }
    const sentSpeed = Math.sqrt(sentSquare);
    const speed = Math.sqrt(square);
    const moved = sentSpeed > this.#restSpeed;
    const moves = speed > this.#restSpeed;
    if (moves !== moved) return moves ? "start" : "stop";
    return moves && dot < this.#sharpCosine * sentSpeed * speed ? "turn" : "none";
  }
}

function resolve({ position, angle = Number.POSITIVE_INFINITY }: Thresholds): Required<Thresholds> {
  if (!(position > 0)) throw new RangeError(`thresholds.position is ${position}, but must be above 0`);
  if (!(angle > 0)) throw new RangeError(`thresholds.angle is ${angle}, but must be above 0`);
  return { position, angle };
}
