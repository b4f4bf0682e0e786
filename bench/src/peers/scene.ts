/**
 * The world that both sides of the comparison serve: people who walk about a square, every one in every round, some of them players. Seeded,
 * so that a server and the process that checks its clients' replicas compute the same walks without talking to each other.
 *
 * Three tiers by distance say how fresh a player's picture must be: every round, every fourth, every tenth. Beyond the last nothing is seen.
 */

import { Dice } from "@nearfield/netlab";

export const ROUND_MS = 50;

/** Outer edge of each tier, world units, and the rounds between two updates of what is in it. */
export const TIERS: readonly { readonly radius: number; readonly everyRounds: number }[] = [
  { radius: 50, everyRounds: 1 },
  { radius: 100, everyRounds: 4 },
  { radius: 150, everyRounds: 10 },
];

/** How far a player sees. An object that was in sight leaves only a tenth farther out. */
export const SIGHT: number = TIERS.at(-1)!.radius;
export const SIGHT_LOST: number = 1.1 * SIGHT;

/** Tier of a distance, from 0; `TIERS.length` for what is out of sight. */
export function tierOf(distance: number): number {
  const tier = TIERS.findIndex(({ radius }) => distance <= radius);
  return tier < 0 ? TIERS.length : tier;
}

export interface SceneSize {
  /** Walkers. */
  readonly objects: number;
  /** The first so many objects are players. */
  readonly clients: number;
  /** Side of the square, world units. */
  readonly side: number;
  /** The slowest and the fastest walker, world units per second. Default: a stroll and a run. */
  readonly speeds?: readonly [number, number];
}

/** A square in which a player has about 63 others in sight, however many there are. */
export function crowdOf(objects: number, clients: number): SceneSize {
  return { objects, clients, side: SIDE_OF_1000 * Math.sqrt(objects / 1000) };
}

const SIDE_OF_1000 = 985;

/** Steps of a coordinate on the wire: 16 bits, for everybody. */
export const COORDINATE_STEPS: number = 2 ** 16 - 1;
/** Bits of a heading on the wire, for everybody. */
export const HEADING_BITS = 8;

/** World units per second: a stroll to a run. */
const STROLL_TO_RUN = [2, 6] as const;
/** Chance in a round to take another direction. */
const TURN = 0.02;
/** Walkers start to walk over this many rounds, so that bounds which depend on how far somebody has walked are not all reached in the same round. */
const SET_OUT_ROUNDS = 20;

export class Scene {
  readonly size: SceneSize;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Radians, 0 to 2π. */
  readonly heading: Float64Array;
  /** Rounds walked so far. */
  round = 0;
  readonly #speed: Float64Array;
  readonly #dice: Dice;

  constructor(size: SceneSize, seed: string = "peers") {
    const { objects, side, speeds: [slowest, fastest] = STROLL_TO_RUN } = size;
    this.size = size;
    this.x = new Float64Array(objects);
    this.y = new Float64Array(objects);
    this.heading = new Float64Array(objects);
    this.#speed = new Float64Array(objects);
    this.#dice = new Dice(seed);
    for (let i = 0; i < objects; i++) {
      this.x[i] = this.#dice.range(0, side);
      this.y[i] = this.#dice.range(0, side);
      this.heading[i] = this.#dice.range(0, 2 * Math.PI);
      this.#speed[i] = (this.#dice.range(slowest, fastest) * ROUND_MS) / 1000;
    }
  }

  step(): void {
    this.round += 1;
    for (let i = 0; i < this.size.objects; i++) if (this.round > i % SET_OUT_ROUNDS) this.#walk(i);
  }

  #walk(i: number): void {
    if (this.#dice.chance(TURN)) this.heading[i] = this.#dice.range(0, 2 * Math.PI);
    for (;;) {
      const x = this.x[i]! + this.#speed[i]! * Math.cos(this.heading[i]!);
      const y = this.y[i]! + this.#speed[i]! * Math.sin(this.heading[i]!);
      if (x >= 0 && x <= this.size.side && y >= 0 && y <= this.size.side) {
        this.x[i] = x;
        this.y[i] = y;
        return;
      }
      this.heading[i] = this.#dice.range(0, 2 * Math.PI);
    }
  }
}
