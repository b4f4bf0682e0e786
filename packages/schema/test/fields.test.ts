/** What holds for every field of every kind: round trip, measure, canonical form, hostile bytes. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BitReader, BitWriter, type Field, type Wire, WireError } from "../src/internal/index.ts";
import { anyField, sample } from "./arbitrary-fields.ts";

const RUNS = 10 * (fc.readConfigureGlobal().numRuns ?? 100);

function written(field: Field<unknown>, wire: Wire): BitWriter {
  const writer = new BitWriter();
  field.writeWire(writer, wire);
  return writer;
}

/** The first `count` bits, as bytes with zero padding. */
function firstBits(bytes: Uint8Array, count: number): Uint8Array {
  const reader = new BitReader(bytes);
  const writer = new BitWriter();
  for (let bit = 0; bit < count; bit++) writer.writeBits(reader.readBits(1), 1);
  return writer.finish();
}

/** The wire form, or the refusal; anything else that is thrown fails the test. */
function readOrRefuse(field: Field<unknown>, reader: BitReader): Wire | WireError {
  try {
    return field.readWire(reader);
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}

describe("every field", () => {
  it("reads what it wrote, in as many bits as it measured", () => {
    fc.assert(
      fc.property(sample, fc.nat(31), ({ field, value }, leadBits) => {
        field.check(value, "sample");
        const wire = field.toWire(value);
        const writer = new BitWriter(0);
        writer.writeBits(0, leadBits);
        field.writeWire(writer, wire);
        expect(writer.bitLength - leadBits).toBe(field.measureWire(wire));
        const reader = new BitReader(writer.finish());
        reader.readBits(leadBits);
        const back = field.readWire(reader);
        reader.end();
        expect(back).toEqual(wire);
        expect(field.sameWire(back, wire)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it("keeps a wire form through its value: a replica that is sent on does not change", () => {
    fc.assert(
      fc.property(sample, ({ field, value }) => {
        const wire = field.toWire(value);
        const replica = field.fromWire(wire);
        field.check(replica, "replica");
        expect(field.toWire(replica)).toEqual(wire);
        expect(field.fromWire(field.toWire(replica))).toEqual(replica);
      }),
      { numRuns: RUNS },
    );
  });

  it("is canonical: any bits it accepts are the bits it writes", () => {
    fc.assert(
      fc.property(anyField, fc.uint8Array({ maxLength: 40 }), (field, bytes) => {
        const reader = new BitReader(bytes);
        const wire = readOrRefuse(field, reader);
        if (wire instanceof WireError) return;
        const taken = bytes.length * 8 - reader.bitsLeft;
        const writer = written(field, wire);
        expect(writer.bitLength).toBe(taken);
        expect(field.measureWire(wire)).toBe(taken);
        expect(writer.finish()).toEqual(firstBits(bytes, taken));
        expect(field.toWire(field.fromWire(wire))).toEqual(wire);
      }),
      { numRuns: 3 * RUNS },
    );
  });

  it("is canonical near its own bits: a flipped bit is refused or is another value", () => {
    fc.assert(
      fc.property(sample, fc.nat(), ({ field, value }, where) => {
        const wire = field.toWire(value);
        const bytes = written(field, wire).finish();
        const bit = where % field.measureWire(wire);
        bytes[bit >>> 3]! ^= 1 << (bit & 7);
        const reader = new BitReader(bytes);
        const other = readOrRefuse(field, reader);
        if (other instanceof WireError) return;
        expect(field.sameWire(other, wire)).toBe(false);
        expect(written(field, other).finish()).toEqual(firstBits(bytes, bytes.length * 8 - reader.bitsLeft));
      }),
      { numRuns: RUNS },
    );
  });

  it("refuses bytes that were cut off at any bit, with nothing but a WireError", () => {
    fc.assert(
      fc.property(sample, ({ field, value }) => {
        const wire = field.toWire(value);
        const bits = field.measureWire(wire);
        const bytes = written(field, wire).finish();
        for (let kept = 0; kept < bits; kept++) {
          const padding = (8 - (kept & 7)) & 7;
          const shifted = new BitWriter();
          shifted.writeBits(0, padding);
          const source = new BitReader(bytes);
          for (let bit = 0; bit < kept; bit++) shifted.writeBits(source.readBits(1), 1);
          const reader = new BitReader(shifted.finish());
          reader.readBits(padding);
          const refusal = readOrRefuse(field, reader);
          expect((refusal as WireError).code).toBe("truncated");
        }
      }),
      { numRuns: RUNS / 10 },
    );
  });

  it("keeps no hold on the value it was given", () => {
    fc.assert(
      fc.property(sample, ({ field, value }) => {
        const wire = field.toWire(value);
        const before = structuredClone(wire);
        const replica = field.fromWire(wire);
        for (const each of [value, replica].flat()) if (each instanceof Uint8Array) each.fill(255);
        if (Array.isArray(value)) value.length = 0;
        expect(wire).toEqual(before);
      }),
      { numRuns: RUNS / 4 },
    );
  });

  it("starts from an initial value that fits and is its own replica", () => {
    fc.assert(
      fc.property(anyField, (field) => {
        field.check(field.initial, "initial");
        expect(field.fromWire(field.toWire(field.initial))).toEqual(field.initial);
      }),
    );
  });

  it("quantises any number at all into a wire number it can write", () => {
    const anyNumber = fc.oneof(
      fc.double(),
      fc.maxSafeInteger(),
      fc.constantFrom(NaN, -NaN, Infinity, -Infinity, -0, 1e308),
    );
    fc.assert(
      fc.property(anyField, anyNumber, (field, number) => {
        if (!field.numeric) return;
        const wire = field.quantizeNumber(number);
        const reader = new BitReader(written(field, wire).finish());
        expect(Object.is(field.readNumber(reader), wire)).toBe(true);
        expect(field.quantizeNumber(field.dequantizeNumber(wire))).toBe(wire);
      }),
      { numRuns: RUNS },
    );
  });
});
