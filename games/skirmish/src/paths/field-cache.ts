/**
 * The flow fields in use, by goal. There is room for a fixed number: the one that was longest unused makes room. A step makes a few fields at most;
 * who asks for more waits for a later step, or goes on by an old field.
 */

import { Integrator } from "./flow-field.ts";
import { type Ground, STEP_X, STEP_Y } from "./ground.ts";

/** Fields that are kept: 64 of a large map are 4 MB. */
const FIELDS = 64;
/** Tiles of all fields that one step makes: one field of a large map, or sixteen of a small one. */
const TILES_A_STEP = 65_536;

export class FieldCache {
  readonly #ground: Ground;
  readonly #integrator: Integrator;
  readonly #directions: Uint8Array[] = [];
  readonly #goals = new Int32Array(FIELDS).fill(-1);
  readonly #versions = new Uint32Array(FIELDS);
  readonly #usedAt = new Uint32Array(FIELDS);
  readonly #byGoal = new Map<number, number>();
  readonly #mostAStep: number;
  #step = 1;
  #made = 0;
  /** Fields made since the start. */
  madeInAll = 0;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#integrator = new Integrator(ground);
    this.#mostAStep = Math.max(1, Math.floor(TILES_A_STEP / ground.open.length));
  }

  beginStep(): void {
    this.#step += 1;
    this.#made = 0;
  }

  /** Where the field towards this goal stands; −1 if it has to wait. `last`: where it stood when this unit last asked. */
  find(goal: number, last: number): number {
    let at = last >= 0 && this.#goals[last] === goal ? last : (this.#byGoal.get(goal) ?? -1);
    if (at < 0 || this.#versions[at] !== this.#ground.version) at = this.#make(goal, at);
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
      reached += STEP_X[direction]! + STEP_Y[direction]! * this.#ground.tiles;
    }
    return reached;
  }

  #make(goal: number, old: number): number {
    if (this.#made >= this.#mostAStep) return old;
    const at = old >= 0 ? old : this.#room();
    this.#made += 1;
    this.madeInAll += 1;
    this.#goals[at] = goal;
    this.#byGoal.set(goal, at);
    this.#versions[at] = this.#ground.version;
    this.#directions[at] ??= new Uint8Array(this.#ground.open.length);
    this.#integrator.integrate(goal, this.#directions[at]);
    return at;
  }

  /** An empty place, or that of the field that was longest unused. */
  #room(): number {
    let oldest = 0;
    for (let at = 0; at < FIELDS; at++) {
      if (this.#goals[at] === -1) return at;
      if (this.#usedAt[at]! < this.#usedAt[oldest]!) oldest = at;
    }
    this.#byGoal.delete(this.#goals[oldest]!);
    return oldest;
  }
}
