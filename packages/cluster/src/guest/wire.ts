/** Small pieces of messages between servers: names, world ids, lists with a bound. */

import { text, type WorldId } from "@nearfield/schema";
import { type BitReader, type BitWriter, WireError } from "@nearfield/schema/internal";

export const WORLD_ID_BITS = 53;
/** Names of tags, predicates and slices, and nicknames, bytes. */
const Name = text(128);

export function writeName(writer: BitWriter, name: string): void {
  Name.writeWire(writer, Name.toWire(name));
}

export function readName(reader: BitReader): string {
  return Name.fromWire(Name.readWire(reader));
}

export function readWorldId(reader: BitReader): WorldId {
  return reader.readUint(WORLD_ID_BITS) as WorldId;
}

export function writeWorldId(writer: BitWriter, id: WorldId): void {
  writer.writeUint(id, WORLD_ID_BITS);
}

/** A count of things that take at least `leastBits` each. A count that the message cannot hold is refused before anything is made of it. */
export function readCount(reader: BitReader, leastBits: number): number {
  const count = reader.readVar();
  if (count * leastBits > reader.bitsLeft) throw new WireError("length", `${count} things in ${reader.bitsLeft} bits`);
  return count;
}

export function writeList<T>(writer: BitWriter, list: readonly T[], write: (item: T) => void): void {
  writer.writeVar(list.length);
  for (const item of list) write(item);
}

export function readList<T>(reader: BitReader, leastBits: number, read: () => T): T[] {
  return Array.from({ length: readCount(reader, leastBits) }, read);
}
