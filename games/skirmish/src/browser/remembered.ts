/**
 * Buildings that were seen once and are out of sight now: they are shown as they were. One is forgotten when its place is seen again without it. The edge
 * of the page's fog is a little ahead of what the server tells, so a place must be in sight for a while.
 */

import { BUILDING_KINDS } from "../state.ts";
import type { BuildingValues } from "./network.ts";
import type { Pieces, SeenCells } from "./picture.ts";

const SURE_MS = 800;

interface Memory {
  readonly building: BuildingValues;
  /** Since when its place is seen without it; 0: it is not. */
  sinceMs: number;
}

export class Remembered {
  readonly #memories = new Map<number, Memory>();

  clear(): void {
    this.#memories.clear();
  }

  /** Copies the values: the object may be gone the next moment. */
  keep(id: number, { x, y, z, kind, side, health, built }: BuildingValues): void {
    this.#memories.set(id, { building: { x, y, z, kind, side, health, built }, sinceMs: 0 });
  }

  forget(id: number): void {
    this.#memories.delete(id);
  }

  get(id: number): BuildingValues | undefined {
    return this.#memories.get(id)?.building;
  }

  fill(pieces: Pieces, fog: SeenCells | undefined, nowMs: number): void {
    pieces.clear();
    for (const [id, memory] of this.#memories) {
      const { x, y, z, kind, side, health, built } = memory.building;
      if (fog === undefined || !fog.isSeen(x, y)) memory.sinceMs = 0;
      else if (memory.sinceMs === 0) memory.sinceMs = nowMs;
      else if (nowMs - memory.sinceMs > SURE_MS) {
        this.#memories.delete(id);
        continue;
      }
      const row = pieces.add();
      pieces.id[row] = id;
      pieces.x[row] = x;
      pieces.y[row] = y;
      pieces.z[row] = z;
      pieces.heading[row] = 0;
      pieces.kind[row] = BUILDING_KINDS.indexOf(kind);
      pieces.side[row] = side;
      pieces.health[row] = health;
      pieces.built[row] = built;
      pieces.doing[row] = 0;
      pieces.flags[row] = 0;
      pieces.updatedMs[row] = 0;
    }
  }
}
