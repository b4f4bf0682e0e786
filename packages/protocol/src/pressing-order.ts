/**
 * The decisions of one round in the order in which they go when bytes run short: the most urgent first; among equals the one that has
 * waited longest, then removals, then the lowest id. It is a heap of decision numbers, because a short budget takes only the first few. It
 * is reused in every round, so a steady round allocates nothing.
 */

import { DecisionKind, type Decisions } from "@nearfield/core/internal";

export class PressingOrder {
  #heap: Int32Array = new Int32Array(64);
  /** Urgencies of the decisions in the heap, by place. Most comparisons need nothing else. */
  #keys: Float64Array = new Float64Array(64);
  /** By decision: 1 while it is left; and the last decision that `pop` has looked at. */
  #left: Uint8Array = new Uint8Array(64);
  #popped = 0;
  #count = 0;
  #decisions: Decisions | undefined;
  #names: Uint32Array = new Uint32Array(0);

  /** Takes in all decisions of a round. `names` are the ids by which the client knows the objects. */
  begin(decisions: Decisions, names: Uint32Array = decisions.ids): void {
    const { count, urgencies } = decisions;
    this.#names = names;
    if (this.#heap.length < count) {
      this.#heap = new Int32Array(count * 2);
      this.#keys = new Float64Array(count * 2);
      this.#left = new Uint8Array(count * 2);
    }
    this.#left.fill(1, 0, count);
    this.#popped = count;
    const heap = this.#heap;
    const keys = this.#keys;
    this.#decisions = decisions;
    this.#count = count;
    for (let i = 0; i < count; i++) {
      heap[i] = i;
      keys[i] = urgencies[i]!;
    }
    for (let at = (count >> 1) - 1; at >= 0; at--) this.#sink(at, at);
  }

  /** Number of the most urgent decision that is left; −1 if none is. */
  get first(): number {
    return this.#count === 0 ? -1 : this.#heap[0]!;
  }

  /** Takes the most urgent decision out. */
  shift(): void {
    const last = --this.#count;
    this.#left[this.#heap[0]!] = 0;
    if (last > 0) this.#sink(0, last);
  }

  /** Takes out the last decision that is left, by number, which is its order in memory; −1 if none is left. Do not read `first` after this. */
  pop(): number {
    if (this.#count === 0) return -1;
    this.#count -= 1;
    do this.#popped -= 1;
    while (this.#left[this.#popped] === 0);
    return this.#popped;
  }

  /** Moves a decision down from a place of the heap to where it belongs. */
  #sink(at: number, from: number): void {
    const heap = this.#heap;
    const keys = this.#keys;
    const count = this.#count;
    const decision = heap[from]!;
    const key = keys[from]!;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= count) break;
      let pressing = keys[below]!;
      if (below + 1 < count) {
        const other = keys[below + 1]!;
        if (other > pressing || (other === pressing && this.#goesFirst(heap[below + 1]!, heap[below]!))) {
          below += 1;
          pressing = other;
        }
      }
      if (pressing < key || (pressing === key && !this.#goesFirst(heap[below]!, decision))) break;
      heap[at] = heap[below]!;
      keys[at] = pressing;
      at = below;
    }
    heap[at] = decision;
    keys[at] = key;
  }

  /** Which of two equally urgent decisions goes first. */
  #goesFirst(i: number, j: number): boolean {
    const { waits, kinds } = this.#decisions!;
    const ids = this.#names;
    if (waits[i] !== waits[j]) return waits[i]! > waits[j]!;
    const isRemoved = isRemoval(kinds[i]!);
    return isRemoved === isRemoval(kinds[j]!) ? ids[i]! < ids[j]! : isRemoved;
  }
}

function isRemoval(kind: number): boolean {
  return kind === DecisionKind.leave || kind === DecisionKind.destroy;
}
