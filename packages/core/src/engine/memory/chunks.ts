/**
 * Many short lists of numbers, without an allocation for each. A list lies in a chunk whose capacity is a power of two. A list that outgrows its chunk
 * moves to one twice as large, and the next list of that size uses the old chunk. Chunks lie in pages. More lists take more pages, so
 * growth never copies more than one list.
 */

import type { ColumnSource } from "./memory.ts";

const NONE = -1;
const SIZES = 31;
const PAGE_SHIFT = 16;
const OFFSET_MASK = (1 << PAGE_SHIFT) - 1;

export class Chunks {
  readonly #columns: ColumnSource;
  readonly #pages: Int32Array[] = [];
  #usedInPage = 1 << PAGE_SHIFT;
  /** First free chunk of each size; a free chunk's first number is the next one. */
  readonly #free: Int32Array = new Int32Array(SIZES).fill(NONE);

  constructor(columns: ColumnSource) {
    this.#columns = columns;
  }

  /** The memory in which a chunk lies; it begins there at `offset(chunk)`. */
  page(chunk: number): Int32Array {
    return this.#pages[chunk >>> PAGE_SHIFT]!;
  }

  offset(chunk: number): number {
    return chunk & OFFSET_MASK;
  }

  /** For the kernel. */
  address(chunk: number): number {
    return this.page(chunk).byteOffset + this.offset(chunk) * 4;
  }

  /** @param size the chunk holds 2^size numbers. */
  take(size: number): number {
    const free = this.#free[size]!;
    if (free !== NONE) {
      this.#free[size] = this.page(free)[this.offset(free)]!;
      return free;
    }
    if (this.#usedInPage + (1 << size) > 1 << PAGE_SHIFT) {
      this.#pages.push(this.#columns.ints(1 << Math.max(size, PAGE_SHIFT)));
      this.#usedInPage = 0;
    }
    const chunk = ((this.#pages.length - 1) << PAGE_SHIFT) | this.#usedInPage;
    this.#usedInPage += 1 << size;
    return chunk;
  }

  release(chunk: number, size: number): void {
    this.page(chunk)[this.offset(chunk)] = this.#free[size]!;
    this.#free[size] = chunk;
  }

  /** Moves the first `count` numbers to a chunk of twice the size. */
  enlarge(chunk: number, size: number, count: number): number {
    const larger = this.take(size + 1);
    const from = this.page(chunk);
    const to = this.page(larger);
    const start = this.offset(chunk);
    const target = this.offset(larger);
    for (let i = 0; i < count; i++) to[target + i] = from[start + i]!;
    this.release(chunk, size);
    return larger;
  }
}
