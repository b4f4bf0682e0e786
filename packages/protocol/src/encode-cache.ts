/**
 * Encodes once (F §4.5): the bits for one object against one base are made once per round and copied to every client that has that base. It
 * stands between the consistency model and the packets, and keeps the history that deltas build on. Entries are valid for one round:
 * `beginRound` forgets them, after the last commit.
 */

import type { World } from "@nearfield/core";
import {
  appendWords,
  BitWriter,
  copyWords,
  emptyPast,
  firstWordOf,
  grown,
  type Past,
  type PlainSource,
  roomFor,
  type Wire,
  writeFields,
} from "@nearfield/schema/internal";
import { FrameScratch } from "./frame-scratch.ts";
import { History } from "./history.ts";

/** In place of a base's round: the entry holds the fields of a mask as they are. */
const NO_BASE = -1;

/** Columns of an entry: slot; round of the base; gaps of the base, or the mask; version of the base; length of its bits, and where they are. */
const SLOT = 0;
const BASE = 1;
const DETAIL = 2;
const VERSION = 3;
const BITS = 4;
/** The bits themselves, if they fit into one word, as most do. Else the place of their first word. */
const WORD = 5;
/** 1 if clients write objects of this type, so that a part of the change may be a client's own write. */
const IS_CLIENTS = 6;
/** 1 if the hash table has the entry. */
const IN_TABLE = 7;
const ROW_BITS = 3;

/** Columns of the hash table: an entry's hash, and the entry + 1; 0 if the place is empty. */
const HASH = 0;
const ENTRY = 1;
const FIRST_PLACES = 64;

/**
 * Columns by slot: the round's stamp; where the object's present state lies in the history, or `NOT_KEPT`; then entries + 1 of this round
 * by the low bits of their base's round, or 0. Most clients stand on one of a few bases, so most entries are found here, in one line of the
 * processor's cache. An entry that another one displaces goes to the hash table: every entry is here or there.
 */
const STAMP = 0;
const NOW = 1;
const WAYS = 2;
const WAY_MASK = 3;
const OBJECT_BITS = 3;
const NOT_KEPT = -1;

export class EncodeCache implements PlainSource {
  /** How often bits were found, and how often they had to be made. */
  hits = 0;
  misses = 0;
  readonly #world: World;
  readonly #history: History;
  readonly #past: Past = emptyPast();
  readonly #scratch: BitWriter = new BitWriter(256);
  /** Working space for the writers of this world's frames. */
  readonly frames: FrameScratch = new FrameScratch();
  /** Entries of this round; and the table of those that are found by hash: open addressing, at most half full. */
  #rows: Int32Array = new Int32Array((FIRST_PLACES / 2) << ROW_BITS);
  #count = 0;
  #table: Int32Array = new Int32Array(FIRST_PLACES * 2);
  #isTableUsed = false;
  /** Bits of entries that need more than one word; each entry begins at a whole word. */
  #words: Uint32Array = new Uint32Array(1024);
  #wordsUsed = 0;
  /** By slot: what this round knows of the object. */
  #objects: Int32Array = new Int32Array(64 << OBJECT_BITS);
  #stamp = 1;
  #slot = 0;
  readonly #wireAt = (fieldIndex: number): Wire => this.#world.wireAt(this.#slot, fieldIndex);

  constructor(world: World) {
    this.#world = world;
    this.#history = new History(world);
  }

  beginRound(): void {
    this.#stamp = (this.#stamp + 1) | 0;
    if (this.#isTableUsed) this.#table.fill(0);
    this.#isTableUsed = false;
    this.#count = 0;
    this.#wordsUsed = 0;
  }

  /** Encodes the fields of a mask as they are. Returns an entry for `bitsOf` and `append`, valid in this round. */
  fields(slot: number, mask: number): number {
    const found = this.#find(slot, NO_BASE, mask);
    if (found >= 0) return found;
    this.#slot = slot;
    this.#scratch.reset();
    writeFields(this.#scratch, this.#world.store.tableAt(slot).type, mask, this.#wireAt);
    return this.#add(slot, NO_BASE, mask, 0);
  }

  /** Encodes all fields as they are in this round. Later deltas can build on this state. */
  whole(slot: number, round: number): number {
    this.#keep(slot, round);
    return this.fields(slot, this.#world.store.tableAt(slot).type.allMask);
  }

  /** Encodes the object in this round against its state of round `base`. Returns −1 if that state is not kept any more. */
  delta(slot: number, round: number, base: number, gaps: number): number {
    const found = this.#find(slot, base, gaps);
    return found >= 0 ? found : this.#makeDelta(slot, round, base, gaps);
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
    const bits = this.#rows[row + BITS]!;
    if (bits <= 32) out.writeBits(this.#rows[row + WORD]! >>> 0, bits);
    else appendWords(out, this.#words, this.#rows[row + WORD]!, bits);
  }

  #makeDelta(slot: number, round: number, base: number, gaps: number): number {
    const now = this.#keep(slot, round);
    const version = this.#history.recall(slot, base, gaps, this.#past);
    if (version < 0) return -1;
    const writer = this.#history.writers[this.#world.store.typeIndex[slot]!]!;
    const { plain, plainMask } = writer.fields;
    const changedPlain = plain.length === 0 ? 0 : this.#world.changedSince(slot, version, 0) & plainMask;
    this.#slot = slot;
    this.#scratch.reset();
    writer.write(this.#scratch, this.#past, now, round - base, changedPlain, this);
    return this.#add(slot, base, gaps, version);
  }

  /** Keeps the object's present state, once per round. Returns where it lies in the history. */
  #keep(slot: number, round: number): number {
    const at = this.#objectAt(slot) + NOW;
    if (this.#objects[at] === NOT_KEPT) this.#objects[at] = this.#history.keep(slot, round);
    return this.#objects[at]!;
  }

  /** Where the slot's columns begin. If they are of another round, they are emptied. */
  #objectAt(slot: number): number {
    const at = slot << OBJECT_BITS;
    if (at >= this.#objects.length) {
      this.#objects = grown(this.#objects, roomFor(slot + 1, this.#objects.length >> OBJECT_BITS), 1 << OBJECT_BITS);
    }
    const objects = this.#objects;
    if (objects[at + STAMP] !== this.#stamp) {
      objects[at + STAMP] = this.#stamp;
      objects[at + NOW] = NOT_KEPT;
      for (let way = 0; way <= WAY_MASK; way++) objects[at + WAYS + way] = 0;
    }
    return at;
  }

  // ── entries ────────────────────────────────────────────────────────────────────────────────────────────────────

  #find(slot: number, base: number, detail: number): number {
    const objects = this.#objects;
    const at = slot << OBJECT_BITS;
    if (objects[at + STAMP] !== this.#stamp) return -1;
    const way = at + WAYS + (base & WAY_MASK);
    const entry = objects[way]! - 1;
    if (entry < 0) return -1;
    const rows = this.#rows;
    const row = entry << ROW_BITS;
    if (rows[row + BASE] === base && rows[row + DETAIL] === (detail | 0)) {
      this.hits += 1;
      return entry;
    }
    const other = this.#isTableUsed ? this.#findInTable(slot, base, detail | 0) : -1;
    if (other >= 0) this.#place(way, other);
    return other;
  }

  /** Puts the entry first among those of its object and way. */
  #place(way: number, entry: number): void {
    const displaced = this.#objects[way]! - 1;
    if (displaced >= 0 && this.#rows[(displaced << ROW_BITS) + IN_TABLE] === 0) this.#enter(displaced);
    this.#objects[way] = entry + 1;
  }

  #findInTable(slot: number, base: number, detail: number): number {
    const table = this.#table;
    const rows = this.#rows;
    const hash = hashOf(slot, base, detail);
    const mask = table.length - 1;
    for (let at = (hash * 2) & mask; table[at + ENTRY] !== 0; at = (at + 2) & mask) {
      if (table[at + HASH] !== hash) continue;
      const entry = table[at + ENTRY]! - 1;
      const row = entry << ROW_BITS;
      if (rows[row + SLOT] === slot && rows[row + BASE] === base && rows[row + DETAIL] === detail) {
        this.hits += 1;
        return entry;
      }
    }
    return -1;
  }

  /** Makes an entry of what was written to the scratch. */
  #add(slot: number, base: number, detail: number, version: number): number {
    this.misses += 1;
    const entry = this.#count++;
    const row = entry << ROW_BITS;
    if (row >= this.#rows.length) this.#grow();
    const rows = this.#rows;
    rows[row + SLOT] = slot;
    rows[row + BASE] = base;
    rows[row + DETAIL] = detail;
    rows[row + VERSION] = version;
    rows[row + IS_CLIENTS] = this.#world.store.tableAt(slot).type.write === "server" ? 0 : 1;
    rows[row + IN_TABLE] = 0;
    this.#place(this.#objectAt(slot) + WAYS + (base & WAY_MASK), entry);
    this.#store(row);
    return entry;
  }

  /** Puts the bits of the scratch where the entry's row says. */
  #store(row: number): void {
    const bits = this.#scratch.bitLength;
    this.#rows[row + BITS] = bits;
    if (bits <= 32) {
      this.#rows[row + WORD] = firstWordOf(this.#scratch);
      return;
    }
    const used = this.#wordsUsed + ((bits + 31) >>> 5);
    if (used > this.#words.length) {
      this.#words = larger(new Uint32Array(Math.max(used, this.#words.length * 2)), this.#words);
    }
    this.#rows[row + WORD] = this.#wordsUsed;
    copyWords(this.#scratch, this.#words, this.#wordsUsed);
    this.#wordsUsed = used;
  }

  /** Enters an entry in the hash table. */
  #enter(entry: number): void {
    const rows = this.#rows;
    const row = entry << ROW_BITS;
    const hash = hashOf(rows[row + SLOT]!, rows[row + BASE]!, rows[row + DETAIL]!);
    rows[row + IN_TABLE] = 1;
    this.#isTableUsed = true;
    const table = this.#table;
    const mask = table.length - 1;
    let at = (hash * 2) & mask;
    while (table[at + ENTRY] !== 0) at = (at + 2) & mask;
    table[at + HASH] = hash;
    table[at + ENTRY] = entry + 1;
  }

  /** Doubles the rows, and enters those that were in the table in one of twice the size. */
  #grow(): void {
    const rows = larger(new Int32Array(this.#rows.length * 2), this.#rows);
    const entries = this.#rows.length >> ROW_BITS;
    this.#rows = rows;
    this.#table = new Int32Array(this.#table.length * 2);
    for (let entry = 0; entry < entries; entry++) if (rows[(entry << ROW_BITS) + IN_TABLE] === 1) this.#enter(entry);
  }
}

/** Its low bits, which the table uses, are well spread. */
function hashOf(slot: number, base: number, detail: number): number {
  const mixed = Math.imul(Math.imul(slot, 0x9e37_79b1) ^ base, 0x85eb_ca6b) ^ Math.imul(detail, 0xc2b2_ae35);
  return mixed ^ (mixed >>> 15);
}

function larger<T extends Int32Array | Uint32Array>(into: T, from: T): T {
  into.set(from);
  return into;
}
