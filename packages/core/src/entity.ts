/**
 * Typed accessors. An entity is a handle on one row of an object store: reading `ship.x` reads the column, writing it marks the
 * object as written. Accessor classes are built once per store and type by defining properties on a prototype: no code generation, no eval.
 * Why so: docs/decisions/0004-no-code-generation-schema.md.
 */

import type { Fields, ObjectId, ObjectType, Values } from "@nearfield/schema";
import { IS_DEVELOPMENT, type NamedField } from "@nearfield/schema/internal";
import { WorldError } from "./errors.ts";
import type { ObjectStore, Table } from "./object-store.ts";

export const NO_TAGS: ReadonlySet<string> = new Set();

/** Node's name for "print this instead of me"; elsewhere nobody asks for it. */
const INSPECT = "nodejs.util.inspect.custom";

/** What every object has besides its own fields. */
export interface EntityBase<F extends Fields = Fields> {
  readonly id: ObjectId;
  readonly type: ObjectType<F>;
  /** False once the object is destroyed or has left the replica; its fields can no longer be read then. */
  readonly alive: boolean;
  readonly tags: ReadonlySet<string>;
  /** Session number of the owning client; 0 = the server. */
  readonly owner: number;
}

/** One object, typed from its description. */
export type Entity<F extends Fields = Fields> = EntityBase<F> & Values<F>;

/** The handle behind `Entity`: the store moves it to row −1 when the object is gone. */
export class Handle {
  readonly id: ObjectId;
  readonly slot: number;
  readonly store: ObjectStore;
  readonly table: Table;
  row: number;

  constructor(store: ObjectStore, table: Table, id: ObjectId, slot: number, row: number) {
    this.store = store;
    this.table = table;
    this.id = id;
    this.slot = slot;
    this.row = row;
  }

  get type(): ObjectType {
    return this.table.type;
  }

  get alive(): boolean {
    return this.row >= 0;
  }

  get tags(): ReadonlySet<string> {
    return this.alive ? this.store.tagsAt(this.slot) : NO_TAGS;
  }

  get owner(): number {
    return this.alive ? this.store.owner[this.slot]! : 0;
  }

  /** The object as a log should show it: its id, type and fields, not the columns behind them. */
  toJSON(): Record<string, unknown> {
    const shown: Record<string, unknown> = { id: this.id, type: this.type.name, alive: this.alive };
    if (!this.alive) return shown;
    for (const { name, index } of this.type.fields) shown[name] = this.table.values.get(index, this.row);
    return shown;
  }
}

export type HandleClass = new (store: ObjectStore, table: Table, id: ObjectId, slot: number, row: number) => Handle;

/** Builds the accessor class of one table. `written` is called after a field was set. */
export function accessorClass(table: Table, written: (slot: number, fieldIndex: number) => void): HandleClass {
  class Accessor extends Handle {}
  if (IS_DEVELOPMENT)
    Object.defineProperty(Accessor.prototype, Symbol.for(INSPECT), { value: Handle.prototype.toJSON });
  for (const named of table.type.fields) {
    Object.defineProperty(Accessor.prototype, named.name, {
      enumerable: true,
      get: getter(table, named),
      set: setter(table, named, written),
    });
  }
  return Accessor;
}

function getter(table: Table, { name, index, field }: NamedField): (this: Handle) => unknown {
  const { values } = table;
  if (!field.numeric) {
    return function (this: Handle) {
      if (this.row < 0) throw gone(this, name);
      return values.get(index, this.row);
    };
  }
  const isNumber = typeof field.initial === "number";
  return function (this: Handle) {
    if (this.row < 0) throw gone(this, name);
    const stored = values.numbers(index)[this.row]!;
    return isNumber ? stored : field.fromNumber(stored);
  };
}

function setter(
  table: Table,
  { name, index, field }: NamedField,
  written: (slot: number, fieldIndex: number) => void,
): (this: Handle, value: unknown) => void {
  const { values } = table;
  const where = `${table.type.name}.${name}`;
  if (!field.numeric) {
    return function (this: Handle, value: unknown) {
      if (this.row < 0) throw gone(this, name);
      field.check(value, where);
      values.set(index, this.row, value);
      written(this.slot, index);
    };
  }
  return function (this: Handle, value: unknown) {
    if (this.row < 0) throw gone(this, name);
    field.check(value, where);
    values.numbers(index)[this.row] = field.toNumber(value);
    written(this.slot, index);
  };
}

function gone(handle: Handle, field: string): WorldError {
  return new WorldError(
    "destroyed",
    IS_DEVELOPMENT && `${handle.table.type.name}.${field}: object ${handle.id} is no longer in this world`,
  );
}
