/**
 * Columns that grow without a pause. A short column doubles and is copied. Beyond `COPIED_ROWS` rows, room for `MOST_ROWS` is reserved once and
 * the column grows in place, `STEP_ROWS` at a time: no row is ever copied again, so a spawn costs the same in a world of any size.
 *
 * Reserved memory is not used memory: the host provides a page when it is first touched. Only shared memory is reserved like this. For an
 * ordinary buffer the garbage collector would count the whole reserved length as used, and pause to collect. Where there is no shared memory,
 * columns keep doubling. Clients' columns always double (`doubling`), so that pages do not load the rest.
 * Why so: docs/decisions/0020-growth.md.
 */

/** How the columns of a store grow. */
export interface Growth {
  roomFor(rows: number, before: number): number;
  grown<C extends Column>(column: C, rows: number): C;
}

/** Columns that always double: a client's. Room is asked for only when there is none. */
export const doubling: Growth = {
  roomFor: (rows, before) => Math.max(rows, before * 2),
  grown: (column, rows) => {
    const larger = new (column.constructor as new (rows: number) => typeof column)(rows);
    larger.set(column);
    return larger;
  },
};

/** Columns that grow without a pause: a server's. */
export const reserving: Growth = { roomFor, grown };

type Column = Float64Array | Uint32Array | Int32Array | Uint16Array | Int16Array | Uint8Array;

const COPIED_ROWS = 4096;
/** Rows by which a column grows. A larger step touches more memory at once; a smaller one makes new array views more often. */
const STEP_ROWS = 4096;
/** Most rows of a column: the number of slots of a world. */
const MOST_ROWS: number = 2 ** 20;
const canReserve: boolean = typeof SharedArrayBuffer === "function";

/** For how many rows to make room next, where `rows` are needed and there is room for `before`. */
export function roomFor(rows: number, before: number): number {
  if (rows <= before) return before;
  if (!isReserved(rows)) return Math.max(rows, before * 2);
  return Math.ceil(rows / STEP_ROWS) * STEP_ROWS;
}

/** The column with room for more rows, each of `width` numbers; what is new in it is 0. The one before is no longer to be used. */
export function grown<C extends Column>(column: C, rows: number, width = 1): C {
  const { buffer, byteLength, BYTES_PER_ELEMENT } = column;
  const Kind = column.constructor as new (buffer: ArrayBufferLike, byteOffset: number, length: number) => C;
  const length = rows * width;
  const bytes = length * BYTES_PER_ELEMENT;
  if (buffer.byteLength >= bytes && byteLength > 0) return new Kind(buffer, 0, length);
  const reserved = isReserved(rows) ? reserve(MOST_ROWS * width * BYTES_PER_ELEMENT) : undefined;
  const larger = new Kind(reserved ?? new ArrayBuffer(bytes), 0, length);
  larger.set(column);
  return larger;
}

function isReserved(rows: number): boolean {
  return canReserve && rows > COPIED_ROWS && rows <= MOST_ROWS;
}

/** `undefined` where the host has no address space left for it. */
function reserve(bytes: number): SharedArrayBuffer | undefined {
  try {
    return new SharedArrayBuffer(bytes);
  } catch {
    return undefined;
  }
}
