/**
 * What one client is known to have received of each object: the round of the newest send that arrived, and of the newest that was lost.
 * Together with the packets in flight (`ledger.ts`) this tells which send each object of the client comes from, even long after its packet
 * was settled. Only the auditor uses it; nothing is decided by it.
 *
 * It has columns of its own in the rows of `bases.ts`. They describe the newest object of their slot that arrived, while a base describes the
 * newest that was sent.
 */

import type { SentWindow } from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
import { ROW_BITS as BASES_ROW_BITS, type Bases, NO_ROW, RECEIPT_COLUMNS } from "./bases.ts";

/** Columns: id; round of the newest send that arrived, or `NONE`; 1 if that send removed the object; round of the newest that was lost, or `NONE`. */
const ID: number = RECEIPT_COLUMNS;
const ARRIVED: number = RECEIPT_COLUMNS + 1;
const REMOVED: number = RECEIPT_COLUMNS + 2;
const LOST: number = RECEIPT_COLUMNS + 3;
// A constant of this module is inlined; an imported one would be looked up at every use.
const ROW_BITS: number = BASES_ROW_BITS;
const NONE = -1;

export class Receipts {
  readonly #bases: Bases;

  /** @param bases the bases whose rows it shares. */
  constructor(bases: Bases) {
    this.#bases = bases;
    bases.receipts = this;
  }

  /** The row belongs to another slot now. */
  begin(row: number): void {
    const at = row << ROW_BITS;
    const { rows } = this.#bases;
    rows[at + ARRIVED] = NONE;
    rows[at + REMOVED] = 0;
    rows[at + LOST] = NONE;
  }

  /** Whether the client has the object. */
  isHeld(row: number): boolean {
    const at = row << ROW_BITS;
    const { rows } = this.#bases;
    return rows[at + ARRIVED] !== NONE && rows[at + REMOVED] === 0;
  }

  /** The send of that round has arrived. */
  arrived(row: number, id: ObjectId, round: number, removes: boolean): void {
    const at = row << ROW_BITS;
    const { rows } = this.#bases;
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
  lost(row: number, id: ObjectId, round: number): void {
    const at = row << ROW_BITS;
    const { rows } = this.#bases;
    if (this.#isEmpty(row)) rows[at + ID] = id;
    if (rows[at + ID] === (id | 0) && rows[at + LOST]! < round) rows[at + LOST] = round;
  }

  /** Writes into the window what arrived of the objects in its slots. */
  tell(into: SentWindow): void {
    const { rows } = this.#bases;
    for (let slot = into.from; slot < into.to; slot++) {
      const row = this.#bases.find(slot);
      if (row === NO_ROW || this.#isEmpty(row)) continue;
      const at = row << ROW_BITS;
      const id = (rows[at + ID]! >>> 0) as ObjectId;
      const removes = rows[at + REMOVED] === 1;
      if (rows[at + ARRIVED] !== NONE) into.sent(id, rows[at + ARRIVED]!, removes);
      into.settled(id, rows[at + ARRIVED]!, removes, rows[at + LOST]!);
    }
  }

  /** Whether nothing arrived and nothing was lost yet. */
  #isEmpty(row: number): boolean {
    const at = row << ROW_BITS;
    const { rows } = this.#bases;
    return rows[at + ARRIVED] === NONE && rows[at + LOST] === NONE;
  }
}
