/**
 * Changes to a view's form: zones and sectors more or fewer, an edge moved, a bound set, a zoom; and what is wrong with it.
 *
 * Every change keeps the table of bounds as large as zones and sectors ask for. Nothing here writes: a new form is returned.
 */
import { type CellForm, DIMENSIONS, type Dimension, matchName, type SetForm, type ViewForm } from "./form.ts";

export const MOST_ZONES = 16;
export const MOST_SECTORS = 8;

export function withSet(form: ViewForm, index: number, set: SetForm): ViewForm {
  return { sets: form.sets.map((old, at) => (at === index ? set : old)) };
}

/** Adds a zone at the outside, as wide again as the last one, with the bounds of the zone that was the last. */
export function addZone(set: SetForm): SetForm {
  if (set.radii.length + 1 >= MOST_ZONES) return set;
  const last = set.radii.at(-1);
  const before = set.radii.at(-2) ?? 0;
  const radius = last === undefined ? 100 : round(last + Math.max(last - before, last * 0.1));
  return { ...set, radii: [...set.radii, radius], bounds: [...set.bounds, set.bounds.at(-1)!] };
}

/** Takes the outermost edge away; the unbounded zone keeps its own bounds. */
export function removeZone(set: SetForm): SetForm {
  if (set.radii.length === 0) return set;
  return { ...set, radii: set.radii.slice(0, -1), bounds: [...set.bounds.slice(0, -2), set.bounds.at(-1)!] };
}

/** Adds a sector: its angle is halfway between that of the last one and 360°. */
export function addSector(set: SetForm): SetForm {
  if (set.sectors.length + 1 >= MOST_SECTORS) return set;
  const last = set.sectors.at(-1);
  const angle = last === undefined ? 90 : round((last + 360) / 2);
  return { ...set, sectors: [...set.sectors, angle], bounds: set.bounds.map((row) => [...row, row.at(-1)!]) };
}

export function removeSector(set: SetForm): SetForm {
  if (set.sectors.length === 0) return set;
  return {
    ...set,
    sectors: set.sectors.slice(0, -1),
    bounds: set.bounds.map((row) => [...row.slice(0, -2), row.at(-1)!]),
  };
}

/** An edge moved, and kept between its neighbours. */
export function moveRadius(set: SetForm, index: number, radius: number): SetForm {
  const least = (set.radii[index - 1] ?? 0) + SMALLEST_STEP;
  const most = (set.radii[index + 1] ?? Number.POSITIVE_INFINITY) - SMALLEST_STEP;
  const moved = round(Math.min(most, Math.max(least, radius)));
  return { ...set, radii: set.radii.map((old, at) => (at === index ? moved : old)) };
}

/** A sector's opening moved, and kept between its neighbours; degrees. */
export function moveSector(set: SetForm, index: number, degrees: number): SetForm {
  const least = (set.sectors[index - 1] ?? 0) + 1;
  const most = (set.sectors[index + 1] ?? 360) - 1;
  const moved = Math.round(Math.min(most, Math.max(least, degrees)));
  return { ...set, sectors: set.sectors.map((old, at) => (at === index ? moved : old)) };
}

const SMALLEST_STEP = 0.1;

/** To a tenth: what a hand on a ring can mean. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function withBound(
  set: SetForm,
  zone: number,
  sector: number,
  dimension: Dimension,
  value: number | null,
): SetForm {
  const cell = (old: CellForm): CellForm => ({ ...old, [dimension]: value });
  return {
    ...set,
    bounds: set.bounds.map((row, z) => (z === zone ? row.map((old, s) => (s === sector ? cell(old) : old)) : row)),
  };
}

/** A zoom narrows the sectors by its factor (F §3.3.6); this function does that. It also stretches the radii; that is the pivots' `scale`. */
export function narrowed(form: ViewForm, factor: number): ViewForm {
  if (factor === 1) return form;
  const narrow = (angle: number): number => Math.round((angle / factor) * 10) / 10;
  return { sets: form.sets.map((set) => ({ ...set, sectors: set.sectors.map(narrow) })) };
}

/** What a server would refuse, in words that name the place; none if all is well. */
export function problemsOf(form: ViewForm): string[] {
  return form.sets.flatMap((set) => setProblems(set).map((problem) => `${matchName(set.match)}: ${problem}`));
}

function setProblems(set: SetForm): string[] {
  const problems: string[] = [];
  if (!ascends([0, ...set.radii])) problems.push("the radii must grow from zone to zone, above 0");
  if (!ascends([0, ...set.sectors]) || (set.sectors.at(-1) ?? 0) >= 360)
    problems.push("the sectors must open from one to the next, between 0° and 360°");
  if (set.range !== null && set.range <= 0) problems.push("the range must be above 0");
  for (const [zone, row] of set.bounds.entries()) {
    for (const [sector, cell] of row.entries()) problems.push(...cellProblems(set, zone, sector, cell));
  }
  return problems;
}

function ascends(values: readonly number[]): boolean {
  return values.every((value, index) => Number.isFinite(value) && (index === 0 || value > values[index - 1]!));
}

function cellProblems(set: SetForm, zone: number, sector: number, cell: CellForm): string[] {
  const place = set.sectors.length > 0 ? `zone ${zone}, sector ${sector}` : `zone ${zone}`;
  return DIMENSIONS.flatMap((dimension) => {
    const bound = cell[dimension];
    if (bound !== null && !(bound >= 0)) return [`${place}: ${dimension} must be 0 or more`];
    const stricter = [set.bounds[zone - 1]?.[sector], set.bounds[zone]?.[sector - 1]].some(
      (nearer) => nearer !== undefined && !isStrongest(nearer) && limit(bound) < limit(nearer[dimension]),
    );
    return stricter ? [`${place}: ${dimension} is stricter than nearer by; bounds may only loosen outward`] : [];
  });
}

/** A nearer cell that lets nothing wait is as strict as can be, whatever its other dimensions say. */
function isStrongest(nearer: CellForm): boolean {
  return nearer.time === 0 || nearer.value === 0 || (nearer.sequence !== null && nearer.sequence <= 1);
}

function limit(bound: number | null): number {
  return bound ?? Number.POSITIVE_INFINITY;
}
