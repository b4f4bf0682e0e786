/**
 * A view as a form: every set with its zones, sectors and a full table of bounds, and back to sets.
 *
 * Round trip: `setsOf(formOf(sets))` means the same as `sets` and is written the short way; `formOf(setsOf(form))` is `form`. Pivots
 * are no part of a form: a view that is applied keeps those of each client.
 */
import type { Bound, Match, ObjectSetSettings, Sets } from "../feed-types.ts";

/** `null` is no requirement. */
export interface CellForm {
  readonly time: number | null;
  readonly sequence: number | null;
  readonly value: number | null;
}

export interface SetForm {
  readonly match: Match;
  readonly radii: readonly number[];
  readonly sectors: readonly number[];
  /** `[zone][sector]`, one row more than radii, one column more than sectors. */
  readonly bounds: readonly (readonly CellForm[])[];
  readonly shape: "round" | "square";
  readonly clock: "refresh" | "firstMiss";
  readonly strict: boolean;
  readonly metric: string;
  /** `null` = none leave. */
  readonly range: number | null;
  /** `null` = all. */
  readonly pivots: readonly number[] | null;
}

export interface ViewForm {
  readonly sets: readonly SetForm[];
}

export const DIMENSIONS = ["time", "sequence", "value"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export function formOf(sets: Sets): ViewForm {
  return { sets: sets.map(setFormOf) };
}

function setFormOf(set: ObjectSetSettings): SetForm {
  const sectors = set.sectors ?? [];
  return {
    match: set.match,
    radii: [...(set.radii ?? [])],
    sectors: [...sectors],
    bounds: set.bounds.map((row) => rowOf(row, sectors.length + 1)),
    shape: set.shape ?? "round",
    clock: set.clock ?? "refresh",
    strict: set.strict ?? false,
    metric: set.metric ?? "displacement",
    range: finite(set.range),
    pivots: set.pivots === undefined ? null : [...set.pivots],
  };
}

function rowOf(row: Bound | readonly Bound[], columns: number): CellForm[] {
  if (isRow(row)) return row.map(cellOf);
  return Array.from({ length: columns }, () => cellOf(row));
}

function isRow(row: Bound | readonly Bound[]): row is readonly Bound[] {
  return Array.isArray(row);
}

function cellOf({ time, sequence, value }: Bound): CellForm {
  return { time: finite(time), sequence: finite(sequence), value: finite(value) };
}

function finite(value: number | null | undefined): number | null {
  return value === undefined || value === null || !Number.isFinite(value) ? null : value;
}

/** The form's sets as settings; values that equal the default are left out. */
export function setsOf({ sets }: ViewForm): Sets {
  return sets.map(setSettingsOf);
}

function setSettingsOf(form: SetForm): ObjectSetSettings {
  const rows = form.bounds.map((row) => row.map(boundOf));
  return {
    match: form.match,
    ...(form.radii.length > 0 && { radii: form.radii }),
    ...(form.sectors.length > 0 && { sectors: form.sectors }),
    bounds: form.sectors.length > 0 ? rows : rows.map((row) => row[0]!),
    ...(form.shape !== "round" && { shape: form.shape }),
    ...(form.clock !== "refresh" && { clock: form.clock }),
    ...(form.strict && { strict: true }),
    ...(form.metric !== "displacement" && { metric: form.metric }),
    ...(form.range !== null && { range: form.range }),
    ...(form.pivots !== null && { pivots: form.pivots }),
  };
}

function boundOf({ time, sequence, value }: CellForm): Bound {
  return {
    ...(time !== null && { time }),
    ...(sequence !== null && { sequence }),
    ...(value !== null && { value }),
  };
}

/** `{ type: "ship" }` as people say it. */
export function matchName(match: Match): string {
  if (match === "everything") return "everything else";
  if ("type" in match) return match.type;
  return "tag" in match ? `tag ${match.tag}` : `predicate ${match.predicate}`;
}
