/**
 * The decisions of one round in the order in which they go when bytes run short: the most urgent first, of equals the one that has waited
 * longest, then removals, then the lowest id. A heap of decision numbers, since a short budget takes only the first few; used
 * again round after round, so that a steady round allocates nothing.
 */

import { DecisionKind, type Decisions } from "@nearfield/core";

export class PressingOrder {
  #heap: Int32Array = new Int32Array(64);
  #count = 0;
  #decisions: Decisions | undefined;

  /** Takes in all decisions of a round. */
  begin(decisions: Decisions): void {
    const { count } = decisions;
    if (this.#heap.length < count) this.#heap = new Int32Array(count * 2);
    this.#decisions = decisions;
    this.#count = count;
    for (let i = 0; i < count; i++) this.#heap[i] = i;
    for (let at = (count >> 1) - 1; at >= 0; at--) this.#sink(at, this.#heap[at]!);
  }

  /** Number of the most pressing decision that is left; −1 = none is. */
  get first(): number {
    return this.#count === 0 ? -1 : this.#heap[0]!;
  }

  /** The most pressing one goes. */
  shift(): void {
    const last = this.#heap[--this.#count]!;
    if (this.#count > 0) this.#sink(0, last);
  }

  /** Takes out any one of those that are left; −1 = none is. */
  pop(): number {
    return this.#count === 0 ? -1 : this.#heap[--this.#count]!;
  }

  /** Puts a decision where it belongs at or below a place. */
  #sink(at: number, decision: number): void {
    const heap = this.#heap;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.#count) break;
      if (below + 1 < this.#count && this.#goesBefore(heap[below + 1]!, heap[below]!)) below += 1;
      if (!this.#goesBefore(heap[below]!, decision)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = decision;
  }

  #goesBefore(i: number, j: number): boolean {
    const { urgencies, waits, kinds, ids } = this.#decisions!;
    if (urgencies[i] !== urgencies[j]) return urgencies[i]! > urgencies[j]!;
    if (waits[i] !== waits[j]) return waits[i]! > waits[j]!;
    const isRemoved = isRemoval(kinds[i]!);
    return isRemoved === isRemoval(kinds[j]!) ? ids[i]! < ids[j]! : isRemoved;
  }
}

function isRemoval(kind: number): boolean {
  return kind === DecisionKind.leave || kind === DecisionKind.destroy;
}
