/**
 * What a field is: one description from which a value is checked, brought into wire form, written, read and measured.
 *
 * A value has two forms. The *value* is what the game works with; the *wire form* is what remains of it on the wire, and
 * what is compared to decide whether an object changed. For every field `readWire` gives back exactly what `writeWire` was
 * given, in `measureWire` bits, and any bits that `readWire` accepts are the bits that `writeWire` would write.
 */

import type { BitReader } from "./bit-reader.ts";
import type { BitWriter } from "./bit-writer.ts";
import type { NumericField } from "./numeric-field.ts";

/** The wire form of one element: a number, well-formed text, or bytes. */
export type WireElement = number | string | Uint8Array;

/** The wire form of a field; it is never changed in place. */
export type Wire = WireElement | readonly WireElement[];

export type SequenceKind = "text" | "bytes" | "list";

/** What all fields can do; `T` is the type of the value. */
export interface AnyField<T> {
  /** The value of a field that was never set: 0, `false`, the first label, or empty. */
  readonly initial: T;
  /** Throws `SchemaError("value", path, …)` unless the value fits. */
  check(value: unknown, path: string): void;
  /** Expects a value that passed `check`. */
  toWire(value: T): Wire;
  fromWire(wire: Wire): T;
  sameWire(a: Wire, b: Wire): boolean;
  writeWire(writer: BitWriter, wire: Wire): void;
  /** Throws `WireError`, and nothing else, if the bits are not a wire form of this field. */
  readWire(reader: BitReader): Wire;
  /** In bits. */
  measureWire(wire: Wire): number;
  /** The description as text, e.g. `quantized(0,5000,0.01)`; it goes into the protocol hash. */
  signature(): string;
}

/** A text, byte array or list: its values are kept in plain arrays, and its length is written before it. */
export interface SequenceField<T> extends AnyField<T> {
  readonly kind: SequenceKind;
  readonly numeric: false;
  /** The fewest bits a wire form takes. */
  readonly minBits: number;
}

/** `numeric` tells the two apart: numeric fields live in number columns and have the number methods. */
export type Field<T> = NumericField<T> | SequenceField<T>;

/** The type of a field's value. */
export type ValueOf<F> = F extends { readonly initial: infer T } ? T : never;
