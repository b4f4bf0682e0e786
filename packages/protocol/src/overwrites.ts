/**
 * Fields of objects that came outside a frame (the grant of a lock). Records of earlier rounds must not overwrite them. Such records still
 * count for the owner, which those fields do not tell. A client that locks nothing has none of this.
 */

import { type ObjectId, slotOf } from "@nearfield/schema";
import type { FrameReader } from "./frame-reader.ts";

/** The fields of one object, as of that round, came outside a frame. Returns false if the object is not here, or if newer state is. */
export function overwrite(reader: FrameReader, id: ObjectId, round: number): boolean {
  const slot = slotOf(id);
  if (round <= reader.roundOf(id) || reader.overwrites?.hides(slot, round)) return false;
  reader.overwrites ??= new Overwrites();
  reader.overwrites.add(slot, round);
  return true;
}

export class Overwrites {
  /** By slot: the round whose fields came. */
  readonly #rounds = new Map<number, number>();

  add(slot: number, round: number): void {
    this.#rounds.set(slot, round);
  }

  /** Whether fields of a later round came outside a frame. */
  hides(slot: number, round: number): boolean {
    const by = this.#rounds.get(slot);
    if (by === undefined) return false;
    if (by <= round) this.#rounds.delete(slot);
    return by > round;
  }

  forget(slot: number): void {
    this.#rounds.delete(slot);
  }
}
