/**
 * One object of this client's own that answers at once (N7). `command` runs the game's step function here and now and sends the command,
 * with a digest of the state to which it led. The server runs the same function later. While it comes to the same state it says only which
 * commands it has run. If it comes to another state (somebody pushed the ship), it sends that state; the client takes it, runs the later
 * commands again from there, and the picture moves over smoothly.
 *
 * `#sure` is the object as the server has it after the commands that it is known to have run: its last word, followed by the commands
 * since. Invariant: `state` is `#sure`, stepped by every command after those, in order.
 * Why so: docs/decisions/0013-commands-carry-their-time.md.
 */

import type { Entity } from "@nearfield/core";
import { type Digest, digestOf, LEAST_STEP_MS, MOST_STEP_MS } from "@nearfield/protocol/internal";
import type { CommandType, Fields, ObjectType, Values } from "@nearfield/schema";
import { checkRecord } from "@nearfield/schema/internal";
import type { StepFunction } from "@nearfield/simulation";
import { Correction } from "./correction.ts";
import { ClientError } from "./errors.ts";

export interface PredictOptions {
  /**
   * Time in which a correction nearly fades from the picture, ms. Default 100. A longer time is smoother, but the picture is wrong for
   * longer.
   */
  readonly correctionMs?: number;
  /**
   * A correction longer than this is shown at once, so that a respawn does not look like a flight across the map. World units; default
   * `Infinity`.
   */
  readonly snapDistance?: number;
}

/** What a prediction needs of its client. */
export interface PredictionHost {
  /** The server's time now, ms. */
  readonly timeMs: number;
  /** Whether this client owns the object. */
  isMine(entity: Entity): boolean;
  /** Whether the server would apply a command of this length: it is not too far behind, and its room is active. */
  hasRoom(stepMs: number): boolean;
  /**
   * Takes a command to send, and the state to which it led. Returns its number; or 0 if it need not be sent, because the server repeats the
   * command before by itself. That can be only if the command is the same and left the object as it was (`isStill`).
   */
  push(
    entity: Entity,
    type: CommandType,
    values: Values<Fields>,
    stepMs: number,
    isNews: boolean,
    digest: Digest,
    isStill: boolean,
  ): number;
  /** The object is known to be so on the server. */
  mirror(entity: Entity, state: Readonly<Record<string, unknown>>): void;
  /** Draws the object at this picture (position and orientation, three numbers each). Undefined: ends that. */
  draw(entity: Entity, picture: Float64Array | undefined): void;
  end(prediction: Prediction): void;
}

interface Step {
  readonly number: number;
  readonly values: Values<Fields>;
  readonly stepMs: number;
}

type State = Record<string, unknown>;

/** How long steps are kept that the server has run, ms: a state from before them may still be on its way. */
const KEPT_MS = 2000;
/** Length of the first command, ms: one frame. */
const FIRST_STEP_MS = 16;

export class Prediction<F extends Fields = Fields, C extends Fields = Fields> {
  readonly #host: PredictionHost;
  readonly #entity: Entity;
  readonly #type: ObjectType;
  readonly #command: CommandType<C>;
  readonly #step: StepFunction<Fields, Fields>;
  readonly #correction: Correction;
  readonly #sure: State = {};
  readonly #state: State = {};
  readonly #shown: State = {};
  /** The state before the last command. */
  readonly #before: State = {};
  /** The steps that the server has run, newest last, for how long they last together, ms; then those that it has not, as far as is known. */
  readonly #steps: Step[] = [];
  #runCount = 0;
  #runMs = 0;
  /** Number of the last command that the server is known to have run. */
  #lastRun = 0;
  /** Round of the last state that the server sent. */
  #toldRound: number;
  #lastMs = Number.NaN;
  #lastRecord: readonly unknown[] = [];
  #hasEnded = false;

  constructor(
    host: PredictionHost,
    entity: Entity,
    toldRound: number,
    command: CommandType<C>,
    step: StepFunction<Fields, Fields>,
    { correctionMs = 100, snapDistance = Number.POSITIVE_INFINITY }: PredictOptions,
  ) {
    if (!(correctionMs >= 0))
      throw new ClientError("bad-option", `correctionMs is ${correctionMs}, but must be 0 or more`);
    if (!(snapDistance >= 0))
      throw new ClientError("bad-option", `snapDistance is ${snapDistance}, but must be 0 or more`);
    this.#host = host;
    this.#entity = entity;
    this.#type = entity.type;
    this.#command = command;
    this.#step = step;
    this.#toldRound = toldRound;
    this.#correction = new Correction(entity.type, correctionMs, snapDistance);
    this.#load(this.#sure, entity as unknown as State);
    this.#load(this.#state, this.#sure);
    this.#draw();
  }

  /** The object as the server will have it when every command has arrived, if nothing else happens to it. */
  get state(): Readonly<Values<F>> {
    return this.#state as Values<F>;
  }

  /** The object as it is to be drawn: `state`, and what is left of the last correction. The same as `entity.shown`. */
  get shown(): Readonly<Values<F>> {
    this.#draw();
    return this.#shown as Values<F>;
  }

  /** How far the picture still is from `state`, in world units. */
  get correction(): number {
    return this.#correction.distanceAt(this.#host.timeMs);
  }

  /** Commands that the server is not known to have run yet. */
  get pending(): number {
    return this.#steps.length - this.#runCount;
  }

  /** False when the object is gone or belongs to somebody else, or `end` was called. */
  get isActive(): boolean {
    return !this.#hasEnded && this.#entity.alive && this.#host.isMine(this.#entity);
  }

  /**
   * What the player wants of the object now; call it in every frame. It acts at once, for the time since the last call, and is sent to the
   * server. Returns false if it has no effect: the object is gone; the frame was shorter than 4 ms (the next call acts for both); the room
   * is not active; or the server has been silent for so long that the object stands still.
   */
  command(values: Values<C>): boolean {
    checkRecord(this.#command, values);
    if (!this.isActive) return false;
    const isNews = this.#isNews(values);
    const stepMs = this.#dueMs();
    const acts = stepMs >= LEAST_STEP_MS && this.#act(values, stepMs, isNews);
    this.#draw();
    return acts;
  }

  /** Ends the prediction. The object is shown by its presentation again. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#host.draw(this.#entity, undefined);
    this.#host.end(this as unknown as Prediction);
  }

  // ── what the client tells ──────────────────────────────────────────────────────────────────────────────────────

  get entity(): Entity<F> {
    return this.#entity as unknown as Entity<F>;
  }

  /**
   * A frame was applied that brought the object's state, after the commands up to `number`. Fields that are as predicted keep the digits
   * that the wire took off, so that this client and the server go on from the same numbers.
   */
  confirm(round: number, number: number): void {
    if (!this.isActive || round === this.#toldRound) return;
    this.#toldRound = round;
    const isLate = number < this.#lastRun;
    this.#runUpTo(number);
    if (!this.#takeIn(this.#entity as unknown as State, isLate)) return;
    const nowMs = this.#host.timeMs;
    this.#correction.before(this.#state, nowMs);
    const first = this.#steps.findIndex((step) => step.number > number);
    this.#steps.splice(0, first < 0 ? this.#steps.length : first);
    this.#runCount = 0;
    this.#runMs = 0;
    this.#load(this.#state, this.#sure);
    for (const { values, stepMs } of this.#steps) this.#run(this.#state, values, stepMs);
    this.#correction.after(this.#state, nowMs);
    this.#draw();
  }

  /** A frame was applied: the server has run the commands up to `number`. What it did not say otherwise is as this client predicted it. */
  advance(number: number): void {
    if (!this.isActive) return;
    this.#lastRun = Math.max(this.#lastRun, number);
    if (this.#runUpTo(this.#lastRun)) this.#host.mirror(this.#entity, this.#sure);
    while (this.#runCount > 0 && this.#runMs - this.#steps[0]!.stepMs >= KEPT_MS) {
      this.#runMs -= this.#steps.shift()!.stepMs;
      this.#runCount -= 1;
    }
  }

  /** Call it when time has passed: updates the picture. */
  refresh(): void {
    if (this.isActive) this.#draw();
    else this.end();
  }

  // ── steps ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Whole ms that the next command must cover. After a long pause only its last part counts, since the object stood still. */
  #dueMs(): number {
    const nowMs = this.#host.timeMs;
    if (Number.isNaN(this.#lastMs)) this.#lastMs = nowMs - FIRST_STEP_MS;
    this.#lastMs = Math.max(this.#lastMs, nowMs - MOST_STEP_MS);
    return Math.floor(nowMs - this.#lastMs);
  }

  #act(values: Values<C>, stepMs: number, isNews: boolean): boolean {
    this.#lastMs += stepMs;
    if (!this.#host.hasRoom(stepMs)) return false;
    const record = this.#asSent(values);
    this.#load(this.#before, this.#state);
    this.#run(this.#state, record, stepMs);
    for (const { name, field } of this.#type.fields) field.check(this.#state[name], `${this.#type.name}.${name}`);
    const digest = digestOf(this.#type, this.#state);
    const command = this.#command as unknown as CommandType;
    const isStill = !isNews && this.#isAsBefore();
    const number = this.#host.push(this.#entity, command, record, stepMs, isNews, digest, isStill);
    if (number > 0) this.#steps.push({ number, values: record, stepMs });
    return true;
  }

  /** Runs the steps up to this number that the server has run. Returns whether there were any. */
  #runUpTo(number: number): boolean {
    const before = this.#runCount;
    for (let next = this.#steps[before]; next !== undefined && next.number <= number; ) {
      this.#run(this.#sure, next.values, next.stepMs);
      this.#runMs += next.stepMs;
      next = this.#steps[++this.#runCount];
    }
    return this.#runCount > before;
  }

  /** Takes over what differs from the state that was predicted, or everything. Returns whether anything differs. */
  #takeIn(told: State, everything: boolean): boolean {
    let differs = everything;
    for (const { name, field } of this.#type.fields) {
      if (!everything && field.sameWire(field.toWire(this.#sure[name] as never), field.toWire(told[name] as never)))
        continue;
      this.#sure[name] = copyOf(told[name]);
      differs = true;
    }
    return differs;
  }

  #run(state: State, values: Values<Fields>, stepMs: number): void {
    this.#step(state as Values<Fields>, values, stepMs);
  }

  /** The values as the server will read them. Precision that is lost on the wire must be lost here too, or the two sides would step apart. */
  #asSent(values: Values<C>): Values<Fields> {
    const record: State = {};
    for (const { name, field } of this.#command.fields) {
      record[name] = field.fromWire(field.toWire((values as State)[name]));
    }
    return record as Values<Fields>;
  }

  #isNews(values: Values<C>): boolean {
    const record = this.#command.fields.map(({ name }) => (values as State)[name]);
    const isNews = record.some((value, i) => value !== this.#lastRecord[i]);
    this.#lastRecord = record;
    return isNews;
  }

  /** Whether the last step changed nothing, to the last digit. */
  #isAsBefore(): boolean {
    return this.#type.fields.every(({ name }) => isSameValue(this.#state[name], this.#before[name]));
  }

  #load(into: State, from: State): void {
    for (const { name } of this.#type.fields) {
      into[name] = copyOf(from[name]);
    }
  }

  #draw(): void {
    this.#load(this.#shown, this.#state);
    this.#correction.show(this.#shown, this.#host.timeMs);
    this.#host.draw(this.#entity, this.#correction.picture);
  }
}

function isSameValue(a: unknown, b: unknown): boolean {
  if (!isSequence(a) || !isSequence(b)) return a === b;
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function isSequence(value: unknown): value is readonly unknown[] | Uint8Array {
  return Array.isArray(value) || value instanceof Uint8Array;
}

/** Lists and bytes are copied, since a step function may change them in place. */
function copyOf(value: unknown): unknown {
  return isSequence(value) ? value.slice() : value;
}
