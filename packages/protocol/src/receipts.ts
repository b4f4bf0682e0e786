/**
 * What one client is known to have received of each object: the round of the newest send that arrived, and of the newest that was lost. With
 * the packets on their way (`ledger.ts`) that says on which send each object stands there, for good and not only while packets fly. For the
 * auditor; nothing is decided by it.
 *
 * A hash table of 16 bytes per object with linear probing, as `bases.ts` has it. A slot has one row: a newer object takes the place of the one
 * before. Objects whose removal arrived go when the table is full.
 */

import type { SentWindow } from "@nearfield/core";
import { MAX_SLOTS, type ObjectId } from "@nearfield/schema";

/** Columns of a row: id; round of the newest send that arrived, or `NONE`; 1 if that send removed the object; round of the newest that was lost. */
const ID = 0;
const ARRIVED = 1;
const REMOVED = 2;
const LOST = 3;
const ROW = 4;

/** Instead of the round of a send that was lost: the row is free. */
const FREE = -2;
const NONE = -1;
const FIRST_BITS = 5;
const SPREAD = 0x9e37_79b1;
// A constant of the module itself is folded into the code; an imported one is looked up at every use.
const SLOT_MASK: number = MAX_SLOTS - 1;

export class Receipts {
  #rows: Int32Array = emptyRows(FIRST_BITS);
  #shift: number = 32 - FIRST_BITS;
  #used = 0;

  /** The send of that round has arrived. */
  arrived(id: ObjectId, round: number, removes: boolean): void {
    const at = this.#row(id);
    const rows = this.#rows;
    if (rows[at + ID] !== (id | 0)) {
      const isOlder = rows[at + ARRIVED]! >= round || rows[at + LOST]! >= round;
      if (isOlder) return;
      rows[at + ID] = id;
      rows[at + LOST] = NONE;
    } else if (rows[at + ARRIVED]! > round) {
      return;
    }
    rows[at + ARRIVED] = round;
    rows[at + REMOVED] = removes ? 1 : 0;
  }

  /** The send of that round is lost, or given up. */
  lost(id: ObjectId, round: number): void {
    const at = this.#row(id);
    const rows = this.#rows;
    if (rows[at + ID] === (id | 0) && rows[at + LOST]! < round) rows[at + LOST] = round;
  }

  /** Notes what arrived of the objects in the window's slots. */
  tell(into: SentWindow): void {
    for (let slot = into.from; slot < into.to; slot++) {
      const at = this.#find(slot);
      const rows = this.#rows;
      if (rows[at + LOST] === FREE) continue;
      const id = (rows[at + ID]! >>> 0) as ObjectId;
      const removes = rows[at + REMOVED] === 1;
      if (rows[at + ARRIVED] !== NONE) into.sent(id, rows[at + ARRIVED]!, removes);
      into.settled(id, rows[at + ARRIVED]!, removes, rows[at + LOST]!);
    }
  }

  /** The row of the object's slot; one is made where there is none. */
  #row(id: ObjectId): number {
    let at = this.#find(id & SLOT_MASK);
    if (this.#rows[at + LOST] !== FREE) return at;
    if ((this.#used + 1) * ROW * 4 > this.#rows.length * 3) {
      this.#renew();
      at = this.#find(id & SLOT_MASK);
    }
    this.#used += 1;
    const rows = this.#rows;
    rows[at + ID] = id;
    rows[at + ARRIVED] = NONE;
    rows[at + REMOVED] = 0;
    rows[at + LOST] = NONE;
    return at;
  }

  /** The row of a slot, or the free one where it would go. */
  #find(slot: number): number {
    const rows = this.#rows;
    const last = rows.length - ROW;
    let at = (Math.imul(slot, SPREAD) >>> this.#shift) * ROW;
    while (rows[at + LOST] !== FREE && (rows[at + ID]! & SLOT_MASK) !== slot) at = at === last ? 0 : at + ROW;
    return at;
  }

  /** Leaves out objects that the client does not have, and makes room for as many again as are left. */
  #renew(): void {
    const old = this.#rows;
    const isKept = (at: number): boolean =>
      old[at + LOST] !== FREE && old[at + ARRIVED] !== NONE && old[at + REMOVED] === 0;
    let kept = 0;
    for (let at = 0; at < old.length; at += ROW) if (isKept(at)) kept += 1;
    const bits = Math.max(FIRST_BITS, 33 - Math.clz32(kept));
    this.#rows = emptyRows(bits);
    this.#shift = 32 - bits;
    this.#used = kept;
    for (let at = 0; at < old.length; at += ROW) {
      if (!isKept(at)) continue;
      const to = this.#find(old[at + ID]! & SLOT_MASK);
      for (let column = 0; column < ROW; column++) this.#rows[to + column] = old[at + column]!;
    }
  }
}

function emptyRows(bits: number): Int32Array {
  const rows = new Int32Array(ROW << bits);
  for (let at = 0; at < rows.length; at += ROW) rows[at + LOST] = FREE;
  return rows;
}
