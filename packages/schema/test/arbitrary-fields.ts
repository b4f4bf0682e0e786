/** Arbitrary fields of every kind, each with values that fit it: what the property suites draw from. */

import fc from "fast-check";
import type { SequenceField } from "../src/index.ts";
import { angle, bool, bytes, enumeration, float32, float64, int, list, quantized, text, uint } from "../src/index.ts";
import type { Field } from "../src/internal/index.ts";

/** A field with a value that passes its check. */
export interface Sample {
  readonly field: Field<unknown>;
  readonly value: unknown;
}

interface FieldWithValues {
  readonly field: Field<unknown>;
  readonly values: fc.Arbitrary<unknown>;
}

const finite = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, -0, 1, -1, 5e-324));
const finite32 = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  finite.filter((n) => Math.abs(n) < 3e38),
);

function wholeNumbers(min: number, max: number): fc.Arbitrary<number> {
  return fc.oneof(fc.maxSafeInteger(), fc.constantFrom(min, max, min + 1, max - 1, 0)).map((n) => {
    const span = max - min + 1;
    return n >= min && n <= max ? n : min + (((n % span) + span) % span);
  });
}

const numericFields: fc.Arbitrary<FieldWithValues> = fc.oneof(
  fc.constant({ field: bool(), values: fc.boolean() }),
  fc.integer({ min: 1, max: 53 }).map((bits) => ({ field: uint(bits), values: wholeNumbers(0, 2 ** bits - 1) })),
  fc
    .integer({ min: 1, max: 53 })
    .map((bits) => ({ field: int(bits), values: wholeNumbers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) })),
  fc.constant({ field: float32(), values: finite32 }),
  fc.constant({ field: float64(), values: finite }),
  fc.integer({ min: 1, max: 32 }).map((bits) => ({ field: angle(bits), values: finite })),
  fc
    .tuple(
      fc.integer({ min: -10_000, max: 10_000 }),
      fc.integer({ min: 1, max: 10_000 }),
      fc.constantFrom(1, 0.5, 0.3, 0.1, 0.07, 0.01, 1e-6, 2 ** -34),
    )
    .map(([min, range, step]) => ({
      field: quantized(min, min + range, step),
      values: fc.double({ min, max: min + range, noNaN: true }),
    })),
  fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 40 }).map((labels) => ({
    field: enumeration(...(labels as [string, ...string[]])),
    values: fc.constantFrom(...labels),
  })),
);

const plainSequences: fc.Arbitrary<FieldWithValues> = fc.oneof(
  fc.integer({ min: 1, max: 100 }).map((max) => ({
    field: text(max),
    values: fc
      .oneof(fc.string({ unit: "binary" }), fc.string({ maxLength: 100 }))
      .filter((value) => new TextEncoder().encode(value).length <= max),
  })),
  fc.integer({ min: 1, max: 100 }).map((max) => ({
    field: bytes(max),
    values: fc.uint8Array({ maxLength: max }),
  })),
);

const elements: fc.Arbitrary<FieldWithValues> = fc.oneof({ arbitrary: numericFields, weight: 4 }, plainSequences);

const lists: fc.Arbitrary<FieldWithValues> = fc
  .tuple(elements, fc.integer({ min: 1, max: 20 }))
  .map(([{ field, values }, max]) => ({
    field: list(field, max) as SequenceField<unknown>,
    values: fc.array(values, { maxLength: max }),
  }));

const fields: fc.Arbitrary<FieldWithValues> = fc.oneof(
  { arbitrary: numericFields, weight: 4 },
  { arbitrary: plainSequences, weight: 2 },
  { arbitrary: lists, weight: 2 },
);

export const anyField: fc.Arbitrary<Field<unknown>> = fields.map(({ field }) => field);

export const sample: fc.Arbitrary<Sample> = fields.chain(({ field, values }) =>
  values.map((value) => ({ field, value })),
);
