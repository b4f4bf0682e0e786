/**
 * Decides whether an object's owner sends an update now (N §2.7.1.4, §2.7.1.5). The sender runs the same model as the receivers, so it knows,
 * latency apart, where they show the object and in which direction. It sends when place or direction is wrong by a threshold. Outside a sensitive
 * region around the nearest watcher the thresholds are larger. Pre-reckoning sends before anything is wrong: when the object starts, stops or
 * turns sharply, a threshold would soon be passed anyway.
 *
 * There is one sender per object. It has no clock and sends nothing itself: ask `reason`, and call `sent` after a send. The Realtime Simulator and
 * the benchmarks use it. On a Nearfield server, views decide by the same rules, with the metric `thresholds` of the core package.
 */

import { angleBetween, cosine } from "@nearfield/schema/internal";
import { MOTION_SIZE, type MotionModel, PLACE_SIZE } from "../motion-model.ts";

export interface Thresholds {
  /** Sent when the model is this far off, in world units. Smaller is truer and costs updates. */
  readonly position: number;
  /** Sent when what is shown is turned this far off about any axis, in radians. Default: orientations never matter. */
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
  /** Whether receivers turn the object on at the turn rate it was sent with. Default true; false: it stays turned as sent. */
  readonly carriesTurn?: boolean;
  /** Sends again after so long without, whatever the thresholds say, in ms. Default: never. */
  readonly longestMs?: number;
}

/** A heading, or yaw, pitch and roll; radians. */
export type Orientation = number | ArrayLike<number>;

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
  readonly #sentOrientation: Float64Array = new Float64Array(PLACE_SIZE);
  readonly #sentTurnRate: Float64Array = new Float64Array(PLACE_SIZE);
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
   * @param motion the truth: from `at` on as many numbers as the model reads, at least `MOTION_SIZE`.
   * @param watcherDistance of the nearest watcher, in world units. Default: near.
   */
  reason(motion: Float64Array, at: number, orientation: Orientation, nowMs: number, watcherDistance = 0): SendReason {
    if (Number.isNaN(this.#sentAtMs)) return "first";
    const early = this.#preReckons ? this.#foresee(motion, at) : "none";
    if (early !== "none") return early;
    const { position, angle } = watcherDistance > this.#radius ? this.#outside : this.#inside;
    const elapsedMs = nowMs - this.#sentAtMs;
    if (this.#distanceOff(motion, at, elapsedMs) >= position) return "position";
    if (this.#isTurnedOff(orientation, nowMs, angle)) return "angle";
    return elapsedMs >= this.#longestMs ? "time" : "none";
  }

  /** The object was sent like this, in wire form. `settles`: it stays where it is, whatever its velocity says; it may turn there. */
  sent(
    motion: Float64Array,
    at: number,
    orientation: Orientation,
    turnRate: Orientation,
    nowMs: number,
    settles = false,
  ): void {
    const sinceMs = Number.isNaN(this.#sentAtMs) ? 0 : nowMs - this.#sentAtMs;
    this.#model.receive(this.#state, 0, motion, at, sinceMs, settles);
    for (let i = 0; i < MOTION_SIZE; i++) this.#lastSent[i] = motion[at + i]!;
    if (settles) this.#lastSent.fill(0, PLACE_SIZE);
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      this.#sentOrientation[axis] = about(orientation, axis);
      this.#sentTurnRate[axis] = about(turnRate, axis);
    }
    this.#sentAtMs = nowMs;
  }

  /** Where receivers would show it without latency, `PLACE_SIZE` numbers into `out`. */
  placeAt(nowMs: number, out: Float64Array, outAt: number): void {
    this.#model.place(this.#state, 0, nowMs - this.#sentAtMs, out, outAt);
  }

  /** How they would turn it about an axis: 0 is heading or yaw, 1 pitch, 2 roll. */
  headingAt(nowMs: number, axis = 0): number {
    const turned = this.#carriesTurn ? (this.#sentTurnRate[axis]! * (nowMs - this.#sentAtMs)) / 1000 : 0;
    return this.#sentOrientation[axis]! + turned;
  }

  #isTurnedOff(orientation: Orientation, nowMs: number, threshold: number): boolean {
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      if (Math.abs(angleBetween(this.headingAt(nowMs, axis), about(orientation, axis))) >= threshold) return true;
    }
    return false;
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

/** The angle about one axis; 0 where none is given. */
function about(orientation: Orientation, axis: number): number {
  if (typeof orientation === "number") return axis === 0 ? orientation : 0;
  return orientation[axis] ?? 0;
}

function resolve({ position, angle = Number.POSITIVE_INFINITY }: Thresholds): Required<Thresholds> {
  if (!(position > 0)) throw new RangeError(`thresholds.position is ${position}, but must be above 0`);
  if (!(angle > 0)) throw new RangeError(`thresholds.angle is ${angle}, but must be above 0`);
  return { position, angle };
}
