/**
 * Writes, reads and measures the fields that a mask names, in declaration order, from wire forms kept elsewhere.
 *
 * Bit i of a mask (an unsigned 32-bit number) stands for field i. The mask goes first: one bit "all fields", or else one bit for each field.
 */

import { IS_DEVELOPMENT } from "#development";
import type { BitReader } from "./bit-reader.ts";
import type { BitWriter } from "./bit-writer.ts";
import type { Columns } from "./columns.ts";
import type { DescribedType } from "./describe.ts";
import { SchemaError, WireError } from "./errors.ts";
import type { Wire } from "./field.ts";

export function writeMask(writer: BitWriter, type: DescribedType, mask: number): void {
  checkMask(type, mask);
  if (mask === type.allMask) {
    writer.writeBits(1, 1);
    return;
  }
  writer.writeBits(0, 1);
  writer.writeBits(mask, type.fields.length);
}

/** A full mask that was written field by field is refused: it has a shorter form. */
export function readMask(reader: BitReader, type: DescribedType): number {
  if (reader.readBits(1) === 1) return type.allMask;
  const mask = reader.readBits(type.fields.length);
  if (mask === type.allMask)
    throw new WireError("range", IS_DEVELOPMENT && `a full field mask of ${type.name} in its long form`);
  return mask;
}

export function measureMask(type: DescribedType, mask: number): number {
  checkMask(type, mask);
  return mask === type.allMask ? 1 : 1 + type.fields.length;
}

/** Writes the wire forms of the fields in `mask`, without the mask. */
export function writeFields(
  writer: BitWriter,
  type: DescribedType,
  mask: number,
  wireAt: (fieldIndex: number) => Wire,
): void {
  checkMask(type, mask);
  const fields = type.fields;
  for (let index = 0; index < fields.length; index++) {
    if (((mask >>> index) & 1) === 0) continue;
    const field = fields[index]!.field;
    if (field.numeric) field.writeNumber(writer, wireAt(index) as number);
    else field.writeWire(writer, wireAt(index));
  }
}

/** Reads the wire forms of the fields in `mask` and hands each to `put`, in declaration order. */
export function readFields(
  reader: BitReader,
  type: DescribedType,
  mask: number,
  put: (fieldIndex: number, wire: Wire) => void,
): void {
  checkMask(type, mask);
  const fields = type.fields;
  for (let index = 0; index < fields.length; index++) {
    if (((mask >>> index) & 1) === 0) continue;
    const field = fields[index]!.field;
    put(index, field.numeric ? field.readNumber(reader) : field.readWire(reader));
  }
}

/** `writeFields` straight from a row of wire columns: the way a world's objects are encoded, without a call for each field. */
export function writeRow(
  writer: BitWriter,
  type: DescribedType,
  mask: number,
  columns: Columns<"wire">,
  row: number,
): void {
  checkMask(type, mask);
  const fields = type.fields;
  for (let index = 0; index < fields.length; index++) {
    if (((mask >>> index) & 1) === 0) continue;
    const field = fields[index]!.field;
    if (field.numeric) field.writeNumber(writer, columns.numbers(index)[row]!);
    else field.writeWire(writer, columns.get(index, row));
  }
}

/** How many bits `writeFields` takes. */
export function measureFields(type: DescribedType, mask: number, wireAt: (fieldIndex: number) => Wire): number {
  checkMask(type, mask);
  let bits = 0;
  const fields = type.fields;
  for (let index = 0; index < fields.length; index++) {
    if (((mask >>> index) & 1) === 0) continue;
    const field = fields[index]!.field;
    bits += field.numeric ? field.wireBits : field.measureWire(wireAt(index));
  }
  return bits;
}

function checkMask(type: DescribedType, mask: number): void {
  if ((mask & type.allMask) >>> 0 === mask) return;
  throw new SchemaError(
    "value",
    type.name,
    IS_DEVELOPMENT && `field mask ${mask} names fields that the type does not have`,
  );
}
