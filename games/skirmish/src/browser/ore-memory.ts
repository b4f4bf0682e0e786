/**
 * The ore that this side knows of. Where patches lie follows from the terrain; how much they hold is told while they are in sight, and remembered after. A
 * patch that stays in sight without an object is used up.
 */

import { Deposits } from "../rules/deposits.ts";
import type { Ore } from "../shared.ts";
import { RICH_PATCH_ORE } from "../state.ts";
import type { Terrain } from "../terrain/terrain.ts";
import { HOVERED, type Pieces, type SeenCells } from "./picture.ts";
import type { Roster } from "./roster.ts";

/** The page's fog is a little ahead of what the server tells, ms. */
const SURE_MS = 1500;
/** Places travel rounded. */
const NEAR = 2;

export class OreMemory {
  readonly #deposits: Deposits;
  /** By patch: id of its object; 0: it has none now. */
  readonly #ids: Float64Array;
  readonly #updatedMs: Float64Array;
  /** By patch: since when it is seen without an object; 0: it is not. */
  readonly #sinceMs: Float64Array;
  readonly #patches = new Map<number, number>();

  constructor({ ore }: Terrain) {
    this.#deposits = new Deposits(ore);
    this.#ids = new Float64Array(ore.length);
    this.#updatedMs = new Float64Array(ore.length);
    this.#sinceMs = new Float64Array(ore.length);
  }

  /** As much as is known of each patch, for judging where one can build. */
  get deposits(): Deposits {
    return this.#deposits;
  }

  fill(
    pieces: Pieces,
    roster: Roster<typeof Ore.shape>,
    fog: SeenCells | undefined,
    hovered: number,
    nowMs: number,
  ): void {
    this.#read(roster);
    pieces.clear();
    const { count, x, y, amount } = this.#deposits;
    for (let patch = 0; patch < count; patch++) {
      this.#doubt(patch, fog, nowMs);
      const isKnown = this.#ids[patch] !== 0 || (fog?.wasSeen(x[patch]!, y[patch]!) ?? false);
      if (amount[patch] === 0 || !isKnown) continue;
      const row = pieces.add();
      pieces.id[row] = this.#ids[patch]!;
      pieces.x[row] = x[patch]!;
      pieces.y[row] = y[patch]!;
      pieces.z[row] = 0;
      pieces.heading[row] = 0;
      pieces.kind[row] = 0;
      pieces.side[row] = 0;
      pieces.health[row] = 100;
      pieces.built[row] = Math.min(255, Math.ceil((amount[patch]! / RICH_PATCH_ORE) * 255));
      pieces.doing[row] = 0;
      pieces.flags[row] = hovered !== 0 && this.#ids[patch] === hovered ? HOVERED : 0;
      pieces.updatedMs[row] = this.#updatedMs[patch]!;
    }
  }

  #read({ list, updatedMs }: Roster<typeof Ore.shape>): void {
    this.#ids.fill(0);
    for (let at = 0; at < list.length; at++) {
      const ore = list[at]!;
      if (!ore.alive) continue;
      const patch = this.#patchOf(ore.id, ore.x, ore.y);
      if (patch < 0) continue;
      this.#ids[patch] = ore.id;
      this.#deposits.amount[patch] = ore.amount;
      this.#updatedMs[patch] = updatedMs[at]!;
    }
  }

  #patchOf(id: number, x: number, y: number): number {
    const known = this.#patches.get(id);
    if (known !== undefined) return known;
    const patch = this.#deposits.nearest(x, y, NEAR);
    this.#patches.set(id, patch);
    return patch;
  }

  #doubt(patch: number, fog: SeenCells | undefined, nowMs: number): void {
    const { x, y, amount } = this.#deposits;
    const isMissing = this.#ids[patch] === 0 && (fog === undefined || fog.isSeen(x[patch]!, y[patch]!));
    if (!isMissing) this.#sinceMs[patch] = 0;
    else if (this.#sinceMs[patch] === 0) this.#sinceMs[patch] = nowMs;
    else if (nowMs - this.#sinceMs[patch]! > SURE_MS) amount[patch] = 0;
  }
}
