/**
 * Which level tiles count as walkable: those to which a way leads from the start, on every side of the map. A grid cannot be turned by a fifth of a circle
 * without loss, so a narrow gap may be open on one side and closed on another. What lies behind such a gap is closed to all.
 */

import { TILE } from "../state.ts";
import { type Spot, turnOf } from "./layout.ts";

export interface LevelGround {
  /** Tiles along each edge of the map. */
  readonly tiles: number;
  readonly sides: number;
  /** The tile from which ways begin. */
  readonly first: number;
  readonly isLevel: (tile: number) => boolean;
}

/** By tile: 1 = can be walked. */
export function fairReach(ground: LevelGround): Uint8Array {
  const reached = flood(ground, ground.isLevel);
  const turns = Array.from({ length: ground.sides - 1 }, (_, side) => turnOf(side + 1, ground.sides));
  const isFair = (tile: number) =>
    reached[tile] === 1 && turns.every((turn) => isReachedNear(reached, ground, tile, turn));
  return flood(ground, isFair);
}

function flood({ tiles, first }: LevelGround, isOpen: (tile: number) => boolean): Uint8Array {
  const reached = new Uint8Array(tiles * tiles);
  const open = [first];
  reached[first] = 1;
  for (let tile = open.pop(); tile !== undefined; tile = open.pop()) {
    const column = tile % tiles;
    const neighbours = [tile - tiles, tile + tiles, column > 0 ? tile - 1 : -1, column < tiles - 1 ? tile + 1 : -1];
    for (const next of neighbours) {
      if (next < 0 || next >= reached.length || reached[next] === 1 || !isOpen(next)) continue;
      reached[next] = 1;
      open.push(next);
    }
  }
  return reached;
}

/** Whether a tile's counterpart on another side is reached, or a neighbour of it. */
function isReachedNear(reached: Uint8Array, { tiles }: LevelGround, tile: number, turn: Spot): boolean {
  const half = (tiles * TILE) / 2;
  const dx = ((tile % tiles) + 0.5) * TILE - half;
  const dy = (Math.floor(tile / tiles) + 0.5) * TILE - half;
  const column = Math.floor((half + dx * turn.x - dy * turn.y) / TILE);
  const row = Math.floor((half + dx * turn.y + dy * turn.x) / TILE);
  for (let y = Math.max(0, row - 1); y <= Math.min(tiles - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(tiles - 1, column + 1); x++) {
      if (reached[y * tiles + x] === 1) return true;
    }
  }
  return false;
}
