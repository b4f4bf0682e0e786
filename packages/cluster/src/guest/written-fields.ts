/** What players wrote to objects of other servers, compared with the copies of these objects: which fields are as they were written, and which are not. */

import type { Entity } from "@nearfield/core";
import type { Wire } from "@nearfield/schema/internal";
import type { RoutedWrite } from "@nearfield/server/internal";
import type { Entry } from "./objects-codec.ts";

/** A write on its way. */
export interface OwnWrite {
  /** Of the client's reliable message. */
  readonly number: number;
  readonly write: RoutedWrite;
  /** The secret of the client that wrote it. Another one (the page was loaded anew) does not know what this one wrote. */
  readonly token: Uint8Array;
}

/** Fields of an object that are as a player wrote them, and the player's session number. */
export interface OwnFields {
  readonly session: number;
  readonly mask: number;
}

/** The fields of an entry that are as one of these writes of the player made them. */
export function ownFields(session: number, { type, wires }: Entry, writes: readonly OwnWrite[]): OwnFields | undefined {
  let mask = 0;
  for (const { write } of writes)
    for (const [index, wire] of fieldsOf(write))
      if (type.fields[index]!.field.sameWire(wire, wires[index]!)) mask |= 1 << index;
  return mask === 0 ? undefined : { session, mask: mask >>> 0 };
}

/** The fields of an object that are not as these writes, oldest first, made them. */
export function otherFields(entity: Entity, writes: readonly OwnWrite[]): number {
  const last = new Map<number, Wire>(writes.flatMap(({ write }) => [...fieldsOf(write)]));
  const values = entity as unknown as { readonly [field: string]: unknown };
  let mask = 0;
  for (const { name, index, field } of entity.type.fields) {
    const wire = last.get(index);
    if (wire !== undefined && !field.sameWire(wire, field.toWire(values[name]))) mask |= 1 << index;
  }
  return mask >>> 0;
}

/** The fields of a write by their indices, in wire form. */
function* fieldsOf(write: RoutedWrite): Iterable<[number, Wire]> {
  if (write === undefined) return;
  let next = 0;
  for (const { index } of write.type.fields)
    if (((write.mask >>> index) & 1) === 1) yield [index, write.wires[next++]!];
}
