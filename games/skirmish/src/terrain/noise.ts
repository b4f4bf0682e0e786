/** Smooth noise over the plane, from a seed: random values at the corners of a lattice, blended between them. */

import { Dice } from "@nearfield/kit";

/** Corners along each edge of the lattice; it repeats after that, a power of two. */
const LATTICE = 64;

export class Noise {
  readonly #values = new Float64Array(LATTICE * LATTICE);

  constructor(seed: number, label: string) {
    const dice = new Dice(seed, label);
    for (let at = 0; at < this.#values.length; at++) this.#values[at] = 2 * dice.next() - 1;
  }

  /** A number from −1 to 1; `x`, `y` in lattice cells. */
  at(x: number, y: number): number {
    const column = Math.floor(x);
    const row = Math.floor(y);
    const across = ease(x - column);
    const along = ease(y - row);
    const above = blend(this.#corner(column, row), this.#corner(column + 1, row), across);
    const below = blend(this.#corner(column, row + 1), this.#corner(column + 1, row + 1), across);
    return blend(above, below, along);
  }

  #corner(column: number, row: number): number {
    return this.#values[(row & (LATTICE - 1)) * LATTICE + (column & (LATTICE - 1))]!;
  }
}

/** 0 at 0, 1 at 1, level at both ends. */
export function ease(share: number): number {
  return share * share * (3 - 2 * share);
}

export function blend(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}
