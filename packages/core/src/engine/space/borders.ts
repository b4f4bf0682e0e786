/**
 * Where around a pivot something can have happened in a round. A *border* is a distance at which a pair must be judged anew: the edge of a
 * zone, crossed inward (bounds only loosen outward), and outward as well where pairs over their bound wait unseen; the range, crossed
 * inward; 1.1 times the range, crossed outward. A *ring* is the set of grid cells in which an object can lie that has just crossed a border.
 *
 * Claim: if object and pivot each moved by at most `margin` in this round, and the pair crossed the border, then the object lies in a
 * cell of the ring. For a pair that crossed inward has d ≤ edge now and had d > edge before, and d changed by at most 2 × margin, so
 * edge − 2 × margin < d ≤ edge; the ring has every cell that holds a point at such a distance from some point of the pivot's cell
 * in its part of the row. Outward likewise. Whoever moves farther than `margin` is looked at without rings.
 */

import type { Shape } from "../../view.ts";
import { SLENDER, SUBCELLS } from "../memory/layout.ts";
import type { ColumnSource } from "../memory/memory.ts";

/** Of a column: quotients are rounded. */
const CAUTION = 1e-6;

/** Strips of cells relative to the pivot's own, three numbers each: row, first and last column. */
export type Ring = Int16Array;

/** The rings of one border, by the part of its row that the pivot lies in. */
export class Rings {
  readonly rings: readonly Ring[];
  readonly #columns: ColumnSource;
  readonly #shape: Shape;
  readonly #nearest: number;
  readonly #farthest: number;
  readonly #size: number;
  readonly #depth: number;

  /**
   * @param nearest and `farthest`: the distances now between which the object lies if it has crossed.
   * @param size height of a row of the grid.
   * @param depth the greatest distance along the third axis.
   */
  constructor(columns: ColumnSource, shape: Shape, nearest: number, farthest: number, size: number, depth: number) {
    this.#columns = columns;
    this.#shape = shape;
    this.#nearest = nearest;
    this.#farthest = farthest;
    this.#size = size;
    this.#depth = depth;
    this.rings = Array.from({ length: SUBCELLS }, (_, sub) => this.#make(sub));
  }

  /** Gives its memory back. */
  dispose(): void {
    for (const { buffer, byteOffset, byteLength } of this.rings) {
      this.#columns.release(new Uint8Array(buffer, byteOffset, byteLength));
    }
  }

  /** Row by row: columns up to `last` away from the pivot's are near enough, those from `first` on far enough. */
  #make(sub: number): Ring {
    const size = this.#size;
    const width = size / (1 << SLENDER);
    const reach = Math.ceil(this.#farthest / size) + 1;
    const strips: number[] = [];
    for (let row = -reach; row <= reach; row++) {
      const [leastY, mostY] = between((sub / SUBCELLS) * size, size / SUBCELLS, row * size, size);
      const [least, most] = this.#acrossFor(leastY, mostY);
      if (!(most >= 0)) continue;
      const last = Math.floor(most / width + CAUTION) + 1;
      const first = Math.ceil(least / width - CAUTION) - 1;
      if (first <= 0) strips.push(row, -last, last);
      else strips.push(row, -last, -first, row, first, last);
    }
    const { buffer, byteOffset } = this.#columns.bytes(strips.length * 2);
    const ring = new Int16Array(buffer, byteOffset, strips.length);
    ring.set(strips);
    return ring;
  }

  /** How far across at least and at most, given how far up or down; `NaN` where that is too far already. */
  #acrossFor(leastY: number, mostY: number): [number, number] {
    const [near, far, depth] = [Math.max(0, this.#nearest), this.#farthest, this.#depth];
    if (this.#shape === "square") return [Math.max(mostY, depth) >= near ? 0 : near, leastY <= far ? far : Number.NaN];
    return [
      Math.sqrt(Math.max(0, near * near - mostY * mostY - depth * depth)),
      leastY <= far ? Math.sqrt(far * far - leastY * leastY) : Number.NaN,
    ];
  }
}

/** Least and greatest distance between two stretches, each given by where it begins and how long it is. */
function between(a: number, lengthOfA: number, b: number, lengthOfB: number): [number, number] {
  return [Math.max(0, b - a - lengthOfA, a - b - lengthOfB), Math.max(b + lengthOfB - a, a + lengthOfA - b)];
}
