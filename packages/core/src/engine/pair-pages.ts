/**
 * The memory of all pairs of an engine. It comes in pages of 65,536 pairs, columns each, and a view's pairs lie side by side in a region
 * of one page. Few large arrays rather than many small ones: what a round reads then lies close together, and memory that lies far apart
 * is what a round waits for. A view that outgrows its region moves to one twice as large; nothing else is ever copied.
 *
 * Columns are hot or cold. A look reads the hot ones, 17 bytes of each pair; the cold ones it mostly writes, and nobody waits for that.
 */

import { SAMPLE_SIZE } from "../metrics.ts";

const PAGE_SHIFT = 16;
/** Numbers of a sample that every pair has room for; the others are in `more`. */
export const INLINE = 2;
export const MORE: number = SAMPLE_SIZE - INLINE;

/**
 * The hot numbers of a pair, side by side.
 *
 *   tag       slot (20 bits), index of its set (4 bits), number of the metric that took the sample (6 bits), rough, listed as resting
 *   held      version the client is taken to hold; 0 = the object is not in the replica, −1 = it is, but nothing of it arrived
 *   lastSend  round of that send
 *   base      the last send known to have arrived: its number in `Flights`, or, where all arrive, its version
 */
export const HOT = 4;
export const Hot = { tag: 0, held: 1, lastSend: 2, base: 3 } as const;

export class PairPage {
  // ── hot ──
  /** Four numbers of each pair, see `Hot`. */
  readonly hot: Int32Array;
  /** When to look again, in a byte; and the same, four at a time. */
  readonly next: Uint8Array;
  readonly words: Uint32Array;
  // ── cold ──
  readonly sample: Float64Array;
  /** First round with an update after the last send; one that is not after it is not noted (yet). */
  readonly firstMiss: Int32Array;
  /** In-flight sends, oldest and newest: numbers in `Flights`. Empty until a view needs them. */
  flightHead: Int32Array = new Int32Array(0);
  flightTail: Int32Array = new Int32Array(0);
  /** The rest of the samples. Empty until a metric needs it. */
  more: Float64Array = new Float64Array(0);

  constructor(pairs: number) {
    this.hot = new Int32Array(pairs * HOT);
    this.next = new Uint8Array(pairs);
    this.words = new Uint32Array(this.next.buffer);
    this.sample = new Float64Array(pairs * INLINE);
    this.firstMiss = new Int32Array(pairs);
  }

  follow(): void {
    if (this.flightHead.length > 0) return;
    this.flightHead = new Int32Array(this.next.length);
    this.flightTail = new Int32Array(this.next.length);
  }

  deepen(): void {
    if (this.more.length === 0) this.more = new Float64Array(this.next.length * MORE);
  }

  /** Copies the pairs of a region to another, in this page or in the next. */
  copy(from: number, count: number, page: PairPage, to: number): void {
    page.hot.set(this.hot.subarray(from * HOT, (from + count) * HOT), to * HOT);
    page.next.set(this.next.subarray(from, from + count), to);
    page.firstMiss.set(this.firstMiss.subarray(from, from + count), to);
    page.sample.set(this.sample.subarray(from * INLINE, (from + count) * INLINE), to * INLINE);
    if (this.flightHead.length > 0) {
      page.follow();
      page.flightHead.set(this.flightHead.subarray(from, from + count), to);
      page.flightTail.set(this.flightTail.subarray(from, from + count), to);
    }
    if (this.more.length === 0) return;
    page.deepen();
    page.more.set(this.more.subarray(from * MORE, (from + count) * MORE), to * MORE);
  }
}

/** Room for 2^size pairs. */
export interface Region {
  readonly page: PairPage;
  readonly start: number;
  readonly size: number;
}

export class PairPages {
  readonly #free: Region[][] = [];
  #page = new PairPage(0);
  #used = 1 << PAGE_SHIFT;

  take(size: number): Region {
    const free = this.#free[size]?.pop();
    if (free !== undefined) return free;
    if (this.#used + (1 << size) > 1 << PAGE_SHIFT) {
      this.#page = new PairPage(1 << Math.max(size, PAGE_SHIFT));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += 1 << size;
    return { page: this.#page, start, size };
  }

  release(region: Region): void {
    region.page.next.fill(0, region.start, region.start + (1 << region.size));
    this.#free[region.size] ??= [];
    this.#free[region.size]!.push(region);
  }
}
