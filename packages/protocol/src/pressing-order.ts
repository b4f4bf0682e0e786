/**
 * The decisions of one round in the order in which they go when bytes run short: the most urgent first, of equals the one that has waited
 * longest, then removals, then the lowest id. A heap of decision numbers, since a short budget takes only the first few; used
 * again round after round, so that a steady round allocates nothing.
 */

import { DecisionKind, type Decisions } from "@nearfield/core/internal";

export class PressingOrder {
  #heap: Int32Array = new Int32Array(64);
  /** Urgencies of those in the heap, by place: most comparisons need nothing else. */
  #keys: Float64Array = new Float64Array(64);
  /** By decision: 1 while it is left; and the last of them that `pop` has looked at. */
  #left: Uint8Array = new Uint8Array(64);
  #popped = 0;
  #count = 0;
  #decisions: Decisions | undefined;

  /** Takes in all decisions of a round. */
  begin(decisions: Decisions): void {
    const { count, urgencies } = decisions;
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

  /** Number of the most pressing decision that is left; −1 = none is. */
  get first(): number {
    return this.#count === 0 ? -1 : this.#heap[0]!;
  }

  /** The most pressing one goes. */
  shift(): void {
    const last = --this.#count;
    this.#left[this.#heap[0]!] = 0;
    if (last > 0) this.#sink(0, last);
  }

  /** Takes out the last of those that are left, by number, which is how they lie in memory; −1 = none is. `first` is not to be asked again. */
  pop(): number {
    if (this.#count === 0) return -1;
    this.#count -= 1;
    do this.#popped -= 1;
    while (this.#left[this.#popped] === 0);
    return this.#popped;
  }

  /** Puts the decision of one place where it belongs at or below another. */
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

  /** Of two that press alike. */
  #goesFirst(i: number, j: number): boolean {
    const { waits, kinds, ids } = this.#decisions!;
    if (waits[i] !== waits[j]) return waits[i]! > waits[j]!;
    const isRemoved = isRemoval(kinds[i]!);
    return isRemoved === isRemoval(kinds[j]!) ? ids[i]! < ids[j]! : isRemoved;
  }
}

function isRemoval(kind: number): boolean {
  return kind === DecisionKind.leave || kind === DecisionKind.destroy;
}
