/**
 * The client's copies of objects, changed by frames and by this client's own writes. Beside each value stands its wire form, as the server
 * last said it or as this client last sent it. So a write that is given up can be taken back. Games read the copies through `ReplicaWorld`.
 */

import { type Entity, WorldError } from "@nearfield/core";
import { ObjectStore, type Table } from "@nearfield/core/internal";
import type { RecordFields, Replica } from "@nearfield/protocol/internal";
import type { NumericField } from "@nearfield/schema";
import { type Fields, type ObjectId, type ObjectType, type Off, type Protocol, slotOf } from "@nearfield/schema";
import {
  Columns,
  generationOf,
  IS_DEVELOPMENT,
  TrackedFields,
  type Wire,
  type WriteMode,
} from "@nearfield/schema/internal";
import { Journal, type Listener } from "./journal.ts";
import type { Mirrors } from "./mirrors.ts";
import { Presented, type Sight } from "./presented.ts";
import type { Recency } from "./recency.ts";
import { ShownObjects } from "./shown.ts";
import type { Writing } from "./writing.ts";

const WRITE_RULES: Readonly<Record<WriteMode, string>> = {
  server: "only the server writes it; send a command",
  owner: "only its owner writes it",
  locked: "lock it first",
};

const NOT_ENABLED = "call enableWriting(client) of @nearfield/client/writing first";

/** The columns of one type's tracked fields side by side. Valid until the columns grow. */
interface TrackedColumns {
  readonly wireRows: number;
  readonly valueRows: number;
  readonly fields: readonly NumericField<unknown>[];
  readonly wires: readonly Float64Array[];
  readonly values: readonly Float64Array[];
}

export class ReplicaStore implements Replica {
  readonly protocol: Protocol;
  readonly journal: Journal = new Journal();
  /** Session number of this client; 0 until it has joined. */
  session = 0;
  /** Newest round of which state was applied. */
  round = 0;
  /** Nominal length of the server's rounds, ms; 0 until it is known. */
  roundMs = 0;
  /** Objects whose lock this client holds, with their type. An object may leave the replica while it is locked. */
  readonly locked: Map<ObjectId, ObjectType> = new Map();
  /** What this client writes itself. Undefined unless the game writes objects (`enableWriting`). */
  writing: Writing | undefined;
  /** Own objects, in the order in which this client got them. */
  readonly mine: Set<ObjectId> = new Set();
  readonly objects: ObjectStore;
  readonly #wires: readonly Columns<"wire">[];
  /** By type: says which fields are tracked, that is, come as numbers. */
  readonly #fields: readonly TrackedFields[];
  readonly #tracked: (TrackedColumns | undefined)[] = [];
  /** When objects changed. Undefined until the game asks for it (`updatedSince`). */
  recency: Recency | undefined;
  /** What is drawn of the objects. */
  readonly presented: Presented;
  readonly #shown: ShownObjects;
  /** Objects that show a predicted state. Undefined unless the game predicts objects (`predict`). */
  mirrors: Mirrors | undefined;
  /** By slot: the round whose state the object has; and the round in which the server last sent its state. */
  readonly #rounds: number[] = [];
  readonly #toldRounds: number[] = [];
  /** By slot: whether the server said that the object rests where it is. */
  readonly #settled: boolean[] = [];
  /** Round of the frame that is being applied; and the last message of this client that the frame includes. */
  #frameRound = 0;
  heard = 0;

  constructor(protocol: Protocol) {
    this.protocol = protocol;
    this.objects = new ObjectStore(protocol, (slot, fieldIndex) => this.#written(slot, fieldIndex));
    this.#wires = this.objects.tables.map(({ type }) => new Columns(type.fields, "wire"));
    this.#fields = protocol.objects.map((type) => new TrackedFields(type));
    this.presented = new Presented({
      objects: this.objects,
      timeOf: (slot) => this.#rounds[slot]! * this.roundMs,
      isSettled: (slot) => this.#settled[slot]!,
      writes: (entity) => this.#writes(entity),
    });
    this.#shown = new ShownObjects(this.presented);
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

  /** The round in which the server last sent this object's state. */
  toldRoundOf(id: ObjectId): number {
    return this.#toldRounds[this.#slotOrThrow(id)]!;
  }

  sightOf(id: ObjectId): Sight {
    const slot = this.#slotOrThrow(id);
    return this.presented.sightOf(this.objects.entityAt(slot), this.objects.tableAt(slot), this.#rounds[slot]!);
  }

  /** Whether the server said that this object rests where it is. Then it does not move, whatever its last steps suggest. */
  isSettled(id: ObjectId): boolean {
    return this.#settled[this.#slotOrThrow(id)]!;
  }

  /** One field in wire form, as last received or sent. */
  wireOf(id: ObjectId, fieldIndex: number): Wire {
    const slot = this.#slotOrThrow(id);
    return this.#wires[this.objects.typeIndex[slot]!]!.get(fieldIndex, this.objects.row[slot]!) as Wire;
  }

  /** Throws `SchemaError` for a type that is not in the protocol, since no object of it would ever come. */
  listen<F extends Fields>(
    type: ObjectType<F>,
    what: keyof Listener,
    listener: (which: never, mask: number) => void,
  ): Off {
    const known = type as unknown as ObjectType;
    this.protocol.typeIndex(known);
    return this.journal.on(known, what, listener as Listener[typeof what]);
  }

  // ── what frames do ─────────────────────────────────────────────────────────────────────────────────────────────

  begin(round: number, heard: number): void {
    if (round > this.round) this.round = round;
    this.presented.heard(round * this.roundMs);
    this.#frameRound = round;
    this.heard = heard;
  }

  create(id: ObjectId, typeIndex: number, owner: number, fields: RecordFields): void {
    const slot = slotOf(id);
    const table = this.objects.tables[typeIndex]!;
    const entity = this.objects.occupy(slot, generationOf(id), table, owner);
    const row = this.objects.row[slot]!;
    const { tracked, plain, least } = this.#fields[typeIndex]!;
    for (let i = 0; i < tracked.length; i++) {
      const index = tracked[i]!;
      const wire = fields.numbers[fields.numbersAt + i]! + least[i]!;
      this.put(table, row, index, this.writing?.pendingWire(id, index) ?? wire);
    }
    for (let i = 0; i < plain.length; i++) {
      const wire = fields.wires[fields.wiresAt + i]!;
      this.put(table, row, plain[i]!, this.writing?.pendingWire(id, plain[i]!) ?? wire);
    }
    this.#rounds[slot] = this.#frameRound;
    this.#toldRounds[slot] = this.#frameRound;
    this.#settled[slot] = fields.settled;
    this.recency?.touch(slot);
    this.#shown.define(entity, table);
    this.presented.restarted(slot);
    if (this.isMine(entity)) this.mine.add(id);
    this.journal.created(entity);
  }

  update(id: ObjectId, fields: RecordFields): void {
    const slot = slotOf(id);
    const table = this.objects.tableAt(slot);
    this.mirrors?.takeAway(id);
    this.#toldRounds[slot] = this.#frameRound;
    const known = this.#fields[table.index]!;
    const { plain } = known;
    const own = this.writing?.has(id) ? this.writing : undefined;
    let changed = own?.takeNumbers(id, table, known, fields) ?? this.#takeNumbers(table, slot, fields);
    for (let i = 0, next = fields.wiresAt; i < plain.length; i++) {
      const index = plain[i]!;
      if (((fields.mask >>> index) & 1) === 0) continue;
      const wire = fields.wires[next++]!;
      if (own?.take(id, table, index, wire) ?? this.#take(table, slot, index, wire)) changed |= 1 << index;
    }
    this.updated(slot, changed, fields.settled);
  }

  /** Also called when the object is sent whole again; then its picture goes on. */
  setOwner(id: ObjectId, owner: number): void {
    if (this.objects.owner[slotOf(id)] === owner) return;
    this.objects.owner[slotOf(id)] = owner;
    if (owner !== 0 && owner === this.session) this.mine.add(id);
    else this.mine.delete(id);
    this.presented.restarted(slotOf(id));
  }

  remove(id: ObjectId, destroyed: boolean): void {
    const slot = slotOf(id);
    this.journal.removed(this.objects.entityAt(slot), destroyed);
    this.writing?.giveUp(id);
    this.mirrors?.forget(id);
    this.mine.delete(id);
    this.recency?.forget(slot);
    this.#shown.forget(slot);
    this.presented.forget(id);
    this.objects.vacate(slot);
  }

  // ── what this client writes ────────────────────────────────────────────────────────────────────────────────────

  #written(slot: number, fieldIndex: number): void {
    const entity = this.objects.entityAt(slot);
    const { type, id } = entity;
    if (!this.#writes(entity)) {
      this.put(this.objects.tableAt(slot), this.objects.row[slot]!, fieldIndex, this.wireOf(id, fieldIndex));
      throw new WorldError(
        "not-writable",
        IS_DEVELOPMENT &&
          `${type.name}.${type.fields[fieldIndex]!.name}: ${this.writing === undefined && type.write !== "server" ? NOT_ENABLED : WRITE_RULES[type.write]}`,
      );
    }
    this.writing?.mark(id, type.fields.length, fieldIndex);
    this.recency?.touch(slot);
  }

  /** Whether this client may write the object. */
  #writes({ type, id, owner }: Entity): boolean {
    if (type.write === "server" || this.writing === undefined) return false;
    return type.write === "owner" ? this.session !== 0 && owner === this.session : this.locked.has(id);
  }

  /** Takes in the tracked fields of a record, for an object that this client does not write. Returns the mask of changed fields. */
  #takeNumbers(table: Table, slot: number, { mask, numbers, numbersAt }: RecordFields): number {
    const { tracked, least } = this.#fields[table.index]!;
    const { fields, wires, values } = this.#columnsOf(table);
    const row = this.objects.row[slot]!;
    let changed = 0;
    for (let i = 0; i < tracked.length; i++) {
      const bit = 1 << tracked[i]!;
      if ((mask & bit) === 0) continue;
      const wire = numbers[numbersAt + i]! + least[i]!;
      const column = wires[i]!;
      if (column[row] === wire) continue;
      column[row] = wire;
      values[i]![row] = fields[i]!.dequantizeNumber(wire);
      changed |= bit;
    }
    return changed;
  }

  /** Takes in one field that is no number, for an object that this client does not write. Returns whether it changed. */
  #take(table: Table, slot: number, fieldIndex: number, wire: Wire): boolean {
    const row = this.objects.row[slot]!;
    const { field } = table.type.fields[fieldIndex]!;
    if (field.sameWire(this.#wires[table.index]!.get(fieldIndex, row), wire)) return false;
    this.put(table, row, fieldIndex, wire);
    return true;
  }

  /** Fields of the object have changed. */
  updated(slot: number, changed: number, settled: boolean): void {
    this.#rounds[slot] = Math.max(this.#rounds[slot]!, this.#frameRound);
    this.#settled[slot] = settled;
    this.recency?.touch(slot);
    this.presented.applied(slot);
    if (changed !== 0 && !this.journal.isIdle) this.journal.changed(this.objects.entityAt(slot), changed >>> 0);
  }

  // ── columns ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The columns of a type's tracked fields; fetched again after they grew. */
  #columnsOf(table: Table): TrackedColumns {
    const known = this.#tracked[table.index];
    const wires = this.#wires[table.index]!;
    if (known?.wireRows === wires.capacity && known.valueRows === table.values.capacity) return known;
    const indices = Array.from(this.#fields[table.index]!.tracked);
    const columns: TrackedColumns = {
      wireRows: wires.capacity,
      valueRows: table.values.capacity,
      fields: indices.map((index) => table.type.fields[index]!.field as NumericField<unknown>),
      wires: indices.map((index) => wires.numbers(index)),
      values: indices.map((index) => table.values.numbers(index)),
    };
    this.#tracked[table.index] = columns;
    return columns;
  }

  put(table: Table, row: number, fieldIndex: number, wire: Wire): void {
    const { field } = table.type.fields[fieldIndex]!;
    if (field.numeric) table.values.numbers(fieldIndex)[row] = field.dequantizeNumber(wire as number);
    else table.values.set(fieldIndex, row, field.fromWire(wire));
    this.putWire(table, row, fieldIndex, wire);
  }

  /** Notes what the server has, or was sent. */
  putWire(table: Table, row: number, fieldIndex: number, wire: Wire): void {
    this.#wires[table.index]!.set(fieldIndex, row, wire);
  }

  #slotOrThrow(id: ObjectId): number {
    const slot = this.objects.liveSlot(id);
    if (slot < 0) throw new WorldError("unknown-object", IS_DEVELOPMENT && `object ${id}: not in this replica`);
    return slot;
  }
}
