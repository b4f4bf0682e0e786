/**
 * Checks that a type is sent the fields which its presentation needs. A model that reads a velocity would silently show an object without one as
 * `hold` does. So code that connects a type with settings calls this check first.
 */

import { PresentationError } from "./errors.ts";
import type { GenrePreset } from "./genres/presets.ts";
import { FULL_MOTION_SIZE, MOTION_SIZE, type MotionModel, PLACE_SIZE } from "./motion-model.ts";
import { type PresenterSettings, resolvePresenterSettings } from "./settings.ts";

/** The roles that a type's schema names fields for; an `ObjectType` is one. */
export interface SentRoles {
  readonly name: string;
  readonly orientation: readonly unknown[];
  readonly velocity: readonly unknown[];
  readonly acceleration: readonly unknown[];
  readonly turnRate: readonly unknown[];
}

/** How a type is shown: settings, or a genre's preset as it is. */
export type PresentedBy = PresenterSettings | GenrePreset;

/**
 * The settings by which a type is shown. Of a preset those are its tuned ones for round trips up to some 600 ms; for others take
 * `settingsFor`. Its headings turn on as the schema allows: at the rate that is sent; else, unless they are set at once as under direct
 * control, at the rate of the last two sends.
 *
 * Throws `PresentationError` where the settings go by something that the type is not sent with.
 */
export function fitPresentation(type: SentRoles, by: PresentedBy): PresenterSettings {
  const settings = isPreset(by) ? settingsOf(type, by) : by;
  const { model, turning } = resolvePresenterSettings(settings);
  if (model === "interpolation") return settings;
  const missing = missingRole(type, model);
  if (missing !== undefined) throw new PresentationError("model", model.name, adviceFor(type, missing));
  if (turning === "sent" && type.orientation.length > 0 && type.turnRate.length === 0) {
    throw new PresentationError("turning", turning, adviceFor(type, "turnRate"));
  }
  return settings;
}

/** What a motion model goes by and the type is not sent with; undefined if there is nothing of the kind. */
export function missingRole(
  type: SentRoles,
  { motionSize = MOTION_SIZE }: MotionModel,
): "velocity" | "acceleration" | undefined {
  if (motionSize > PLACE_SIZE && type.velocity.length === 0) return "velocity";
  if (motionSize >= FULL_MOTION_SIZE && type.acceleration.length === 0) return "acceleration";
  return undefined;
}

const INSTEAD = {
  velocity: `a model that goes by positions alone: "historyLine", "historyCurve", "history", "interpolation" or "hold"`,
  acceleration: `"quadratic", which takes the acceleration from the last two velocities`,
  turnRate: `"derived", which takes the turn rate from the last two headings`,
} as const;

function adviceFor({ name }: SentRoles, role: keyof typeof INSTEAD): string {
  const fields = `object("${name}", …, { ${role}: … })`;
  return `the schema of ${name} names no ${role}. Name the fields that hold it, ${fields}, or choose ${INSTEAD[role]}`;
}

function isPreset(by: PresentedBy): by is GenrePreset {
  return "tuned" in by;
}

function settingsOf(type: SentRoles, { tuned, turnsAtOnce }: GenrePreset): PresenterSettings {
  if (type.turnRate.length > 0) return tuned.umts;
  return { ...tuned.umts, turning: turnsAtOnce ? "hold" : "derived" };
}
