/**
 * View settings as JSON, in both directions: the configuration file of a game (R §4.5), and what an operator sends. Input is not trusted:
 * its shape is checked here, place by place and within the capacity of a view. The rules of a view are checked by `resolveView`. JSON has
 * no infinity: a dimension or range without limit is left out, or `null`.
 */

import type { Bound, ViewLimits, ViewSettings } from "@nearfield/core";
import { type Match, type ObjectSetSettings, VIEW_CAPACITY } from "@nearfield/core/internal";
import { ServerError } from "./errors.ts";
import type { RoomOptions } from "./options.ts";

/** The settings that a configuration file holds for a room. Spread them into the options of `serve` or `createRoom`. */
export type ViewFile = Pick<RoomOptions, "view" | "viewLimits" | "budget">;

const FILE_KIND = "view";
const FILE_VERSION = 1;
const MOST_NAME = 64;

// ── out ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The same settings without values that JSON cannot express. */
export function jsonSets(sets: readonly ObjectSetSettings[]): ViewSettings["sets"] {
  return JSON.parse(JSON.stringify(sets, dropInfinite)) as ViewSettings["sets"];
}

function dropInfinite(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? undefined : value;
}

/** The text of a configuration file. */
export function formatViewFile({ view, viewLimits, budget }: ViewFile): string {
  const file = { nearfield: FILE_KIND, version: FILE_VERSION, sets: view.sets, limits: viewLimits, budget };
  return `${JSON.stringify(file, dropInfinite, 2)}\n`;
}

// ── in ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Reads the text of a configuration file. Throws `ServerError("bad-view-file")`, naming the place. */
export function parseViewFile(text: string): ViewFile {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw fault("the file", `is no JSON: ${(error as Error).message}`);
  }
  const { nearfield, version, sets, limits, budget } = record(file, "the file");
  if (nearfield !== FILE_KIND)
    throw fault("nearfield", `must be "${FILE_KIND}", so that no other file is taken for one`);
  if (version !== FILE_VERSION) throw fault("version", `must be ${FILE_VERSION}, is ${show(version)}`);
  return {
    view: { sets: readSets(sets), pivots: [] },
    ...(isGiven(limits) && { viewLimits: readLimits(limits) }),
    ...(isGiven(budget) && { budget: number(budget, "budget") }),
  };
}

/** Object sets that came as JSON. Throws `ServerError("bad-view-file")`. */
export function readSets(json: unknown, at = "sets"): ObjectSetSettings[] {
  return list(json, at, VIEW_CAPACITY.sets).map((set, index) => readSet(set, `${at}[${index}]`));
}

function readSet(json: unknown, at: string): ObjectSetSettings {
  const set = record(json, at);
  return {
    match: readMatch(set["match"], `${at}.match`),
    ...readSettings(set, at),
    ...(isGiven(set["pivots"]) && { pivots: numbers(set["pivots"], `${at}.pivots`, VIEW_CAPACITY.pivots) }),
  };
}

function readSettings(set: Record<string, unknown>, at: string): Omit<ObjectSetSettings, "match" | "pivots"> {
  return {
    bounds: readBounds(set["bounds"], `${at}.bounds`),
    ...(isGiven(set["radii"]) && { radii: numbers(set["radii"], `${at}.radii`, VIEW_CAPACITY.zones) }),
    ...(isGiven(set["sectors"]) && { sectors: numbers(set["sectors"], `${at}.sectors`, VIEW_CAPACITY.sectors) }),
    ...(isGiven(set["shape"]) && { shape: oneOf(set["shape"], ["round", "square"], `${at}.shape`) }),
    ...(isGiven(set["clock"]) && { clock: oneOf(set["clock"], ["refresh", "firstMiss"], `${at}.clock`) }),
    ...(isGiven(set["strict"]) && { strict: oneOf(set["strict"], [true, false], `${at}.strict`) }),
    ...(isGiven(set["metric"]) && { metric: name(set["metric"], `${at}.metric`) }),
    ...(isGiven(set["range"]) && { range: number(set["range"], `${at}.range`) }),
  };
}

function readMatch(json: unknown, at: string): Match {
  if (json === "everything") return json;
  const { type, tag, predicate } = record(json, at, ' or "everything"');
  if (type !== undefined) return { type: name(type, `${at}.type`) };
  if (tag !== undefined) return { tag: name(tag, `${at}.tag`) };
  if (predicate !== undefined) return { predicate: name(predicate, `${at}.predicate`) };
  throw fault(at, 'must be "everything" or have a type, tag or predicate');
}

function readBounds(json: unknown, at: string): ObjectSetSettings["bounds"] {
  return list(json, at, VIEW_CAPACITY.zones).map((entry, zone) => {
    const place = `${at}[${zone}]`;
    if (!Array.isArray(entry)) return readBound(entry, place);
    return list(entry, place, VIEW_CAPACITY.sectors).map((bound, sector) => readBound(bound, `${place}[${sector}]`));
  }) as ObjectSetSettings["bounds"];
}

function readBound(json: unknown, at: string): Bound {
  const { time, sequence, value } = record(json, at);
  return {
    ...(isGiven(time) && { time: number(time, `${at}.time`) }),
    ...(isGiven(sequence) && { sequence: number(sequence, `${at}.sequence`) }),
    ...(isGiven(value) && { value: number(value, `${at}.value`) }),
  };
}

/** In either form: the sets of a view, or the settings of one set for all objects. */
function readLimits(json: unknown): ViewLimits {
  const limits = record(json, "limits");
  const { sets, scale, pivots, groups, cameras, ...all } = limits;
  return {
    ...(isGiven(scale) && { scale: number(scale, "limits.scale") }),
    ...(isGiven(pivots) && { pivots: number(pivots, "limits.pivots") }),
    ...(isGiven(groups) && { groups: number(groups, "limits.groups") }),
    ...(isGiven(cameras) && { cameras: number(cameras, "limits.cameras") }),
    ...(isGiven(sets) ? { sets: readSets(sets, "limits.sets") } : readSettings(all, "limits")),
  };
}

// ── shapes ───────────────────────────────────────────────────────────────────────────────────────────────────────

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function record(json: unknown, at: string, or = ""): Record<string, unknown> {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw fault(at, `must be an object${or}, is ${show(json)}`);
  return json as Record<string, unknown>;
}

function list(json: unknown, at: string, most: number): unknown[] {
  if (!Array.isArray(json)) throw fault(at, `must be a list, is ${show(json)}`);
  if (json.length > most) throw fault(at, `has ${json.length} entries, at most ${most} are possible`);
  return json;
}

function number(json: unknown, at: string): number {
  if (typeof json !== "number" || !Number.isFinite(json)) throw fault(at, `must be a number, is ${show(json)}`);
  return json;
}

function numbers(json: unknown, at: string, most: number): number[] {
  return list(json, at, most).map((entry, index) => number(entry, `${at}[${index}]`));
}

function name(json: unknown, at: string): string {
  if (typeof json !== "string" || json.length === 0 || json.length > MOST_NAME) {
    throw fault(at, `must be a name of 1 to ${MOST_NAME} characters, is ${show(json)}`);
  }
  return json;
}

function oneOf<T>(json: unknown, allowed: readonly T[], at: string): T {
  if (!allowed.includes(json as T)) throw fault(at, `must be one of ${allowed.join(", ")}, is ${show(json)}`);
  return json as T;
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "missing").slice(0, 40);
}

function fault(at: string, text: string): ServerError {
  return new ServerError("bad-view-file", `${at} ${text}`);
}
