/**
 * Which pairs watch an object, by slot. Each object has two lists: all pairs that ever tracked it, and the pairs that rest on it because their client
 * has the newest state. An update wakes the resting pairs; all others are planned already. So an update costs time proportional to the
 * number of pairs that rest on the object, not to the number of views that can see it.
 *
 * Entries are only appended. A pair that stops tracking leaves its entry behind. A reader recognizes a stale entry, since the pair then
 * has another slot. A full list is cleared of stale entries before it grows.
 */

import { MAX_SLOTS } from "@nearfield/schema/internal";
import { Chunks } from "../memory/chunks.ts";
import type { Kernel } from "../memory/kernel.ts";
import {
  ENGINE_RESTING,
  ENGINE_WATCHERS,
  LIST,
  LIST_CHUNK,
  LIST_COUNT,
  LIST_ENTRIES,
  LIST_ROOM,
  WATCHER,
} from "../memory/layout.ts";
import { type ColumnSource, enlarged, type Memory } from "../memory/memory.ts";
import type { SlotList } from "../memory/slot-list.ts";
import type { PairTable } from "./pair-table.ts";

/** Numbers per entry: view, pair. */
const ENTRY: number = WATCHER / 4;
const FIRST_SIZE = 3;
const FIRST_LISTS = 64;
/** Numbers per list. Constants of this module: see `pair-table.ts`. */
const HEAD: number = LIST / 4;
const [COUNT, ROOM, ENTRIES, CHUNK] = [LIST_COUNT / 4, LIST_ROOM / 4, LIST_ENTRIES / 4, LIST_CHUNK / 4];

export class Observers {
  readonly #all: Lists;
  readonly #resting: Lists;
  /** Marks the pairs that a clearing has seen; below 0, since the kernel writes nothing like it. */
  #stamp = 0;
  readonly #tableOf: (view: number) => PairTable | undefined;
  readonly #kernel: () => Pick<Kernel, "keepWatchers" | "planWatchers" | "wake">;
  readonly #memory: Memory;

  /**
   * @param memory of that kernel.
   * @param tableOf the pairs of a view, if it still exists.
   */
  constructor(
    memory: Memory,
    kernel: () => Pick<Kernel, "keepWatchers" | "planWatchers" | "wake">,
    tableOf: (view: number) => PairTable | undefined,
  ) {
    this.#memory = memory;
    this.#all = new Lists(memory);
    this.#resting = new Lists(memory);
    this.#kernel = kernel;
    this.#tableOf = tableOf;
  }

  reserve(slot: number): void {
    this.#all.reserve(slot);
    this.#memory.engine[ENGINE_WATCHERS / 4] = this.#all.heads.byteOffset;
    this.#resting.reserve(slot);
    this.#memory.engine[ENGINE_RESTING / 4] = this.#resting.heads.byteOffset;
  }

  add(slot: number, view: number, pair: number): void {
    if (this.#all.isFull(slot)) this.#dropFormer(slot);
    this.#all.push(slot, view, pair);
  }

  /** Keeps one entry for each pair that watches the object now. A pair that left and came back with the same number had two. */
  #dropFormer(slot: number): void {
    this.#stamp = this.#stamp > -0x3fffffff ? this.#stamp - 1 : -1;
    const kept = this.#kernel().keepWatchers(this.#all.addressOf(slot), this.#all.countOf(slot), slot, this.#stamp);
    this.#all.shorten(slot, kept);
  }

  /** Has every pair of the object looked at in this round. */
  plan(slot: number): void {
    this.#kernel().planWatchers(this.#all.addressOf(slot), this.#all.countOf(slot), slot);
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

  /** The objects were updated in this round: whoever rested on one is looked at when its view is judged. */
  wake({ slots, count }: SlotList): void {
    this.#kernel().wake(slots.byteOffset, count);
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
  /** By slot, see `layout.ts`. */
  heads: Int32Array;
  readonly #columns: ColumnSource;
  readonly #chunks: Chunks;

  constructor(columns: ColumnSource) {
    this.#columns = columns;
    this.#chunks = new Chunks(columns);
    this.heads = columns.ints(FIRST_LISTS * HEAD);
  }

  reserve(slot: number): void {
    while (slot * HEAD >= this.heads.length) {
      this.heads = enlarged(this.#columns, this.heads, this.heads.length * 2, MAX_SLOTS * HEAD);
    }
  }

  countOf(slot: number): number {
    return this.heads[slot * HEAD + COUNT]!;
  }

  /** Where its entries lie, for the kernel. */
  addressOf(slot: number): number {
    return this.heads[slot * HEAD + ENTRIES]!;
  }

  viewAt(slot: number, place: number): number {
    const chunk = this.heads[slot * HEAD + CHUNK]!;
    return this.#chunks.page(chunk)[this.#chunks.offset(chunk) + place * ENTRY]!;
  }

  pairAt(slot: number, place: number): number {
    const chunk = this.heads[slot * HEAD + CHUNK]!;
    return this.#chunks.page(chunk)[this.#chunks.offset(chunk) + place * ENTRY + 1]!;
  }

  isFull(slot: number): boolean {
    const room = this.heads[slot * HEAD + ROOM]!;
    return room > 0 && this.countOf(slot) === room;
  }

  push(slot: number, view: number, pair: number): void {
    const head = slot * HEAD;
    const count = this.heads[head + COUNT]!;
    if (this.heads[head + ROOM] === 0) this.#move(slot, this.#chunks.take(FIRST_SIZE), FIRST_SIZE);
    else if (count === this.heads[head + ROOM]) this.#enlarge(slot);
    const chunk = this.heads[head + CHUNK]!;
    const page = this.#chunks.page(chunk);
    const at = this.#chunks.offset(chunk) + count * ENTRY;
    page[at] = view;
    page[at + 1] = pair;
    this.heads[head + COUNT] = count + 1;
  }

  /** Drops the entries for which `test` fails. */
  keep(slot: number, test: (slot: number, view: number, pair: number) => boolean): void {
    const chunk = this.heads[slot * HEAD + CHUNK]!;
    const page = this.#chunks.page(chunk);
    const start = this.#chunks.offset(chunk);
    const count = this.countOf(slot);
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
    this.heads[slot * HEAD + COUNT] = kept;
    if (kept * 4 > this.heads[slot * HEAD + ROOM]!) this.#enlarge(slot);
  }

  clear(slot: number): void {
    const head = slot * HEAD;
    if (this.heads[head + ROOM]! > 0) this.#chunks.release(this.heads[head + CHUNK]!, this.#sizeOf(slot));
    this.heads[head + ROOM] = 0;
    this.heads[head + COUNT] = 0;
  }

  #enlarge(slot: number): void {
    const size = this.#sizeOf(slot);
    const chunk = this.heads[slot * HEAD + CHUNK]!;
    this.#move(slot, this.#chunks.enlarge(chunk, size, this.countOf(slot) * ENTRY), size + 1);
  }

  /** Of its chunk, as a power of two. */
  #sizeOf(slot: number): number {
    return 31 - Math.clz32(this.heads[slot * HEAD + ROOM]! * ENTRY);
  }

  #move(slot: number, chunk: number, size: number): void {
    const head = slot * HEAD;
    this.heads[head + CHUNK] = chunk;
    this.heads[head + ROOM] = (1 << size) / ENTRY;
    this.heads[head + ENTRIES] = this.#chunks.address(chunk);
  }
}
