/**
 * What each object was in the rounds in which it was sent to anybody: the states that deltas build on. One for all clients of a world:
 * a client's own record of what it has is a round and a few gaps (`bases.ts`), and leads here.
 *
 * A ring of rows per object, newest last; a row is the round it was first sent in, its version and its tracked fields. An object that
 * did not change takes no new row, so a row stands for its round and those after it, up to the next row. Rings start small and double
 * when a state was asked for that they had just let go, up to `MOST_ROWS`; what is older than that is sent whole instead.
 * Memory: rows × (fields + 2) × 4 bytes per object that is sent at all; 1 kB for six fields at 32 rows.
 */

import type { World } from "@nearfield/core";
import { DeltaCodec, type Past } from "@nearfield/schema";
import { gapAt } from "./lineage.ts";

const FIRST_ROWS = 16;
const MOST_ROWS = 64;
/** Round and version, before the fields. */
const HEAD = 2;

interface Ring {
  id: number;
  rows: Int32Array;
  readonly stride: number;
  /** How many rows there is room for; the newest, and how many are held. */
  capacity: number;
  newest: number;
  count: number;
  /** A state was asked for that a longer ring would still hold. */
  isShort: boolean;
}

export class History {
  readonly codecs: readonly DeltaCodec[];
  readonly #world: World;
  readonly #rings: (Ring | undefined)[] = [];

  constructor(world: World) {
    this.#world = world;
    this.codecs = world.protocol.objects.map((type) => new DeltaCodec(type));
  }

  /** Keeps the object as it is in this round, unless it is kept already; returns where its row of fields begins in `Past.values`. */
  keep(slot: number, round: number): number {
    const { store, version } = this.#world;
    const id = store.idAt(slot);
    let ring = this.#rings[slot];
    if (ring === undefined || ring.id !== id) ring = this.#renew(slot, id);
    const newest = ring.newest * ring.stride;
    if (ring.count > 0 && ring.rows[newest + 1] === (version[slot]! | 0)) return newest + HEAD;
    if (ring.count === ring.capacity && ring.isShort && ring.capacity < MOST_ROWS) lengthen(ring);
    ring.newest = (ring.newest + 1) % ring.capacity;
    ring.count = Math.min(ring.count + 1, ring.capacity);
    const at = ring.newest * ring.stride;
    const { rows } = ring;
    rows[at] = round;
    rows[at + 1] = version[slot]!;
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
    const ring = this.#rings[slot];
    if (ring === undefined) return -1;
    past.values = ring.rows;
    let back = find(ring, round, 0);
    if (back < 0) return -1;
    const base = rowAt(ring, back);
    past.at[0] = base + HEAD;
    let of = round;
    for (let step = 0; step < past.gaps.length; step++) {
      const gap = gapAt(gaps, step);
      past.gaps[step] = gap;
      if (gap === 0) {
        past.gaps.fill(0, step);
        break;
      }
      of -= gap;
      back = find(ring, of, back);
      if (back < 0) return -1;
      past.at[step + 1] = rowAt(ring, back) + HEAD;
    }
    return ring.rows[base + 1]! >>> 0;
  }

  #renew(slot: number, id: number): Ring {
    const { width } = this.codecs[this.#world.store.typeIndex[slot]!]!;
    const stride = width + HEAD;
    const known = this.#rings[slot];
    if (known !== undefined && known.stride === stride) {
      known.id = id;
      known.count = 0;
      known.newest = 0;
      return known;
    }
    const rows = new Int32Array(FIRST_ROWS * stride);
    const ring = { id, rows, stride, capacity: FIRST_ROWS, newest: 0, count: 0, isShort: false };
    while (this.#rings.length < slot) this.#rings.push(undefined);
    this.#rings[slot] = ring;
    return ring;
  }
}

/** How many rows back from the newest the state of a round lies, at least `from`; −1 where it is gone. */
function find(ring: Ring, round: number, from: number): number {
  // An object that moves has a row for every round: look there first.
  let back = Math.min(ring.count - 1, Math.max(from, ring.rows[rowAt(ring, 0)]! - round));
  if (ring.rows[rowAt(ring, back)] === round) return back;
  while (back > from && ring.rows[rowAt(ring, back - 1)]! <= round) back--;
  while (back < ring.count && ring.rows[rowAt(ring, back)]! > round) back++;
  if (back < ring.count) return back;
  if (ring.rows[rowAt(ring, 0)]! - round < MOST_ROWS) ring.isShort = true;
  return -1;
}

function rowAt(ring: Ring, back: number): number {
  const row = ring.newest - back;
  return (row < 0 ? row + ring.capacity : row) * ring.stride;
}

function lengthen(ring: Ring): void {
  const { rows, stride, capacity, newest } = ring;
  const longer = new Int32Array(capacity * 2 * stride);
  const first = ((newest + 1) % capacity) * stride;
  longer.set(rows.subarray(first));
  longer.set(rows.subarray(0, first), rows.length - first);
  ring.rows = longer;
  ring.capacity = capacity * 2;
  ring.newest = capacity - 1;
  ring.isShort = false;
}
