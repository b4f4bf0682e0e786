/**
 * A room's consistency settings as JSON with comments, in both directions: the configuration file of a game (R §4.5), and what an operator
 * sends. Input is not trusted. Its shape is checked first (`settings-shape.ts`), then the rules of a view (`checkView`); whether a world has
 * the types and metrics that are named, the room finds out. JSON has no infinity: a dimension or range without limit is left out, or `null`.
 */

import { thresholds, ViewError, type ViewLimits, type ViewSettings } from "@nearfield/core";
import {
  type ClientPivots,
  checkView,
  type ObjectSetSettings,
  resolveClientPivots,
  resolveUnits,
  setsOf,
  type ThresholdSettings,
  type UnitSettings,
} from "@nearfield/core/internal";
import { ServerError } from "../errors.ts";
import type { RoomOptions } from "../options.ts";
import { lineAndColumn, type Path, parseText, pathText, placeIn, TextFault } from "./json-text.ts";
import { FILE_KINDS, FILE_VERSION, SETS_SHAPE, SETTINGS_SHAPE } from "./settings-shape.ts";
import { readShape, ShapeFault } from "./shape.ts";

/** The settings that a file holds for a room. Spread them into the options of `serve` or `createRoom`. */
export type RoomSettings = Pick<
  RoomOptions,
  "view" | "viewLimits" | "clientPivots" | "budget" | "ripe" | "thresholds" | "units"
>;

/** The part of a room's options that a file can hold. */
export function settingsOf(options: RoomOptions): RoomSettings {
  const { view, viewLimits, clientPivots, budget, ripe, thresholds, units } = options;
  return {
    view,
    ...(viewLimits !== undefined && { viewLimits }),
    ...(clientPivots !== undefined && { clientPivots }),
    ...(budget !== undefined && { budget }),
    ...(ripe !== undefined && { ripe }),
    ...(thresholds !== undefined && { thresholds }),
    ...(units !== undefined && { units }),
  };
}

// ── out ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The same settings without values that JSON cannot express. */
export function jsonSets(sets: readonly ObjectSetSettings[]): ViewSettings["sets"] {
  return JSON.parse(JSON.stringify(sets, dropInfinite)) as ViewSettings["sets"];
}

function dropInfinite(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? undefined : value;
}

/** The text of a settings file. */
export function formatSettings(settings: RoomSettings): string {
  const { view, viewLimits, clientPivots, budget, ripe, thresholds, units } = settings;
  const limits = viewLimits && { ...viewLimits, ...endless(viewLimits) };
  const models = thresholds?.map(({ model, ...other }) => ({ ...other, model: nameOfModel(model) }));
  const file = { nearfield: FILE_KINDS[0], version: FILE_VERSION, sets: view.sets, limits, clientPivots, budget, ripe };
  return `${JSON.stringify({ ...file, thresholds: models, units }, dropInfinite, 2)}\n`;
}

/** A zoom, group or camera without limit is not the same as one that is left out, so the largest number stands for it. */
function endless(limits: ViewLimits): object {
  const keys = (["scale", "groups", "cameras"] as const).filter((key) => limits[key] === Number.POSITIVE_INFINITY);
  return Object.fromEntries(keys.map((key) => [key, Number.MAX_VALUE]));
}

function nameOfModel(model: ThresholdSettings["model"]): string | undefined {
  return typeof model === "object" ? model.name : model;
}

// ── in ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What a running room checks beyond what can be known without it. Each function throws `ViewError`. */
export interface SettingsChecks {
  /** A view, or limits as a view. */
  checkView(view: ViewSettings, thresholds: readonly ThresholdSettings[]): void;
  checkUnits(units: UnitSettings, limits: ViewLimits | undefined): void;
}

const WITHOUT_ROOM: SettingsChecks = {
  checkView: (view) => checkView(view),
  checkUnits: (units) => void resolveUnits(units),
};

/**
 * Reads the text of a settings file. Throws `ServerError("bad-settings")`, naming line, column and path:
 * `nearfield.jsonc:14:9 sets[1].bounds[2].time: must be 0 or more, is -5`.
 *
 * @param file its name, for the message.
 * @param checks of the room that the settings are for. Default: what can be known without a room.
 */
export function parseSettings(text: string, file = "settings", checks: SettingsChecks = WITHOUT_ROOM): RoomSettings {
  try {
    const json = readShape(parseText(text), SETTINGS_SHAPE) as unknown as SettingsJson;
    const { sets, limits, clientPivots, budget, ripe, thresholds: metrics, units } = json;
    checkThresholds(metrics ?? []);
    atItsPlace(() => void resolveClientPivots(clientPivots));
    if (units !== undefined) atItsPlace(() => checks.checkUnits(units, limits));
    const rules = (view: ViewSettings): void => checks.checkView(view, metrics ?? []);
    checkRules("", { sets, pivots: [] }, rules);
    if (limits !== undefined)
      checkRules("sets" in limits ? "limits." : "limits", { sets: setsOf(limits), pivots: [] }, rules);
    return {
      view: { sets, pivots: [] },
      ...(limits !== undefined && { viewLimits: limits }),
      ...(clientPivots !== undefined && { clientPivots }),
      ...(budget !== undefined && { budget }),
      ...(ripe !== undefined && { ripe }),
      ...(metrics !== undefined && { thresholds: metrics }),
      ...(units !== undefined && { units }),
    };
  } catch (error) {
    if (error instanceof TextFault) throw fault(file, text, error.offset, "", error.message);
    if (!(error instanceof ShapeFault)) throw error;
    const { path, isKey, message } = error;
    throw fault(file, text, placeIn(text, path, isKey), pathText(path), message);
  }
}

interface SettingsJson {
  readonly sets: readonly ObjectSetSettings[];
  readonly limits?: ViewLimits;
  readonly clientPivots?: ClientPivots;
  readonly budget?: number;
  readonly ripe?: number;
  readonly thresholds?: readonly ThresholdSettings[];
  readonly units?: UnitSettings;
}

/** Object sets that came as JSON. Throws `ServerError("bad-settings")` for what is not of their shape. */
export function readSets(json: unknown): readonly ObjectSetSettings[] {
  try {
    return readShape(json, SETS_SHAPE, ["sets"]) as readonly ObjectSetSettings[];
  } catch (error) {
    if (!(error instanceof ShapeFault)) throw error;
    throw new ServerError("bad-settings", `${pathText(error.path)}: ${error.message}`);
  }
}

function checkThresholds(list: readonly ThresholdSettings[]): void {
  for (const [index, settings] of list.entries()) {
    const isTwice = list.findIndex(({ name }) => name === settings.name) < index;
    if (isTwice) throw new ShapeFault(["thresholds", index, "name"], `"${settings.name}" stands twice`);
    try {
      thresholds(settings);
    } catch (error) {
      if (!(error instanceof ViewError)) throw error;
      throw new ShapeFault(["thresholds", index], problemOf(error));
    }
  }
}

/** What a check finds is named at its place in the file. */
function atItsPlace(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof ViewError)) throw error;
    throw new ShapeFault(stepsOf(error.at), problemOf(error));
  }
}

/** @param prefix what stands in the file before `sets[0]`, or in place of it. */
function checkRules(prefix: "" | "limits." | "limits", view: ViewSettings, check: (view: ViewSettings) => void): void {
  try {
    check(view);
  } catch (error) {
    if (!(error instanceof ViewError)) throw error;
    const inFile = prefix === "limits" ? error.at.replace(/^sets\[0\]/, prefix) : `${prefix}${error.at}`;
    throw new ShapeFault(pathInFile(inFile, view), problemOf(error));
  }
}

/** What is wrong, without the place. */
function problemOf({ at, message }: ViewError): string {
  return message.replace(`view.${at}: `, "");
}

/** The rules name a sector of every bound. A file may state one bound for all sectors of a zone; then there is none to name. */
function pathInFile(at: string, { sets }: ViewSettings): Path {
  const steps = stepsOf(at);
  const bounds = steps.indexOf("bounds");
  const set = sets[steps.find((step) => typeof step === "number" && steps.indexOf(step) < bounds) as number] ?? sets[0];
  const zone = steps[bounds + 1];
  const isForAll = bounds >= 0 && typeof zone === "number" && !Array.isArray(set?.bounds[zone]);
  return isForAll ? steps.filter((_, index) => index !== bounds + 2) : steps;
}

/** `units.coefficients[1]`, step by step. */
function stepsOf(at: string): (string | number)[] {
  const steps = at.split(/[.[\]]+/).filter((step) => step !== "");
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

function fault(file: string, text: string, offset: number, path: string, problem: string): ServerError {
  const { line, column } = lineAndColumn(text, offset);
  return new ServerError("bad-settings", `${file}:${line}:${column} ${path === "" ? "" : `${path}: `}${problem}`);
}
