/**
 * The states that a client keeps of its objects, because the server's deltas build on them: of each object the newest state that the server
 * knows of, and all later ones. It mirrors `history.ts` and `bases.ts`: what the server finds there for this client is found here. This
 * holds because acks are final (`arrivals.ts`), and because every record in an acknowledged packet is kept, even one that was too old to be
 * shown.
 *
 * Each type has a pool of rows: a state and the three before it. Bound: a packet keeps at most one state of an object, and a server with
 * `MOST_BEHIND` unacknowledged packets sends nothing that is kept.
 */

import type { Protocol } from "@nearfield/schema";
import { DeltaReader, PAST_STATES, type Past } from "@nearfield/schema/internal";
import { gapAt, gapsAfter, NO_GAPS } from "./lineage.ts";

const NONE = -1;
// A constant of this module is inlined; an imported one would be looked up at every use.
const STATES: number = PAST_STATES;

/** All states kept of objects of one type. */
export class StatePool {
  readonly reader: DeltaReader;
  readonly width: number;
  /** By state: `PAST_STATES` rows of `width`, newest first. */
  values: Int32Array = new Int32Array(0);
  packet: Float64Array = new Float64Array(0);
  round: Float64Array = new Float64Array(0);
  gaps: Int32Array = new Int32Array(0);
  /** The next older state of the same object, or the next free one. */
  older: Int32Array = new Int32Array(0);
  #free = NONE;

  constructor(reader: DeltaReader) {
    this.reader = reader;
    this.width = reader.fields.width;
  }

  /** Takes a free row for a state of that round. It belongs to the caller until it is kept or dropped. Replaces `values` if there are more. */
  take(round: number): number {
    if (this.#free === NONE) this.#grow();
    const state = this.#free;
    this.#free = this.older[state]!;
    this.round[state] = round;
    this.gaps[state] = NO_GAPS;
    return state;
  }

  /** Where the fields of a state begin in `values`. */
  rowOf(state: number): number {
    return state * STATES * this.width;
  }

  /** Points `past` to a state and those before it. Valid until the next state is taken. */
  recall(state: number, past: Past): void {
    const { width } = this;
    const gaps = this.gaps[state]!;
    const row = state * STATES * width;
    const { at, gaps: pastGaps } = past;
    past.values = this.values;
    // One line for each: loops of three and four turns take longer.
    at[0] = row;
    at[1] = row + width;
    at[2] = row + 2 * width;
    at[3] = row + 3 * width;
    pastGaps[0] = gapAt(gaps, 0);
    pastGaps[1] = gapAt(gaps, 1);
    pastGaps[2] = gapAt(gaps, 2);
  }

  /** The state was written against `base`, so later deltas may build on the states before it, too. */
  follow(state: number, base: number): void {
    const { values, width, gaps, round } = this;
    const from = base * STATES * width;
    const end = from + width;
    const on = (state - base) * STATES * width + width;
    // The three newest rows side by side: a loop over all their fields takes longer.
    for (let at = from; at < end; at++) {
      values[at + on] = values[at]!;
      values[at + on + width] = values[at + width]!;
      values[at + on + 2 * width] = values[at + 2 * width]!;
    }
    gaps[state] = gapsAfter(round[state]! - round[base]!, gaps[base]!);
  }

  release(state: number): void {
    this.older[state] = this.#free;
    this.#free = state;
  }

  #grow(): void {
    const before = this.round.length;
    const length = Math.max(16, before * 2);
    const grow = <T extends Int32Array | Float64Array>(larger: T, from: T): T => {
      larger.set(from);
      return larger;
    };
    this.values = grow(new Int32Array(length * STATES * this.width), this.values);
    this.packet = grow(new Float64Array(length), this.packet);
    this.round = grow(new Float64Array(length), this.round);
    this.gaps = grow(new Int32Array(length), this.gaps);
    this.older = grow(new Int32Array(length), this.older);
    for (let state = length - 1; state >= before; state--) this.release(state);
  }
}

export class KeptStates {
  readonly #pools: readonly StatePool[];
  /** By slot: newest state and its type, or −1. */
  #newest: Int32Array = new Int32Array(64).fill(NONE);
  #type: Int16Array = new Int16Array(64).fill(NONE);
  /** The newest packet of which the server is known to know whether it arrived. */
  #horizon = NONE;

  constructor(protocol: Protocol) {
    this.#pools = protocol.objects.map((type) => new StatePool(new DeltaReader(type)));
  }

  poolOf(typeIndex: number): StatePool {
    return this.#pools[typeIndex]!;
  }

  /** Type of the object whose states are kept for the slot; −1 if there are none. */
  typeOf(slot: number): number {
    return slot < this.#type.length ? this.#type[slot]! : NONE;
  }

  /** The newest state of the slot that came in packet `packet` or before; −1 if there is none. */
  baseAt(slot: number, packet: number): number {
    if (this.typeOf(slot) < 0) return NONE;
    const { packet: packets, older } = this.#pools[this.#type[slot]!]!;
    let state = this.#newest[slot]!;
    while (state !== NONE && packets[state]! > packet) state = older[state]!;
    return state;
  }

  /** The state of the slot that came in packet `packet` itself; −1 if there is none. */
  stateOf(slot: number, packet: number): number {
    const state = this.baseAt(slot, packet);
    return state !== NONE && this.#pools[this.#type[slot]!]!.packet[state] === packet ? state : NONE;
  }

  /** The server knows which packets up to this one arrived. */
  advance(packet: number): void {
    if (packet > this.#horizon) this.#horizon = packet;
  }

  /** Keeps a state that `packet` brought, and frees those that nothing can build on any more. */
  keep(slot: number, typeIndex: number, state: number, packet: number): void {
    if (slot >= this.#newest.length) this.#grow(slot);
    if (this.#type[slot] !== typeIndex) this.forget(slot);
    const pool = this.#pools[typeIndex]!;
    pool.packet[state] = packet;
    this.#type[slot] = typeIndex;
    this.#insert(slot, pool, state);
    this.#prune(slot, pool);
  }

  drop(typeIndex: number, state: number): void {
    this.#pools[typeIndex]!.release(state);
  }

  /** The object is gone: nothing will build on its states. */
  forget(slot: number): void {
    if (this.typeOf(slot) < 0) return;
    const pool = this.#pools[this.#type[slot]!]!;
    for (let state = this.#newest[slot]!; state !== NONE; ) {
      const older = pool.older[state]!;
      pool.release(state);
      state = older;
    }
    this.#newest[slot] = NONE;
    this.#type[slot] = NONE;
  }

  /** Inserts a state by its packet, newest first. A second state of one packet replaces the first. */
  #insert(slot: number, pool: StatePool, state: number): void {
    const packet = pool.packet[state]!;
    let newer = NONE;
    let older = this.#newest[slot]!;
    while (older !== NONE && pool.packet[older]! > packet) {
      newer = older;
      older = pool.older[older]!;
    }
    if (older !== NONE && pool.packet[older] === packet) {
      const same = older;
      older = pool.older[same]!;
      pool.release(same);
    }
    pool.older[state] = older;
    if (newer === NONE) this.#newest[slot] = state;
    else pool.older[newer] = state;
  }

  #prune(slot: number, pool: StatePool): void {
    const last = this.baseAt(slot, this.#horizon);
    if (last === NONE) return;
    let state = pool.older[last]!;
    pool.older[last] = NONE;
    while (state !== NONE) {
      const older = pool.older[state]!;
      pool.release(state);
      state = older;
    }
  }

  #grow(slot: number): void {
    const capacity = Math.max(slot + 1, this.#newest.length * 2);
    const newest = new Int32Array(capacity).fill(NONE);
    newest.set(this.#newest);
    this.#newest = newest;
    const type = new Int16Array(capacity).fill(NONE);
    type.set(this.#type);
    this.#type = type;
  }
}
