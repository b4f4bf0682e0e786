/**
 * What one client is known to have: by object the lineage of the newest state that it acknowledged. Exact, because acks are final
 * (`arrivals.ts`): of every packet up to the newest acknowledged one both sides know alike whether its states count.
 *
 * A hash table of 16 bytes per object with linear probing, at most three quarters full: a client pays for the objects it was sent and
 * not for the world, and what is asked of it in one round lies close together. An object that was removed keeps its row until the table
 * is full; then rows go that no packet on its way can speak of any more.
 * Why so: docs/decisions/0006-predicted-deltas.md.
 */

import { MAX_SLOTS, type ObjectId } from "@nearfield/schema";

/** Columns of a row: id; round of the base, or where there is none −1 − the first packet that counts; its gaps; the last packet that claimed it. */
const ID = 0;
const BASE = 1;
const GAPS = 2;
const CLAIMED = 3;
const ROW = 4;

/** Instead of a base: the row is free. No packet has this number. */
const FREE = -0x8000_0000;
const FIRST_BITS = 5;
const SPREAD = 0x9e37_79b1;
// A constant of the module itself is folded into the code; an imported one is looked up at every use.
const SLOT_MASK: number = MAX_SLOTS - 1;

export class Bases {
  /** What `find` found. */
  round = 0;
  gaps = 0;
  #rows: Int32Array = emptyRows(FIRST_BITS);
  #shift: number = 32 - FIRST_BITS;
  #used = 0;
  /** States are told in the order of packets: none before this one will come any more. */
  #newestPacket = -1;

  /** Whether there is a base; if so, `round` and `gaps` tell it. */
  find(id: ObjectId): boolean {
    const at = this.#find(id);
    const rows = this.#rows;
    if (rows[at + ID] !== (id | 0) || rows[at + BASE]! < 0) return false;
    this.round = rows[at + BASE]!;
    this.gaps = rows[at + GAPS]!;
    return true;
  }

  /** Where there is no base: the packet that last brought the whole object, if its state still counts; otherwise −1. */
  pending(id: ObjectId): number {
    const at = this.#find(id);
    const rows = this.#rows;
    const base = rows[at + BASE]!;
    const isPending = rows[at + ID] === (id | 0) && base < 0 && base !== FREE && rows[at + CLAIMED]! >= -1 - base;
    return isPending ? rows[at + CLAIMED]! : -1;
  }

  /** The client has the state that packet `packet` of round `round` brought. */
  set(id: ObjectId, packet: number, round: number, gaps: number): void {
    this.#newestPacket = packet;
    const at = this.#find(id);
    const rows = this.#rows;
    if (rows[at + BASE] === FREE || rows[at + ID] !== (id | 0) || packet < -1 - rows[at + BASE]!) return;
    rows[at + BASE] = round;
    rows[at + GAPS] = gaps;
  }

  /** From packet `packet` on, states before it no longer count: the object was removed, or it is not known what arrived. */
  clear(id: ObjectId, packet: number): void {
    const at = this.#find(id);
    const rows = this.#rows;
    if (rows[at + BASE] === FREE || rows[at + ID] !== (id | 0)) return;
    rows[at + BASE] = -2 - packet;
  }

  /** The slot belongs to this object from packet `packet` on; what was known of another one is forgotten. */
  claim(id: ObjectId, packet: number): void {
    let at = this.#find(id);
    if (this.#rows[at + BASE] === FREE) {
      if ((this.#used + 1) * ROW * 4 > this.#rows.length * 3) {
        this.#renew();
        at = this.#find(id);
      }
      this.#used += 1;
    }
    const rows = this.#rows;
    rows[at + CLAIMED] = packet;
    if (rows[at + BASE] !== FREE && rows[at + ID] === (id | 0)) return;
    rows[at + ID] = id;
    rows[at + BASE] = -1 - packet;
  }

  /** The row of the id's slot, or the free one where it would go. */
  #find(id: ObjectId): number {
    const rows = this.#rows;
    const slot = id & SLOT_MASK;
    const last = rows.length - ROW;
    let at = (Math.imul(slot, SPREAD) >>> this.#shift) * ROW;
    while (rows[at + BASE] !== FREE && (rows[at + ID]! & SLOT_MASK) !== slot) at = at === last ? 0 : at + ROW;
    return at;
  }

  /** Leaves out what no packet on its way can speak of, and makes room for as many again as are left. */
  #renew(): void {
    const old = this.#rows;
    const isKept = (at: number): boolean =>
      old[at + BASE] !== FREE &&
      (old[at + BASE]! >= 0 || Math.max(-2 - old[at + BASE]!, old[at + CLAIMED]!) > this.#newestPacket);
    let kept = 0;
    for (let at = 0; at < old.length; at += ROW) if (isKept(at)) kept += 1;
    const bits = Math.max(FIRST_BITS, 33 - Math.clz32(kept));
    this.#rows = emptyRows(bits);
    this.#shift = 32 - bits;
    this.#used = kept;
    for (let at = 0; at < old.length; at += ROW) {
      if (!isKept(at)) continue;
      const to = this.#find(old[at + ID]! as ObjectId);
      for (let column = 0; column < ROW; column++) this.#rows[to + column] = old[at + column]!;
    }
  }
}

function emptyRows(bits: number): Int32Array {
  const rows = new Int32Array(ROW << bits);
  for (let at = 0; at < rows.length; at += ROW) rows[at + BASE] = FREE;
  return rows;
}
