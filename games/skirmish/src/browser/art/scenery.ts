/** Stones and shrubs, strewn over the land so that it is not bare. They mean nothing: one walks over them. Strewn once for a map. */

import { TILE, WATER_HEIGHT } from "../../state.ts";
import type { Terrain } from "../../terrain/terrain.ts";
import type { Layer } from "./layer.ts";
import { grain, mix, tint } from "./palette.ts";
import type { Signs } from "./sign-shapes.ts";

const STONE = 0x7d8790;
const SHRUB = 0x4f7358;
/** World units from a start or from ore that stay bare. */
const BARE = 40;

export function strew(layer: Layer, signs: Signs, terrain: Terrain): void {
  layer.begin();
  const bare = [...terrain.ore, ...terrain.starts];
  for (let tile = 0; tile < terrain.tiles * terrain.tiles; tile++) {
    const column = tile % terrain.tiles;
    const row = (tile - column) / terrain.tiles;
    const dice = grain(column, row, 41);
    // Clusters: whole patches of land have more than others.
    const lush = grain(column >> 2, row >> 2, 42) * grain(column >> 3, row >> 3, 43);
    if (dice > 0.04 + lush * 0.42) continue;
    const x = (column + grain(column, row, 44)) * TILE;
    const y = (row + grain(column, row, 45)) * TILE;
    const height = terrain.heightAt(x, y);
    if (height < WATER_HEIGHT + 2 || bare.some((spot) => Math.hypot(spot.x - x, spot.y - y) < BARE)) continue;
    const isStone = terrain.walkable[tile] === 0 || grain(column, row, 46) < 0.3;
    const frames = isStone ? signs.stones : signs.shrubs;
    const frame = frames[Math.floor(grain(column, row, 47) * frames.length)]!;
    const size = (isStone ? 2 : 2.6) + grain(column, row, 48) * (isStone ? 2.6 : 2.4);
    const shade = grain(column, row, 49);
    const colour = isStone ? mix(STONE, 0x4a535c, shade) : mix(SHRUB, 0x6d7a4c, shade);
    layer.add(frame, x, y, size, isStone ? 0 : shade * 6.28, tint(colour, 0.9));
  }
  layer.show();
}
