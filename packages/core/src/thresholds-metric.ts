/**
 * The sender's thresholds of dead reckoning (N §2.7.1.4, §2.7.1.5) as a value metric, so that a view can decide by them. The server runs the clients'
 * presentation along with them, so it knows how far the shown place and heading are off. The value is the larger of the two, in thresholds: 1
 * means that one of them is reached. Use `{ value: 1 }` in the zone where players look closely, the sensitive region, and `{ value: 5 }` beyond it.
 * Pre-reckoning makes an object due before anything is off: when it starts, stops or turns sharply.
 *
 * `Sender` of the presentation package decides by the same rules for an owner that sends by itself; its tests stand beside those of this file.
 */

import { linear, MOTION_MODELS, MOTION_SIZE } from "@nearfield/presentation";
import {
  fitPresentation,
  type GenrePreset,
  type MotionModel,
  type MotionModelName,
  missingRole,
  PLACE_SIZE,
  type PreReckoning,
  type Turning,
} from "@nearfield/presentation/internal";
import type { ObjectType } from "@nearfield/schema";
import { angleBetween, cosine } from "@nearfield/schema/internal";
import { ViewError } from "./errors.ts";
import { type Metric, withoutLimit } from "./metrics.ts";
import { TURN_AXES, type World } from "./world.ts";

export interface ThresholdSettings {
  /** Views call the metric `thresholds:NAME`. */
  readonly name: string;
  /** Due when the picture's place is so far off, in world units. Smaller is truer and costs updates. */
  readonly position: number;
  /** Due when the picture is turned so far off about an axis, in radians. Default: headings never make an object due. */
  readonly angle?: number;
  /** What the clients show by. Default "linear". */
  readonly model?: MotionModelName | MotionModel;
  /** How the clients turn headings on. Default "hold". */
  readonly turning?: Turning;
  /** Default: off. Needs a model that goes by velocities. */
  readonly preReckoning?: PreReckoning;
}

export interface GenreThresholdOptions {
  /** Length of the entity, in world units; thresholds on places scale with it. Default: the preset's 10. */
  readonly size?: number;
  /** Default: off. */
  readonly preReckoning?: PreReckoning;
}

const DEFAULT_SHARP_TURN: number = (80 * Math.PI) / 180;
const UNBOUNDED = Number.POSITIVE_INFINITY;
const TURNINGS: readonly Turning[] = ["hold", "sent", "derived"];
const [HOLD, SENT] = [0, 1];
/** Where a sample says how headings turn on, after the angles and their rates; and how many numbers all of that are. */
const TURNING: number = 2 * TURN_AXES;
const TURN_SIZE: number = TURNING + 1;

/**
 * By a genre's preset, with clients that show by the same (`present(client, Ship, shooter)`), or by settings of your own:
 *
 *     serve({ metrics: [thresholds(shooter)], view: zones(Ship, { metric: "thresholds:shooter", … }), … })
 *
 * Costs: judged by the general code in every round in which an object has moved or its picture moves; 112 bytes more per pair.
 */
export function thresholds(preset: GenrePreset, options?: GenreThresholdOptions): Metric;
export function thresholds(settings: ThresholdSettings): Metric;
export function thresholds(by: GenrePreset | ThresholdSettings, options: GenreThresholdOptions = {}): Metric {
  if (!("tuned" in by)) return new ThresholdMetric(by, () => by.turning ?? "hold", by.turning === "derived");
  const { model, positionThreshold, angleThreshold } = by.tuned.umts;
  const position = (positionThreshold * (options.size ?? by.size)) / by.size;
  const settings = { ...options, name: by.name, model, position, angle: angleThreshold };
  return new ThresholdMetric(settings, (type) => presetTurning(type, by), !by.turnsAtOnce);
}

/**
 * Gives a metric of `thresholds` other numbers, from the next round on for views that are changed after this call (`ConsistencyModel.changeView`).
 * What is remembered of a send stays valid, so model and turning cannot change.
 */
export function retune(metric: Metric, settings: ThresholdSettings): void {
  if (metric instanceof ThresholdMetric) metric.retune(settings);
}

class ThresholdMetric implements Metric {
  readonly name: string;
  readonly sampleSize: number;
  readonly memoryless: boolean;
  readonly again?: NonNullable<Metric["again"]>;
  readonly growth: Metric["growth"] = withoutLimit;
  readonly #model: MotionModel;
  #position = 0;
  #angle = 0;
  #preReckons = false;
  #restSpeed = 0;
  #sharpCosine = 0;
  readonly #turningOf: (type: ObjectType) => Turning;
  /** By type, as first asked for. */
  readonly #turnings = new Map<ObjectType, Turning>();
  readonly #motion: Float64Array;
  readonly #turn: Float64Array = new Float64Array(2 * TURN_AXES);
  readonly #place: Float64Array = new Float64Array(PLACE_SIZE);
  readonly #diverged: Float64Array = new Float64Array(1);

  /** @param mayDerive whether the turning of some type is "derived". */
  constructor(settings: ThresholdSettings, turningOf: (type: ObjectType) => Turning, mayDerive: boolean) {
    const { name, model = linear } = settings;
    this.name = `thresholds:${name}`;
    this.#model = typeof model === "string" ? MOTION_MODELS[model] : model;
    this.#turningOf = turningOf;
    this.#motion = new Float64Array(Math.max(MOTION_SIZE, this.#reads));
    this.sampleSize = this.#model.stateSize + TURN_SIZE;
    this.memoryless = !mayDerive && this.#model.remembers !== true;
    if (!this.memoryless) this.again = (...sample) => this.#again(...sample);
    this.retune(settings);
  }

  retune({ position, angle = UNBOUNDED, preReckoning }: ThresholdSettings): void {
    this.#position = above(position, `${this.name}.position`);
    this.#angle = above(angle, `${this.name}.angle`);
    this.#preReckons = preReckoning !== undefined;
    this.#restSpeed = preReckoning?.restSpeed ?? 0;
    this.#sharpCosine = cosine(preReckoning?.sharpTurn ?? DEFAULT_SHARP_TURN);
    if (this.#preReckons && this.#reads < MOTION_SIZE) {
      const text = `starts and turns are told by velocities, and the model ${this.#model.name} goes by none`;
      throw new ViewError("unfit-metric", `metric ${this.name}.preReckoning`, text);
    }
  }

  missing(type: ObjectType): string | undefined {
    const isTurned = this.#angle < UNBOUNDED && type.orientation.length > 0;
    if (isTurned && type.turnRate.length === 0 && this.#turning(type) === "sent") return "turnRate";
    return missingRole(type, this.#model);
  }

  get #reads(): number {
    return this.#model.motionSize ?? MOTION_SIZE;
  }

  #turning(type: ObjectType): Turning {
    const known = this.#turnings.get(type) ?? this.#turningOf(type);
    this.#turnings.set(type, known);
    return known;
  }

  // ── what was sent ──────────────────────────────────────────────────────────────────────────────────────────────

  /** Model's state, then the angles, their rates, and how they turn on. */
  sample(world: World, slot: number, out: Float64Array, at: number, sinceMs: number, settles: boolean): void {
    const turning = this.#turning(world.store.tableAt(slot).type);
    world.readMotion(slot, this.#motion);
    world.readTurn(slot, this.#turn);
    this.#receive(out, at, TURNINGS.indexOf(turning), sinceMs, settles);
  }

  #again(sent: Float64Array, at: number, before: Float64Array, sinceMs: number, settles: boolean): void {
    const turn = at + this.#model.stateSize;
    const turning = sent[turn + TURNING]!;
    for (let i = 0; i < this.#reads; i++) this.#motion[i] = sent[at + i]!;
    for (let i = 0; i < 2 * TURN_AXES; i++) this.#turn[i] = sent[turn + i]!;
    for (let i = 0; i < this.sampleSize; i++) sent[at + i] = before[i]!;
    this.#receive(sent, at, turning, sinceMs, settles);
  }

  /** As a presentation receives a send (`reckoned.ts` of its package). */
  #receive(out: Float64Array, at: number, turning: number, sinceMs: number, settles: boolean): void {
    this.#model.receive(out, at, this.#motion, 0, sinceMs, settles);
    const turn = at + this.#model.stateSize;
    out[turn + TURNING] = turning;
    for (let axis = 0; axis < TURN_AXES; axis++) {
      const angle = this.#turn[axis]!;
      const before = out[turn + axis]!;
      const rate = turn + TURN_AXES + axis;
      out[turn + axis] = angle;
      if (turning === SENT) out[rate] = this.#turn[TURN_AXES + axis]!;
      else if (settles || turning === HOLD) out[rate] = 0;
      else if (sinceMs > 0) out[rate] = (angleBetween(before, angle) * 1000) / sinceMs;
    }
  }

  carriesOn(sent: Float64Array, at: number): boolean {
    if (!this.#model.rests(sent, at)) return true;
    if (this.#angle === UNBOUNDED) return false;
    const rates = at + this.#model.stateSize + TURN_AXES;
    return sent[rates] !== 0 || sent[rates + 1] !== 0;
  }

  // ── how far off it is now ──────────────────────────────────────────────────────────────────────────────────────

  divergence(world: World, slot: number, sent: Float64Array, at: number, elapsedMs: number): number {
    this.divergeInto(world, slot, sent, at, elapsedMs, this.#diverged);
    return this.#diverged[0]!;
  }

  divergeInto(world: World, slot: number, sent: Float64Array, at: number, elapsedMs: number, out: Float64Array): void {
    if (this.#preReckons && this.#foresees(world, slot, sent, at)) {
      out[0] = UNBOUNDED;
      return;
    }
    const place = this.#place;
    this.#model.place(sent, at, elapsedMs, place, 0);
    const dx = world.x[slot]! - place[0]!;
    const dy = world.y[slot]! - place[1]!;
    const dz = world.z[slot]! - place[2]!;
    let value = Math.sqrt(dx * dx + dy * dy + dz * dz) / this.#position;
    if (this.#angle < UNBOUNDED) {
      const { orientation } = world.store.tableAt(slot).type;
      const turn = at + this.#model.stateSize;
      for (let axis = 0; axis < orientation.length; axis++) {
        const shown = sent[turn + axis]! + (sent[turn + TURN_AXES + axis]! * elapsedMs) / 1000;
        const off = Math.abs(angleBetween(shown, world.numberAt(slot, orientation[axis]!))) / this.#angle;
        if (off > value) value = off;
      }
    }
    out[0] = value;
  }

  /** Whether it starts, stops or turns sharply, by its velocity and the one that was sent; one that was put to rest was sent as standing. */
  #foresees(world: World, slot: number, sent: Float64Array, at: number): boolean {
    const x = world.velX[slot]!;
    const y = world.velY[slot]!;
    const z = world.velZ[slot]!;
    const sentX = sent[at + PLACE_SIZE]!;
    const sentY = sent[at + PLACE_SIZE + 1]!;
    const sentZ = sent[at + PLACE_SIZE + 2]!;
    const speed = Math.sqrt(x * x + y * y + z * z);
    const sentSpeed = Math.sqrt(sentX * sentX + sentY * sentY + sentZ * sentZ);
    const moves = speed > this.#restSpeed;
    if (moves !== sentSpeed > this.#restSpeed) return true;
    return moves && sentX * x + sentY * y + sentZ * z < this.#sharpCosine * sentSpeed * speed;
  }
}

/** As clients fit the preset to the type (`fitPresentation`). */
function presetTurning(type: ObjectType, preset: GenrePreset): Turning {
  if (missingRole(type, MOTION_MODELS[preset.tuned.umts.model]) !== undefined) return "hold";
  return fitPresentation(type, preset).turning ?? "hold";
}

function above(value: number, at: string): number {
  if (value > 0) return value;
  throw new ViewError("bad-number", `metric ${at}`, `must be above 0, is ${value}`);
}
