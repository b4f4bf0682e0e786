/**
 * The sending side: when the entity's owner sends an update, what is in it, and what it weighs. Dead reckoning sends by thresholds,
 * interpolation at a fixed interval while anything changes.
 */

import { MOTION_MODELS, Sender } from "@nearfield/presentation";
import { FULL_MOTION_SIZE, type Send, type SendReason, type Turning } from "@nearfield/presentation/internal";
import { ENTITY_SIZE, EntityField, exact } from "@nearfield/simulation";
import type { SimulatorSettings } from "./settings.ts";

const RADIANS: number = Math.PI / 180;

/** Bytes as the paper counts them (N fig. 3.13): payload, integers of 4 bytes, a time stamp of 8. */
const ID_POSITION_ORIENTATION = 13;
const VELOCITY = 8;
const ACCELERATION = 8;
const TURN_RATE = 4;
const TIME_STAMP = 8;

export function updateBytes({ model, compensationMs }: Pick<SimulatorSettings, "model" | "compensationMs">): number {
  const isHistory = model.startsWith("history") || model === "interpolation";
  // These tell velocities or accelerations from the times of several updates, so an update always carries its own.
  const hasStamp = isHistory || model === "quadratic" || compensationMs > 0;
  const moves = !isHistory && model !== "hold";
  return (
    ID_POSITION_ORIENTATION +
    (moves ? VELOCITY + TURN_RATE : 0) +
    (model === "accelerated" ? ACCELERATION : 0) +
    (hasStamp ? TIME_STAMP : 0)
  );
}

/**
 * How the heading changes between updates. Updates of order 0 and of position history carry no turn rate. With position history, a heading then
 * keeps turning as between the last two updates. With order 0 it stays as sent, and so it does under direct steering, where the heading changes in
 * one step and would otherwise spin (N §3.3.1).
 */
export function turningOf({ model, turning, control }: SimulatorSettings): Turning {
  if (turning !== "sent" || !(model === "hold" || model.startsWith("history"))) return turning;
  return control === "direct" || model === "hold" ? "hold" : "derived";
}

export class Sending {
  readonly bytes: number;
  readonly #settings: SimulatorSettings;
  readonly #turning: Turning;
  readonly #sender: Sender | undefined;
  readonly #motion: Float64Array = new Float64Array(FULL_MOTION_SIZE);
  readonly #lastSent: Float64Array = new Float64Array(ENTITY_SIZE);
  #sentAtMs = Number.NaN;

  constructor(settings: SimulatorSettings) {
    this.#settings = settings;
    this.bytes = updateBytes(settings);
    this.#turning = turningOf(settings);
    this.#sender = settings.model === "interpolation" ? undefined : thresholdSender(settings, settings.model);
  }

  /** Whether an update goes now, and why. */
  reason(truth: Float64Array, nowMs: number, watcherDistance: number): SendReason {
    this.#write(truth);
    const heading = truth[EntityField.heading]!;
    if (this.#sender !== undefined) return this.#sender.reason(this.#motion, 0, heading, nowMs, watcherDistance);
    if (Number.isNaN(this.#sentAtMs)) return "first";
    // Half a millisecond early is on time: frames do not add up to whole intervals.
    const isTime = nowMs - this.#sentAtMs > this.#settings.intervalMs - 0.5;
    return isTime && this.#hasChanged(truth) ? "time" : "none";
  }

  /** The update that goes now. */
  send(truth: Float64Array, nowMs: number): Send {
    this.#write(truth);
    const heading = truth[EntityField.heading]!;
    const turnRate = this.#turnRate(truth, nowMs);
    const settles = isResting(truth);
    this.#sender?.sent(this.#motion, 0, heading, turnRate, nowMs, settles);
    this.#lastSent.set(truth);
    this.#sentAtMs = nowMs;
    return {
      timeMs: nowMs,
      position: this.#motion.slice(0, 3),
      velocity: this.#motion.slice(3, 6),
      acceleration: this.#motion.slice(6, 9),
      orientation: [heading],
      turnRate: [turnRate],
      settles,
    };
  }

  /** What receivers will turn it by: as it is, or as they tell from the last two updates. */
  #turnRate(truth: Float64Array, nowMs: number): number {
    const sinceMs = nowMs - this.#sentAtMs;
    if (this.#turning !== "derived") return truth[EntityField.turnRate]!;
    const turned = exact.angleBetween(this.#lastSent[EntityField.heading]!, truth[EntityField.heading]!);
    return sinceMs > 0 && !isResting(truth) ? (turned * 1000) / sinceMs : 0;
  }

  #hasChanged(truth: Float64Array): boolean {
    const fields = [EntityField.x, EntityField.y, EntityField.heading] as const;
    return fields.some((field) => truth[field] !== this.#lastSent[field]);
  }

  #write(truth: Float64Array): void {
    for (let pair = 0; pair < 3; pair++) {
      this.#motion[3 * pair] = truth[2 * pair]!;
      this.#motion[3 * pair + 1] = truth[2 * pair + 1]!;
    }
  }
}

function thresholdSender(settings: SimulatorSettings, model: keyof typeof MOTION_MODELS): Sender {
  const { positionThreshold, angleThreshold, sensitiveRadius, outsideFactor, preReckoning } = settings;
  const thresholds = { position: positionThreshold, angle: angleThreshold * RADIANS };
  const outside = {
    position: positionThreshold * outsideFactor,
    angle: angleThreshold * outsideFactor * RADIANS,
    radius: sensitiveRadius,
  };
  return new Sender({
    model: MOTION_MODELS[model],
    thresholds,
    ...(sensitiveRadius > 0 && { outside }),
    ...(preReckoning && { preReckoning: {} }),
    carriesTurn: turningOf(settings) !== "hold",
  });
}

function isResting(truth: Float64Array): boolean {
  return truth[EntityField.velocityX] === 0 && truth[EntityField.velocityY] === 0 && truth[EntityField.turnRate] === 0;
}
