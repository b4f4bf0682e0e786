/**
 * The fields of one object type as deltas see them. *Tracked* fields are whole numbers of at most 31 bits; they lie in rows of 32-bit
 * columns, counted from their field's smallest wire number. Some tracked fields move: quantised numbers, angles, and the fields that the type
 * names for position, orientation or their rates. All other fields are *plain*: they travel as they are.
 * Made once per type, so that nothing is looked up per record.
 */

import { IS_DEVELOPMENT } from "#development";
import type { ObjectType } from "./describe.ts";
import { WireError } from "./errors.ts";
import type { Field } from "./field.ts";
import type { NumericField } from "./numeric-field.ts";

/** Fields of up to so many bits travel as they are when they change, not as a difference. */
export const SHORT_BITS = 4;
/** A difference is written as a gamma code of its size without this many lowest bits, then these bits. */
export const DIFFERENCE_LOW_BITS = 1;
const TRACKED_BITS = 31;
const WORD_BITS = 32;

export class TrackedFields {
  readonly type: ObjectType;
  /** Field indices, ascending. */
  readonly tracked: Int32Array;
  readonly plain: Int32Array;
  /** The same as masks. */
  readonly trackedMask: number;
  readonly plainMask: number;
  /** Smallest wire number by tracked field. */
  readonly least: Float64Array;
  /** By tracked field: largest number; of an angle the bits above its own, else 0; width, and whether it moves. */
  readonly spans: Int32Array;
  readonly above: Uint8Array;
  /** By tracked field: of an angle the mask of its bits, else of all. */
  readonly masks: Int32Array;
  readonly bits: Uint8Array;
  readonly moves: Uint8Array;
  /** The order in which tracked fields travel: velocities first, because positions are predicted from them. */
  readonly order: Int32Array;
  /** Whether it is not the order of the fields. */
  readonly isReordered: boolean;
  /** By tracked field: for a position its velocity, or −1; and the number that stands for a velocity of 0. */
  readonly rates: Int32Array;
  readonly zeros: Float64Array;

  constructor(type: ObjectType) {
    this.type = type;
    const isTracked = ({ field }: { readonly field: Field<unknown> }): boolean =>
      field.numeric && isShortInteger(field);
    const tracked = type.fields.filter(isTracked);
    const fields = tracked.map(({ field }) => field as NumericField<unknown>);
    const { position, orientation, velocity, acceleration, turnRate } = type;
    const roles = new Set([position, orientation, velocity, acceleration, turnRate].flat());
    this.tracked = Int32Array.from(tracked, ({ index }) => index);
    this.plain = Int32Array.from(
      type.fields.filter((field) => !isTracked(field)),
      ({ index }) => index,
    );
    this.plainMask = this.plain.reduce((mask, index) => mask | (1 << index), 0) >>> 0;
    this.trackedMask = (type.allMask & ~this.plainMask) >>> 0;
    this.least = Float64Array.from(fields, ({ wireMin }) => wireMin);
    this.spans = Int32Array.from(fields, ({ wireMin, wireMax }) => wireMax - wireMin);
    this.above = Uint8Array.from(fields, ({ kind, wireBits }) => (kind === "angle" ? WORD_BITS - wireBits : 0));
    this.masks = Int32Array.from(fields, ({ kind, wireMax }) => (kind === "angle" ? wireMax : -1));
    this.bits = Uint8Array.from(fields, ({ wireBits }) => wireBits);
    this.moves = Uint8Array.from(tracked, ({ index, field }) =>
      field.kind === "quantized" || field.kind === "angle" || roles.has(index) ? 1 : 0,
    );
    const rates = tracked.map(({ index, field }) => {
      const axis = field.kind === "angle" ? -1 : position.indexOf(index);
      return axis < 0 ? -1 : this.tracked.indexOf(velocity[axis] ?? -1);
    });
    this.rates = Int32Array.from(rates);
    this.zeros = Float64Array.from(rates, (rate) =>
      rate < 0 ? 0 : fields[rate]!.quantizeNumber(0) - fields[rate]!.wireMin,
    );
    const all = rates.map((_, i) => i);
    this.order = Int32Array.from([...all.filter((i) => rates.includes(i)), ...all.filter((i) => !rates.includes(i))]);
    this.isReordered = this.order.some((field, n) => field !== n);
  }

  /** How many tracked fields there are: the length of a row. */
  get width(): number {
    return this.tracked.length;
  }

  outOfRange(value: number, i: number): WireError {
    const { name, fields } = this.type;
    return new WireError(
      "range",
      IS_DEVELOPMENT && `${value} is no number of ${name}.${fields[this.tracked[i]!]!.name}`,
    );
  }
}

function isShortInteger({ kind, wireBits }: NumericField<unknown>): boolean {
  return kind !== "float32" && kind !== "float64" && wireBits <= TRACKED_BITS;
}
