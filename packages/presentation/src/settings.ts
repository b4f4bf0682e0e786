/** How an object is shown: plain data, so that a preset, a link or a server's copy can hold it. */

import { PresentationError } from "./errors.ts";
import { fading } from "./fading.ts";
import { hold } from "./hold.ts";
import { linear } from "./linear.ts";
import type { MotionModel } from "./motion-model.ts";
import { history, historyCurve, historyLine } from "./position-history.ts";
import { accelerated, quadratic } from "./quadratic.ts";

export type MotionModelName =
  | "hold"
  | "linear"
  | "fading"
  | "quadratic"
  | "accelerated"
  | "historyLine"
  | "historyCurve"
  | "history";

/** The motion models in the box, by name. */
export const MOTION_MODELS: Readonly<Record<MotionModelName, MotionModel>> = /* @__PURE__ */ Object.freeze({
  hold,
  linear,
  fading,
  quadratic,
  accelerated,
  historyLine,
  historyCurve,
  history,
});

/**
 * How the picture gets from where it was to where a new send says it should be (N §2.7.1.3): at once; in a straight line; or, where the
 * course bends, in a curve that leaves in the direction of the movement so far.
 */
export type Convergence = "snap" | "linear" | "curved";

/** How the heading goes on between sends: not at all, at the rate that was sent, or at the rate of the last two sends. */
export type Turning = "hold" | "sent" | "derived";

export interface PresenterSettings {
  /** A motion model, in the box or a game's own, or "interpolation": shown late, between two sends. Default "linear". */
  readonly model?: MotionModelName | "interpolation" | MotionModel;
  /** Default "linear". */
  readonly convergence?: Convergence;
  /** Time in which a position converges, ms. Longer is smoother and longer wrong. Default 100. */
  readonly positionMs?: number;
  /** Time in which an orientation converges, ms. Default 100. */
  readonly orientationMs?: number;
  /** A correction longer than this snaps: a respawn is no flight across the map. World units; default `Infinity`. */
  readonly snapDistance?: number;
  /**
   * Most of a send's age that is made up for by carrying the object on (N §2.7.1.2), ms. More is nearer to the truth and overshoots more
   * when the object turns. 0: none. Default 200. Interpolation makes up for nothing.
   */
  readonly compensationMs?: number;
  /** Default "hold". */
  readonly turning?: Turning;
  /** Interpolation: a delay that is always the same, ms. Default: it follows the object's zone (`delayFor`). */
  readonly deltaMs?: number;
  /** Interpolation: longest delay for an object whose zone has no known time bound, ms. Larger is smoother and later. Default 5,000. */
  readonly longestDelayMs?: number;
}

export interface ResolvedPresenterSettings extends Required<Omit<PresenterSettings, "model" | "deltaMs">> {
  readonly model: MotionModel | "interpolation";
  /** NaN: follows the zone. */
  readonly deltaMs: number;
}

export const DEFAULT_PRESENTER: Required<Omit<PresenterSettings, "deltaMs">> = /* @__PURE__ */ Object.freeze({
  model: "linear",
  convergence: "linear",
  positionMs: 100,
  orientationMs: 100,
  snapDistance: Number.POSITIVE_INFINITY,
  compensationMs: 200,
  turning: "hold",
  longestDelayMs: 5000,
});

export function resolvePresenterSettings(settings: PresenterSettings = {}): ResolvedPresenterSettings {
  const merged = { ...DEFAULT_PRESENTER, ...settings };
  for (const name of ["positionMs", "orientationMs", "snapDistance", "compensationMs", "longestDelayMs"] as const) {
    if (!(merged[name] >= 0)) throw new PresentationError(name, merged[name], "must be 0 or more");
  }
  const { deltaMs } = settings;
  if (deltaMs !== undefined && !(deltaMs >= 0)) throw new PresentationError("deltaMs", deltaMs, "must be 0 or more");
  oneOf("convergence", merged.convergence, ["snap", "linear", "curved"]);
  oneOf("turning", merged.turning, ["hold", "sent", "derived"]);
  return Object.freeze({ ...merged, model: modelOf(merged.model), deltaMs: deltaMs ?? Number.NaN });
}

function modelOf(model: NonNullable<PresenterSettings["model"]>): MotionModel | "interpolation" {
  if (typeof model !== "string" || model === "interpolation") return model;
  oneOf("model", model, [...Object.keys(MOTION_MODELS), "interpolation"]);
  return MOTION_MODELS[model];
}

function oneOf(setting: string, value: string, names: readonly string[]): void {
  if (!names.includes(value)) throw new PresentationError(setting, value, `must be one of ${names.join(", ")}`);
}
