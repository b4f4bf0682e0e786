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

import { extentOf, type Frame } from "../../camera-frame.ts";
import type { Shape } from "../../view.ts";
import { SLENDER, SUBCELLS } from "../memory/layout.ts";
import type { ColumnSource } from "../memory/memory.ts";

/** Of a column: quotients are rounded. */
const CAUTION = 1e-6;

/** Strips of cells relative to the pivot's own, three numbers each: row, first and last column. */
export type Ring = Int16Array;

/** Where an object lies, seen from the pivot, if it has just crossed a border. */
export interface Region {
  /** How far up or down at most. */
  readonly reach: number;
  /** From where to where it lies across, given that it is `low` to `high` up; nowhere if the first is not below the second. */
  outer(low: number, high: number): readonly [from: number, to: number];
  /** The stretch within that in which it cannot lie. */
  inner(low: number, high: number): readonly [from: number, to: number];
}

const NOWHERE: readonly [number, number] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** Around an object, a point or a group: between two distances. */
export class Band implements Region {
  readonly reach: number;
  readonly #shape: Shape;
  readonly #nearest: number;
  readonly #depth: number;

  /** @param depth the greatest distance along the third axis. */
  constructor(shape: Shape, nearest: number, farthest: number, depth: number) {
    this.#shape = shape;
    this.#nearest = Math.max(0, nearest);
    this.reach = farthest;
    this.#depth = depth;
  }

  outer(low: number, high: number): readonly [number, number] {
    const up = Math.max(0, low, -high);
    if (!(up <= this.reach)) return NOWHERE;
    const most = this.#shape === "square" ? this.reach : Math.sqrt(this.reach * this.reach - up * up);
    return [-most, most];
  }

  inner(low: number, high: number): readonly [number, number] {
    const near = this.#nearest;
    const up = Math.max(high, -low);
    const depth = this.#depth;
    if (this.#shape === "square") return Math.max(up, depth) >= near ? NOWHERE : [-near, near];
    const least = Math.sqrt(Math.max(0, near * near - up * up - depth * depth));
    return [-least, least];
  }
}

/** Around a camera: between two rectangles that are turned as it is. */
export class TurnedBand implements Region {
  readonly reach: number;
  readonly #frame: Frame;
  readonly #nearest: number;
  readonly #farthest: number;
  /** Of the rectangle in which distances are at most 1: how far up its upper corners and those beside them are. */
  readonly #corners: readonly number[];

  constructor(frame: Frame, nearest: number, farthest: number) {
    this.#frame = frame;
    this.#nearest = Math.max(0, nearest);
    this.#farthest = farthest;
    const { across, along } = frame;
    const a = across[1] / (across[0] ** 2 + across[1] ** 2);
    const b = along[1] / (along[0] ** 2 + along[1] ** 2);
    this.#corners = [a + b, a - b, b - a, -a - b];
    this.reach = farthest * extentOf(frame)[1];
  }

  /** The rectangle has no hollow side: it is widest at an end of the row or at the height of a corner. */
  outer(low: number, high: number): readonly [number, number] {
    const lowest = Math.max(low, -this.reach);
    const highest = Math.min(high, this.reach);
    if (!(lowest <= highest)) return NOWHERE;
    let [from, to] = NOWHERE;
    for (const up of [lowest, highest, ...this.#corners.map((corner) => corner * this.#farthest)]) {
      if (up < lowest || up > highest) continue;
      const [left, right] = this.#at(up, this.#farthest);
      from = Math.min(from, left);
      to = Math.max(to, right);
    }
    return [from, to];
  }

  /** It is narrowest at an end of the row. */
  inner(low: number, high: number): readonly [number, number] {
    const [lowLeft, lowRight] = this.#at(low, this.#nearest);
    const [highLeft, highRight] = this.#at(high, this.#nearest);
    return [Math.max(lowLeft, highLeft), Math.min(lowRight, highRight)];
  }

  /** From where to where the rectangle reaches in which distances are at most `distance`, so far up. */
  #at(up: number, distance: number): readonly [number, number] {
    let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const [x, y] of [this.#frame.across, this.#frame.along]) {
      if (x === 0) {
        if (Math.abs(up * y) > distance * (1 + CAUTION)) return NOWHERE;
        continue;
      }
      const one = (-distance - up * y) / x;
      const other = (distance - up * y) / x;
      from = Math.max(from, Math.min(one, other));
      to = Math.min(to, Math.max(one, other));
    }
    return [from, to];
  }
}

/** The rings of one border, by the part of its row that the pivot lies in. */
export class Rings {
  readonly rings: readonly Ring[];
  /** How many rows and columns they reach, each way. */
  rows = 0;
  columns = 0;
  readonly #columns: ColumnSource;
  readonly #region: Region;
  readonly #size: number;

  /** @param size height of a row of the grid. */
  constructor(columns: ColumnSource, region: Region, size: number) {
    this.#columns = columns;
    this.#region = region;
    this.#size = size;
    this.rings = Array.from({ length: SUBCELLS }, (_, sub) => this.#make(sub));
  }

  /** Gives its memory back. */
  dispose(): void {
    for (const { buffer, byteOffset, byteLength } of this.rings) {
      this.#columns.release(new Uint8Array(buffer, byteOffset, byteLength));
    }
  }

  #make(sub: number): Ring {
    const size = this.#size;
    const reach = Math.ceil(this.#region.reach / size) + 1;
    this.rows = reach;
    const strips: number[] = [];
    for (let row = -reach; row <= reach; row++) {
      const low = (row - (sub + 1) / SUBCELLS) * size;
      const high = (row + 1 - sub / SUBCELLS) * size;
      this.#addRow(row, low, high, strips);
    }
    const { buffer, byteOffset } = this.#columns.bytes(strips.length * 2);
    const ring = new Int16Array(buffer, byteOffset, strips.length);
    ring.set(strips);
    return ring;
  }

  /** The cells of a row that is `low` to `high` up from the pivot, which lies anywhere in its column. */
  #addRow(row: number, low: number, high: number, strips: number[]): void {
    const width = this.#size / (1 << SLENDER);
    const [from, to] = this.#region.outer(low, high);
    if (!(from <= to)) return;
    const [left, right] = this.#region.inner(low, high);
    const first = Math.floor(from / width - CAUTION);
    const last = Math.floor(to / width + CAUTION) + 1;
    const leftLast = Math.floor(left / width + CAUTION) + 1;
    const rightFirst = Math.floor(right / width - CAUTION);
    this.columns = Math.max(this.columns, -first, last);
    if (leftLast + 1 < rightFirst) strips.push(row, first, leftLast, row, rightFirst, last);
    else strips.push(row, first, last);
  }
}
