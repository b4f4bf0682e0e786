/**
 * The memory of one engine. Columns are parts of one linear memory, so each has an address, and the kernel reads and writes them too. Where the
 * host allows it, the memory is shared: it grows without moving, columns stay valid, and worker threads can use it. Elsewhere it has one fixed size.
 *
 * Blocks are powers of two and are used again; nothing is ever moved. A long column by slot has its whole length reserved at once. That costs little, since
 * the host provides memory when it is first touched.
 */

import { GIVEN_OUT } from "./layout.ts";

/** Where columns are made. Fresh ones hold zeros. */
export interface ColumnSource {
  ints(length: number): Int32Array;
  words(length: number): Uint32Array;
  reals(length: number): Float64Array;
  bytes(length: number): Uint8Array;
  /** Takes back a column, which nobody uses any more. */
  release(column: Column): void;
  /**
   * Where a column can have so many bytes and will not have to move again before it has `most`: where it lies, or a place that is reserved for
   * it now. `undefined` where nothing is reserved: in the heap, where memory cannot grow in place, and for a column that is still short.
   */
  placeFor?(column: Column, bytes: number, most: number): Place | undefined;
}

export interface Place {
  readonly buffer: ArrayBufferLike;
  readonly address: number;
}

export type Column = Int32Array | Uint32Array | Float64Array | Uint8Array;

/** Columns of their own, for those that no kernel reads. */
export const heap: ColumnSource = {
  ints: (length) => new Int32Array(length),
  words: (length) => new Uint32Array(length),
  reals: (length) => new Float64Array(length),
  bytes: (length) => new Uint8Array(length),
  release: () => {},
};

const PAGE = 65536;
const MOST_PAGES = 65536;
const FIRST_PAGES = 16;
/** Where memory cannot grow in place. The host gives what is touched, not what is asked for. */
const FIXED_PAGES = 4096;
/** Grows by at least an eighth. */
const GROWTH_SHIFT = 3;
/** Room for all that a column may ever hold is reserved once it holds more than this part of it: 4,096 slots of a million. */
const LEAST_SHARE = 256;
/** A cache line. */
const LEAST_BLOCK_SHIFT = 6;
const LEAST_BLOCK: number = 1 << LEAST_BLOCK_SHIFT;

export class Memory implements ColumnSource {
  readonly isShared: boolean = typeof SharedArrayBuffer === "function";
  readonly linear: LinearMemory = this.isShared
    ? new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES, shared: true })
    : new WebAssembly.Memory({ initial: FIXED_PAGES, maximum: FIXED_PAGES });
  /** What comes before all columns, see `layout.ts`. */
  readonly engine: Int32Array = new Int32Array(this.linear.buffer, 0, GIVEN_OUT / 4);
  readonly engineReals: Float64Array = new Float64Array(this.linear.buffer, 0, GIVEN_OUT / 8);
  #end = GIVEN_OUT;
  /** By address: bytes that are reserved for the column that lies there. */
  readonly #reserved = new Map<number, number>();
  /** By power of two: addresses of blocks that were released. */
  readonly #free: number[][] = [];

  ints(length: number): Int32Array {
    const address = this.#take(length * 4);
    return new Int32Array(this.linear.buffer, address, length);
  }

  words(length: number): Uint32Array {
    const address = this.#take(length * 4);
    return new Uint32Array(this.linear.buffer, address, length);
  }

  reals(length: number): Float64Array {
    const address = this.#take(length * 8);
    return new Float64Array(this.linear.buffer, address, length);
  }

  bytes(length: number): Uint8Array {
    const address = this.#take(length);
    return new Uint8Array(this.linear.buffer, address, length);
  }

  release({ byteOffset, byteLength }: Column): void {
    if (byteLength === 0) return;
    const shift = shiftOf(byteLength);
    this.#free[shift] ??= [];
    this.#free[shift]!.push(byteOffset);
  }

  placeFor(column: Column, bytes: number, most: number): Place | undefined {
    const { byteOffset } = column;
    const { buffer } = this.linear;
    if (bytes <= (this.#reserved.get(byteOffset) ?? 0)) return { buffer, address: byteOffset };
    if (!this.isShared || bytes > most || bytes * LEAST_SHARE <= most || this.#end + most > MOST_PAGES * PAGE)
      return undefined;
    const address = this.#end;
    this.#reserve(address + most);
    this.#end = address + most;
    this.#reserved.set(address, most);
    return { buffer: this.linear.buffer, address };
  }

  #take(bytes: number): number {
    if (bytes === 0) return GIVEN_OUT;
    const shift = shiftOf(bytes);
    const free = this.#free[shift]?.pop();
    if (free !== undefined) {
      new Uint8Array(this.linear.buffer, free, bytes).fill(0);
      return free;
    }
    const address = this.#end;
    this.#reserve(address + 2 ** shift);
    this.#end = address + 2 ** shift;
    return address;
  }

  #reserve(end: number): void {
    const pages = this.linear.buffer.byteLength / PAGE;
    const needed = Math.ceil(end / PAGE);
    if (needed <= pages) return;
    const most = this.isShared ? MOST_PAGES : FIXED_PAGES;
    if (needed > most) throw new RangeError(`the engine needs more than ${(most * PAGE) / 2 ** 20} MiB for its pairs`);
    this.linear.grow(Math.min(most, Math.max(needed, pages + (pages >> GROWTH_SHIFT))) - pages);
  }
}

/**
 * A longer column that begins with what this one holds; it takes its place. Columns by slot say how long they can get at most: from a few
 * thousand slots on they grow where they lie, and nothing is copied (docs/decisions/0020-growth.md).
 */
export function enlarged<C extends Column>(columns: ColumnSource, column: C, length: number, most = 0): C {
  const { BYTES_PER_ELEMENT } = column;
  const place = columns.placeFor?.(column, length * BYTES_PER_ELEMENT, most * BYTES_PER_ELEMENT);
  const Kind = column.constructor as new (buffer: ArrayBufferLike, address: number, length: number) => C;
  const larger = place === undefined ? make(columns, column, length) : new Kind(place.buffer, place.address, length);
  if (place?.address === column.byteOffset) return larger;
  larger.set(column);
  columns.release(column);
  return larger;
}

function make<C extends Column>(columns: ColumnSource, like: C, length: number): C;
function make(columns: ColumnSource, like: Column, length: number): Column {
  if (like instanceof Int32Array) return columns.ints(length);
  if (like instanceof Uint32Array) return columns.words(length);
  return like instanceof Float64Array ? columns.reals(length) : columns.bytes(length);
}

function shiftOf(bytes: number): number {
  return bytes <= LEAST_BLOCK ? LEAST_BLOCK_SHIFT : Math.ceil(Math.log2(bytes));
}

/** The part of the standard's `WebAssembly` that is used here: this package is written for no host in particular. */
export interface LinearMemory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}

declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number; shared?: boolean }) => LinearMemory;
};
