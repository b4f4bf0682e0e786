/** What is on the map, gathered for one drawing: independent of whether it comes live, from a recording or from the view editor. */

import type { DrawnPivot, DrawnSet, HeatTell, LevelTell, MapTell, TypeSummary } from "../feed-types.ts";
import type { Box } from "./transform.ts";

/** Zones and sectors to draw around some pivots. */
export interface Rings {
  readonly shape: "round" | "square";
  readonly radii: readonly number[];
  readonly sectors: readonly number[];
  readonly range: number | null;
  readonly pivots: readonly DrawnPivot[];
  /** Draggable, with handles on their edges. */
  readonly isEdited: boolean;
  /** Drawn in outline only: one of several, and not the one that matters. */
  readonly isQuiet: boolean;
}

export interface Scene {
  readonly map: MapTell;
  readonly types: readonly TypeSummary[];
  readonly world: Box | undefined;
  readonly hiddenTypes: ReadonlySet<number>;
  readonly rings: readonly Rings[];
  /** Pivots of other clients, as small circles. */
  readonly otherPivots: readonly DrawnPivot[];
  readonly names: ReadonlyMap<number, string>;
  readonly showNames: boolean;
  readonly selectedObject: number | undefined;
  /** Objects of this player are drawn as its own. */
  readonly player: number | undefined;
  readonly heat: HeatTell | undefined;
  readonly level: LevelTell | undefined;
}

/** The part of the world in which objects with a position can be, by the limits of their fields; undefined if no type has limits. */
export function worldOf(types: readonly TypeSummary[]): Box | undefined {
  const placed = types.filter(({ axes, extent }) => axes >= 2 && extent[0] && extent[1]);
  if (placed.length === 0) return undefined;
  const [x, y] = [placed.map(({ extent }) => extent[0]!), placed.map(({ extent }) => extent[1]!)];
  return {
    minX: Math.min(...x.map(([least]) => least)),
    maxX: Math.max(...x.map(([, most]) => most)),
    minY: Math.min(...y.map(([least]) => least)),
    maxY: Math.max(...y.map(([, most]) => most)),
  };
}

/** A view's sets as rings. Sets with the same zones around the same pivots are drawn once; all rings but the first are drawn in outline. */
export function ringsOf(sets: readonly DrawnSet[], pivots: readonly DrawnPivot[]): Rings[] {
  const seen = new Set<string>();
  return sets.flatMap(({ shape, radii, sectors, range, pivots: indices }) => {
    const own = indices === null ? pivots : indices.flatMap((index) => pivots[index] ?? []);
    const key = JSON.stringify([shape, radii, sectors, range, indices]);
    const hasNothing = own.length === 0 || (radii.length === 0 && sectors.length === 0 && range === null);
    const hasOwnRadii = own.some((pivot) => pivot.radii !== null);
    if (seen.has(key) || (hasNothing && !hasOwnRadii)) return [];
    seen.add(key);
    return [{ shape, radii, sectors, range, pivots: own, isEdited: false, isQuiet: seen.size > 1 }];
  });
}

/** The edges of a pivot's zones, in world units: its own or the set's, stretched by its zoom. */
export function edgesOf(rings: Rings, pivot: DrawnPivot): number[] {
  return (pivot.radii ?? rings.radii).map((radius) => radius * pivot.scale);
}
