/**
 * A flow field says for every tile in which direction to walk to reach one goal at the least cost. All units with the same goal share it.
 *
 * Made by Dijkstra's algorithm, from the goal outwards. Costs are small whole numbers, so the queue is a ring of buckets, one for each cost that can still
 * come (Dial's algorithm): the work is proportional to the number of tiles.
 */

import { type Ground, MOST_STEP_COST } from "./ground.ts";

/** Directions 0 to 7 are those of the ground's `offsets`; these two stand beside them. */
export const AT_GOAL = 8;
export const NO_WAY = 9;

const BUCKETS = 64;
if (MOST_STEP_COST >= BUCKETS) throw new RangeError("a step costs more than the ring of buckets holds");

const UNREACHED = 0xffffffff;

/** The memory that makes flow fields, used again for each. */
export class Integrator {
  readonly #ground: Ground;
  /** Cost from each tile to the goal of the last field; `UNREACHED` where no way leads. */
  readonly costs: Uint32Array;
  readonly #buckets: number[][] = Array.from({ length: BUCKETS }, () => []);

  constructor(ground: Ground) {
    this.#ground = ground;
    this.costs = new Uint32Array(ground.open.length);
  }

  /**
   * Writes the directions to `goal` into `directions`, for all tiles from which the way costs at most `mostCost`. Where the goal lies under a building,
   * every tile of that building is a goal. Gives the number of tiles that it looked at.
   */
  integrate(goal: number, directions: Uint8Array, mostCost: number = Number.POSITIVE_INFINITY): number {
    const { costs } = this;
    costs.fill(UNREACHED);
    directions.fill(NO_WAY);
    let pending = this.#seed(goal, directions);
    let looked = 0;
    for (let cost = 0; pending > 0 && cost <= mostCost; cost++) {
      const bucket = this.#buckets[cost % BUCKETS]!;
      for (let at = 0; at < bucket.length; at++) {
        const tile = bucket[at]!;
        // A tile that was reached more cheaply later stands in two buckets; only the cheaper one counts.
        if (costs[tile] === cost) pending += this.#spread(tile, cost, directions);
      }
      pending -= bucket.length;
      looked += bucket.length;
      bucket.length = 0;
    }
    if (pending > 0) for (const bucket of this.#buckets) bucket.length = 0;
    return looked;
  }

  #seed(goal: number, directions: Uint8Array): number {
    const { occupant, open } = this.#ground;
    const building = occupant[goal]!;
    let count = 0;
    const add = (tile: number) => {
      this.costs[tile] = 0;
      directions[tile] = AT_GOAL;
      this.#buckets[0]!.push(tile);
      count += 1;
    };
    if (building === 0) add(goal);
    else for (let tile = 0; tile < open.length; tile++) if (occupant[tile] === building) add(tile);
    return count;
  }

  /** Offers the way over this tile to its neighbours. Gives the number of tiles that took it. */
  #spread(tile: number, cost: number, directions: Uint8Array): number {
    const ground = this.#ground;
    const { open, offsets } = ground;
    const { costs } = this;
    let taken = 0;
    for (let back = 0; back < 8; back++) {
      const from = tile + offsets[back]!;
      if (open[from] !== 1) continue;
      const direction = back ^ 1;
      const total = cost + ground.stepCost(from, tile, direction);
      if (total >= costs[from]! || !ground.isCornerFree(from, direction)) continue;
      costs[from] = total;
      directions[from] = direction;
      this.#buckets[total % BUCKETS]!.push(from);
      taken += 1;
    }
    return taken;
  }
}
