/** Placing a building: its ghost under the pointer, and whether it fits there, by what this side knows. The server has the last word. */

import { Ground } from "../../paths/ground.ts";
import type { Deposits } from "../../rules/deposits.ts";
import { canPlace, snapped } from "../../rules/placement.ts";
import { BUILDING_KINDS, BUILDINGS, type BuildingKind } from "../../state.ts";
import type { Terrain } from "../../terrain/terrain.ts";
import type { Field } from "../field.ts";
import type { Ghost, Pieces } from "../picture.ts";

/** How often the ground is read anew while a building is placed, ms. */
const READ_MS = 250;
const SOME_BUILDING = 0;

export class Placement {
  readonly #terrain: Terrain;
  #kind: BuildingKind | undefined;
  #site: { readonly ground: Ground; readonly deposits: Deposits; readonly terrain: Terrain } | undefined;
  #readMs = 0;

  constructor(terrain: Terrain) {
    this.#terrain = terrain;
  }

  /** What is placed now; undefined: nothing. */
  get kind(): BuildingKind | undefined {
    return this.#kind;
  }

  begin(kind: BuildingKind): void {
    this.#kind = kind;
    this.#site = undefined;
  }

  end(): void {
    this.#kind = undefined;
    this.#site = undefined;
  }

  /** The ghost around a place. */
  ghostAt(field: Field, x: number, y: number, nowMs: number): Ghost | undefined {
    const kind = this.#kind;
    if (kind === undefined) return undefined;
    if (this.#site === undefined || nowMs - this.#readMs > READ_MS) this.#read(field, nowMs);
    const at = snapped(kind, x, y);
    const fits = canPlace(this.#site!, kind, at.x, at.y, () => true) && isKnownGround(field, at.x, at.y);
    return { ...at, kind: BUILDING_KINDS.indexOf(kind), fits };
  }

  #read(field: Field, nowMs: number): void {
    this.#readMs = nowMs;
    const ground = new Ground(this.#terrain);
    occupy(ground, field.buildings);
    occupy(ground, field.remembered);
    this.#site = { ground, deposits: field.oreMemory.deposits, terrain: this.#terrain };
  }
}

/** One does not build where one has never been. */
function isKnownGround({ fog }: Field, x: number, y: number): boolean {
  return fog === undefined || fog.wasSeen(x, y);
}

function occupy(ground: Ground, { count, kind, x, y }: Pieces): void {
  for (let row = 0; row < count; row++) {
    const { tiles } = BUILDINGS[BUILDING_KINDS[kind[row]!]!];
    ground.occupy(ground.footprint(x[row]!, y[row]!, tiles) ?? [], SOME_BUILDING);
  }
}
