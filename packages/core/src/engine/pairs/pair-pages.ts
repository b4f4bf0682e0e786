/**
 * The memory of all pairs of an engine. It comes in pages of 65,536 pairs, with one array per column. The pairs of a view lie side by side in a region of one
 * page. Few large arrays keep what a round reads close together, and a round mostly waits for memory. A view that outgrows its region moves
 * to one twice as large; nothing else is ever copied.
 */

import { LARGEST_SAMPLE, SAMPLE_SIZE } from "../../metrics.ts";
import { INLINE, MORE, WAITING } from "../memory/layout.ts";
import type { ColumnSource } from "../memory/memory.ts";

const PAGE_SHIFT = 16;

/** Numbers of a pair, `hot[pair * HOT + …]`, and the same memory as reals, `sample[pair * REALS + SAMPLE + …]`. */
export const HOT = 8;
export const Hot = { tag: 0, held: 1, lastSend: 2, base: 3 } as const;
const REALS = 4;
const SAMPLE = 2;
/** Numbers of a pair in `waits`. */
export const WAITS: number = WAITING / 4;
/** Numbers of a sample beyond `SAMPLE_SIZE`, which only metrics that the kernel does not know have. */
export const EXTRA: number = LARGEST_SAMPLE - SAMPLE_SIZE;

export class PairPage {
  /** What a look reads of each pair, see `layout.ts`. */
  readonly hot: Int32Array;
  readonly #reals: Float64Array;
  /** When to look again. */
  readonly next: Uint8Array;
  /** First round with an update after the last send; one that is not after it is not noted (yet). */
  readonly firstMiss: Int32Array;
  /** What the kernel leaves to be done. */
  readonly left: Int32Array;
  /** Two each, in-flight sends, oldest and newest: numbers in `Flights`. Empty until a view needs them. */
  flights: Int32Array = new Int32Array(0);
  /** Six each: how long it waits, and has waited by the account, see `layout.ts`. Empty until a pair may have to wait. */
  waits: Int32Array = new Int32Array(0);
  /** How far pivots may come until the pair is looked at, see `kernel/leeway.ts`. Empty until a view needs it. */
  leeways: Float64Array = new Float64Array(0);
  /** The rest of the samples. Empty until a metric needs it. */
  more: Float64Array = new Float64Array(0);
  /** What is beyond that, of samples larger than `SAMPLE_SIZE`. Empty until a metric has such. */
  extra: Float64Array = new Float64Array(0);
  readonly #columns: ColumnSource;

  constructor(columns: ColumnSource, pairs: number) {
    this.#columns = columns;
    this.#reals = columns.reals(pairs * REALS);
    this.hot = new Int32Array(this.#reals.buffer, this.#reals.byteOffset, pairs * HOT);
    this.next = columns.bytes(pairs);
    this.firstMiss = columns.ints(pairs);
    this.left = columns.ints(pairs);
  }

  follow(): void {
    if (this.flights.length === 0) this.flights = this.#columns.ints(this.next.length * 2);
  }

  keepWaits(): void {
    if (this.waits.length === 0) this.waits = this.#columns.ints(this.next.length * WAITS);
  }

  keepLeeways(): void {
    if (this.leeways.length === 0) this.leeways = this.#columns.reals(this.next.length);
  }

  deepen(): void {
    if (this.more.length === 0) this.more = this.#columns.reals(this.next.length * MORE);
  }

  widen(): void {
    if (this.extra.length === 0) this.extra = this.#columns.reals(this.next.length * EXTRA);
  }

  readSample(at: number, out: Float64Array, to: number): void {
    for (let i = 0; i < INLINE; i++) out[to + i] = this.#reals[at * REALS + SAMPLE + i]!;
  }

  writeSample(at: number, from: Float64Array, first: number): void {
    for (let i = 0; i < INLINE; i++) this.#reals[at * REALS + SAMPLE + i] = from[first + i]!;
  }

  /** Copies the pairs of a region to another, in this page or in the next. */
  copy(from: number, count: number, page: PairPage, to: number): void {
    page.hot.set(this.hot.subarray(from * HOT, (from + count) * HOT), to * HOT);
    page.next.set(this.next.subarray(from, from + count), to);
    page.firstMiss.set(this.firstMiss.subarray(from, from + count), to);
    if (this.flights.length > 0) {
      page.follow();
      page.flights.set(this.flights.subarray(from * 2, (from + count) * 2), to * 2);
    }
    if (this.waits.length > 0) {
      page.keepWaits();
      page.waits.set(this.waits.subarray(from * WAITS, (from + count) * WAITS), to * WAITS);
    }
    if (this.leeways.length > 0) {
      page.keepLeeways();
      page.leeways.set(this.leeways.subarray(from, from + count), to);
    }
    if (this.more.length === 0) return;
    page.deepen();
    page.more.set(this.more.subarray(from * MORE, (from + count) * MORE), to * MORE);
    if (this.extra.length === 0) return;
    page.widen();
    page.extra.set(this.extra.subarray(from * EXTRA, (from + count) * EXTRA), to * EXTRA);
  }
}

/** Room for 2^size pairs. */
export interface Region {
  readonly page: PairPage;
  readonly start: number;
  readonly size: number;
}

export class PairPages {
  readonly columns: ColumnSource;
  readonly #free: Region[][] = [];
  #page: PairPage | undefined;
  #used = 0;

  constructor(columns: ColumnSource) {
    this.columns = columns;
  }

  take(size: number): Region {
    const free = this.#free[size]?.pop();
    if (free !== undefined) return free;
    if (this.#page === undefined || this.#used + (1 << size) > this.#page.next.length) {
      this.#page = new PairPage(this.columns, 1 << Math.max(size, PAGE_SHIFT));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += 1 << size;
    return { page: this.#page, start, size };
  }

  release(region: Region): void {
    const end = region.start + (1 << region.size);
    region.page.next.fill(0, region.start, end);
    region.page.waits.fill(0, region.start * WAITS, end * WAITS);
    this.#free[region.size] ??= [];
    this.#free[region.size]!.push(region);
  }
}
