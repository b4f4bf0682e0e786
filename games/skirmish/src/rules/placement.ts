/**
 * Where a building may stand: on open ground inside the map, not on ore, and with a lane of one tile to the next building.
 *
 * An order is judged by what its side may know: a building in the fog is no reason to refuse, or players would find it by asking; and ore in the fog counts as
 * untouched. When the builder comes to the place, it sees what stands there.
 */

import { BUILDINGS, type BuildingKind, TILE } from "../state.ts";
import type { BattleState } from "./battle-state.ts";

/** Where the middle of a building comes to lie when it is placed around (x, y): its edges lie on those of tiles. */
export function snapped(kind: BuildingKind, x: number, y: number): { readonly x: number; readonly y: number } {
  const { tiles } = BUILDINGS[kind];
  const snap = (coordinate: number) => (Math.round(coordinate / TILE - tiles / 2) + tiles / 2) * TILE;
  return { x: snap(x), y: snap(y) };
}

/** `isKnown`: whether a building counts, by its slot. `hasOre`: whether an ore patch does, by its number. */
export function canPlace(
  state: Pick<BattleState, "ground" | "deposits" | "terrain">,
  kind: BuildingKind,
  x: number,
  y: number,
  isKnown: (slot: number) => boolean,
  hasOre: (patch: number) => boolean = (patch) => state.deposits.amount[patch]! > 0,
): boolean {
  const { ground, deposits, terrain } = state;
  const { tiles } = BUILDINGS[kind];
  const footprint = ground.footprint(x, y, tiles);
  if (footprint === undefined || footprint.some((tile) => terrain.walkable[tile] === 0)) return false;
  const lane = ground.footprint(x, y, tiles + 2) ?? [];
  const isTaken = (tile: number) => ground.occupant[tile] !== 0 && isKnown(ground.occupant[tile]! - 1);
  if (lane.length === 0 || lane.some(isTaken)) return false;
  for (let patch = 0; patch < deposits.count; patch++) {
    if (hasOre(patch) && lane.includes(terrain.tileAt(deposits.x[patch]!, deposits.y[patch]!))) return false;
  }
  return true;
}

/** The same, as far as a side knows. */
export function seemsFree(
  state: BattleState,
  side: number,
  kind: BuildingKind,
  x: number,
  y: number,
  mayKnow: (side: number, slot: number) => boolean,
): boolean {
  const { deposits, vision } = state;
  const seemsUntouched = (patch: number) =>
    deposits.amount[patch]! > 0 || !vision.sees(side, deposits.x[patch]!, deposits.y[patch]!);
  return canPlace(state, kind, x, y, (slot) => mayKnow(side, slot), seemsUntouched);
}
