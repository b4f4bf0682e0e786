/**
 * What one client is known to have: for each object the lineage of the newest state that it acknowledged. This is exact, because acks are
 * final (`arrivals.ts`): for every packet up to the newest acknowledged one both sides agree whether its states count.
 *
 * Each object that the client was sent has a row of 32 bytes, half a line of the processor's cache. The row is looked up once per record:
 * the ledger notes it beside the send. Its second half belongs to `receipts.ts`: whoever settles a send needs both halves. A slot has one row, which a newer object takes over from the one before. Its *home* is
 * the row of the slot's lowest bits. Slots ascend within a frame, so the rows of a frame lie in the same order in memory. If a slot's home
 * is taken, it gets the row beside it, which lies in the same line of the cache. If that is taken, too, it gets any other row, and a hash table leads there. A client costs memory for the objects it was sent, not for the whole
 * world.
 *
 * When all rows are taken, rows are freed whose object the client does not have and that no packet in flight refers to. The others never
 * move.
 * Why so: docs/decisions/0006-predicted-deltas.md.
 */

import type { ObjectId } from "@nearfield/schema";
import { MAX_SLOTS, SLOT_BITS } from "@nearfield/schema/internal";
import type { StateListener } from "./ledger.ts";
import type { Receipts } from "./receipts.ts";

/**
 * Columns of a row: id; round of the base, or without a base −1 − the first packet that counts; the gaps of the base; the last packet that
 * claimed the row, or −1.
 */
const ID = 0;
const BASE = 1;
const GAPS = 2;
const CLAIMED = 3;
/** The first of the columns that belong to receipts, and the size of a row. */
export const RECEIPT_COLUMNS = 4;
export const ROW_BITS = 3;

/** In place of a base: the row is free. No packet has this number. */
const FREE = -0x8000_0000;
const FIRST_ROWS = 32;
const FIRST_PLACES = 16;
const SPREAD = 0x9e37_79b1;
// A constant of this module is inlined; an imported one would be looked up at every use.
const SLOT_MASK: number = MAX_SLOTS - 1;

/** A place of the hash table: the row, and above it bits of the slot's hash, which distinguish most other slots. −1: empty. */
const ROW_MASK: number = MAX_SLOTS - 1;
const TAG_SHIFT: number = SLOT_BITS;
const TAG_MASK = 0x7ff;

/** In place of a row: there is none. */
export const NO_ROW = -1;

/** Marks the rows that packets in flight refer to. */
export type RowMarker = (marks: Uint8Array) => void;

export class Bases implements StateListener {
  readonly #markSpokenOf: RowMarker;
  #receipts: Receipts | undefined;
  #rows: Int32Array = withFree(new Int32Array(FIRST_ROWS << ROW_BITS), 0);
  #homeMask: number = FIRST_ROWS - 1;
  #used = 0;
  /** Where the search for a free row continues. */
  #next = 0;
  /** The hash table for rows that are neither at their slot's home nor beside it; at most half full. */
  #places: Int32Array = new Int32Array(FIRST_PLACES).fill(NO_ROW);
  #shift: number = Math.clz32(FIRST_PLACES - 1);
  #away = 0;

  constructor(markSpokenOf: RowMarker) {
    this.#markSpokenOf = markSpokenOf;
  }

  /** The number of rows that there is memory for. */
  get capacity(): number {
    return this.#homeMask + 1;
  }

  /** Attaches receipts, which use their columns of all rows from now on. */
  set receipts(receipts: Receipts) {
    this.#receipts = receipts;
    for (let row = 0; row < this.capacity; row++) receipts.begin(row);
  }

  /** All rows, for receipts. Replaced when there are more. */
  get rows(): Int32Array {
    return this.#rows;
  }

  /**
   * The row of a slot; `NO_ROW` if nothing in it was ever sent. Valid while the client has a base, or while a packet in flight refers to
   * it.
   */
  find(slot: number): number {
    const home = slot & this.#homeMask;
    if (this.#isOf(home, slot)) return home;
    if (this.#isOf(home ^ 1, slot)) return home ^ 1;
    return this.#away === 0 ? NO_ROW : this.#findAway(slot);
  }

  /** Whether the object has a base. If so, `roundOf` and `gapsOf` describe it. */
  isBase(row: number, id: ObjectId): boolean {
    const at = row << ROW_BITS;
    return row >= 0 && this.#rows[at + ID] === (id | 0) && this.#rows[at + BASE]! >= 0;
  }

  roundOf(row: number): number {
    return this.#rows[(row << ROW_BITS) + BASE]!;
  }

  gapsOf(row: number): number {
    return this.#rows[(row << ROW_BITS) + GAPS]!;
  }

  /** For an object without a base: the packet that last brought the whole object, if its state still counts; otherwise −1. */
  pending(row: number, id: ObjectId): number {
    if (row === NO_ROW) return -1;
    const rows = this.#rows;
    const at = row << ROW_BITS;
    const base = rows[at + BASE]!;
    const isPending = rows[at + ID] === (id | 0) && base < 0 && rows[at + CLAIMED]! >= -1 - base;
    return isPending ? rows[at + CLAIMED]! : -1;
  }

  // ── what is sent ───────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * A client is about to be sent so many objects. If they are its first, makes twice as many rows at once: rows never move, so if their number
   * grew while the first objects come, most of these would never be at home.
   */
  reserve(objects: number): void {
    if (this.#used > 0 || 2 * objects <= this.capacity) return;
    while (this.capacity < 2 * objects) this.#homeMask = this.#homeMask * 2 + 1;
    this.#rows = withFree(new Int32Array(this.capacity << ROW_BITS), 0);
    const receipts = this.#receipts;
    if (receipts !== undefined) this.receipts = receipts;
  }

  /** The row of an object that packet `packet` refers to. Makes one if there is none. */
  rowFor(id: ObjectId, packet: number): number {
    const row = this.find(id & SLOT_MASK);
    return row === NO_ROW ? this.#take(id, packet) : row;
  }

  /** From packet `packet` on, the slot belongs to this object. What was known of another object is forgotten. Returns the row. */
  claim(id: ObjectId, packet: number): number {
    const row = this.rowFor(id, packet);
    const at = row << ROW_BITS;
    this.#rows[at + CLAIMED] = packet;
    if (this.#rows[at + ID] !== (id | 0)) {
      this.#rows[at + ID] = id;
      this.#rows[at + BASE] = -1 - packet;
    }
    return row;
  }

  // ── what became of it ──────────────────────────────────────────────────────────────────────────────────────────

  /** The client has the state that packet `packet` of round `round` brought. */
  has(row: number, id: ObjectId, packet: number, round: number, gaps: number): void {
    const rows = this.#rows;
    const at = row << ROW_BITS;
    if (rows[at + ID] !== (id | 0) || packet < -1 - rows[at + BASE]!) return;
    rows[at + BASE] = round;
    rows[at + GAPS] = gaps;
  }

  /** From packet `packet` on, earlier states no longer count: the object was removed, or it is not known what arrived. */
  unsure(row: number, id: ObjectId, packet: number): void {
    const rows = this.#rows;
    const at = row << ROW_BITS;
    if (rows[at + ID] === (id | 0) && rows[at + BASE] !== FREE) rows[at + BASE] = -2 - packet;
  }

  // ── rows ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #isOf(row: number, slot: number): boolean {
    const at = row << ROW_BITS;
    return (this.#rows[at + ID]! & SLOT_MASK) === slot && this.#rows[at + BASE] !== FREE;
  }

  #findAway(slot: number): number {
    const rows = this.#rows;
    const places = this.#places;
    const mask = places.length - 1;
    const hash = Math.imul(slot, SPREAD);
    const tag = hash & TAG_MASK;
    for (let at = hash >>> this.#shift; ; at = (at + 1) & mask) {
      const place = places[at]!;
      if (place === NO_ROW) return NO_ROW;
      const row = place & ROW_MASK;
      if (place >> TAG_SHIFT === tag && (rows[(row << ROW_BITS) + ID]! & SLOT_MASK) === slot) return row;
    }
  }

  #take(id: ObjectId, packet: number): number {
    if (this.#used === this.capacity) this.#renew();
    this.#used += 1;
    const home = id & this.#homeMask;
    const row = this.#isFree(home) ? home : this.#isFree(home ^ 1) ? home ^ 1 : this.#freeRow();
    const at = row << ROW_BITS;
    this.#rows[at + ID] = id;
    this.#rows[at + BASE] = -1 - packet;
    this.#rows[at + CLAIMED] = -1;
    this.#receipts?.begin(row);
    if (row >> 1 !== home >> 1) this.#lead(row);
    return row;
  }

  #isFree(row: number): boolean {
    return this.#rows[(row << ROW_BITS) + BASE] === FREE;
  }

  /** Returns any free row. There must be one. */
  #freeRow(): number {
    while (!this.#isFree(this.#next)) this.#next = (this.#next + 1) & this.#homeMask;
    return this.#next;
  }

  /** Frees rows that nothing refers to any more. Doubles the memory if less than a quarter is free then. */
  #renew(): void {
    const marks = new Uint8Array(this.capacity);
    this.#markSpokenOf(marks);
    for (let row = 0; row < this.capacity; row++) {
      if (this.roundOf(row) >= 0 || marks[row] === 1 || this.#receipts?.isHeld(row) === true) continue;
      this.#rows[(row << ROW_BITS) + BASE] = FREE;
      this.#used -= 1;
    }
    if (this.#used * 4 > this.capacity * 3) this.#grow();
    this.#leadAll();
  }

  #grow(): void {
    const { length } = this.#rows;
    const rows = withFree(new Int32Array(length * 2), length);
    rows.set(this.#rows);
    this.#rows = rows;
    this.#next = this.capacity;
    this.#homeMask = this.#homeMask * 2 + 1;
  }

  // ── places ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Enters a row that is neither at its slot's home nor beside it into the hash table. */
  #lead(row: number): void {
    this.#away += 1;
    if (this.#away * 2 > this.#places.length) {
      this.#places = new Int32Array(this.#places.length * 2);
      this.#shift -= 1;
      this.#leadAll();
      return;
    }
    const places = this.#places;
    const hash = Math.imul(this.#rows[(row << ROW_BITS) + ID]! & SLOT_MASK, SPREAD);
    let at = hash >>> this.#shift;
    while (places[at] !== NO_ROW) at = (at + 1) & (places.length - 1);
    places[at] = ((hash & TAG_MASK) << TAG_SHIFT) | row;
  }

  #leadAll(): void {
    this.#places.fill(NO_ROW);
    this.#away = 0;
    for (let row = 0; row < this.capacity; row++) {
      const isAway = (this.#rows[(row << ROW_BITS) + ID]! & this.#homeMask) >> 1 !== row >> 1;
      if (isAway && !this.#isFree(row)) this.#lead(row);
    }
  }
}

/** Marks the rows from number `from` on as free. */
function withFree(rows: Int32Array, from: number): Int32Array {
  for (let at = from; at < rows.length; at += 1 << ROW_BITS) rows[at + BASE] = FREE;
  return rows;
}
