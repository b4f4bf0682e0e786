/**
 * Commands and events on the wire: every field once, in declaration order, straight from and to a plain object.
 */

import { IS_DEVELOPMENT } from "#development";
import type { BitReader } from "./bit-reader.ts";
import type { BitWriter } from "./bit-writer.ts";
import type { DescribedType, Fields, Values } from "./describe.ts";
import { SchemaError, show } from "./errors.ts";

/** Throws `SchemaError`, naming the field, unless every field has a value that fits and there is no other property. */
export function checkRecord<F extends Fields>(type: DescribedType<F>, values: Values<F>): void {
  if (typeof values !== "object" || values === null) {
    throw new SchemaError(
      "value",
      type.name,
      IS_DEVELOPMENT && `must be an object with a value for each field, got ${show(values)}`,
    );
  }
  const record = values as Readonly<Record<string, unknown>>;
  for (const { name, field } of type.fields) field.check(record[name], `${type.name}.${name}`);
  for (const name of Object.keys(record)) {
    if (!Object.hasOwn(type.shape, name))
      throw new SchemaError("unknown", `${type.name}.${name}`, IS_DEVELOPMENT && "is not a field of this type");
  }
}

export function writeRecord<F extends Fields>(writer: BitWriter, type: DescribedType<F>, values: Values<F>): void {
  checkRecord(type, values);
  const record = values as Readonly<Record<string, unknown>>;
  for (const { name, field } of type.fields) field.writeWire(writer, field.toWire(record[name]));
}

export function readRecord<F extends Fields>(reader: BitReader, type: DescribedType<F>): Values<F> {
  const record: Record<string, unknown> = {};
  for (const { name, field } of type.fields) record[name] = field.fromWire(field.readWire(reader));
  return record as Values<F>;
}

/** How many bits `writeRecord` takes. */
export function measureRecord<F extends Fields>(type: DescribedType<F>, values: Values<F>): number {
  checkRecord(type, values);
  const record = values as Readonly<Record<string, unknown>>;
  let bits = 0;
  for (const { name, field } of type.fields) bits += field.measureWire(field.toWire(record[name]));
  return bits;
}
