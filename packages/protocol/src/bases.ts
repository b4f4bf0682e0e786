/**
 * What one client is known to have: by object the lineage of the newest state that it acknowledged. Exact, because acks are final
 * (`arrivals.ts`): of every packet up to the newest acknowledged one both sides know alike whether its states count.
 *
 * Twelve bytes per object, in pages of neighbours, so a client pays for the objects it was sent and not for the world.
 * Why so: docs/decisions/0006-predicted-deltas.md.
 */

import { type ObjectId, slotOf } from "@nearfield/core";

const PAGE_BITS = 7;
const PAGE_SLOTS = 1 << PAGE_BITS;
const STRIDE = 3;

export class Bases {
  /** What `find` found. */
  round = 0;
  gaps = 0;
  /** By page and slot: id; round of the base, or where there is none −1 − the packet since when; gaps. */
  readonly #pages: (Int32Array | undefined)[] = [];

  /** Whether there is a base; if so, `round` and `gaps` tell it. */
  find(id: ObjectId): boolean {
    const slot = slotOf(id);
    const page = this.#pages[slot >>> PAGE_BITS];
    if (page === undefined) return false;
    const at = (slot & (PAGE_SLOTS - 1)) * STRIDE;
    if (page[at] !== (id | 0) || page[at + 1]! < 0) return false;
    this.round = page[at + 1]!;
    this.gaps = page[at + 2]!;
    return true;
  }

  /** The client has the state that packet `packet` of round `round` brought. */
  set(id: ObjectId, packet: number, round: number, gaps: number): void {
    const page = this.#page(id);
    const at = (slotOf(id) & (PAGE_SLOTS - 1)) * STRIDE;
    if (page[at] !== (id | 0) || packet <= -1 - page[at + 1]!) return;
    page[at + 1] = round;
    page[at + 2] = gaps;
  }

  /** From packet `packet` on, states before it no longer count: the object was removed, or it is not known what arrived. */
  clear(id: ObjectId, packet: number): void {
    const page = this.#page(id);
    const at = (slotOf(id) & (PAGE_SLOTS - 1)) * STRIDE;
    if (page[at] !== (id | 0)) return;
    page[at + 1] = -1 - packet;
  }

  /** The slot belongs to this object from packet `packet` on; what was known of another one is forgotten. */
  claim(id: ObjectId, packet: number): void {
    const page = this.#page(id);
    const at = (slotOf(id) & (PAGE_SLOTS - 1)) * STRIDE;
    if (page[at] === (id | 0)) return;
    page[at] = id;
    page[at + 1] = -packet;
  }

  #page(id: ObjectId): Int32Array {
    const number = slotOf(id) >>> PAGE_BITS;
    let page = this.#pages[number];
    if (page === undefined) {
      page = new Int32Array(PAGE_SLOTS * STRIDE).fill(-1);
      while (this.#pages.length < number) this.#pages.push(undefined);
      this.#pages[number] = page;
    }
    return page;
  }
}
