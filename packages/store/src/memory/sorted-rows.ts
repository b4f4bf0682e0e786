/**
 * Rows in the order of their keys, never changed: a write gives new `SortedRows` that share almost everything with the old ones. So a snapshot
 * is a reference. Rows stand in chunks; a write copies one chunk and the list of chunks.
 */
import { compareKeys } from "../key-order.ts";
import type { ResolvedRange } from "../limits.ts";
import type { Row } from "../record.ts";

type Chunk = readonly Row[];
const CHUNK_ROWS = 128;

export class SortedRows {
  static readonly empty: SortedRows = new SortedRows([]);
  /** None is empty. */
  readonly #chunks: readonly Chunk[];

  private constructor(chunks: readonly Chunk[]) {
    this.#chunks = chunks;
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0;
  }

  get(key: string): Row | undefined {
    const chunk = this.#chunks[this.#chunkOf(key)];
    const row = chunk?.[firstFrom(chunk, key)];
    return row?.key === key ? row : undefined;
  }

  with(row: Row): SortedRows {
    if (this.isEmpty) return new SortedRows([[row]]);
    const at = this.#chunkOf(row.key);
    const chunk = this.#chunks[at] as Chunk;
    const place = firstFrom(chunk, row.key);
    const larger = chunk.toSpliced(place, chunk[place]?.key === row.key ? 1 : 0, row);
    const half = CHUNK_ROWS / 2;
    const parts = larger.length > CHUNK_ROWS ? [larger.slice(0, half), larger.slice(half)] : [larger];
    return new SortedRows(this.#chunks.toSpliced(at, 1, ...parts));
  }

  without(key: string): SortedRows {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at] ?? [];
    const place = firstFrom(chunk, key);
    if (chunk[place]?.key !== key) return this;
    const smaller = chunk.toSpliced(place, 1);
    return new SortedRows(this.#chunks.toSpliced(at, 1, ...(smaller.length > 0 ? [smaller] : [])));
  }

  scan({ from, before, reverse, limit }: ResolvedRange): Row[] {
    const found: Row[] = [];
    const chunks = this.#chunks;
    if (reverse) {
      let at = before === undefined ? chunks.length - 1 : this.#chunkOf(before);
      for (; at >= 0 && found.length < limit; at--) {
        const chunk = chunks[at] as Chunk;
        for (
          let i = before === undefined ? chunk.length : firstFrom(chunk, before);
          i-- > 0 && found.length < limit;
        ) {
          const row = chunk[i] as Row;
          if (compareKeys(row.key, from) < 0) return found;
          found.push(row);
        }
      }
      return found;
    }
    for (let at = this.#chunkOf(from); at < chunks.length && found.length < limit; at++) {
      const chunk = chunks[at] as Chunk;
      for (let i = firstFrom(chunk, from); i < chunk.length && found.length < limit; i++) {
        const row = chunk[i] as Row;
        if (before !== undefined && compareKeys(row.key, before) >= 0) return found;
        found.push(row);
      }
    }
    return found;
  }

  /** The last chunk that begins at or before `key`; 0 when none does. */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (compareKeys(((this.#chunks[middle] as Chunk)[0] as Row).key, key) <= 0) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** The index of the first row whose key is `key` or comes later. */
function firstFrom(chunk: Chunk, key: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys((chunk[middle] as Row).key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
