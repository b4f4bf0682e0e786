/**
 * Who watches an object, by slot: the list of all pairs that were ever tracked, and the list of those that rest on it, being equal. An
 * update wakes the resting ones and no others: whoever does not rest is planned already. So an update costs what the sends made equal,
 * not what there is to see it.
 *
 * Lists are only appended to. Whoever stops tracking leaves its entry behind; a reader knows a stale entry by the pair's slot, and a
 * list that is full is cleared of them before it grows.
 */

import { Chunks } from "./chunks.ts";
import type { Kernel } from "./kernel.ts";
import { enlarged, heap, type Memory, type Room } from "./memory.ts";
import type { PairTable } from "./pair-table.ts";

/** Numbers per entry: view, pair. */
const ENTRY = 2;
const FIRST_SIZE = 3;
/** Numbers per list. */
const HEAD = 4;
const [COUNT, CHUNK, SIZE] = [0, 1, 2];

export class Observers {
  readonly #all: Lists;
  readonly #resting = new Lists(heap);
  /** Marks the pairs that a clearing has seen; below 0, since the kernel writes nothing like it. */
  #stamp = 0;
  readonly #tableOf: (view: number) => PairTable | undefined;
  readonly #kernel: () => Pick<Kernel, "keepWatchers">;

  /**
   * @param memory of that kernel.
   * @param tableOf the pairs of a view, if it still exists.
   */
  constructor(
    memory: Memory,
    kernel: () => Pick<Kernel, "keepWatchers">,
    tableOf: (view: number) => PairTable | undefined,
  ) {
    this.#all = new Lists(memory);
    this.#kernel = kernel;
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
    this.#stamp = this.#stamp > -0x3fffffff ? this.#stamp - 1 : -1;
    const kept = this.#kernel().keepWatchers(this.#all.addressOf(slot), this.#all.countOf(slot), slot, this.#stamp);
    this.#all.shorten(slot, kept);
  }

  /** Calls `visit` for every pair of the object, for some perhaps twice. */
  each(slot: number, visit: (view: number, pair: number) => void): void {
    for (let place = 0; place < this.#all.countOf(slot); place++) {
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
    return this.#resting.countOf(slot);
  }

  /** Calls `visit` for each pair that rested on the object, and no longer does. */
  wake(slot: number, visit: (table: PairTable, pair: number) => void): void {
    const count = this.#resting.countOf(slot);
    for (let place = 0; place < count; place++) {
      const pair = this.#resting.pairAt(slot, place);
      const table = this.#tableOf(this.#resting.viewAt(slot, place));
      if (table === undefined || !unlist(table, slot, pair)) continue;
      visit(table, pair);
    }
    this.#resting.empty(slot);
  }

  #has(slot: number, view: number, pair: number): boolean {
    const table = this.#tableOf(view);
    return table !== undefined && pair < table.high && table.isLive(pair) && table.slotOf(pair) === slot;
  }

  readonly #isListed = (slot: number, view: number, pair: number): boolean => {
    const table = this.#tableOf(view);
    return table !== undefined && unlist(table, slot, pair);
  };

  /** Keeps one entry of each pair that is listed: the first takes the mark, and all that kept theirs get it back. */
  #dropStale(slot: number): void {
    this.#resting.keep(slot, this.#isListed);
    for (let place = 0; place < this.#resting.countOf(slot); place++) {
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
  /** By slot, side by side: how many entries, their chunk, and its size; 0 = none yet. */
  #heads: Int32Array = new Int32Array(64 * HEAD);
  readonly #chunks: Chunks;

  constructor(room: Room) {
    this.#chunks = new Chunks(room);
  }

  reserve(slot: number): void {
    while (slot * HEAD >= this.#heads.length) this.#heads = enlarged(heap, this.#heads, this.#heads.length * 2);
  }

  countOf(slot: number): number {
    return this.#heads[slot * HEAD + COUNT]!;
  }

  /** Where its entries lie, for the kernel. */
  addressOf(slot: number): number {
    return this.#chunks.address(this.#heads[slot * HEAD + CHUNK]!);
  }

  viewAt(slot: number, place: number): number {
    const chunk = this.#heads[slot * HEAD + CHUNK]!;
    return this.#chunks.page(chunk)[this.#chunks.offset(chunk) + place * ENTRY]!;
  }

  pairAt(slot: number, place: number): number {
    const chunk = this.#heads[slot * HEAD + CHUNK]!;
    return this.#chunks.page(chunk)[this.#chunks.offset(chunk) + place * ENTRY + 1]!;
  }

  isFull(slot: number): boolean {
    const size = this.#heads[slot * HEAD + SIZE]!;
    return size > 0 && this.countOf(slot) * ENTRY === 1 << size;
  }

  push(slot: number, view: number, pair: number): void {
    const heads = this.#heads;
    const head = slot * HEAD;
    const count = heads[head + COUNT]!;
    const size = heads[head + SIZE]!;
    if (size === 0) {
      heads[head + CHUNK] = this.#chunks.take(FIRST_SIZE);
      heads[head + SIZE] = FIRST_SIZE;
    } else if (count * ENTRY === 1 << size) this.#enlarge(slot);
    const chunk = heads[head + CHUNK]!;
    const page = this.#chunks.page(chunk);
    const at = this.#chunks.offset(chunk) + count * ENTRY;
    page[at] = view;
    page[at + 1] = pair;
    heads[head + COUNT] = count + 1;
  }

  /** Drops the entries for which `test` fails. */
  keep(slot: number, test: (slot: number, view: number, pair: number) => boolean): void {
    const head = slot * HEAD;
    const chunk = this.#heads[head + CHUNK]!;
    const page = this.#chunks.page(chunk);
    const start = this.#chunks.offset(chunk);
    const count = this.#heads[head + COUNT]!;
    let kept = 0;
    for (let place = 0; place < count; place++) {
      const view = page[start + place * ENTRY]!;
      const pair = page[start + place * ENTRY + 1]!;
      if (!test(slot, view, pair)) continue;
      page[start + kept * ENTRY] = view;
      page[start + kept * ENTRY + 1] = pair;
      kept++;
    }
    this.shorten(slot, kept);
  }

  /** Only the first `kept` count from now on. A list that is still more than a quarter full is made larger, so that this stays rare. */
  shorten(slot: number, kept: number): void {
    const head = slot * HEAD;
    this.#heads[head + COUNT] = kept;
    if (kept * ENTRY * 4 > 1 << this.#heads[head + SIZE]!) this.#enlarge(slot);
  }

  empty(slot: number): void {
    this.#heads[slot * HEAD + COUNT] = 0;
  }

  clear(slot: number): void {
    const head = slot * HEAD;
    const size = this.#heads[head + SIZE]!;
    if (size > 0) this.#chunks.release(this.#heads[head + CHUNK]!, size);
    this.#heads[head + SIZE] = 0;
    this.#heads[head + COUNT] = 0;
  }

  #enlarge(slot: number): void {
    const heads = this.#heads;
    const head = slot * HEAD;
    const size = heads[head + SIZE]!;
    heads[head + CHUNK] = this.#chunks.enlarge(heads[head + CHUNK]!, size, heads[head + COUNT]! * ENTRY);
    heads[head + SIZE] = size + 1;
  }
}
