/**
 * Objects in typed columns: a slot table (what every object has) and, per type, a table of rows (its fields). The server's `World`
 * keeps primaries in it and the client keeps its replicas in it. Invariant: a slot is live exactly if its `typeIndex` is not negative,
 * and then `handles[slot]` is the one accessor for it.
 */

import { type Fields, type ObjectId, type ObjectType, type Protocol, slotOf } from "@nearfield/schema";
import {
  Columns,
  doubling,
  type Growth,
  generationOf,
  IS_DEVELOPMENT,
  MAX_SLOTS,
  objectId,
} from "@nearfield/schema/internal";
import { accessorClass, type Entity, type Handle, type HandleClass, NO_TAGS } from "./entity.ts";
import { WorldError } from "./errors.ts";

/** The rows of one type. Freed rows are reused; `slots[row]` is −1 where a row is free. */
export class Table {
  readonly type: ObjectType;
  readonly index: number;
  readonly values: Columns<"value">;
  slots: Int32Array = new Int32Array(16).fill(-1);
  /** Rows ever used; live rows lie below. */
  high = 0;
  count = 0;
  readonly #growth: Growth;
  readonly #free: number[] = [];

  constructor(type: ObjectType, index: number, growth: Growth) {
    this.type = type;
    this.index = index;
    this.#growth = growth;
    this.values = new Columns(type.fields, "value", growth);
  }

  takeRow(slot: number): number {
    const row = this.#free.pop() ?? this.high++;
    const { length } = this.slots;
    if (row >= length)
      this.slots = this.#growth.grown(this.slots, this.#growth.roomFor(row + 1, length)).fill(-1, length);
    this.values.reserve(row + 1);
    this.slots[row] = slot;
    this.count++;
    return row;
  }

  freeRow(row: number): void {
    this.values.clear(row);
    this.slots[row] = -1;
    this.count--;
    this.#free.push(row);
  }
}

export class ObjectStore {
  readonly protocol: Protocol;
  readonly tables: readonly Table[];
  /** Columns by slot. */
  generation: Uint16Array = new Uint16Array(64);
  typeIndex: Int16Array = new Int16Array(64).fill(-1);
  row: Int32Array = new Int32Array(64);
  owner: Int32Array = new Int32Array(64);
  /** Slots ever used; live slots lie below. */
  slotHigh = 0;
  count = 0;
  /** Counts objects that came and went. While it stands still, every id has the slot and the row that it had. */
  changes = 0;
  readonly #growth: Growth;
  readonly #handles: (Handle | undefined)[] = [];
  readonly #tags: (Set<string> | undefined)[] = [];
  readonly #classes: HandleClass[];

  /** @param written told of every field that is set through an accessor. */
  constructor(protocol: Protocol, written: (slot: number, fieldIndex: number) => void, growth: Growth = doubling) {
    this.protocol = protocol;
    this.#growth = growth;
    this.tables = protocol.objects.map((type, index) => new Table(type, index, growth));
    this.#classes = this.tables.map((table) => accessorClass(table, written));
  }

  get capacity(): number {
    return this.typeIndex.length;
  }

  tableOf<F extends Fields>(type: ObjectType<F>): Table {
    const table = this.tables.find((candidate) => (candidate.type as unknown) === type);
    if (table === undefined) {
      throw new WorldError("unknown-type", IS_DEVELOPMENT && `${type.name}: not among the protocol's objects`);
    }
    return table;
  }

  tableAt(slot: number): Table {
    return this.tables[this.typeIndex[slot]!]!;
  }

  isLive(slot: number): boolean {
    return slot < this.slotHigh && this.typeIndex[slot]! >= 0;
  }

  /** The slot of a live object, or −1 where the id is unknown or of another generation. */
  liveSlot(id: ObjectId): number {
    const slot = slotOf(id);
    return this.isLive(slot) && this.generation[slot] === generationOf(id) ? slot : -1;
  }

  idAt(slot: number): ObjectId {
    return objectId(slot, this.generation[slot]!);
  }

  get(id: ObjectId): Entity | undefined {
    const slot = this.liveSlot(id);
    return slot < 0 ? undefined : this.entityAt(slot);
  }

  entityAt(slot: number): Entity {
    return this.#handles[slot] as unknown as Entity;
  }

  tagsAt(slot: number): ReadonlySet<string> {
    return this.#tags[slot] ?? NO_TAGS;
  }

  setTags(slot: number, tags: Set<string> | undefined): void {
    this.#tags[slot] = tags;
  }

  /** Puts an object with initial field values into `slot`. */
  occupy(slot: number, generation: number, table: Table, owner: number): Entity {
    if (slot >= MAX_SLOTS) throw new WorldError("full", IS_DEVELOPMENT && `world: more than ${MAX_SLOTS} objects`);
    if (slot >= this.capacity) this.#grow(slot + 1);
    if (slot >= this.slotHigh) this.slotHigh = slot + 1;
    const row = table.takeRow(slot);
    this.generation[slot] = generation;
    this.typeIndex[slot] = table.index;
    this.row[slot] = row;
    this.owner[slot] = owner;
    this.count++;
    this.changes++;
    const Accessor = this.#classes[table.index]!;
    const handle = new Accessor(this, table, objectId(slot, generation), slot, row);
    this.#handles[slot] = handle;
    return handle as unknown as Entity;
  }

  vacate(slot: number): void {
    const handle = this.#handles[slot]!;
    this.tableAt(slot).freeRow(handle.row);
    handle.row = -1;
    this.#handles[slot] = undefined;
    this.#tags[slot] = undefined;
    this.typeIndex[slot] = -1;
    this.owner[slot] = 0;
    this.count--;
    this.changes++;
  }

  /** Objects of one type. Those spawned during the walk may or may not be visited; those destroyed are not. */
  *all<F extends Fields>(type: ObjectType<F>): IterableIterator<Entity<F>> {
    const table = this.tableOf(type);
    for (let row = 0; row < table.high; row++) {
      const slot = table.slots[row]!;
      if (slot >= 0) yield this.entityAt(slot) as unknown as Entity<F>;
    }
  }

  #grow(slots: number): void {
    const before = this.capacity;
    const capacity = this.#growth.roomFor(slots, before);
    this.generation = this.#growth.grown(this.generation, capacity);
    this.typeIndex = this.#growth.grown(this.typeIndex, capacity).fill(-1, before);
    this.row = this.#growth.grown(this.row, capacity);
    this.owner = this.#growth.grown(this.owner, capacity);
  }
}
