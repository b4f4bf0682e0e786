/**
 * Text, byte arrays and lists: fields with a length, which is written before them in just enough bits for the maximum.
 *
 * Reading checks the length against the field's maximum and against the bits that are left before anything is allocated, so
 * what received bytes can make us allocate is bounded by how many came. Wire forms are snapshots: they share no array with the
 * value they were made from, nor with the value that `fromWire` makes of them.
 */

import { IS_DEVELOPMENT } from "#development";
import type { BitReader } from "./bit-reader.ts";
import type { BitWriter } from "./bit-writer.ts";
import { SchemaError, show, WireError } from "./errors.ts";
import type { Field, SequenceField, Wire, WireElement } from "./field.ts";
import { readUtf8, utf8Length, wellFormed, writeUtf8 } from "./utf8.ts";
import { bitsFor } from "./widths.ts";

/** The largest maximum: a field travels whole, in one message. */
const LARGEST_MAXIMUM = 65_535;

/** Text of at most `maxBytes` bytes in UTF-8 (1 to 65,535). Half a surrogate pair becomes U+FFFD on the wire. */
export function text(maxBytes: number): SequenceField<string> {
  if (IS_DEVELOPMENT) checkMaximum("text", "maxBytes", maxBytes);
  return new TextField(maxBytes);
}

/** At most `maxBytes` bytes (1 to 65,535). */
export function bytes(maxBytes: number): SequenceField<Uint8Array> {
  if (IS_DEVELOPMENT) checkMaximum("bytes", "maxBytes", maxBytes);
  return new BytesField(maxBytes);
}

/** At most `maxLength` items (1 to 65,535) of any field but a list. */
export function list<T>(of: Field<T>, maxLength: number): SequenceField<readonly T[]> {
  if (IS_DEVELOPMENT) checkMaximum("list", "maxLength", maxLength);
  if (IS_DEVELOPMENT && of.kind === "list")
    throw new SchemaError("parameter", "list", "items must not be lists themselves; flatten them or split the object");
  return new ListField(of, maxLength);
}

class TextField implements SequenceField<string> {
  readonly kind = "text";
  readonly numeric = false;
  readonly initial = "";
  readonly minBits: number;
  private readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    this.minBits = bitsFor(maxBytes);
  }

  signature(): string {
    return `text(${this.maxBytes})`;
  }

  check(value: unknown, path: string): void {
    checkText(value, path, this.maxBytes);
  }

  toWire(value: string): string {
    return wellFormed(value);
  }

  fromWire(wire: Wire): string {
    return wire as string;
  }

  sameWire(a: Wire, b: Wire): boolean {
    return a === b;
  }

  writeWire(writer: BitWriter, wire: Wire): void {
    const value = wire as string;
    writeLength(writer, utf8Length(value), this.maxBytes, this.minBits, this);
    writeUtf8(writer, value);
  }

  readWire(reader: BitReader): string {
    const length = readLength(reader, this.maxBytes, this.minBits, 8);
    return readUtf8(reader, length);
  }

  measureWire(wire: Wire): number {
    return this.minBits + utf8Length(wire as string) * 8;
  }
}

class BytesField implements SequenceField<Uint8Array> {
  readonly kind = "bytes";
  readonly numeric = false;
  readonly initial: Uint8Array = new Uint8Array(0);
  readonly minBits: number;
  private readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    this.minBits = bitsFor(maxBytes);
  }

  signature(): string {
    return `bytes(${this.maxBytes})`;
  }

  check(value: unknown, path: string): void {
    if (!(value instanceof Uint8Array))
      throw new SchemaError("value", path, IS_DEVELOPMENT && `must be a Uint8Array, got ${show(value)}`);
    if (value.length > this.maxBytes) {
      throw new SchemaError(
        "value",
        path,
        IS_DEVELOPMENT && `must be at most ${this.maxBytes} bytes, got ${value.length}`,
      );
    }
  }

  toWire(value: Uint8Array): Uint8Array {
    return new Uint8Array(value);
  }

  fromWire(wire: Wire): Uint8Array {
    return new Uint8Array(wire as Uint8Array);
  }

  sameWire(a: Wire, b: Wire): boolean {
    const left = a as Uint8Array;
    const right = b as Uint8Array;
    if (left === right) return true;
    if (left.length !== right.length) return false;
    for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false;
    return true;
  }

  writeWire(writer: BitWriter, wire: Wire): void {
    const value = wire as Uint8Array;
    writeLength(writer, value.length, this.maxBytes, this.minBits, this);
    writer.writeBytes(value);
  }

  readWire(reader: BitReader): Uint8Array {
    const length = readLength(reader, this.maxBytes, this.minBits, 8);
    return reader.readBytes(length);
  }

  measureWire(wire: Wire): number {
    return this.minBits + (wire as Uint8Array).length * 8;
  }
}

class ListField<T> implements SequenceField<readonly T[]> {
  readonly kind = "list";
  readonly numeric = false;
  readonly initial: readonly T[] = Object.freeze([]);
  readonly minBits: number;
  private readonly item: Field<T>;
  private readonly minItemBits: number;
  private readonly maxLength: number;

  constructor(item: Field<T>, maxLength: number) {
    this.item = item;
    this.minItemBits = item.numeric ? item.wireBits : item.minBits;
    this.maxLength = maxLength;
    this.minBits = bitsFor(maxLength);
  }

  signature(): string {
    return `list(${this.item.signature()},${this.maxLength})`;
  }

  check(value: unknown, path: string): void {
    if (!Array.isArray(value))
      throw new SchemaError("value", path, IS_DEVELOPMENT && `must be an array, got ${show(value)}`);
    if (value.length > this.maxLength) {
      throw new SchemaError(
        "value",
        path,
        IS_DEVELOPMENT && `must have at most ${this.maxLength} items, got ${value.length}`,
      );
    }
    for (let at = 0; at < value.length; at++) this.item.check(value[at], `${path}[${at}]`);
  }

  toWire(value: readonly T[]): readonly WireElement[] {
    return value.map((element) => this.item.toWire(element) as WireElement);
  }

  fromWire(wire: Wire): readonly T[] {
    return (wire as readonly WireElement[]).map((element) => this.item.fromWire(element));
  }

  sameWire(a: Wire, b: Wire): boolean {
    const left = a as readonly WireElement[];
    const right = b as readonly WireElement[];
    if (left === right) return true;
    if (left.length !== right.length) return false;
    for (let at = 0; at < left.length; at++) if (!this.item.sameWire(left[at]!, right[at]!)) return false;
    return true;
  }

  writeWire(writer: BitWriter, wire: Wire): void {
    const elements = wire as readonly WireElement[];
    writeLength(writer, elements.length, this.maxLength, this.minBits, this);
    for (let at = 0; at < elements.length; at++) this.item.writeWire(writer, elements[at]!);
  }

  readWire(reader: BitReader): readonly WireElement[] {
    const length = readLength(reader, this.maxLength, this.minBits, this.minItemBits);
    const elements: WireElement[] = [];
    for (let at = 0; at < length; at++) elements.push(this.item.readWire(reader) as WireElement);
    return elements;
  }

  measureWire(wire: Wire): number {
    let bits = this.minBits;
    for (const element of wire as readonly WireElement[]) bits += this.item.measureWire(element);
    return bits;
  }
}

export function checkText(value: unknown, path: string, maxBytes: number): asserts value is string {
  if (typeof value !== "string")
    throw new SchemaError("value", path, IS_DEVELOPMENT && `must be a string, got ${show(value)}`);
  const length = utf8Length(value);
  if (length > maxBytes) {
    throw new SchemaError(
      "value",
      path,
      IS_DEVELOPMENT && `must be at most ${maxBytes} bytes of UTF-8, got ${length}: ${show(value)}`,
    );
  }
}

function writeLength(
  writer: BitWriter,
  length: number,
  maximum: number,
  bits: number,
  field: { signature(): string },
): void {
  if (length > maximum)
    throw new SchemaError(
      "value",
      field.signature(),
      IS_DEVELOPMENT && `a wire form of length ${length} is above the maximum`,
    );
  writer.writeBits(length, bits);
}

/** Reads a length in `bits` bits, which must not be above the maximum. The message must still have `minItemBits` bits for each item. */
export function readLength(reader: BitReader, maximum: number, bits: number, minItemBits: number): number {
  const length = reader.readBits(bits);
  if (length > maximum)
    throw new WireError("length", IS_DEVELOPMENT && `${length} is above the field's maximum of ${maximum}`);
  reader.need(length * minItemBits);
  return length;
}

function checkMaximum(builder: string, parameter: string, maximum: number): void {
  if (Number.isInteger(maximum) && maximum >= 1 && maximum <= LARGEST_MAXIMUM) return;
  throw new SchemaError(
    "parameter",
    builder,
    `${parameter} must be an integer from 1 to ${LARGEST_MAXIMUM}, got ${show(maximum)}`,
  );
}
