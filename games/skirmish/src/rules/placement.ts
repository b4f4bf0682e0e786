/** Where a building may stand: on open ground inside the map, not on ore, and with a lane of one tile to the next building. */

import { BUILDINGS, type BuildingKind, TILE } from "../state.ts";
import type { BattleState } from "./battle-state.ts";

/** Where the middle of a building comes to lie when it is placed around (x, y): its edges lie on those of tiles. */
export function snapped(kind: BuildingKind, x: number, y: number): { readonly x: number; readonly y: number } {
  const { tiles } = BUILDINGS[kind];
  const snap = (coordinate: number) => (Math.round(coordinate / TILE - tiles / 2) + tiles / 2) * TILE;
  return { x: snap(x), y: snap(y) };
}

export function canPlace(state: BattleState, kind: BuildingKind, x: number, y: number): boolean {
  const { ground, deposits } = state;
  const { tiles } = BUILDINGS[kind];
  const footprint = ground.footprint(x, y, tiles);
  if (footprint === undefined || footprint.some((tile) => ground.open[tile] === 0)) return false;
  const lane = ground.footprint(x, y, tiles + 2) ?? [];
  if (lane.length === 0 || lane.some((tile) => ground.occupant[tile] !== 0)) return false;
  for (let patch = 0; patch < deposits.count; patch++) {
    if (deposits.amount[patch]! > 0 && lane.includes(state.terrain.tileAt(deposits.x[patch]!, deposits.y[patch]!))) {
      return false;
    }
  }
  return true;
}
