/**
 * The client's copies, as frames and this client's own writes change them. Beside each value stands its wire form as
 * the server last said it, or as this client last sent it, so that a write which comes to nothing can be taken back.
 * Games read them through `ReplicaWorld`.
 */

import { type Entity, generationOf, type ObjectId, ObjectStore, slotOf, type Table, WorldError } from "@nearfield/core";
import type { FieldsOfObject, Replica } from "@nearfield/protocol";
import { Columns, type ObjectType, type Protocol, type Wire } from "@nearfield/schema";
import { Journal } from "./journal.ts";
import { OwnWrites } from "./own-writes.ts";
import { Recency } from "./recency.ts";

const ALL_FIELDS = 0xffff_ffff;

export class ReplicaStore implements Replica {
  readonly protocol: Protocol;
  readonly journal: Journal = new Journal();
  /** Session number of this client; 0 until it has joined. */
  session = 0;
  /** Newest round of which state was applied. */
  round = 0;
  /** Objects whose lock this client holds, with their type: an object may leave the replica meanwhile. */
  readonly locked: Map<ObjectId, ObjectType> = new Map();
  readonly objects: ObjectStore;
  readonly #wires: readonly Columns<"wire">[];
  readonly recency: Recency = new Recency();
  readonly #own: OwnWrites = new OwnWrites();
  /** By slot: the round whose state the object has. */
  readonly #rounds: number[] = [];
  /** Round of the frame being applied, and this client's last message that it includes. */
  #frameRound = 0;
  #heard = 0;

  constructor(protocol: Protocol) {
    this.protocol = protocol;
    this.objects = new ObjectStore(protocol, (slot, fieldIndex) => this.#written(slot, fieldIndex));
    this.#wires = this.objects.tables.map(({ type }) => new Columns(type.fields, "wire"));
  }

  // ── reading ────────────────────────────────────────────────────────────────────────────────────────────────────

  get(id: ObjectId): Entity | undefined {
    return this.objects.get(id);
  }

  isMine(entity: { readonly owner: number }): boolean {
    return this.session !== 0 && entity.owner === this.session;
  }

  /** The round whose state this object has. */
  roundOf(id: ObjectId): number {
    return this.#rounds[this.#slotOrThrow(id)]!;
  }

  /** One field in wire form, as last received or sent. */
  wireOf(id: ObjectId, fieldIndex: number): Wire {
    const slot = this.#slotOrThrow(id);
    return this.#wires[this.objects.typeIndex[slot]!]!.get(fieldIndex, this.objects.row[slot]!) as Wire;
  }

  // ── what frames do ─────────────────────────────────────────────────────────────────────────────────────────────

  begin(round: number, heard: number): void {
    if (round > this.round) this.round = round;
    this.#frameRound = round;
    this.#heard = heard;
  }

  create(id: ObjectId, typeIndex: number, owner: number, wires: readonly Wire[], start: number): void {
    const slot = slotOf(id);
    const table = this.objects.tables[typeIndex]!;
    const entity = this.objects.occupy(slot, generationOf(id), table, owner);
    const row = this.objects.row[slot]!;
    for (const { index } of table.type.fields) {
      this.#put(table, row, index, this.#own.pendingWire(id, index, this.#heard) ?? wires[start + index]!);
    }
    this.#rounds[slot] = this.#frameRound;
    this.recency.touch(slot);
    this.journal.created(entity);
  }

  update(id: ObjectId, mask: number, wires: readonly Wire[], start: number): void {
    const slot = slotOf(id);
    const table = this.objects.tableAt(slot);
    const row = this.objects.row[slot]!;
    const isOwnWork = this.#own.has(id);
    const { length } = table.type.fields;
    let next = start;
    for (let index = 0; index < length; index++) {
      if (((mask >>> index) & 1) === 0) continue;
      const wire = wires[next++]!;
      const allowed = isOwnWork ? this.#own.allows(id, index, this.#heard) : "all";
      if (allowed === "all") this.#put(table, row, index, wire);
      else if (allowed === "wire") this.#putWire(table, row, index, wire);
    }
    this.#rounds[slot] = this.#frameRound;
    this.recency.touch(slot);
    this.journal.changed(this.objects.entityAt(slot), mask);
  }

  setOwner(id: ObjectId, owner: number): void {
    this.objects.owner[slotOf(id)] = owner;
  }

  remove(id: ObjectId, destroyed: boolean): void {
    const slot = slotOf(id);
    this.journal.removed(this.objects.entityAt(slot), destroyed);
    this.#own.giveUp(id, ALL_FIELDS);
    this.recency.forget(slot);
    this.objects.vacate(slot);
  }

  /** The object as the server has it, at the grant of its lock: whatever was written here before is known there. */
  overwrite(id: ObjectId, round: number, { mask, wires }: FieldsOfObject): void {
    this.begin(round, Number.MAX_SAFE_INTEGER);
    this.update(id, mask, wires, 0);
  }

  // ── what this client writes ────────────────────────────────────────────────────────────────────────────────────

  /**
   * Fields of owned objects that were written since the last call and differ in wire form; `send` says which message
   * carries them.
   */
  takeWrites(send: (id: ObjectId, fields: FieldsOfObject) => number): void {
    for (const id of this.#own.unsent()) {
      const entity = this.get(id);
      if (entity === undefined || entity.type.write !== "owner") continue;
      const fields = this.#collect(id);
      if (fields.mask !== 0) this.#sent(id, fields, send(id, fields));
    }
  }

  /** What was written under a lock, at its release. */
  takeLocked(id: ObjectId, type: ObjectType, send: (fields: FieldsOfObject) => number): void {
    if (this.get(id) === undefined) {
      send({ type, mask: 0, wires: [] });
      return;
    }
    const fields = this.#collect(id);
    this.#sent(id, fields, send(fields));
  }

  /** Takes unsent writes back: the lock they were made under is lost. */
  revert(id: ObjectId): void {
    const mask = this.#own.unsentMask(id);
    this.#own.giveUp(id, mask);
    if (mask === 0 || this.get(id) === undefined) return;
    const slot = slotOf(id);
    const table = this.objects.tableAt(slot);
    const row = this.objects.row[slot]!;
    for (const { index } of table.type.fields) {
      if (((mask >>> index) & 1) === 1) this.#put(table, row, index, this.wireOf(id, index));
    }
    this.recency.touch(slot);
    this.journal.changed(this.objects.entityAt(slot), mask);
  }

  /** Forgets finished writes of objects that are gone. */
  settle(heard: number): void {
    this.#own.settle(heard, (id) => this.get(id) !== undefined);
  }

  /** Unsent fields whose wire form is not what the server has or was sent; the others need no sending. */
  #collect(id: ObjectId): FieldsOfObject {
    const slot = slotOf(id);
    const { type, values } = this.objects.tableAt(slot);
    const row = this.objects.row[slot]!;
    const unsent = this.#own.unsentMask(id);
    const wires: Wire[] = [];
    let mask = 0;
    for (const { index, field } of type.fields) {
      if (((unsent >>> index) & 1) === 0) continue;
      const wire = field.numeric
        ? field.quantizeNumber(values.numbers(index)[row]!)
        : field.toWire(values.get(index, row));
      if (field.sameWire(wire, this.wireOf(id, index))) continue;
      mask |= 1 << index;
      wires.push(wire);
    }
    this.#own.giveUp(id, unsent);
    return { type, mask: mask >>> 0, wires };
  }

  #sent(id: ObjectId, { type, mask, wires }: FieldsOfObject, number: number): void {
    const slot = slotOf(id);
    const table = this.objects.tableAt(slot);
    let next = 0;
    for (const { index } of type.fields) {
      if (((mask >>> index) & 1) === 0) continue;
      const wire = wires[next++]!;
      this.#own.sent(id, type.fields.length, index, number, wire);
      this.#putWire(table, this.objects.row[slot]!, index, wire);
    }
  }

  #written(slot: number, fieldIndex: number): void {
    const entity = this.objects.entityAt(slot);
    const { type, id } = entity;
    const allowed = type.write === "owner" ? this.isMine(entity) : type.write === "locked" && this.locked.has(id);
    if (!allowed) {
      this.#put(this.objects.tableAt(slot), this.objects.row[slot]!, fieldIndex, this.wireOf(id, fieldIndex));
      const rule = {
        server: "only the server writes it; send a command",
        owner: "only its owner writes it",
        locked: "lock it first",
      }[type.write];
      throw new WorldError("not-writable", `${type.name}.${type.fields[fieldIndex]!.name}: ${rule}`);
    }
    this.#own.mark(id, type.fields.length, fieldIndex);
    this.recency.touch(slot);
  }

  // ── columns ────────────────────────────────────────────────────────────────────────────────────────────────────

  #put(table: Table, row: number, fieldIndex: number, wire: Wire): void {
    const { field } = table.type.fields[fieldIndex]!;
    if (field.numeric) table.values.numbers(fieldIndex)[row] = field.dequantizeNumber(wire as number);
    else table.values.set(fieldIndex, row, field.fromWire(wire));
    this.#putWire(table, row, fieldIndex, wire);
  }

  #putWire(table: Table, row: number, fieldIndex: number, wire: Wire): void {
    this.#wires[table.index]!.set(fieldIndex, row, wire);
  }

  #slotOrThrow(id: ObjectId): number {
    const slot = this.objects.liveSlot(id);
    if (slot < 0) throw new WorldError("unknown-object", `object ${id}: not in this replica`);
    return slot;
  }
}
