/**
 * Objects as records. A record holds the object's type, its fields by name and its tags. A field that a newer release added begins with its
 * initial value; one that is gone is left out. The owner is a session and ends with the server, so it is not kept.
 */
import type { ObjectType } from "@nearfield/schema";
import { type Store, type Table, table } from "@nearfield/store/internal";

export interface KeptObject {
  readonly type: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
}

/** What a kept object shows of itself. */
interface Kept {
  readonly type: ObjectType;
  readonly tags: ReadonlySet<string>;
}

const objects: Table<KeptObject> = table<KeptObject>("room-objects");
/** Records that are read or written in one transaction. */
const PAGE = 10_000;

export function objectOf(entity: Kept): KeptObject {
  const values: Record<string, unknown> = {};
  for (const { name } of entity.type.fields) {
    const value = (entity as unknown as Readonly<Record<string, unknown>>)[name];
    values[name] = value instanceof Uint8Array ? [...value] : value;
  }
  return { type: entity.type.name, values, tags: [...entity.tags] };
}

export function valuesOf(type: ObjectType, { values }: KeptObject): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const { name, field } of type.fields) {
    const value = values[name];
    if (value === undefined) continue;
    known[name] = field.initial instanceof Uint8Array ? Uint8Array.from(value as number[]) : value;
  }
  return known;
}

/** A programmer's mistake: a field whose values JSON cannot hold. */
export function checkKept(type: ObjectType): void {
  for (const { name, field } of type.fields) {
    if (!/^list\(.*bytes\(/.test(field.signature())) continue;
    throw new TypeError(
      `objects of type ${type.name} cannot be kept: field ${name} is a list of bytes; use a list of numbers or texts`,
    );
  }
}

/** A room's records by their serial numbers. */
export async function readKept(store: Store, room: string): Promise<ReadonlyMap<number, KeptObject>> {
  const found = new Map<number, KeptObject>();
  if (room.includes("/")) throw new TypeError(`the name of a room's records must have no / in it: ${room}`);
  const prefix = `${room}/`;
  for (let from = prefix; ; ) {
    const page = await store.transact((transaction) =>
      // "0" comes after "/".
      transaction.range(objects, { from, before: `${room}0`, limit: PAGE }),
    );
    for (const { key, value } of page) found.set(Number(key.slice(prefix.length)), value);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    from = `${last.key}0`;
  }
}

/** Puts records, and removes those that are undefined. A round that changes more than `PAGE` objects is written in several transactions. */
export async function writeKept(store: Store, changes: ReadonlyMap<string, KeptObject | undefined>): Promise<void> {
  const all = [...changes];
  for (let i = 0; i < all.length; i += PAGE) {
    await store.transact(async (transaction) => {
      for (const [key, record] of all.slice(i, i + PAGE)) {
        if (record === undefined) transaction.remove(objects, key);
        else transaction.put(objects, key, record);
      }
    });
  }
}
