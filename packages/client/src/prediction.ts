/**
 * One object of this client's own that answers at once (N7). `command` runs the game's step function here and now and sends the command.
 * The server runs the same function later, and its frames say which commands their states include. Then the client takes the server's state
 * and runs the later commands again from there. If that leads elsewhere (somebody pushed the ship), the picture moves over smoothly.
 *
 * Frames may tell of the object seldom. The base is the server's last word on the object, followed by all commands since, even if frames
 * confirmed some of them meanwhile. Invariant: `state` is the base, stepped by every command after it, in order.
 * Why so: docs/decisions/0013-commands-carry-their-time.md.
 */

import type { Entity } from "@nearfield/core";
import { LEAST_STEP_MS, MOST_STEP_MS } from "@nearfield/protocol/internal";
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
  /** Takes a command to send. Returns 0 if the server would not apply it: it is too far behind, or its room is not active. */
  push(entity: Entity, type: CommandType, values: Values<Fields>, stepMs: number, isNews: boolean): number;
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

/** Steps kept since the base. If there are more, the oldest step is applied to the base, which is then a guess itself. */
const MOST_STEPS = 2048;
/** Length of the first command, ms: one frame. */
const FIRST_STEP_MS = 16;

export class Prediction<F extends Fields = Fields, C extends Fields = Fields> {
  readonly #host: PredictionHost;
  readonly #entity: Entity;
  readonly #type: ObjectType;
  readonly #command: CommandType<C>;
  readonly #step: StepFunction<Fields, Fields>;
  readonly #correction: Correction;
  readonly #base: State = {};
  readonly #state: State = {};
  readonly #shown: State = {};
  readonly #steps: Step[] = [];
  #baseRound: number;
  #lastMs = Number.NaN;
  #lastRecord: readonly unknown[] = [];
  #hasEnded = false;

  constructor(
    host: PredictionHost,
    entity: Entity,
    baseRound: number,
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
    this.#baseRound = baseRound;
    this.#correction = new Correction(entity.type, correctionMs, snapDistance);
    this.#load(this.#base, entity as unknown as State);
    this.#load(this.#state, this.#base);
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

  /** Commands since the server's last word on the object. */
  get pending(): number {
    return this.#steps.length;
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
   * A frame was applied. If it told of the object (its round is new), the object's state becomes the base, which includes commands up to
   * `number`.
   */
  confirm(round: number, number: number): void {
    if (!this.isActive || round === this.#baseRound) return;
    this.#baseRound = round;
    const nowMs = this.#host.timeMs;
    this.#correction.before(this.#state, nowMs);
    this.#load(this.#base, this.#entity as unknown as State);
    const first = this.#steps.findIndex((step) => step.number > number);
    this.#steps.splice(0, first < 0 ? this.#steps.length : first);
    this.#load(this.#state, this.#base);
    for (const { values, stepMs } of this.#steps) this.#run(this.#state, values, stepMs);
    this.#correction.after(this.#state, nowMs);
    this.#draw();
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
    const record = this.#asSent(values);
    const number = this.#host.push(this.#entity, this.#command as unknown as CommandType, record, stepMs, isNews);
    this.#lastMs += stepMs;
    if (number === 0) return false;
    this.#steps.push({ number, values: record, stepMs });
    this.#run(this.#state, record, stepMs);
    for (const { name, field } of this.#type.fields) field.check(this.#state[name], `${this.#type.name}.${name}`);
    if (this.#steps.length > MOST_STEPS) {
      const { values: oldest, stepMs: lasted } = this.#steps.shift()!;
      this.#run(this.#base, oldest, lasted);
    }
    return true;
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

  #load(into: State, from: State): void {
    for (const { name } of this.#type.fields) {
      const value = from[name];
      into[name] = Array.isArray(value) || value instanceof Uint8Array ? value.slice() : value;
    }
  }

  #draw(): void {
    this.#load(this.#shown, this.#state);
    this.#correction.show(this.#shown, this.#host.timeMs);
    this.#host.draw(this.#entity, this.#correction.picture);
  }
}
