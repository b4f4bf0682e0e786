/**
 * Counts what a broadcast would send to each person: every change of every object, once per round, with the fields that changed. So people can compare
 * it with what they are sent. Only fields count, and `HEAD_BYTES` for each object; packets and their headers do not.
 */

import type { Entity, World } from "@nearfield/core";
import type { ObjectId } from "@nearfield/schema";

/** Which object, and which of its fields. */
export const HEAD_BYTES = 4;

interface Noted {
  readonly id: ObjectId;
  readonly type: { readonly fields: readonly { readonly name: string }[] };
}

export class BroadcastMeter {
  updates = 0;
  bytes = 0;
  readonly #world: World;
  /** What changed in this round: the fields of each object. */
  readonly #changed = new Map<ObjectId, Set<string>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** These fields of the object have new values; by default all of them. */
  note({ id, type }: Noted, fields?: readonly string[]): void {
    let noted = this.#changed.get(id);
    if (noted === undefined) {
      noted = new Set();
      this.#changed.set(id, noted);
    }
    for (const name of fields ?? type.fields.map((field) => field.name)) noted.add(name);
  }

  /** The object is gone: that is one update, of no fields. */
  gone({ id }: { readonly id: ObjectId }): void {
    this.#changed.delete(id);
    this.updates += 1;
    this.bytes += HEAD_BYTES;
  }

  endRound(): void {
    for (const [id, names] of this.#changed) {
      const entity = this.#world.get(id);
      if (entity === undefined) continue;
      this.updates += 1;
      this.bytes += updateBytes(entity, (name) => names.has(name));
    }
    this.#changed.clear();
  }
}

/** Bytes of one update of an object, with these of its fields. The page measures what it was sent in the same way. */
export function updateBytes(entity: Entity, isIn: (name: string, index: number) => boolean): number {
  const values = entity as unknown as Readonly<Record<string, unknown>>;
  let bits = 0;
  for (const { name, index, field } of entity.type.fields)
    if (isIn(name, index)) bits += field.measureWire(field.toWire(values[name]));
  return HEAD_BYTES + Math.ceil(bits / 8);
}
