/**
 * Which object of the whole world each slot holds, and whether another server owns it. An object gets its world id when it is spawned and keeps it. A
 * world that never looks up an object by its world id pays for two columns and for no index.
 */

import type { WorldId } from "@nearfield/schema";
import { grown, roomFor, WorldIds } from "@nearfield/schema/internal";
import { WorldError } from "./errors.ts";

export class Identities {
  readonly #source: WorldIds;
  #ids: Float64Array = new Float64Array(64);
  #foreign: Uint8Array = new Uint8Array(64);
  /** Slots by world id, from the first question on. */
  #slots: Map<WorldId, number> | undefined;
  #slotHigh = 0;

  constructor(source: WorldIds = new WorldIds(0)) {
    this.#source = source;
  }

  /** An object begins in this slot: born here, or brought from another server under the id that it has. */
  begin(slot: number, brought: WorldId | undefined): void {
    if (slot >= this.#ids.length) {
      const room = roomFor(slot + 1, this.#ids.length);
      this.#ids = grown(this.#ids, room);
      this.#foreign = grown(this.#foreign, room);
    }
    const id = brought ?? this.#source.next();
    this.#ids[slot] = id;
    this.#foreign[slot] = brought === undefined ? 0 : 1;
    if (slot >= this.#slotHigh) this.#slotHigh = slot + 1;
    this.#slots?.set(id, slot);
  }

  /** Throws `WorldError` where an object with this world id lives here already. */
  refuseTwice(id: WorldId): void {
    if (this.slotOf(id) >= 0) throw new WorldError("duplicate-name", `world id ${id}: this object is here already`);
  }

  end(slot: number): void {
    this.#slots?.delete(this.idAt(slot));
    this.#ids[slot] = 0;
    this.#foreign[slot] = 0;
  }

  /** 0 where the slot is free. */
  idAt(slot: number): WorldId {
    return this.#ids[slot]! as WorldId;
  }

  /** −1 where no object of that id lives here. */
  slotOf(id: WorldId): number {
    this.#slots ??= this.#index();
    return this.#slots.get(id) ?? -1;
  }

  isForeign(slot: number): boolean {
    return this.#foreign[slot] === 1;
  }

  setForeign(slot: number, isForeign: boolean): void {
    this.#foreign[slot] = isForeign ? 1 : 0;
  }

  #index(): Map<WorldId, number> {
    const slots = new Map<WorldId, number>();
    for (let slot = 0; slot < this.#slotHigh; slot++) if (this.#ids[slot] !== 0) slots.set(this.idAt(slot), slot);
    return slots;
  }
}
