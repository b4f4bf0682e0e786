/** What the page knows of the battlefield in this frame, in columns: units, buildings, ore, buildings that it remembers, and the fog. */

import { FIRST_BUILDING, SIGHT } from "../rules/kinds.ts";
import { BUILDING_KINDS, DOINGS, ROUND_MS, UNIT_KINDS } from "../state.ts";
import type { Terrain } from "../terrain/terrain.ts";
import { Fog } from "./fog.ts";
import type { Network } from "./network.ts";
import { OreMemory } from "./ore-memory.ts";
import { HOVERED, OWN, Pieces, SELECTED } from "./picture.ts";
import { Remembered } from "./remembered.ts";
import type { Selection } from "./select/selection.ts";

const UNIT_INDEX = indexOf(UNIT_KINDS);
const BUILDING_INDEX = indexOf(BUILDING_KINDS);
const DOING_INDEX = indexOf(DOINGS);

export class Field {
  readonly terrain: Terrain;
  readonly units: Pieces = new Pieces();
  readonly buildings: Pieces = new Pieces();
  readonly remembered: Pieces = new Pieces();
  readonly ore: Pieces = new Pieces();
  readonly memory: Remembered = new Remembered();
  readonly oreMemory: OreMemory;
  readonly #fog: Fog;
  #ownSide: number;
  #isBlind: boolean;
  #sawMs = Number.NEGATIVE_INFINITY;

  /** `seesAll`: there is no fog, as for a spectator. */
  constructor(terrain: Terrain, ownSide: number, seesAll: boolean) {
    this.terrain = terrain;
    this.#fog = new Fog(terrain.size);
    this.oreMemory = new OreMemory(terrain);
    this.#ownSide = ownSide;
    this.#isBlind = !seesAll;
  }

  get ownSide(): number {
    return this.#ownSide;
  }

  /** Undefined: everything is seen. */
  get fog(): Fog | undefined {
    return this.#isBlind ? this.#fog : undefined;
  }

  /** From now on there is no fog: the match is over. */
  lift(): void {
    this.#isBlind = false;
  }

  /** Reads the replicas. `hovered`: the id of what is under the pointer. */
  read(network: Network, selection: Selection, hovered: number, nowMs: number): void {
    this.#readUnits(network, selection, hovered);
    this.#readBuildings(network, selection, hovered);
    this.oreMemory.fill(this.ore, network.ore, this.fog, hovered, nowMs);
    this.memory.fill(this.remembered, this.fog, nowMs);
  }

  /** What the own pieces see, as often as the server works it out. */
  see(nowMs: number): void {
    if (!this.#isBlind || nowMs - this.#sawMs < ROUND_MS) return;
    this.#sawMs = nowMs;
    this.#fog.begin();
    this.#seeFrom(this.units, 0);
    this.#seeFrom(this.buildings, FIRST_BUILDING);
    this.#fog.end();
  }

  #seeFrom({ count, flags, x, y, kind }: Pieces, firstKind: number): void {
    for (let row = 0; row < count; row++)
      if ((flags[row]! & OWN) !== 0) this.#fog.see(x[row]!, y[row]!, SIGHT[firstKind + kind[row]!]!);
  }

  #flagsOf(id: number, side: number, selection: Selection, hovered: number): number {
    const own = side === this.#ownSide ? OWN : 0;
    return own | (selection.has(id) ? SELECTED : 0) | (id === hovered ? HOVERED : 0);
  }

  #readUnits({ units: { list, updatedMs } }: Network, selection: Selection, hovered: number): void {
    const pieces = this.units;
    pieces.clear();
    for (let at = 0; at < list.length; at++) {
      const unit = list[at]!;
      if (!unit.alive) continue;
      const row = pieces.add();
      const { id, shown, side, doing } = unit;
      pieces.id[row] = id;
      pieces.x[row] = shown.x;
      pieces.y[row] = shown.y;
      pieces.z[row] = shown.z;
      pieces.heading[row] = shown.heading;
      pieces.kind[row] = UNIT_INDEX[unit.kind]!;
      pieces.side[row] = side;
      pieces.health[row] = unit.health;
      pieces.built[row] = 100;
      pieces.doing[row] = DOING_INDEX[doing]!;
      pieces.flags[row] = this.#flagsOf(id, side, selection, hovered);
      pieces.updatedMs[row] = updatedMs[at]!;
    }
  }

  #readBuildings({ buildings: { list, updatedMs } }: Network, selection: Selection, hovered: number): void {
    const pieces = this.buildings;
    pieces.clear();
    for (let at = 0; at < list.length; at++) {
      const building = list[at]!;
      if (!building.alive) continue;
      const row = pieces.add();
      const { id, side } = building;
      pieces.id[row] = id;
      pieces.x[row] = building.x;
      pieces.y[row] = building.y;
      pieces.z[row] = building.z;
      pieces.heading[row] = 0;
      pieces.kind[row] = BUILDING_INDEX[building.kind]!;
      pieces.side[row] = side;
      pieces.health[row] = building.health;
      pieces.built[row] = building.built;
      pieces.doing[row] = 0;
      pieces.flags[row] = this.#flagsOf(id, side, selection, hovered);
      pieces.updatedMs[row] = updatedMs[at]!;
    }
  }
}

function indexOf(words: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(words.map((word, index) => [word, index]));
}
