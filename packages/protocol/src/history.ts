/**
 * The states of each object in the rounds in which it was sent to anybody: deltas build on them. There is one history for all clients of a
 * world. A client's own record of what it has is only a round and a few gaps (`bases.ts`), which lead here.
 *
 * Each object has a ring of rows, newest last. A row holds the round in which it was first sent, its version and its tracked fields. An
 * object that did not change gets no new row, so a row stands for its round and all later ones up to the next row. Rings start small. A
 * ring doubles, up to `MOST_ROWS`, when a state was asked for that the ring is about to drop or has dropped. If a state is too old, the
 * object is sent whole instead. Memory: rows × (fields + 2) × 4 bytes per object that is sent at all; 1 kB for six fields at 32 rows. Rings
 * lie in chunks: neighbours lie together, and growing never copies more than one ring.
 */

import type { World } from "@nearfield/core";
import { DeltaWriter, grown, type Past, roomFor } from "@nearfield/schema/internal";
import { gapAt } from "./lineage.ts";

const FIRST_ROWS = 16;
/** Enough for four states that are a round trip apart, at a round trip of 1.5 s and 20 rounds per second. */
const MOST_ROWS = 128;
/** Round and version, before the fields. */
const HEAD = 2;
/** Numbers in a chunk: room for a thousand short rings. */
const CHUNK = 1 << 17;
const NONE = -1;

/** Columns of a ring: its object; where it lies; length and number of its rows; the newest row; and how many are in use. */
const ID = 0;
const CHUNK_AT = 1;
const START = 2;
/** 0: there is no ring. */
const STRIDE = 3;
const CAPACITY = 4;
const NEWEST = 5;
const COUNT = 6;
/** 1 if a state was asked for that a longer ring would keep for longer. */
const IS_SHORT = 7;
const RING_BITS = 3;

export class History {
  readonly writers: readonly DeltaWriter[];
  readonly #world: World;
  readonly #chunks: Int32Array[] = [];
  #chunkUsed = CHUNK;
  /** By size: rings that were outgrown or whose object is gone, as chunk × CHUNK + start. */
  readonly #free = new Map<number, number[]>();
  /** One row per slot, so that everything about an object's ring lies together. */
  #rings: Int32Array = new Int32Array(0);

  constructor(world: World) {
    this.#world = world;
    this.writers = world.protocol.objects.map((type) => new DeltaWriter(type));
    this.#growSlots(64);
  }

  /** Keeps the object's state of this round, unless it is kept already. Returns where its fields begin in `Past.values`. */
  keep(slot: number, round: number): number {
    const world = this.#world;
    const { store } = world;
    const id = store.idAt(slot) | 0;
    const at = slot << RING_BITS;
    if (at >= this.#rings.length) this.#growSlots(roomFor(slot + 1, this.#rings.length >> RING_BITS));
    const rings = this.#rings;
    if (rings[at + ID] !== id || rings[at + STRIDE] === 0) this.#renew(at, store.typeIndex[slot]!, id);
    const version = world.version[slot]! | 0;
    if (rings[at + COUNT]! > 0) {
      const newest = rings[at + START]! + rings[at + NEWEST]! * rings[at + STRIDE]!;
      if (this.#chunks[rings[at + CHUNK_AT]!]![newest + 1] === version) return newest + HEAD;
      if (rings[at + COUNT] === rings[at + CAPACITY] && rings[at + IS_SHORT] === 1) this.#lengthen(at);
    }
    const next = rings[at + NEWEST]! + 1;
    const newest = next === rings[at + CAPACITY] ? 0 : next;
    rings[at + NEWEST] = newest;
    if (rings[at + COUNT]! < rings[at + CAPACITY]!) rings[at + COUNT]! += 1;
    const to = rings[at + START]! + newest * rings[at + STRIDE]!;
    this.#note(this.#chunks[rings[at + CHUNK_AT]!]!, to, slot, round, version);
    return to + HEAD;
  }

  #note(rows: Int32Array, to: number, slot: number, round: number, version: number): void {
    const { store } = this.#world;
    const typeIndex = store.typeIndex[slot]!;
    const { tracked, least } = this.writers[typeIndex]!.fields;
    const columns = this.#world.wireColumns(typeIndex);
    const row = store.row[slot]!;
    rows[to] = round;
    rows[to + 1] = version;
    for (let i = 0; i < tracked.length; i++) rows[to + HEAD + i] = columns.numbers(tracked[i]!)[row]! - least[i]!;
  }

  /**
   * Finds the state of `round` and those that `gaps` lead to. Returns the version of the first, or −1 if one of them is gone. Call `keep`
   * first: the result is valid until the next `keep` of this object.
   */
  recall(slot: number, round: number, gaps: number, past: Past): number {
    const rings = this.#rings;
    const ring = slot << RING_BITS;
    const rows = this.#chunks[rings[ring + CHUNK_AT]!]!;
    const start = rings[ring + START]!;
    const stride = rings[ring + STRIDE]!;
    const capacity = rings[ring + CAPACITY]!;
    const newest = rings[ring + NEWEST]!;
    const count = rings[ring + COUNT]!;
    const newestRound = rows[start + newest * stride]!;
    const pastAt = past.at;
    const pastGaps = past.gaps;
    past.values = rows;
    let version = NONE;
    let of = round;
    let back = 0;
    for (let step = 0; ; step++) {
      // An object that moves has a row for every round: look there first.
      back = Math.min(count - 1, Math.max(back, newestRound - of));
      let at = start + (newest >= back ? newest - back : newest - back + capacity) * stride;
      if (rows[at] !== of) {
        back = this.#search(ring, of);
        if (back < 0) return NONE;
        at = start + (newest >= back ? newest - back : newest - back + capacity) * stride;
      }
      pastAt[step] = at + HEAD;
      if (step === 0) version = rows[at + 1]! >>> 0;
      const gap = step === pastGaps.length ? 0 : gapAt(gaps, step);
      if (gap === 0) {
        for (let rest = step; rest < pastGaps.length; rest++) pastGaps[rest] = 0;
        if (4 * back >= 3 * capacity && capacity < MOST_ROWS) rings[ring + IS_SHORT] = 1;
        return version;
      }
      pastGaps[step] = gap;
      of -= gap;
    }
  }

  /** How many rows back from the newest the state of a round lies; −1 where it is gone. */
  #search(ring: number, round: number): number {
    const rings = this.#rings;
    const rows = this.#chunks[rings[ring + CHUNK_AT]!]!;
    const start = rings[ring + START]!;
    const stride = rings[ring + STRIDE]!;
    const capacity = rings[ring + CAPACITY]!;
    const newest = rings[ring + NEWEST]!;
    const last = rings[ring + COUNT]! - 1;
    const oldest = newest >= last ? newest - last : newest - last + capacity;
    if (rows[start + oldest * stride]! <= round) {
      let back = 0;
      let row = newest;
      for (; rows[start + row * stride]! > round; back++) row = row === 0 ? capacity - 1 : row - 1;
      return back;
    }
    if (rows[start + newest * stride]! - round < MOST_ROWS && capacity < MOST_ROWS) rings[ring + IS_SHORT] = 1;
    return NONE;
  }

  // ── rings ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #renew(ring: number, typeIndex: number, id: number): void {
    const rings = this.#rings;
    const stride = this.writers[typeIndex]!.fields.width + HEAD;
    if (rings[ring + STRIDE] !== stride) {
      if (rings[ring + STRIDE] !== 0) this.#release(ring);
      rings[ring + STRIDE] = stride;
      this.#place(ring, FIRST_ROWS);
    }
    rings[ring + ID] = id;
    rings[ring + COUNT] = 0;
    rings[ring + NEWEST] = 0;
  }

  #lengthen(ring: number): void {
    const rings = this.#rings;
    const from = this.#chunks[rings[ring + CHUNK_AT]!]!;
    const start = rings[ring + START]!;
    const stride = rings[ring + STRIDE]!;
    const capacity = rings[ring + CAPACITY]!;
    const oldest = ((rings[ring + NEWEST]! + 1) % capacity) * stride;
    this.#release(ring);
    this.#place(ring, capacity * 2);
    const to = this.#chunks[rings[ring + CHUNK_AT]!]!;
    const length = capacity * stride;
    const before = length - oldest;
    to.set(from.subarray(start + oldest, start + length), rings[ring + START]!);
    to.set(from.subarray(start, start + oldest), rings[ring + START]! + before);
    rings[ring + NEWEST] = capacity - 1;
    rings[ring + IS_SHORT] = 0;
  }

  /** Finds room for so many rows. */
  #place(ring: number, rows: number): void {
    const rings = this.#rings;
    const size = rows * rings[ring + STRIDE]!;
    let place = this.#free.get(size)?.pop();
    if (place === undefined) {
      if (this.#chunkUsed + size > CHUNK) {
        this.#chunks.push(new Int32Array(CHUNK));
        this.#chunkUsed = 0;
      }
      place = (this.#chunks.length - 1) * CHUNK + this.#chunkUsed;
      this.#chunkUsed += size;
    }
    rings[ring + CHUNK_AT] = Math.floor(place / CHUNK);
    rings[ring + START] = place % CHUNK;
    rings[ring + CAPACITY] = rows;
  }

  #release(ring: number): void {
    const rings = this.#rings;
    const size = rings[ring + CAPACITY]! * rings[ring + STRIDE]!;
    const places = this.#free.get(size) ?? [];
    places.push(rings[ring + CHUNK_AT]! * CHUNK + rings[ring + START]!);
    this.#free.set(size, places);
  }

  #growSlots(slots: number): void {
    this.#rings = grown(this.#rings, slots, 1 << RING_BITS);
  }
}
