/**
 * Every field whose value and wire form fit a number: bool, integers, floats, quantised ranges, angles, enumerations.
 *
 * One class for all of them, so that the calls which encode a world's columns always see one shape and stay fast; what
 * differs is told by `kind`. Three forms: the value (`T`), the *column number* (bool 0/1, enumeration its index, otherwise
 * the value itself) and the *wire number*. On the wire, integers go as `wire - wireMin` in `wireBits` bits, floats as they are.
 *
 * Wire numbers are always finite and never -0. `check` is where a wrong value throws; `quantizeNumber` runs over columns in
 * every round, never throws, and gives a valid wire number for any number: it clamps, and NaN counts as the initial value.
 */

import { IS_DEVELOPMENT } from "#development";
import type { BitReader } from "./bit-reader.ts";
import type { BitWriter } from "./bit-writer.ts";
import { SchemaError, show, WireError } from "./errors.ts";
import type { AnyField, Wire } from "./field.ts";
import { dequantizeInto, type Grid } from "./grid.ts";

export type NumericKind = "bool" | "uint" | "int" | "float32" | "float64" | "quantized" | "angle" | "enumeration";

/** What the builders in `numbers.ts` decide about a numeric field. */
export interface NumericLayout {
  readonly kind: NumericKind;
  readonly signature: string;
  /** The wire numbers the field holds, ends included. */
  readonly wireMin: number;
  readonly wireMax: number;
  readonly wireBits: number;
  /** The labels of an enumeration, in the order of their index; otherwise empty. */
  readonly labels: readonly string[];
  /** The points of a quantised range; otherwise null. */
  readonly grid: Grid | null;
}

const FULL_TURN = 2 * Math.PI;

export class NumericField<T> implements AnyField<T> {
  readonly numeric: true = true;
  readonly kind: NumericKind;
  readonly initial: T;
  readonly wireMin: number;
  readonly wireMax: number;
  readonly wireBits: number;
  readonly labels: readonly string[];
  private readonly isFloat: boolean;
  private readonly wireSpan: number;
  /** Of a quantised field. */
  readonly grid: Grid | null;
  private readonly labelIndex: ReadonlyMap<unknown, number>;
  private readonly text: string;
  private readonly initialWire: number;

  constructor(layout: NumericLayout) {
    this.kind = layout.kind;
    this.isFloat = layout.kind === "float32" || layout.kind === "float64";
    this.wireMin = layout.wireMin;
    this.wireMax = layout.wireMax;
    this.wireBits = layout.wireBits;
    this.wireSpan = this.isFloat ? 0 : layout.wireMax - layout.wireMin;
    this.labels = layout.labels;
    this.grid = layout.grid;
    this.labelIndex = new Map(layout.labels.map((label, index) => [label, index]));
    this.text = layout.signature;
    this.initialWire = 0;
    this.initialWire = this.quantizeNumber(0);
    this.initial = this.fromWire(this.initialWire);
  }

  signature(): string {
    return this.text;
  }

  check(value: unknown, path: string): void {
    if (this.accepts(value)) return;
    const problem =
      IS_DEVELOPMENT &&
      `must be ${requirement(this.kind, this.labels, this.grid ?? { min: this.wireMin, max: this.wireMax })}, got ${show(value)}`;
    throw new SchemaError("value", path, problem);
  }

  /** The column number of a value that passed `check`. */
  toNumber(value: T): number {
    switch (this.kind) {
      case "bool":
        return value ? 1 : 0;
      case "enumeration":
        return this.labelIndex.get(value) ?? Number.NaN;
      default:
        return value as number;
    }
  }

  /** The value of a column number. */
  fromNumber(number: number): T {
    switch (this.kind) {
      case "bool":
        return (number !== 0) as T;
      case "enumeration":
        return this.labels[number] as T;
      default:
        return number as T;
    }
  }

  /** Column number to wire number. Total: clamps to the field's range, rounds, and takes NaN for the initial value. */
  quantizeNumber(number: number): number {
    if (Number.isNaN(number)) return this.initialWire;
    switch (this.kind) {
      case "quantized":
        return this.grid!.quantize(number);
      case "angle":
        return this.quantizeAngle(number);
      case "float32":
        return this.clamp(Math.fround(number));
      case "float64":
        return this.clamp(number);
      default:
        return this.clamp(Math.round(number));
    }
  }

  /** Wire number to column number. */
  dequantizeNumber(wire: number): number {
    switch (this.kind) {
      case "quantized":
        return this.grid!.dequantize(wire);
      case "angle": {
        const size = this.wireMax + 1;
        return ((wire * 2 < size ? wire : wire - size) / size) * FULL_TURN;
      }
      default:
        return wire;
    }
  }

  writeNumber(writer: BitWriter, wire: number): void {
    if (this.isFloat) {
      this.writeFloat(writer, wire);
      return;
    }
    const offset = wire - this.wireMin;
    if (!(offset >= 0 && offset <= this.wireSpan)) throw this.unwritable(wire);
    writer.writeUint(offset, this.wireBits);
  }

  readNumber(reader: BitReader): number {
    if (this.isFloat) return this.readFloat(reader);
    const offset = reader.readUint(this.wireBits);
    if (offset > this.wireSpan)
      throw new WireError("range", IS_DEVELOPMENT && `${offset + this.wireMin} is no wire number of ${this.text}`);
    return offset + this.wireMin;
  }

  toWire(value: T): number {
    return this.quantizeNumber(this.toNumber(value));
  }

  fromWire(wire: Wire): T {
    return this.fromNumber(this.dequantizeNumber(wire as number));
  }

  sameWire(a: Wire, b: Wire): boolean {
    return a === b;
  }

  writeWire(writer: BitWriter, wire: Wire): void {
    this.writeNumber(writer, wire as number);
  }

  readWire(reader: BitReader): number {
    return this.readNumber(reader);
  }

  measureWire(_wire: Wire): number {
    return this.wireBits;
  }

  private writeFloat(writer: BitWriter, wire: number): void {
    if (!this.isWireFloat(wire)) throw this.unwritable(wire);
    if (this.kind === "float32") writer.writeFloat32(wire);
    else writer.writeFloat64(wire);
  }

  private readFloat(reader: BitReader): number {
    const wire = this.kind === "float32" ? reader.readFloat32() : reader.readFloat64();
    if (!this.isWireFloat(wire))
      throw new WireError("range", IS_DEVELOPMENT && `${show(wire)} is no wire number of ${this.text}`);
    return wire;
  }

  private isWireFloat(wire: number): boolean {
    return wire >= this.wireMin && wire <= this.wireMax && !Object.is(wire, -0);
  }

  private unwritable(wire: number): SchemaError {
    return new SchemaError(
      "value",
      this.text,
      IS_DEVELOPMENT && `a wire number must be from ${this.wireMin} to ${this.wireMax}, got ${show(wire)}`,
    );
  }

  private quantizeAngle(radians: number): number {
    const size = this.wireMax + 1;
    const withinTurn = radians < FULL_TURN && radians > -FULL_TURN ? radians : radians % FULL_TURN;
    if (Number.isNaN(withinTurn)) return this.initialWire;
    const nearest = Math.round((withinTurn / FULL_TURN) * size);
    const wire = nearest < 0 ? nearest + size : nearest;
    return wire === size ? 0 : wire + 0;
  }

  private clamp(number: number): number {
    if (number > this.wireMax) return this.wireMax;
    if (number < this.wireMin) return this.wireMin;
    return number + 0;
  }

  private accepts(value: unknown): boolean {
    switch (this.kind) {
      case "bool":
        return typeof value === "boolean";
      case "enumeration":
        return this.labelIndex.has(value);
      case "quantized":
        return typeof value === "number" && value >= this.grid!.least && value <= this.grid!.most;
      case "angle":
        return Number.isFinite(value);
      case "float32":
        return typeof value === "number" && Number.isFinite(Math.fround(value));
      case "float64":
        return Number.isFinite(value);
      default:
        return typeof value === "number" && Number.isInteger(value) && value >= this.wireMin && value <= this.wireMax;
    }
  }
}

/** What a value must be, in words. */
function requirement(
  kind: NumericKind,
  labels: readonly string[],
  { min, max }: { readonly min: number; readonly max: number },
): string {
  switch (kind) {
    case "bool":
      return "true or false";
    case "enumeration":
      return `one of ${labels.map(show).join(", ")}`;
    case "quantized":
      return `a number from ${min} to ${max}`;
    case "angle":
      return "a finite number of radians";
    case "float32":
      return "a finite number within the range of a 32-bit float";
    case "float64":
      return "a finite number";
    default:
      return `an integer from ${min} to ${max}`;
  }
}

/**
 * What `dequantizeNumber` says of a wire number in one column, written into another. Where a call is not inlined V8 boxes the number that it returns; this
 * returns none. It is no method, since only servers call it and pages load all methods.
 */
export function dequantizeNumberInto(
  field: NumericField<unknown>,
  wires: Float64Array,
  row: number,
  numbers: Float64Array,
  at: number,
): void {
  if (field.kind === "quantized") dequantizeInto(field.grid!, wires, row, numbers, at);
  else numbers[at] = field.dequantizeNumber(wires[row]!);
}
