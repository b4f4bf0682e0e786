/**
 * The cell in which an object lay for a view, from what a recording has of both. The rules are the consistency model's own (`judge.ts` and
 * `urgency.ts` of `@nearfield/core`); only the figures are turned into the form that the rules read. The inspector's page runs this file.
 */

import {
  type CellRules,
  cellOf,
  distanceToPoint,
  halfCosines,
  loosenedBound,
  type PlacedPivot,
} from "@nearfield/core/internal";
import type { BoundFigures, DrawnPivot, DrawnSet } from "./feed/map.ts";

export interface RecordedCell {
  readonly zone: number;
  readonly sector: number;
  readonly bound: BoundFigures;
}

export type RecordedPlace = readonly [x: number, y: number, z: number];

/** The strictest cell over all pivots of the set; without any, the last zone. */
export function recordedCell(set: DrawnSet, pivots: readonly DrawnPivot[], [x, y, z]: RecordedPlace): RecordedCell {
  const { zone, sector, bound } = cellOf(rulesOf(set), pivots.map(placedOf), x, y, z);
  return { zone, sector, bound: figuresOf(bound) };
}

/** Distance to the nearest pivot, as the crow flies; `null` without any. */
export function recordedDistance(pivots: readonly DrawnPivot[], place: RecordedPlace): number | null {
  return figureOf(distanceToPoint(pivots.map(placedOf), place));
}

/** What a bound asks for while the view is loosened. */
export function recordedLoosened(bound: BoundFigures, factor: number, roundMs: number): BoundFigures {
  const stated = { time: limitOf(bound.time), sequence: limitOf(bound.sequence), value: limitOf(bound.value) };
  return figuresOf(loosenedBound(stated, factor, roundMs));
}

function rulesOf({ shape, pivots, radii, sectors, bounds }: DrawnSet): CellRules {
  const cells = bounds.flat();
  return {
    shape,
    pivots: pivots ?? undefined,
    radii: Float64Array.from(radii),
    cosHalf: halfCosines(sectors),
    zoneCount: bounds.length,
    sectorCount: sectors.length + 1,
    time: Float64Array.from(cells, ({ time }) => limitOf(time)),
    sequence: Float64Array.from(cells, ({ sequence }) => limitOf(sequence)),
    value: Float64Array.from(cells, ({ value }) => limitOf(value)),
  };
}

function placedOf({ x, y, z, direction, scale, radii, frame }: DrawnPivot): PlacedPivot {
  const [dirX, dirY, dirZ] = direction ?? [0, 0, 0];
  return {
    placed: true,
    x,
    y,
    z,
    dirX,
    dirY,
    dirZ,
    scale,
    radii: radii === null ? undefined : Float64Array.from(radii),
    frame: frame ?? undefined,
  };
}

/** The feed says `null` where there is no requirement; the rules say `Infinity`. */
function limitOf(figure: number | null): number {
  return figure ?? Number.POSITIVE_INFINITY;
}

function figureOf(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}

function figuresOf({ time, sequence, value }: { time: number; sequence: number; value: number }): BoundFigures {
  return { time: figureOf(time), sequence: figureOf(sequence), value: figureOf(value) };
}
