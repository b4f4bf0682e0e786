/**
 * Pivots on units. A group pivot that a server makes for a unit has no list of members: it is placed where the unit is kept to be. Such a pivot
 * never travels, and no client can ask for one.
 */

import type { Pivot } from "../view.ts";
import type { Unit } from "./units.ts";

type UnitPivot = Extract<Pivot, { group: unknown }> & { readonly unit: Unit };

export function unitPivot(unit: Unit, margin: number, coefficients: readonly number[]): Pivot {
  const pivot: UnitPivot = { group: [], unit, margin, coefficients };
  return pivot;
}

/** The unit that a pivot is on, if it is on one. */
export function unitOf(pivot: Pivot): Unit | undefined {
  return "unit" in pivot ? (pivot as UnitPivot).unit : undefined;
}
