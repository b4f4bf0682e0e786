/**
 * Counts what a broadcast would send to each person: every change of every object, once per round, with the fields that changed. So people can compare
 * it with what they are sent. Only fields count, and `HEAD_BYTES` for each object; packets and their headers do not.
 */

import type { Entity, World } from "@nearfield/core";
import type { ObjectId } from "@nearfield/schema";

/** Which object, and which of its fields. */
export const HEAD_BYTES = 4;

/** Values of an object's fields in wire form, by index. */
type Wires = ReturnType<Entity["type"]["fields"][number]["field"]["toWire"]>[];

export class BroadcastMeter {
  updates = 0;
  bytes = 0;
  readonly #world: World;
  /** Objects that were written in this round. */
  readonly #written = new Set<ObjectId>();
  /** What a broadcast sent last of each object. */
  readonly #sent = new Map<ObjectId, Wires>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The object is new, or was written. */
  note({ id }: { readonly id: ObjectId }): void {
    this.#written.add(id);
  }

  /** The object is gone: that is one update, of no fields. */
  gone({ id }: { readonly id: ObjectId }): void {
    this.#written.delete(id);
    this.#sent.delete(id);
    this.updates += 1;
    this.bytes += HEAD_BYTES;
  }

  endRound(): void {
    for (const id of this.#written) {
      const entity = this.#world.get(id);
      if (entity === undefined) this.#sent.delete(id);
      else this.#send(entity);
    }
    this.#written.clear();
  }

  /** Only fields that changed are sent. */
  #send(entity: Entity): void {
    const before = this.#sent.get(entity.id);
    const wires = wiresOf(entity);
    const isNew = (index: number): boolean =>
      before === undefined || !entity.type.fields[index]!.field.sameWire(wires[index]!, before[index]!);
    if (!wires.some((_, index) => isNew(index))) return;
    this.#sent.set(entity.id, wires);
    this.updates += 1;
    this.bytes += updateBytes(entity, isNew);
  }
}

function wiresOf(entity: Entity): Wires {
  const values = entity as unknown as Readonly<Record<string, unknown>>;
  return entity.type.fields.map(({ name, field }) => field.toWire(values[name]));
}

/** Bytes of one update of an object, with these of its fields, by index. The page measures what it was sent in the same way. */
export function updateBytes(entity: Entity, isIn: (index: number) => boolean): number {
  let bits = 0;
  for (const [index, wire] of wiresOf(entity).entries())
    if (isIn(index)) bits += entity.type.fields[index]!.field.measureWire(wire);
  return HEAD_BYTES + Math.ceil(bits / 8);
}
