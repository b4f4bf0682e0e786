/**
 * The whole experiment, frame by frame and without a screen: a true entity that is steered, its sender, a conditioned network, and a
 * receiver that shows it. Each frame goes `steer → deliver → send → show → measure`, on virtual time and seeded dice: the same settings and
 * inputs give the same figures, bit for bit.
 */

import { Dice } from "@nearfield/netlab";
import { ConditionedPipe, type Conditions, type NetworkTrace, VirtualClock } from "@nearfield/netlab/internal";
import { Presenter } from "@nearfield/presentation";
import type { Send } from "@nearfield/presentation/internal";
import { ENTITY_SIZE, EntityField, stepEntity } from "@nearfield/simulation";
import { CONTROLS, type ControlInput, type ControlModel, type EntityTraits } from "@nearfield/simulation/internal";
import { FRAME_MS } from "./recording.ts";
import { Sending, turningOf } from "./sending.ts";
import type { SimulatorSettings } from "./settings.ts";
import { Statistics } from "./statistics.ts";

/** Updates that are kept to be drawn. */
const HISTORY = 12;
const NO_BYTES: Uint8Array = new Uint8Array(0);

export interface Place {
  x: number;
  y: number;
  heading: number;
}

export interface SentUpdate {
  readonly x: number;
  readonly y: number;
  /** When the entity was there. */
  readonly timeMs: number;
}

export interface ReceivedUpdate extends SentUpdate {
  /** When that was heard. */
  readonly atMs: number;
}

/** Where the picture is heading, and whether it has got there. */
export interface ConvergencePoint {
  readonly x: number;
  readonly y: number;
  readonly isReached: boolean;
}

export class Simulation {
  /** `EntityField`s of the true entity. */
  readonly truth: Float64Array = new Float64Array(ENTITY_SIZE);
  /** Since the start or the last change of settings. */
  statistics: Statistics = new Statistics();
  /** Newest last, both. */
  readonly sent: SentUpdate[] = [];
  readonly received: ReceivedUpdate[] = [];
  readonly #clock: VirtualClock = new VirtualClock();
  readonly #pipe: ConditionedPipe;
  readonly #shown: Place = { x: 0, y: 0, heading: 0 };
  #settings: SimulatorSettings;
  #control: ControlModel;
  #traits: EntityTraits;
  #sending: Sending;
  #presenter: Presenter;
  #frame = 0;
  /** What was lost before the last change of settings. */
  #lostBefore = 0;

  /** @param trace a recorded network, which counts instead of the settings as far as it tells */
  constructor(settings: SimulatorSettings, trace?: NetworkTrace) {
    this.#settings = settings;
    this.#pipe = new ConditionedPipe(this.#clock, new Dice(settings.seed), conditionsOf(settings, trace));
    this.#control = controlOf(settings);
    this.#traits = traitsOf(settings);
    this.#sending = new Sending(settings);
    this.#presenter = presenterOf(settings);
  }

  get nowMs(): number {
    return this.#frame * FRAME_MS;
  }

  /** Updates that did not get through, since the start or the last change of settings. */
  get lost(): number {
    return this.#lostAtAll - this.#lostBefore;
  }

  get #lostAtAll(): number {
    const { lost, tailDropped } = this.#pipe.counters;
    return lost + tailDropped;
  }

  /** What the others see; undefined until the first update has come. */
  get shown(): Place | undefined {
    return this.received.length > 0 ? this.#shown : undefined;
  }

  /** Undefined where nothing converges: before the first update, and under interpolation. */
  get convergencePoint(): ConvergencePoint | undefined {
    if (this.received.length === 0 || this.#settings.model === "interpolation") return undefined;
    const [x, y] = this.#presenter.convergencePoint().position;
    const { presentation, state } = this.#presenter;
    return { x: x!, y: y!, isReached: this.nowMs >= presentation.convergedAtMs(state, 0) };
  }

  /** Other settings from now on. The entity stays where it is; the picture starts from the next update, the figures from zero. */
  change(settings: SimulatorSettings, trace?: NetworkTrace): void {
    this.#settings = settings;
    this.#pipe.change(conditionsOf(settings, trace));
    this.#control = controlOf(settings);
    this.#traits = traitsOf(settings);
    this.#sending = new Sending(settings);
    this.#presenter = presenterOf(settings);
    this.received.length = 0;
    this.#lostBefore = this.#lostAtAll;
    this.statistics = new Statistics();
  }

  step(input: ControlInput): void {
    this.#frame += 1;
    stepEntity(this.#control, this.#traits, this.truth, 0, input, FRAME_MS / 1000);
    this.#clock.runUntil(this.nowMs);
    const bytes = this.#send();
    const { truth } = this;
    const speed = length(truth[EntityField.velocityX]!, truth[EntityField.velocityY]!);
    this.statistics.frame(truth[EntityField.x]!, truth[EntityField.y]!, speed, bytes);
    if (this.received.length > 0) this.#show();
  }

  /** Sends an update if one is due; returns its bytes. */
  #send(): number {
    const watcherDistance = length(this.truth[EntityField.x]!, this.truth[EntityField.y]!);
    if (this.#sending.reason(this.truth, this.nowMs, watcherDistance) === "none") return 0;
    const send = this.#sending.send(this.truth, this.nowMs);
    keep(this.sent, { x: send.position[0]!, y: send.position[1]!, timeMs: this.nowMs });
    const { bytes } = this.#sending;
    this.#pipe.push({ channel: "sequenced", bytes: NO_BYTES, frameBytes: bytes, deliver: () => this.#receive(send) });
    // Over a network without latency it is there in the same frame.
    this.#clock.runUntil(this.nowMs);
    return bytes;
  }

  #receive(send: Send): void {
    if (!this.#presenter.receive(send, this.#clock.nowMs)) return;
    const [x, y] = [send.position[0]!, send.position[1]!];
    keep(this.received, { x, y, timeMs: send.timeMs, atMs: this.#clock.nowMs });
  }

  #show(): void {
    const { position, orientation } = this.#presenter.at(this.nowMs);
    this.#shown.x = position[0]!;
    this.#shown.y = position[1]!;
    this.#shown.heading = orientation[0]!;
    this.statistics.shown(this.#shown.x, this.#shown.y);
  }
}

function keep<Update>(updates: Update[], update: Update): void {
  updates.push(update);
  if (updates.length > HISTORY) updates.shift();
}

function controlOf({ control }: SimulatorSettings): ControlModel {
  return CONTROLS.find(({ name }) => name === control)!;
}

function traitsOf({ acceleration, drag, brakeForce, turnSpeed }: SimulatorSettings): EntityTraits {
  return { acceleration, drag, brakeForce, turnSpeed: (turnSpeed * Math.PI) / 180 };
}

function presenterOf(settings: SimulatorSettings): Presenter {
  const { model, convergence, positionMs, orientationMs, compensationMs, deltaMs } = settings;
  const turning = turningOf(settings);
  // Between two updates interpolation is always at its target; there is nothing to converge to.
  const shape = model === "interpolation" ? "snap" : convergence;
  const delta = deltaMs > 0 ? { deltaMs } : {};
  return new Presenter({ model, convergence: shape, positionMs, orientationMs, compensationMs, turning, ...delta });
}

function conditionsOf(settings: SimulatorSettings, trace: NetworkTrace | undefined): Conditions {
  const { latencyMs, jitterPercent, lossPercent, meanBurst, bandwidthKbits } = settings;
  const loss = lossPercent / 100;
  return {
    latencyMs,
    jitterShare: jitterPercent / 100,
    ...(meanBurst > 1 && loss > 0 ? { burst: { loss, meanBurst } } : { loss }),
    ...(bandwidthKbits > 0 && { bandwidthBytesPerSecond: bandwidthKbits * 125 }),
    ...(trace !== undefined && { trace, traceStartMs: settings.replayFromS * 1000 }),
  };
}

function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}
