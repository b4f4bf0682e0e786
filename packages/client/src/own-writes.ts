/**
 * What this client wrote itself, field by field. The server sends a writer no echo of an accepted write. So a frame that does not include
 * the write yet must not undo it. Each field remembers the number of the reliable message that carried its last write; a frame overwrites
 * the field only if it includes that message. Example: x is written in message 7. A late frame that includes messages up to 6 leaves x
 * alone, whatever it says.
 *
 * The entries are kept, with the values, until the server has taken the writes in, even if the object leaves the replica: it may come back
 * meanwhile.
 * Why so: docs/decisions/0002-acknowledged-baselines.md.
 */

import type { ObjectId } from "@nearfield/schema";
import type { Wire } from "@nearfield/schema/internal";

interface Written {
  /** Mask of fields that were written here and are in no message yet. */
  unsent: number;
  /** By field: the message that carried the last write (0: none), and the value in it. */
  readonly numbers: Float64Array;
  readonly wires: (Wire | undefined)[];
}

export class OwnWrites {
  readonly #written = new Map<ObjectId, Written>();

  /** Whether anything of this object was ever written here. */
  has(id: ObjectId): boolean {
    return this.#written.size > 0 && this.#written.has(id);
  }

  /** The field was written. */
  mark(id: ObjectId, fieldCount: number, fieldIndex: number): void {
    const written = this.#of(id, fieldCount);
    written.unsent = (written.unsent | (1 << fieldIndex)) >>> 0;
  }

  /** Message `number` carries the write. */
  sent(id: ObjectId, fieldCount: number, fieldIndex: number, number: number, wire: Wire): void {
    const written = this.#of(id, fieldCount);
    written.unsent = (written.unsent & ~(1 << fieldIndex)) >>> 0;
    written.numbers[fieldIndex] = number;
    written.wires[fieldIndex] = wire;
  }

  /** Gives up writes that were not sent. Writes that were sent before still count. */
  giveUp(id: ObjectId, mask: number): void {
    const written = this.#written.get(id);
    if (written !== undefined) written.unsent = (written.unsent & ~mask) >>> 0;
  }

  unsentMask(id: ObjectId): number {
    return this.#written.get(id)?.unsent ?? 0;
  }

  /** Forgets everything: objects have other ids from now on. */
  clear(): void {
    this.#written.clear();
  }

  /** Objects with anything unsent. */
  *unsent(): IterableIterator<ObjectId> {
    for (const [id, { unsent }] of this.#written) if (unsent !== 0) yield id;
  }

  /**
   * What a frame that includes messages up to `heard` may do to a field. "nothing": a later message of ours is under way. "wire": only note
   * the server's value, because the field was written here since. "all": set the value, too.
   */
  allows(id: ObjectId, fieldIndex: number, heard: number): "all" | "wire" | "nothing" {
    const written = this.#written.get(id);
    if (written === undefined) return "all";
    if (written.numbers[fieldIndex]! > heard) return "nothing";
    return ((written.unsent >>> fieldIndex) & 1) === 1 ? "wire" : "all";
  }

  /** What was sent of a field in a message after `heard`; undefined if nothing was. */
  pendingWire(id: ObjectId, fieldIndex: number, heard: number): Wire | undefined {
    const written = this.#written.get(id);
    return written !== undefined && written.numbers[fieldIndex]! > heard ? written.wires[fieldIndex] : undefined;
  }

  /** Forgets objects that are not held and whose writes the server has taken in. */
  settle(heard: number, isHeld: (id: ObjectId) => boolean): void {
    for (const [id, { numbers }] of this.#written) {
      if (!isHeld(id) && numbers.every((number) => number <= heard)) this.#written.delete(id);
    }
  }

  #of(id: ObjectId, fieldCount: number): Written {
    let written = this.#written.get(id);
    if (written === undefined) {
      written = { unsent: 0, numbers: new Float64Array(fieldCount), wires: [] };
      this.#written.set(id, written);
    }
    return written;
  }
}
