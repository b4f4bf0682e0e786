/**
 * The whole state of a fight in typed columns that share one buffer. Saving is one copy of that buffer, and so is loading.
 *
 * A column belongs either to the players (the same number of rows for each) or to nobody. Rows of a player can be copied by themselves: a player
 * who met nobody is corrected without touching the others.
 */

import { RollbackError } from "../errors.ts";

export type ColumnKind =
  | Float64ArrayConstructor
  | Float32ArrayConstructor
  | Int32ArrayConstructor
  | Uint32ArrayConstructor
  | Int16ArrayConstructor
  | Uint16ArrayConstructor
  | Int8ArrayConstructor
  | Uint8ArrayConstructor;

export interface ColumnSpec<K extends ColumnKind = ColumnKind> {
  readonly kind: K;
  readonly rows: number;
  readonly isPerPlayer: boolean;
}

/** So many rows for each player: those of player p begin at `p * rows`. */
export function perPlayer<K extends ColumnKind>(kind: K, rows = 1): ColumnSpec<K> {
  return { kind, rows, isPerPlayer: true };
}

/** Rows that belong to no player: a score, a seed, a door. */
export function shared<K extends ColumnKind>(kind: K, rows = 1): ColumnSpec<K> {
  return { kind, rows, isPerPlayer: false };
}

export type ColumnShape = Readonly<Record<string, ColumnSpec>>;
export type ColumnArrays<S extends ColumnShape> = { readonly [N in keyof S]: InstanceType<S[N]["kind"]> };

/** Where two states differ first, in the order of the columns. */
export interface Difference {
  readonly column: string;
  readonly row: number;
  readonly values: readonly [number, number];
}

interface Placed {
  readonly name: string;
  readonly spec: ColumnSpec;
  readonly offset: number;
  readonly length: number;
}

export class Columns<S extends ColumnShape = ColumnShape> {
  readonly players: number;
  readonly byteLength: number;
  /** The columns by name, as they are now. */
  readonly at: ColumnArrays<S>;
  readonly #placed: readonly Placed[];
  readonly #bytes: Uint8Array;

  constructor(players: number, shape: S) {
    this.players = players;
    const placed: Placed[] = [];
    let offset = 0;
    for (const [name, spec] of Object.entries(shape)) {
      if (!(Number.isInteger(spec.rows) && spec.rows > 0))
        throw new RollbackError("bad-option", `column ${name}: rows must be a whole number above 0, not ${spec.rows}`);
      const length = spec.isPerPlayer ? spec.rows * players : spec.rows;
      placed.push({ name, spec, offset, length });
      // Every column begins at a multiple of 8, so that all kinds are aligned and the checksum reads whole words.
      offset += Math.ceil((length * spec.kind.BYTES_PER_ELEMENT) / 8) * 8;
    }
    this.#placed = placed;
    this.byteLength = offset;
    const buffer = new ArrayBuffer(offset);
    this.#bytes = new Uint8Array(buffer);
    this.at = arraysOf(placed, buffer) as ColumnArrays<S>;
  }

  save(into: Uint8Array): void {
    into.set(this.#bytes);
  }

  load(from: Uint8Array): void {
    this.#bytes.set(from);
  }

  /** Copies what belongs to one player into a saved state. */
  saveRows(player: number, into: Uint8Array): void {
    for (const { spec, offset } of this.#placed) {
      if (!spec.isPerPlayer) continue;
      const size = spec.rows * spec.kind.BYTES_PER_ELEMENT;
      const begin = offset + player * size;
      for (let at = begin; at < begin + size; at++) into[at] = this.#bytes[at]!;
    }
  }

  /** The first value in which two saved states differ; undefined: they are the same to the last bit. */
  difference(a: Uint8Array, b: Uint8Array): Difference | undefined {
    for (const { name, spec, offset, length } of this.#placed) {
      const size = spec.kind.BYTES_PER_ELEMENT;
      for (let at = offset; at < offset + length * size; at++) {
        if (a[at] === b[at]) continue;
        const row = Math.floor((at - offset) / size);
        return {
          column: name,
          row,
          values: [this.#valueIn(a, spec, offset, row), this.#valueIn(b, spec, offset, row)],
        };
      }
    }
    return undefined;
  }

  /** The column and row of the first value that is not a number. Such a value has other bits on another machine. */
  firstNaN(): { readonly column: string; readonly row: number } | undefined {
    for (const { name } of this.#placed) {
      const row = (this.at[name] as Float64Array).findIndex(Number.isNaN);
      if (row >= 0) return { column: name, row };
    }
    return undefined;
  }

  #valueIn(saved: Uint8Array, { kind }: ColumnSpec, offset: number, row: number): number {
    const size = kind.BYTES_PER_ELEMENT;
    const copy = saved.slice(offset + row * size, offset + (row + 1) * size);
    return new kind(copy.buffer)[0]!;
  }
}

/** 32 bits that differ for states that differ, but for chance. The length is a multiple of 4. */
export function checksumOf(saved: Uint8Array): number {
  const words = new Uint32Array(saved.buffer, saved.byteOffset, saved.byteLength >> 2);
  let sum = 0x811c9dc5;
  for (let at = 0; at < words.length; at++) {
    sum = Math.imul(sum ^ words[at]!, 0x01000193);
    sum ^= sum >>> 15;
  }
  return sum >>> 0;
}

function arraysOf(placed: readonly Placed[], buffer: ArrayBuffer): Record<string, unknown> {
  const arrays: Record<string, unknown> = {};
  for (const { name, spec, offset, length } of placed) arrays[name] = new spec.kind(buffer, offset, length);
  return arrays;
}
