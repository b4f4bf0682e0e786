/**
 * Measures how old a client's picture is, on decoded replicas alone and for all servers in the same way. A replica's age is the number of rounds since
 * its object was last at the place that the replica shows. 0 is the newest state. Only objects in sight count, in the tier in which they are now.
 */

import { COORDINATE_STEPS, type Scene, TIERS, tierOf } from "./scene.ts";

/** Rounds that are remembered; what is older counts as this old. */
const MEMORY = 32;

export interface TierStaleness {
  /** In sight and in the replica. */
  pairs: number;
  /** In sight, but not in the replica. */
  missing: number;
  /** Rounds, summed over pairs. */
  sum: number;
  /** The same, each squared. */
  squares: number;
  largest: number;
}

export type Staleness = readonly TierStaleness[];

export function noStaleness(): Staleness {
  return TIERS.map(() => ({ pairs: 0, missing: 0, sum: 0, squares: 0, largest: 0 }));
}

/** Where a replica shows an object; false where it has none. Writes `out[0]` and `out[1]`. */
export type Shown = (object: number, out: Float64Array) => boolean;

export class History {
  readonly #scene: Scene;
  readonly #x: Float64Array[] = [];
  readonly #y: Float64Array[] = [];
  readonly #tolerance: number;
  readonly #shown: Float64Array = new Float64Array(2);

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#tolerance = (0.51 * scene.size.side) / COORDINATE_STEPS;
    this.#remember();
  }

  /** Walks on to this round. */
  advance(round: number): void {
    while (this.#scene.round < round) {
      this.#scene.step();
      this.#remember();
    }
  }

  /** Adds what one client has. */
  look(client: number, shown: Shown, into: Staleness): void {
    const { x, y, size } = this.#scene;
    for (let object = 0; object < size.objects; object++) {
      const distance = Math.sqrt((x[client]! - x[object]!) ** 2 + (y[client]! - y[object]!) ** 2);
      const tier = into[tierOf(distance)];
      if (tier === undefined) continue;
      if (!shown(object, this.#shown)) {
        tier.missing += 1;
        continue;
      }
      const age = this.#ageOf(object);
      tier.pairs += 1;
      tier.sum += age;
      tier.squares += age * age;
      if (age > tier.largest) tier.largest = age;
    }
  }

  #ageOf(object: number): number {
    const [x, y] = this.#shown as unknown as [number, number];
    for (let age = 0; age < this.#x.length; age++) {
      const near = Math.abs(this.#x[age]![object]! - x) <= this.#tolerance;
      if (near && Math.abs(this.#y[age]![object]! - y) <= this.#tolerance) return age;
    }
    return MEMORY;
  }

  #remember(): void {
    const x = this.#x.length < MEMORY ? new Float64Array(this.#scene.size.objects) : this.#x.pop()!;
    const y = this.#y.length < MEMORY ? new Float64Array(this.#scene.size.objects) : this.#y.pop()!;
    x.set(this.#scene.x);
    y.set(this.#scene.y);
    this.#x.unshift(x);
    this.#y.unshift(y);
  }
}
