/**
 * A short digest of one object's state, by which a server finds out whether a client predicted the state rightly (N7).
 *
 * The client's numbers need not be the server's to the last bit: a client starts from a state that was rounded on the wire. So rounded
 * numbers (`quantized`, `angle`, `float32`) *agree* if they are at most one wire step apart; all other fields must be the same. To compare
 * rounded numbers by a hash, both sides put each into a pigeonhole of four steps. A number near the edge of its pigeonhole may lie beyond the
 * edge on the other side; so the client may move the pigeonholes of a field by half their width, such that its number lies in the middle of
 * one, and says with one bit that it did. Two numbers one step apart then always share a pigeonhole; two that are three steps apart never do.
 */

import type { NumericField, ObjectType } from "@nearfield/schema";
import type { Wire } from "@nearfield/schema/internal";

/** What a client says of the state that it predicted. */
export interface Digest {
  /** `HASH_BITS` bits, of all fields by their pigeonholes. A wrong state passes one time in 256, and is compared again with the next command. */
  readonly hash: number;
  /** As many bits, of all fields in wire form. While an object moves, this may differ; once it rests, the client is to have it exactly. */
  readonly exact: number;
  /** One bit for each rounded number, in the order of the fields: whether its pigeonholes are moved by half. */
  readonly shifts: number;
}

/** Bits of each hash on the wire. */
export const HASH_BITS = 8;

const HOLE_STEPS = 4;
/** A `float32` is compared without this many of its last bits: its steps are much finer than anything that is drawn. */
const FLOAT_BITS_LEFT_OUT = 4;

/** Fields of one object, by name. */
export type FieldValues = Readonly<Record<string, unknown>>;

export function digestOf(type: ObjectType, values: FieldValues): Digest {
  const shifts = shiftsOf(type, values);
  return { shifts, hash: hashOf(type, values, shifts), exact: exactHashOf(type, values) };
}

/** Whether this state agrees with the digest of another. */
export function agrees(digest: Digest, type: ObjectType, values: FieldValues): boolean {
  return hashOf(type, values, digest.shifts) === digest.hash;
}

/** Whether this state is the same on the wire as that of the digest. */
export function isExactly(digest: Digest, type: ObjectType, values: FieldValues): boolean {
  return exactHashOf(type, values) === digest.exact;
}

function shiftsOf({ fields }: ObjectType, values: FieldValues): number {
  let shifts = 0;
  let bit = 1;
  for (const { name, field } of fields) {
    if (!field.numeric || !isRounded(field)) continue;
    const place = modulo(stepOf(field, values[name]), HOLE_STEPS);
    if (place === 0 || place === HOLE_STEPS - 1) shifts |= bit;
    bit <<= 1;
  }
  return shifts >>> 0;
}

function hashOf({ fields }: ObjectType, values: FieldValues, shifts: number): number {
  let hash = 0;
  let left = shifts;
  for (const { name, field } of fields) {
    if (!field.numeric) {
      hash = mixWire(hash, field.toWire(values[name]));
    } else if (isRounded(field)) {
      hash = mixNumber(hash, holeOf(field, values[name], (left & 1) === 1));
      left >>>= 1;
    } else {
      hash = mixNumber(hash, field.toWire(values[name]));
    }
  }
  return finish(hash) >>> (32 - HASH_BITS);
}

function exactHashOf({ fields }: ObjectType, values: FieldValues): number {
  let hash = 0;
  for (const { name, field } of fields) hash = mixWire(hash, field.toWire(values[name]));
  return finish(hash) >>> (32 - HASH_BITS);
}

/** Angles of so few steps that pigeonholes would not go round evenly are compared exactly. */
function isRounded({ kind, wireBits }: NumericField<unknown>): boolean {
  return kind === "quantized" || kind === "float32" || (kind === "angle" && wireBits >= 3);
}

function holeOf(field: NumericField<unknown>, value: unknown, isShifted: boolean): number {
  const hole = Math.floor((stepOf(field, value) + (isShifted ? HOLE_STEPS / 2 : 0)) / HOLE_STEPS);
  return field.kind === "angle" ? modulo(hole, (field.wireMax + 1) / HOLE_STEPS) : hole;
}

/** The number of the wire step on which a value lies. */
function stepOf(field: NumericField<unknown>, value: unknown): number {
  const wire = field.toWire(value);
  return field.kind === "float32" ? Math.floor(floatOrder(wire) / (1 << FLOAT_BITS_LEFT_OUT)) : wire;
}

const float = new Float32Array(1);
const floatBits = new Int32Array(float.buffer);

/** Counts floats from 0 upward and downward, in their order. */
function floatOrder(value: number): number {
  float[0] = value;
  const bits = floatBits[0]!;
  return bits < 0 ? -(bits & 0x7fff_ffff) : bits;
}

function mixWire(hash: number, wire: Wire): number {
  if (typeof wire === "number") return mixNumber(hash, wire);
  let mixed = mixNumber(hash, wire.length);
  for (let i = 0; i < wire.length; i++) {
    mixed = typeof wire === "string" ? mix(mixed, wire.charCodeAt(i)) : mixWire(mixed, wire[i]!);
  }
  return mixed;
}

const double = new Float64Array(1);
const doubleBits = new Int32Array(double.buffer);

function mixNumber(hash: number, value: number): number {
  if ((value | 0) === value) return mix(hash, value);
  double[0] = value;
  return mix(mix(hash, doubleBits[0]!), doubleBits[1]!);
}

/** One step of MurmurHash3; and its end, after which every bit of every value counts in every bit of the hash. */
function mix(hash: number, value: number): number {
  let part = Math.imul(value, 0xcc9e_2d51);
  part = Math.imul((part << 15) | (part >>> 17), 0x1b87_3593);
  const mixed = hash ^ part;
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe654_6b64) | 0;
}

function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return mixed ^ (mixed >>> 16);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
