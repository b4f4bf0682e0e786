/**
 * What one client is known to have: by object the lineage of the newest state that it acknowledged. Exact, because acks are final
 * (`arrivals.ts`): of every packet up to the newest acknowledged one both sides know alike whether its states count.
 *
 * Each object that the client was sent has a row of 16 bytes, found once for a record: the ledger notes the row beside the send, and
 * `receipts.ts` keeps columns by the same rows. A slot has one row, which a newer object takes over from the one before. Its *home* is the row
 * of its lowest bits, so that the rows of one frame, which ascends in slots, lie in that order, too. A slot whose home is taken has any
 * other row, and a hash table leads there. A client pays for the objects it was sent and not for the world.
 *
 * When all rows are taken, those go of which no packet on its way speaks and of which the client has nothing. Others never move.
 * Why so: docs/decisions/0006-predicted-deltas.md.
 */

import type { ObjectId } from "@nearfield/schema";
import { MAX_SLOTS, SLOT_BITS } from "@nearfield/schema/internal";
import type { StateListener } from "./ledger.ts";
import type { Receipts } from "./receipts.ts";

/** Columns of a row: id; round of the base, or where there is none −1 − the first packet that counts; its gaps; the last packet that claimed it, or −1. */
const ID = 0;
const BASE = 1;
const GAPS = 2;
const CLAIMED = 3;
const ROW_BITS = 2;

/** Instead of a base: the row is free. No packet has this number. */
const FREE = -0x8000_0000;
const FIRST_ROWS = 32;
const FIRST_PLACES = 16;
const SPREAD = 0x9e37_79b1;
// A constant of the module itself is folded into the code; an imported one is looked up at every use.
const SLOT_MASK: number = MAX_SLOTS - 1;

/** A place of the hash table: the row, and above it bits of the slot's hash, which tell most other slots apart. −1: nothing. */
const ROW_MASK: number = MAX_SLOTS - 1;
const TAG_SHIFT: number = SLOT_BITS;
const TAG_MASK = 0x7ff;

/** Instead of a row: there is none. */
export const NO_ROW = -1;

/** Sets the marks of the rows that packets on their way speak of. */
export type RowMarker = (marks: Uint8Array) => void;

export class Bases implements StateListener {
  readonly #markSpokenOf: RowMarker;
  #receipts: Receipts | undefined;
  #rows: Int32Array = withFree(new Int32Array(FIRST_ROWS << ROW_BITS), 0);
  #homeMask: number = FIRST_ROWS - 1;
  #used = 0;
  /** Where the search for a free row goes on. */
  #next = 0;
  /** Places that lead to rows away from home, at most half of them in use. */
  #places: Int32Array = new Int32Array(FIRST_PLACES).fill(NO_ROW);
  #shift: number = Math.clz32(FIRST_PLACES - 1);
  #away = 0;

  constructor(markSpokenOf: RowMarker) {
    this.#markSpokenOf = markSpokenOf;
  }

  /** For so many rows there is room. */
  get capacity(): number {
    return this.#homeMask + 1;
  }

  /** Keeps them by the same rows from now on. */
  set receipts(receipts: Receipts) {
    this.#receipts = receipts;
    receipts.reserve(this.capacity);
  }

  /** The row of a slot; `NO_ROW` where nothing in it was ever sent. Valid while the client has a base, or a packet on its way speaks of it. */
  find(slot: number): number {
    const rows = this.#rows;
    const home = slot & this.#homeMask;
    const at = home << ROW_BITS;
    if ((rows[at + ID]! & SLOT_MASK) === slot && rows[at + BASE] !== FREE) return home;
    return this.#away === 0 ? NO_ROW : this.#findAway(slot);
  }

  /** Whether there is a base; if so, `roundOf` and `gapsOf` tell it. */
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

  /** Where there is no base: the packet that last brought the whole object, if its state still counts; otherwise −1. */
  pending(row: number, id: ObjectId): number {
    if (row === NO_ROW) return -1;
    const rows = this.#rows;
    const at = row << ROW_BITS;
    const base = rows[at + BASE]!;
    const isPending = rows[at + ID] === (id | 0) && base < 0 && rows[at + CLAIMED]! >= -1 - base;
    return isPending ? rows[at + CLAIMED]! : -1;
  }

  // ── what is sent ───────────────────────────────────────────────────────────────────────────────────────────────

  /** The row of an object that packet `packet` speaks of; one is made where there is none. */
  rowFor(id: ObjectId, packet: number): number {
    const row = this.find(id & SLOT_MASK);
    return row === NO_ROW ? this.#take(id, packet) : row;
  }

  /** The slot belongs to this object from packet `packet` on; what was known of another one is forgotten. Returns its row. */
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

  /** From packet `packet` on, states before it no longer count: the object was removed, or it is not known what arrived. */
  unsure(row: number, id: ObjectId, packet: number): void {
    const rows = this.#rows;
    const at = row << ROW_BITS;
    if (rows[at + ID] === (id | 0) && rows[at + BASE] !== FREE) rows[at + BASE] = -2 - packet;
  }

  // ── rows ───────────────────────────────────────────────────────────────────────────────────────────────────────

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
    const row = this.#isFree(home) ? home : this.#freeRow();
    const at = row << ROW_BITS;
    this.#rows[at + ID] = id;
    this.#rows[at + BASE] = -1 - packet;
    this.#rows[at + CLAIMED] = -1;
    this.#receipts?.begin(row);
    if (row !== home) this.#lead(row);
    return row;
  }

  #isFree(row: number): boolean {
    return this.#rows[(row << ROW_BITS) + BASE] === FREE;
  }

  /** Any free one; there is one. */
  #freeRow(): number {
    while (!this.#isFree(this.#next)) this.#next = (this.#next + 1) & this.#homeMask;
    return this.#next;
  }

  /** Lets go of rows that nothing speaks of any more; doubles where that leaves less than a quarter free. */
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
    this.#receipts?.reserve(this.capacity);
  }

  // ── places ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Makes a place lead to the row, which is not its slot's home. */
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
      const isAway = (this.#rows[(row << ROW_BITS) + ID]! & this.#homeMask) !== row;
      if (isAway && !this.#isFree(row)) this.#lead(row);
    }
  }
}

/** Marks the rows from number `from` on as free. */
function withFree(rows: Int32Array, from: number): Int32Array {
  for (let at = from; at < rows.length; at += 1 << ROW_BITS) rows[at + BASE] = FREE;
  return rows;
}
