/**
 * The flow fields in use, by goal. There is room for a fixed number: the one that was longest unused makes room. The tiles of all fields that a step
 * makes are bounded; who asks for more waits for a later step, or goes on by an old field. A *local* field covers the surroundings of its goal only: those
 * who chase somebody near by need no more, and it costs a small part of a whole one.
 */

import { Integrator } from "./flow-field.ts";
import { type Ground, STRAIGHT } from "./ground.ts";

/** Fields that are kept: 64 of a large map are 4 MB. */
const FIELDS = 64;
/** Tiles that one step looks at, beyond those of its first field: as many as a medium map has. */
const TILES_A_STEP = 16_384;
/** How far a local field reaches, in tiles of level ground. */
const LOCAL_TILES = 32;

export class FieldCache {
  readonly #ground: Ground;
  readonly #integrator: Integrator;
  readonly #directions: Uint8Array[] = [];
  /** By place: the goal's tile, and for local fields the number of tiles of the map added; −1 = empty. */
  readonly #keys = new Int32Array(FIELDS).fill(-1);
  readonly #versions = new Uint32Array(FIELDS);
  readonly #usedAt = new Uint32Array(FIELDS);
  readonly #byKey = new Map<number, number>();
  #step = 1;
  /** Tiles that this step has looked at. */
  #looked = 0;
  /** Fields made since the start. */
  madeInAll = 0;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#integrator = new Integrator(ground);
  }

  beginStep(): void {
    this.#step += 1;
    this.#looked = 0;
  }

  /** Where the field towards this goal stands; −1 if it has to wait. `last`: where it stood when this unit last asked. */
  find(goal: number, last: number, isLocal = false): number {
    const key = isLocal ? goal + this.#ground.open.length : goal;
    let at = last >= 0 && this.#keys[last] === key ? last : (this.#byKey.get(key) ?? -1);
    if (at < 0 || this.#versions[at] !== this.#ground.version) at = this.#make(key, at);
    if (at >= 0) this.#usedAt[at] = this.#step;
    return at;
  }

  /** Direction on a tile, by the field that stands there. */
  direction(at: number, tile: number): number {
    return this.#directions[at]![tile]!;
  }

  /** The tile that a walk of so many steps along the field reaches. */
  ahead(at: number, tile: number, steps: number): number {
    const directions = this.#directions[at]!;
    let reached = tile;
    for (let step = 0; step < steps; step++) {
      const direction = directions[reached]!;
      if (direction > 7) break;
      reached += this.#ground.offsets[direction]!;
    }
    return reached;
  }

  #make(key: number, old: number): number {
    if (this.#looked > TILES_A_STEP) return old;
    const at = old >= 0 ? old : this.#room();
    this.madeInAll += 1;
    this.#keys[at] = key;
    this.#byKey.set(key, at);
    this.#versions[at] = this.#ground.version;
    const { length } = this.#ground.open;
    this.#directions[at] ??= new Uint8Array(length);
    const isLocal = key >= length;
    const mostCost = isLocal ? LOCAL_TILES * STRAIGHT : Number.POSITIVE_INFINITY;
    this.#looked += this.#integrator.integrate(isLocal ? key - length : key, this.#directions[at], mostCost);
    return at;
  }

  /** An empty place, or that of the field that was longest unused. */
  #room(): number {
    let oldest = 0;
    for (let at = 0; at < FIELDS; at++) {
      if (this.#keys[at] === -1) return at;
      if (this.#usedAt[at]! < this.#usedAt[oldest]!) oldest = at;
    }
    this.#byKey.delete(this.#keys[oldest]!);
    return oldest;
  }
}
