/**
 * The builders of numeric fields. Each checks its own parameters, so a wrong description throws at start, where it stands.
 */

import { IS_DEVELOPMENT } from "#development";
import { SchemaError, show } from "./errors.ts";
import { Grid } from "./grid.ts";
import { NumericField, type NumericKind } from "./numeric-field.ts";
import { bitsFor, MAX_INTEGER_BITS, POWERS_OF_TWO } from "./widths.ts";

const MAX_ANGLE_BITS = 32;
const MAX_LABELS = 1024;
const MAX_FLOAT32 = 3.4028234663852886e38;

/** True or false, in one bit. */
export function bool(): NumericField<boolean> {
  return integers("bool", "bool()", 0, 1);
}

/** An integer from 0 to 2^bits − 1; `bits` from 1 to 53. */
export function uint(bits: number): NumericField<number> {
  if (IS_DEVELOPMENT) checkWidth("uint", bits, MAX_INTEGER_BITS);
  return integers("uint", `uint(${bits})`, 0, POWERS_OF_TWO[bits]! - 1);
}

/** An integer from −2^(bits−1) to 2^(bits−1) − 1; `bits` from 1 to 53. */
export function int(bits: number): NumericField<number> {
  if (IS_DEVELOPMENT) checkWidth("int", bits, MAX_INTEGER_BITS);
  const half = POWERS_OF_TWO[bits - 1]!;
  return integers("int", `int(${bits})`, -half, half - 1);
}

/** A finite number, rounded to 32 bits on the wire. */
export function float32(): NumericField<number> {
  return floats("float32", MAX_FLOAT32, 32);
}

/** A finite number, as it is, in 64 bits. */
export function float64(): NumericField<number> {
  return floats("float64", Number.MAX_VALUE, 64);
}

/**
 * A number from `min` to `max`, rounded on the wire to the nearest `step` above `min`, or to `max` itself. Writing a value that is more
 * than half a step outside throws `SchemaError`: the game clamps, wraps or widens. A step of half the size costs one bit more.
 */
export function quantized(min: number, max: number, step: number): NumericField<number> {
  const grid = new Grid(min, max, step);
  const signature = `quantized(${grid.min},${grid.max},${step})`;
  return new NumericField({
    kind: "quantized",
    signature,
    wireMin: 0,
    wireMax: grid.steps,
    wireBits: bitsFor(grid.steps),
    labels: [],
    grid,
  });
}

/** An angle in radians, of any number of turns; read back in [−π, π), to the nearest 2π ÷ 2^bits. `bits` from 1 to 32. */
export function angle(bits: number): NumericField<number> {
  if (IS_DEVELOPMENT) checkWidth("angle", bits, MAX_ANGLE_BITS);
  return integers("angle", `angle(${bits})`, 0, POWERS_OF_TWO[bits]! - 1);
}

/** One of the labels; at most 1,024 of them. Their order is part of the protocol. */
export function enumeration<const Labels extends readonly [string, ...string[]]>(
  ...labels: Labels
): NumericField<Labels[number]> {
  if (IS_DEVELOPMENT) checkLabels(labels);
  const signature = `enumeration(${labels.map((label) => JSON.stringify(label)).join(",")})`;
  return integers("enumeration", signature, 0, labels.length - 1, labels);
}

function integers<T>(
  kind: NumericKind,
  signature: string,
  min: number,
  max: number,
  labels: readonly string[] = [],
): NumericField<T> {
  const wireBits = Math.max(1, bitsFor(max - min));
  return new NumericField({
    kind,
    signature,
    wireMin: min,
    wireMax: max,
    wireBits,
    labels: Object.freeze([...labels]),
    grid: null,
  });
}

function floats(kind: "float32" | "float64", largest: number, bits: number): NumericField<number> {
  return new NumericField({
    kind,
    signature: `${kind}()`,
    wireMin: -largest,
    wireMax: largest,
    wireBits: bits,
    labels: [],
    grid: null,
  });
}

function checkWidth(builder: string, bits: number, maxBits: number): void {
  if (Number.isInteger(bits) && bits >= 1 && bits <= maxBits) return;
  throw new SchemaError("parameter", builder, `bits must be an integer from 1 to ${maxBits}, got ${show(bits)}`);
}

function checkLabels(labels: readonly string[]): void {
  if (labels.length === 0) throw new SchemaError("parameter", "enumeration", "needs at least one label");
  if (labels.length > MAX_LABELS) {
    throw new SchemaError("limit", "enumeration", `holds at most ${MAX_LABELS} labels, got ${labels.length}`);
  }
  for (const [index, label] of labels.entries()) {
    if (typeof label !== "string")
      throw new SchemaError("name", "enumeration", `labels must be strings, got ${show(label)}`);
    if (labels.indexOf(label) !== index)
      throw new SchemaError("name", "enumeration", `label ${show(label)} stands twice`);
  }
}
