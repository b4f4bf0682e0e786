/**
 * `entity.shown`: for each type a class with the type's fields. Position and orientation read the picture; the other fields read the
 * replica. One such object is made per replica, at the first read; after that a frame allocates nothing.
 */

import type { Entity } from "@nearfield/core";
import type { Table } from "@nearfield/core/internal";
import { PLACE_SIZE } from "@nearfield/presentation/internal";
import { slotOf } from "@nearfield/schema";
import type { Presented, Shown } from "./presented.ts";

/** A symbol, so that it cannot clash with a field's name. */
const ENTITY: unique symbol = Symbol("entity");

interface ShownBase {
  readonly [ENTITY]: Entity;
}

type ShownClass = new (entity: Entity) => ShownBase;

export class ShownObjects {
  readonly #presented: Presented;
  /** By type; made with the first object of it. */
  readonly #classes: ShownClass[] = [];
  /** By slot. */
  readonly #shown: (ShownBase | undefined)[] = [];

  constructor(presented: Presented) {
    this.#presented = presented;
  }

  /** Defines `shown` on the class of the table's entities. `entity` may be any of them. */
  define(entity: Entity, table: Table): void {
    if (this.#classes[table.index] !== undefined) return;
    this.#classes[table.index] = shownClass(table, this.#presented);
    const of = (owner: Entity): Shown => this.#of(owner, table.index);
    Object.defineProperty(Object.getPrototypeOf(entity), "shown", {
      get(this: Entity): Shown {
        return of(this);
      },
    });
  }

  #of(entity: Entity, typeIndex: number): Shown {
    const slot = slotOf(entity.id);
    const known = this.#shown[slot];
    if (known?.[ENTITY] === entity) return known as unknown as Shown;
    const made = new this.#classes[typeIndex]!(entity);
    // An object that is gone may be read too. It must not replace the object that has its slot now.
    if (entity.alive) this.#shown[slot] = made;
    return made as unknown as Shown;
  }

  /** The object is gone. */
  forget(slot: number): void {
    this.#shown[slot] = undefined;
  }
}

function shownClass(table: Table, presented: Presented): ShownClass {
  const { type } = table;
  class ShownObject implements ShownBase {
    readonly [ENTITY]: Entity;

    constructor(entity: Entity) {
      this[ENTITY] = entity;
    }
  }
  for (const { name, index } of type.fields) {
    const [axis, angle] = [type.position.indexOf(index), type.orientation.indexOf(index)];
    const part = axis >= 0 ? axis : angle >= 0 ? PLACE_SIZE + angle : -1;
    Object.defineProperty(ShownObject.prototype, name, {
      enumerable: true,
      get: part < 0 ? plain(name) : pictured(name, part, table, presented),
    });
  }
  return ShownObject;
}

type FieldsByName = Readonly<Record<string, unknown>>;

function plain(name: string): (this: ShownBase) => unknown {
  return function (this: ShownBase) {
    return (this[ENTITY] as unknown as FieldsByName)[name];
  };
}

function pictured(name: string, part: number, table: Table, presented: Presented): (this: ShownBase) => unknown {
  return function (this: ShownBase) {
    const entity = this[ENTITY];
    const number = entity.alive ? presented.numberOf(entity, table, part) : Number.NaN;
    // Reading the replica throws if the object is gone.
    return Number.isNaN(number) ? (entity as unknown as FieldsByName)[name] : number;
  };
}
