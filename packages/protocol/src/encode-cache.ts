/**
 * Encode once (F §4.5): what is said of one object against one base is put into bits once per round and copied to every client that
 * stands on that base. Stands between the consistency model and the packets, and keeps the history that deltas build on. Entries are
 * valid for one round: `beginRound` forgets them, after the last commit.
 */

import type { World } from "@nearfield/core";
import {
  BitWriter,
  emptyPast,
  grown,
  type Past,
  type PlainSource,
  roomFor,
  type Wire,
  writeFields,
} from "@nearfield/schema";
import { FrameScratch } from "./frame-scratch.ts";
import { History } from "./history.ts";

/** Instead of the round of a base: the fields of a mask, as they are. */
const NO_BASE = -1;
const NOT_KEPT = -1;

/** Columns of an entry's row: round of the base; its gaps, or the mask; version of the base; the next entry of the slot; where its bits are. */
const BASE = 0;
const DETAIL = 1;
const VERSION = 2;
const NEXT = 3;
const START = 4;
const BITS = 5;
/** 1: clients write objects of this type, so that some of what is new may be a client's own work. */
const IS_CLIENTS = 6;
/** Where the object as it is now lies in the history; −1: it was not kept for this entry. */
const NOW = 7;
const ROW_BITS = 3;

export class EncodeCache implements PlainSource {
  /** How often bits were found ready, and how often they had to be made. */
  hits = 0;
  misses = 0;
  readonly #world: World;
  readonly #history: History;
  readonly #past: Past = emptyPast();
  readonly #scratch: BitWriter = new BitWriter(256);
  /** Working space for the writers of this world's frames. */
  readonly frames: FrameScratch = new FrameScratch();
  /** Entries of this round hang on their slot as lists; an entry's bits begin at a whole word. */
  #firstEntry: Int32Array = new Int32Array(64);
  #touched: number[] = [];
  #rows: Int32Array = new Int32Array(64 << ROW_BITS);
  #count = 0;
  #words: Uint32Array = new Uint32Array(1024);
  #wordsUsed = 0;
  #slot = 0;
  readonly #wireAt = (fieldIndex: number): Wire => this.#world.wireAt(this.#slot, fieldIndex);

  constructor(world: World) {
    this.#world = world;
    this.#history = new History(world);
    this.#firstEntry.fill(-1);
  }

  beginRound(): void {
    for (const slot of this.#touched) this.#firstEntry[slot] = -1;
    this.#touched.length = 0;
    this.#count = 0;
    this.#wordsUsed = 0;
  }

  /** The fields of a mask as they are; returns an entry for `bitsOf` and `append`, valid in this round. */
  fields(slot: number, mask: number): number {
    const found = this.#find(slot, NO_BASE, mask);
    if (found >= 0) return found;
    this.#slot = slot;
    this.#scratch.reset();
    writeFields(this.#scratch, this.#world.store.tableAt(slot).type, mask, this.#wireAt);
    return this.#add(slot, NO_BASE, mask, 0, NOT_KEPT);
  }

  /** All fields, as they are in this round: a state that deltas can build on later. */
  whole(slot: number, round: number): number {
    this.#history.keep(slot, round);
    return this.fields(slot, this.#world.store.tableAt(slot).type.allMask);
  }

  /** The object in this round against its state of round `base`; −1 where that is no longer known. */
  delta(slot: number, round: number, base: number, gaps: number): number {
    const found = this.#find(slot, base, gaps);
    if (found >= 0) return found;
    const now = this.#keep(slot, round);
    const version = this.#history.recall(slot, base, gaps, this.#past);
    if (version < 0) return -1;
    const codec = this.#history.codecs[this.#world.store.typeIndex[slot]!]!;
    const changedPlain = codec.plain.length === 0 ? 0 : this.#world.changedSince(slot, version, 0) & codec.plainMask;
    this.#slot = slot;
    this.#scratch.reset();
    codec.write(this.#scratch, this.#past, now, round - base, changedPlain, this);
    return this.#add(slot, base, gaps, version, now);
  }

  plainWire(fieldIndex: number): Wire {
    return this.#world.wireAt(this.#slot, fieldIndex);
  }

  bitsOf(entry: number): number {
    return this.#rows[(entry << ROW_BITS) + BITS]!;
  }

  /** Version of the object that a delta builds on. */
  baseVersionOf(entry: number): number {
    return this.#rows[(entry << ROW_BITS) + VERSION]! >>> 0;
  }

  /** Whether clients write the object that a delta tells of. */
  isClients(entry: number): boolean {
    return this.#rows[(entry << ROW_BITS) + IS_CLIENTS] === 1;
  }

  append(out: BitWriter, entry: number): void {
    const row = entry << ROW_BITS;
    const words = this.#words;
    let word = this.#rows[row + START]!;
    let bits = this.#rows[row + BITS]!;
    for (; bits >= 32; bits -= 32) out.writeBits(words[word++]!, 32);
    if (bits > 0) out.writeBits(words[word]!, bits);
  }

  /** Keeps the object as it is, unless the entry before has seen to that. */
  #keep(slot: number, round: number): number {
    const first = this.#firstEntry[slot]!;
    const kept = first < 0 ? NOT_KEPT : this.#rows[(first << ROW_BITS) + NOW]!;
    return kept === NOT_KEPT ? this.#history.keep(slot, round) : kept;
  }

  #find(slot: number, base: number, detail: number): number {
    if (slot >= this.#firstEntry.length) this.#growSlots(slot);
    const rows = this.#rows;
    const wanted = detail | 0;
    for (let entry = this.#firstEntry[slot]!; entry >= 0; ) {
      const row = entry << ROW_BITS;
      if (rows[row + BASE] === base && rows[row + DETAIL] === wanted) {
        this.hits += 1;
        return entry;
      }
      entry = rows[row + NEXT]!;
    }
    return -1;
  }

  /** Makes an entry of what was written to the scratch. */
  #add(slot: number, base: number, detail: number, version: number, now: number): number {
    this.misses += 1;
    const first = this.#firstEntry[slot]!;
    if (first < 0) this.#touched.push(slot);
    const entry = this.#count++;
    const row = entry << ROW_BITS;
    if (row >= this.#rows.length) this.#rows = larger(new Int32Array(this.#rows.length * 2), this.#rows);
    const bits = this.#scratch.bitLength;
    const words = (bits + 31) >>> 5;
    const rows = this.#rows;
    rows[row + BASE] = base;
    rows[row + DETAIL] = detail;
    rows[row + VERSION] = version;
    rows[row + NEXT] = first;
    rows[row + START] = this.#wordsUsed;
    rows[row + BITS] = bits;
    rows[row + NOW] = now;
    rows[row + IS_CLIENTS] = this.#world.store.tableAt(slot).type.write === "server" ? 0 : 1;
    this.#firstEntry[slot] = entry;
    if (this.#wordsUsed + words > this.#words.length) {
      const length = Math.max(this.#wordsUsed + words, this.#words.length * 2);
      this.#words = larger(new Uint32Array(length), this.#words);
    }
    this.#scratch.copyWords(this.#words, this.#wordsUsed);
    this.#wordsUsed += words;
    return entry;
  }

  #growSlots(slot: number): void {
    const { length } = this.#firstEntry;
    this.#firstEntry = grown(this.#firstEntry, roomFor(slot + 1, length)).fill(-1, length);
  }
}

function larger<T extends Int32Array | Uint32Array>(into: T, from: T): T {
  into.set(from);
  return into;
}
