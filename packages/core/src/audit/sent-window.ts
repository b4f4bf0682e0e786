/**
 * What one client was sent of a run of slots, as its packets tell: for each slot the newest send that counts. The session's own record (`SentLog`) fills it
 * and the auditor reads it; no model takes part.
 *
 * A slot has two lanes: one for the object that lives in it now, and one for an earlier object that the client may still have.
 */

import { type ObjectId, slotOf } from "@nearfield/schema";
import type { World } from "../world.ts";

/** What one client was sent, packet by packet. */
export interface SentLog {
  /** Notes every send that is not known to be lost, of objects in its slots: those that arrived and those on their way. */
  tell(into: SentWindow): void;
  /** Notes only those that left in this round. */
  tellRound(round: number, into: SentWindow): void;
}

/** Instead of a round. */
export const NEVER_SENT = -1;

export class SentWindow {
  from = 0;
  to = 0;
  readonly #world: World;
  /** By slot − from. The object that lives there: round of its newest send, and whether that removes it. */
  #round: Int32Array;
  #removes: Uint8Array;
  /** Round of the newest state that arrived, and whether a newer send was lost. */
  #arrived: Int32Array;
  #isBehind: Uint8Array;
  /** The newest send of another object. */
  #otherId: Uint32Array;
  #otherRound: Int32Array;
  #otherRemoves: Uint8Array;

  constructor(world: World, slots: number) {
    this.#world = world;
    this.#round = new Int32Array(slots);
    this.#removes = new Uint8Array(slots);
    this.#arrived = new Int32Array(slots);
    this.#isBehind = new Uint8Array(slots);
    this.#otherId = new Uint32Array(slots);
    this.#otherRound = new Int32Array(slots);
    this.#otherRemoves = new Uint8Array(slots);
  }

  /** Empties it for the slots `from` to `to − 1`, as many as it was made for at most. */
  open(from: number, to: number): void {
    this.from = from;
    this.to = to;
    for (let at = 0; at < to - from; at++) {
      this.#round[at] = NEVER_SENT;
      this.#arrived[at] = NEVER_SENT;
      this.#isBehind[at] = 0;
      this.#otherRound[at] = NEVER_SENT;
    }
  }

  has(slot: number): boolean {
    return slot >= this.from && slot < this.to;
  }

  /** The object was sent in that round, or removed. */
  sent(id: ObjectId, round: number, removes: boolean): void {
    const slot = slotOf(id);
    const at = slot - this.from;
    if (this.#isHere(slot, id)) {
      if (round < this.#round[at]!) return;
      this.#round[at] = round;
      this.#removes[at] = removes ? 1 : 0;
    } else if (round >= this.#otherRound[at]!) {
      this.#otherId[at] = id;
      this.#otherRound[at] = round;
      this.#otherRemoves[at] = removes ? 1 : 0;
    }
  }

  /**
   * Of the object the send of `arrived` is known to have arrived, and that of `lost` to be lost: the newest each, or `NEVER_SENT`.
   *
   * @param removes whether the send that arrived removed the object.
   */
  settled(id: ObjectId, arrived: number, removes: boolean, lost: number): void {
    const slot = slotOf(id);
    if (!this.#isHere(slot, id)) return;
    this.#isBehind[slot - this.from] = lost > arrived ? 1 : 0;
    this.#arrived[slot - this.from] = removes ? NEVER_SENT : arrived;
  }

  // ── what the auditor asks ──────────────────────────────────────────────────────────────────────────────────────

  /** Round of the newest send of the object in a slot; `NEVER_SENT` where the client does not have the object. */
  stateRound(slot: number): number {
    const at = slot - this.from;
    return this.#removes[at] === 1 && this.#round[at]! >= 0 ? NEVER_SENT : this.#round[at]!;
  }

  /** Round of its newest removal, if nothing was sent since. */
  removalRound(slot: number): number {
    const at = slot - this.from;
    return this.#removes[at] === 1 ? this.#round[at]! : NEVER_SENT;
  }

  /** Whether a send is known to be lost that is newer than all that are known to have arrived. */
  isBehind(slot: number): boolean {
    return this.#isBehind[slot - this.from] === 1;
  }

  /** Round of the newest state that arrived; `NEVER_SENT` where the client does not have the object. */
  arrivedRound(slot: number): number {
    return this.#arrived[slot - this.from]!;
  }

  /** Another object that the client has in a slot, although it is gone; −1 if there is none. */
  lingering(slot: number): number {
    const at = slot - this.from;
    const isHeld = this.#otherRound[at]! >= 0 && this.#otherRemoves[at] === 0;
    // Where a newer object was sent, it took the place of the older.
    return isHeld && this.#otherRound[at]! >= this.#round[at]! ? this.#otherId[at]! : -1;
  }

  /** Whether that object is removed by what this window was told. */
  removesOther(slot: number, id: ObjectId): boolean {
    const at = slot - this.from;
    return this.#otherRound[at]! >= 0 && this.#otherRemoves[at] === 1 && this.#otherId[at] === id;
  }

  #isHere(slot: number, id: ObjectId): boolean {
    const { store } = this.#world;
    return store.isLive(slot) && store.idAt(slot) === id;
  }
}
