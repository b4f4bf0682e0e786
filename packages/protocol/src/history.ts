/**
 * What each object was in the rounds in which it was sent to anybody: the states that deltas build on. One for all clients of a world:
 * a client's own record of what it has is a round and a few gaps (`bases.ts`), and leads here.
 *
 * A ring of rows per object, newest last; a row is the round it was first sent in, its version and its tracked fields. An object that
 * did not change takes no new row, so a row stands for its round and those after it, up to the next row. Rings start small and double
 * when a state was asked for that they had just let go, up to `MOST_ROWS`; what is older than that is sent whole instead.
 * Memory: rows × (fields + 2) × 4 bytes per object that is sent at all; 1 kB for six fields at 32 rows. Rings lie in chunks, so that
 * neighbours lie together and growing never copies more than one ring.
 */

import type { World } from "@nearfield/core";
import { DeltaCodec, type Past } from "@nearfield/schema";
import { gapAt } from "./lineage.ts";

const FIRST_ROWS = 16;
const MOST_ROWS = 64;
/** Round and version, before the fields. */
const HEAD = 2;
/** Numbers in a chunk: room for a thousand short rings. */
const CHUNK = 1 << 17;
const NONE = -1;

export class History {
  readonly codecs: readonly DeltaCodec[];
  readonly #world: World;
  readonly #chunks: Int32Array[] = [];
  #chunkUsed = CHUNK;
  /** By size in numbers: rings that were outgrown or whose object is gone, as chunk × CHUNK + start. */
  readonly #free = new Map<number, number[]>();
  /** Columns by slot: whose ring it is (−1: none), where it lies, its rows' length and number, the newest, and how many are held. */
  #id: Int32Array = new Int32Array(0);
  #chunk: Int32Array = new Int32Array(0);
  #start: Int32Array = new Int32Array(0);
  #stride: Uint8Array = new Uint8Array(0);
  #capacity: Uint8Array = new Uint8Array(0);
  #newest: Uint8Array = new Uint8Array(0);
  #count: Uint8Array = new Uint8Array(0);
  /** A state was asked for that a longer ring would still hold. */
  #isShort: Uint8Array = new Uint8Array(0);

  constructor(world: World) {
    this.#world = world;
    this.codecs = world.protocol.objects.map((type) => new DeltaCodec(type));
    this.#growSlots(64);
  }

  /** Keeps the object as it is in this round, unless it is kept already; returns where its row of fields begins in `Past.values`. */
  keep(slot: number, round: number): number {
    const { store } = this.#world;
    const id = store.idAt(slot) | 0;
    if (slot >= this.#id.length) this.#growSlots(Math.max(slot + 1, this.#id.length * 2));
    if (this.#id[slot] !== id || this.#stride[slot] === 0) this.#renew(slot, id);
    const version = this.#world.version[slot]! | 0;
    if (this.#count[slot]! > 0) {
      const newest = this.#start[slot]! + this.#newest[slot]! * this.#stride[slot]!;
      if (this.#chunks[this.#chunk[slot]!]![newest + 1] === version) return newest + HEAD;
      if (this.#count[slot] === this.#capacity[slot] && this.#isShort[slot] === 1) this.#lengthen(slot);
    }
    const next = this.#newest[slot]! + 1;
    this.#newest[slot] = next === this.#capacity[slot] ? 0 : next;
    if (this.#count[slot]! < this.#capacity[slot]!) this.#count[slot]! += 1;
    const at = this.#start[slot]! + this.#newest[slot]! * this.#stride[slot]!;
    const rows = this.#chunks[this.#chunk[slot]!]!;
    rows[at] = round;
    rows[at + 1] = version;
    const typeIndex = store.typeIndex[slot]!;
    const { tracked, least } = this.codecs[typeIndex]!;
    const columns = this.#world.wireColumns(typeIndex);
    const row = store.row[slot]!;
    for (let i = 0; i < tracked.length; i++) rows[at + HEAD + i] = columns.numbers(tracked[i]!)[row]! - least[i]!;
    return at + HEAD;
  }

  /**
   * Finds the state of `round` and those that `gaps` lead to. Returns the version of the first, −1 where one of them is gone. `keep`
   * comes first: what is found stays valid until the next call of it for this object.
   */
  recall(slot: number, round: number, gaps: number, past: Past): number {
    const rows = this.#chunks[this.#chunk[slot]!]!;
    const start = this.#start[slot]!;
    const stride = this.#stride[slot]!;
    const capacity = this.#capacity[slot]!;
    const newest = this.#newest[slot]!;
    const count = this.#count[slot]!;
    const newestRound = rows[start + newest * stride]!;
    past.values = rows;
    let version = NONE;
    let of = round;
    let back = 0;
    for (let step = 0; ; step++) {
      // An object that moves has a row for every round: look there first.
      back = Math.min(count - 1, Math.max(back, newestRound - of));
      let at = start + (newest >= back ? newest - back : newest - back + capacity) * stride;
      if (rows[at] !== of) {
        back = this.#search(slot, of);
        if (back < 0) return NONE;
        at = start + (newest >= back ? newest - back : newest - back + capacity) * stride;
      }
      past.at[step] = at + HEAD;
      if (step === 0) version = rows[at + 1]! >>> 0;
      if (step === past.gaps.length) return version;
      const gap = gapAt(gaps, step);
      past.gaps[step] = gap;
      if (gap === 0) {
        for (let rest = step + 1; rest < past.gaps.length; rest++) past.gaps[rest] = 0;
        return version;
      }
      of -= gap;
    }
  }

  /** How many rows back from the newest the state of a round lies; −1 where it is gone. */
  #search(slot: number, round: number): number {
    const rows = this.#chunks[this.#chunk[slot]!]!;
    const capacity = this.#capacity[slot]!;
    for (let back = 0; back < this.#count[slot]!; back++) {
      const row = (this.#newest[slot]! - back + capacity) % capacity;
      if (rows[this.#start[slot]! + row * this.#stride[slot]!]! <= round) return back;
    }
    const newestRound = rows[this.#start[slot]! + this.#newest[slot]! * this.#stride[slot]!]!;
    if (newestRound - round < MOST_ROWS && capacity < MOST_ROWS) this.#isShort[slot] = 1;
    return NONE;
  }

  // ── rings ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #renew(slot: number, id: number): void {
    const stride = this.codecs[this.#world.store.typeIndex[slot]!]!.width + HEAD;
    if (this.#stride[slot] !== stride) {
      if (this.#stride[slot] !== 0) this.#release(slot);
      this.#stride[slot] = stride;
      this.#place(slot, FIRST_ROWS);
    }
    this.#id[slot] = id;
    this.#count[slot] = 0;
    this.#newest[slot] = 0;
  }

  #lengthen(slot: number): void {
    const from = this.#chunks[this.#chunk[slot]!]!;
    const start = this.#start[slot]!;
    const stride = this.#stride[slot]!;
    const capacity = this.#capacity[slot]!;
    const oldest = ((this.#newest[slot]! + 1) % capacity) * stride;
    this.#release(slot);
    this.#place(slot, capacity * 2);
    const to = this.#chunks[this.#chunk[slot]!]!;
    const length = capacity * stride;
    for (let i = 0; i < length; i++) to[this.#start[slot]! + i] = from[start + ((oldest + i) % length)]!;
    this.#newest[slot] = capacity - 1;
    this.#isShort[slot] = 0;
  }

  /** Finds room for so many rows. */
  #place(slot: number, rows: number): void {
    const size = rows * this.#stride[slot]!;
    let place = this.#free.get(size)?.pop();
    if (place === undefined) {
      if (this.#chunkUsed + size > CHUNK) {
        this.#chunks.push(new Int32Array(CHUNK));
        this.#chunkUsed = 0;
      }
      place = (this.#chunks.length - 1) * CHUNK + this.#chunkUsed;
      this.#chunkUsed += size;
    }
    this.#chunk[slot] = Math.floor(place / CHUNK);
    this.#start[slot] = place % CHUNK;
    this.#capacity[slot] = rows;
  }

  #release(slot: number): void {
    const size = this.#capacity[slot]! * this.#stride[slot]!;
    const places = this.#free.get(size) ?? [];
    places.push(this.#chunk[slot]! * CHUNK + this.#start[slot]!);
    this.#free.set(size, places);
  }

  #growSlots(length: number): void {
    const grow = <T extends Int32Array | Uint8Array>(larger: T, from: T): T => {
      larger.set(from);
      return larger;
    };
    this.#id = grow(new Int32Array(length), this.#id);
    this.#chunk = grow(new Int32Array(length), this.#chunk);
    this.#start = grow(new Int32Array(length), this.#start);
    this.#stride = grow(new Uint8Array(length), this.#stride);
    this.#capacity = grow(new Uint8Array(length), this.#capacity);
    this.#newest = grow(new Uint8Array(length), this.#newest);
    this.#count = grow(new Uint8Array(length), this.#count);
    this.#isShort = grow(new Uint8Array(length), this.#isShort);
  }
}
