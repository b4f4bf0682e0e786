/**
 * What a client does to replicas itself: it writes own objects, and objects that it has locked. Written fields are sent as far as their wire form differs from what
 * the server has, and frames that do not include a write yet leave it alone (`own-writes.ts`). Part of pages that write, and of no other.
 */

import type { Table } from "@nearfield/core/internal";
import type { FieldsOfObject, RecordFields } from "@nearfield/protocol/internal";
import { type ObjectId, type ObjectType, slotOf } from "@nearfield/schema";
import type { TrackedFields, Wire } from "@nearfield/schema/internal";
import { OwnWrites } from "./own-writes.ts";
import type { ReplicaStore } from "./replica-store.ts";

const ALL_FIELDS = 0xffff_ffff;

export class Writing {
  readonly #store: ReplicaStore;
  readonly #own: OwnWrites = new OwnWrites();

  constructor(store: ReplicaStore) {
    this.#store = store;
  }

  // ── what the game writes ───────────────────────────────────────────────────────────────────────────────────────

  /** The field was written. */
  mark(id: ObjectId, fieldCount: number, fieldIndex: number): void {
    this.#own.mark(id, fieldCount, fieldIndex);
  }

  /**
   * Takes the fields of own objects that were written since the last call and differ in wire form. `send` returns the number of the message
   * that carries them. Then forgets writes that the server has taken in, of objects that are gone.
   *
   * @param heard number of the last message that the server has taken in.
   */
  takeWrites(heard: number, send: (id: ObjectId, fields: FieldsOfObject) => number): void {
    for (const id of this.#own.unsent()) {
      const entity = this.#store.get(id);
      if (entity === undefined || entity.type.write !== "owner") continue;
      const fields = this.#collect(id);
      if (fields.mask !== 0) this.#sent(id, fields, send(id, fields));
    }
    this.#own.settle(heard, (id) => this.#store.get(id) !== undefined);
  }

  /** Takes what was written under a lock, when the lock is released. */
  takeLocked(id: ObjectId, type: ObjectType, send: (fields: FieldsOfObject) => number): void {
    if (this.#store.get(id) === undefined) {
      send({ type, mask: 0, wires: [] });
      return;
    }
    const fields = this.#collect(id);
    this.#sent(id, fields, send(fields));
  }

  /** Takes unsent writes back, because the lock that they were made under is lost. */
  revert(id: ObjectId): void {
    const { objects, recency, journal } = this.#store;
    const mask = this.#own.unsentMask(id);
    this.#own.giveUp(id, mask);
    if (mask === 0 || this.#store.get(id) === undefined) return;
    const slot = slotOf(id);
    const table = objects.tableAt(slot);
    for (const { index } of table.type.fields) {
      if (((mask >>> index) & 1) === 1)
        this.#store.put(table, objects.row[slot]!, index, this.#store.wireOf(id, index));
    }
    recency?.touch(slot);
    journal.changed(objects.entityAt(slot), mask);
  }

  /** The unsent fields whose wire form differs from what the server has. The others need no sending. */
  #collect(id: ObjectId): FieldsOfObject {
    const { objects } = this.#store;
    const slot = slotOf(id);
    const { type, values } = objects.tableAt(slot);
    const row = objects.row[slot]!;
    const unsent = this.#own.unsentMask(id);
    const wires: Wire[] = [];
    let mask = 0;
    for (const { index, field } of type.fields) {
      if (((unsent >>> index) & 1) === 0) continue;
      const wire = field.numeric
        ? field.quantizeNumber(values.numbers(index)[row]!)
        : field.toWire(values.get(index, row));
      if (field.sameWire(wire, this.#store.wireOf(id, index))) continue;
      mask |= 1 << index;
      wires.push(wire);
    }
    this.#own.giveUp(id, unsent);
    return { type, mask: mask >>> 0, wires };
  }

  #sent(id: ObjectId, { type, mask, wires }: FieldsOfObject, number: number): void {
    const { objects } = this.#store;
    const slot = slotOf(id);
    let next = 0;
    for (const { index } of type.fields) {
      if (((mask >>> index) & 1) === 0) continue;
      const wire = wires[next++]!;
      this.#own.sent(id, type.fields.length, index, number, wire);
      this.#store.putWire(objects.tableAt(slot), objects.row[slot]!, index, wire);
    }
  }

  // ── what the server says of it ─────────────────────────────────────────────────────────────────────────────────

  /** Whether anything of this object was ever written here. */
  has(id: ObjectId): boolean {
    return this.#own.has(id);
  }

  /** What was sent of a field, if the frame that is being applied does not include it yet. */
  pendingWire(id: ObjectId, fieldIndex: number): Wire | undefined {
    return this.#own.pendingWire(id, fieldIndex, this.#store.heard);
  }

  /** The object is gone, and with it what was not sent. */
  giveUp(id: ObjectId): void {
    this.#own.giveUp(id, ALL_FIELDS);
  }

  /** All objects are gone, and those that come have other ids. */
  giveUpAll(): void {
    this.#own.clear();
  }

  /** Takes in the tracked fields of a record. Returns the mask of changed fields. */
  takeNumbers(id: ObjectId, table: Table, fields: TrackedFields, { mask, numbers, numbersAt }: RecordFields): number {
    const { tracked, least } = fields;
    let changed = 0;
    for (let i = 0; i < tracked.length; i++) {
      const index = tracked[i]!;
      if (((mask >>> index) & 1) === 0) continue;
      if (this.take(id, table, index, numbers[numbersAt + i]! + least[i]!)) changed |= 1 << index;
    }
    return changed;
  }

  /** Takes in one field from the server, as far as this client's own writes allow. Returns whether anything changed. */
  take(id: ObjectId, table: Table, fieldIndex: number, wire: Wire): boolean {
    const row = this.#store.objects.row[slotOf(id)]!;
    const allowed = this.#own.allows(id, fieldIndex, this.#store.heard);
    if (allowed === "nothing") return false;
    const isNew = !table.type.fields[fieldIndex]!.field.sameWire(this.#store.wireOf(id, fieldIndex), wire);
    if (allowed === "all") this.#store.put(table, row, fieldIndex, wire);
    else this.#store.putWire(table, row, fieldIndex, wire);
    return isNew;
  }

  /** The server granted a lock and sent the object's state. It includes every earlier write of this client, so it replaces all fields. */
  overwrite(id: ObjectId, round: number, { mask, wires }: FieldsOfObject): void {
    const { objects } = this.#store;
    this.#store.begin(round, Number.MAX_SAFE_INTEGER);
    const slot = slotOf(id);
    const table = objects.tableAt(slot);
    let next = 0;
    for (const { index } of table.type.fields) {
      if (((mask >>> index) & 1) === 1) this.take(id, table, index, wires[next++]!);
    }
    this.#store.updated(slot, mask, false);
  }
}
