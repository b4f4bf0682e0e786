/**
 * Who watches an object, by slot: the list of all pairs that were ever tracked, and the list of those that rest on it, being equal. An
 * update wakes the resting ones and no others: whoever does not rest is planned already. So an update costs what the sends made equal,
 * not what there is to see it.
 *
 * Lists are only appended to. Whoever stops tracking leaves its entry behind; a reader knows a stale entry by the pair's slot, and a
 * list that is full is cleared of them before it grows.
 */

import { grown } from "../object-store.ts";
import { Chunks } from "./chunks.ts";
import type { PairTable } from "./pair-table.ts";

/** Numbers per entry: view, pair. */
const ENTRY = 2;
const FIRST_SIZE = 3;

export class Observers {
  readonly #all = new Lists();
  readonly #resting = new Lists();
  readonly #kept = new Set<number>();
  readonly #tableOf: (view: number) => PairTable | undefined;

  /** @param tableOf the pairs of a view, if it still exists. */
  constructor(tableOf: (view: number) => PairTable | undefined) {
    this.#tableOf = tableOf;
  }

  reserve(slot: number): void {
    this.#all.reserve(slot);
    this.#resting.reserve(slot);
  }

  add(slot: number, view: number, pair: number): void {
    if (this.#all.isFull(slot)) this.#dropFormer(slot);
    this.#all.push(slot, view, pair);
  }

  /** Keeps one entry of each pair that watches the object still, or again: whoever came back with its number would be listed twice. */
  #dropFormer(slot: number): void {
    this.#kept.clear();
    this.#all.keep(slot, (view, pair) => {
      const key = view * 2 ** 20 + pair;
      if (this.#kept.has(key) || !this.#has(slot, view, pair)) return false;
      this.#kept.add(key);
      return true;
    });
  }

  /** Calls `visit` for every pair of the object, for some perhaps twice. */
  each(slot: number, visit: (view: number, pair: number) => void): void {
    for (let place = 0; place < this.#all.count[slot]!; place++) {
      const view = this.#all.viewAt(slot, place);
      const pair = this.#all.pairAt(slot, place);
      if (this.#has(slot, view, pair)) visit(view, pair);
    }
  }

  /** The object is gone. */
  clear(slot: number): void {
    this.#all.clear(slot);
    this.#resting.clear(slot);
  }

  /** The pair waits for the object's next update. */
  rest(slot: number, view: number, pair: number, table: PairTable): void {
    if (table.isListed(pair)) return;
    if (this.#resting.isFull(slot)) this.#dropStale(slot);
    table.setListed(pair, true);
    this.#resting.push(slot, view, pair);
  }

  /** How many may rest on the object. */
  restingOn(slot: number): number {
    return this.#resting.count[slot]!;
  }

  /** Calls `visit` for each pair that rested on the object, and no longer does. */
  wake(slot: number, visit: (table: PairTable, pair: number) => void): void {
    const count = this.#resting.count[slot]!;
    for (let place = 0; place < count; place++) {
      const pair = this.#resting.pairAt(slot, place);
      const table = this.#tableOf(this.#resting.viewAt(slot, place));
      if (table === undefined || !unlist(table, slot, pair)) continue;
      visit(table, pair);
    }
    this.#resting.count[slot] = 0;
  }

  #has(slot: number, view: number, pair: number): boolean {
    const table = this.#tableOf(view);
    return table !== undefined && pair < table.high && table.isLive(pair) && table.slotOf(pair) === slot;
  }

  /** Keeps one entry of each pair that is listed: the first takes the mark, and all that kept theirs get it back. */
  #dropStale(slot: number): void {
    this.#resting.keep(slot, (view, pair) => {
      const table = this.#tableOf(view);
      return table !== undefined && unlist(table, slot, pair);
    });
    for (let place = 0; place < this.#resting.count[slot]!; place++) {
      this.#tableOf(this.#resting.viewAt(slot, place))!.setListed(this.#resting.pairAt(slot, place), true);
    }
  }
}

/** Takes the mark from a pair of this object; false if it had none. */
function unlist(table: PairTable, slot: number, pair: number): boolean {
  if (pair >= table.high || !table.isLive(pair)) return false;
  if (table.slotOf(pair) !== slot || !table.isListed(pair)) return false;
  table.setListed(pair, false);
  return true;
}

/** A list of entries for each slot. */
class Lists {
  count: Int32Array = new Int32Array(64);
  #chunk: Int32Array = new Int32Array(64);
  #sizes: Uint8Array = new Uint8Array(64);
  readonly #chunks = new Chunks();

  reserve(slot: number): void {
    while (slot >= this.count.length) this.#grow();
  }

  viewAt(slot: number, place: number): number {
    const chunk = this.#chunk[slot]!;
    return this.#chunks.page(chunk)[this.#chunks.offset(chunk) + place * ENTRY]!;
  }

  pairAt(slot: number, place: number): number {
    const chunk = this.#chunk[slot]!;
    return this.#chunks.page(chunk)[this.#chunks.offset(chunk) + place * ENTRY + 1]!;
  }

  isFull(slot: number): boolean {
    return this.#sizes[slot]! > 0 && this.count[slot]! * ENTRY === 1 << this.#sizes[slot]!;
  }

  push(slot: number, view: number, pair: number): void {
    const count = this.count[slot]!;
    const size = this.#sizes[slot]!;
    if (size === 0) {
      this.#chunk[slot] = this.#chunks.take(FIRST_SIZE);
      this.#sizes[slot] = FIRST_SIZE;
    } else if (count * ENTRY === 1 << size) {
      this.#chunk[slot] = this.#chunks.enlarge(this.#chunk[slot]!, size, count * ENTRY);
      this.#sizes[slot] = size + 1;
    }
    const chunk = this.#chunk[slot]!;
    const page = this.#chunks.page(chunk);
    const at = this.#chunks.offset(chunk) + count * ENTRY;
    page[at] = view;
    page[at + 1] = pair;
    this.count[slot] = count + 1;
  }

  /** Drops the entries for which `test` fails. A list that is still more than half full is made larger, so that this stays rare. */
  keep(slot: number, test: (view: number, pair: number) => boolean): void {
    const chunk = this.#chunk[slot]!;
    const page = this.#chunks.page(chunk);
    const start = this.#chunks.offset(chunk);
    let kept = 0;
    for (let place = 0; place < this.count[slot]!; place++) {
      const view = page[start + place * ENTRY]!;
      const pair = page[start + place * ENTRY + 1]!;
      if (!test(view, pair)) continue;
      page[start + kept * ENTRY] = view;
      page[start + kept * ENTRY + 1] = pair;
      kept++;
    }
    this.count[slot] = kept;
    const size = this.#sizes[slot]!;
    if (kept * ENTRY * 2 <= 1 << size) return;
    this.#chunk[slot] = this.#chunks.enlarge(chunk, size, kept * ENTRY);
    this.#sizes[slot] = size + 1;
  }

  clear(slot: number): void {
    if (this.#sizes[slot]! > 0) this.#chunks.release(this.#chunk[slot]!, this.#sizes[slot]!);
    this.#sizes[slot] = 0;
    this.count[slot] = 0;
  }

  #grow(): void {
    const length = this.count.length * 2;
    this.count = grown(new Int32Array(length), this.count);
    this.#chunk = grown(new Int32Array(length), this.#chunk);
    this.#sizes = grown(new Uint8Array(length), this.#sizes);
  }
}
