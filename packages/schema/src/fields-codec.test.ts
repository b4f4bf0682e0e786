import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bool, type Fields, object, quantized, SchemaError, text, uint } from "./index.ts";
import {
  BitReader,
  BitWriter,
  Columns,
  type DescribedType,
  measureFields,
  measureMask,
  readFields,
  readMask,
  type Wire,
  WireError,
  writeFields,
  writeMask,
  writeRow,
} from "./internal/index.ts";

const Ship = object("ship", { x: quantized(0, 100, 0.5), hull: uint(7), name: text(20), docked: bool() });
const WIRES: readonly Wire[] = [77, 100, "Beagle", 1];
const wireAt = (index: number): Wire => WIRES[index]!;

function wide(count: number): DescribedType {
  const shape: Fields = Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, bool()]));
  return object("wide", shape);
}

describe("field masks", () => {
  it("go through the wire, for types of every size", () => {
    fc.assert(
      fc.property(fc.nat(32), fc.integer({ min: 0, max: 0xffff_ffff }), (count, bits) => {
        const type = wide(count);
        const mask = (bits & type.allMask) >>> 0;
        const writer = new BitWriter();
        writeMask(writer, type, mask);
        expect(writer.bitLength).toBe(measureMask(type, mask));
        const reader = new BitReader(writer.finish());
        expect(readMask(reader, type)).toBe(mask);
        reader.end();
      }),
    );
  });

  it("cost one bit when every field is there, and one more than the fields otherwise", () => {
    expect(measureMask(wide(32), 0xffff_ffff)).toBe(1);
    expect(measureMask(Ship, 0b1111)).toBe(1);
    expect(measureMask(Ship, 0b0110)).toBe(5);
    expect(measureMask(Ship, 0)).toBe(5);
  });

  it("are refused when a full mask comes in the long form", () => {
    const read = (type: DescribedType, raw: number): number => readMask(new BitReader(Uint8Array.of(raw)), type);
    expect(() => read(Ship, 0b1111_0)).toThrow(WireError);
    expect(() => read(wide(0), 0)).toThrow(WireError);
    expect(read(Ship, 0b0111_0)).toBe(0b0111);
    expect(read(wide(0), 1)).toBe(0);
  });

  it.each([0b10000, -1, 1.5, NaN, 2 ** 32])("are refused when they name other fields: %d", (mask) => {
    const writer = new BitWriter();
    expect(() => writeMask(writer, Ship, mask)).toThrow(SchemaError);
    expect(() => measureMask(Ship, mask)).toThrow(SchemaError);
    expect(() => writeFields(writer, Ship, mask, wireAt)).toThrow(SchemaError);
    expect(() => measureFields(Ship, mask, wireAt)).toThrow(SchemaError);
    expect(() => readFields(new BitReader(new Uint8Array(9)), Ship, mask, () => {})).toThrow(SchemaError);
    expect(writer.bitLength).toBe(0);
  });
});

describe("fields", () => {
  it("go through the wire in declaration order, only those in the mask", () => {
    for (let mask = 0; mask <= Ship.allMask; mask++) {
      const writer = new BitWriter();
      writeFields(writer, Ship, mask, wireAt);
      expect(writer.bitLength).toBe(measureFields(Ship, mask, wireAt));
      const reader = new BitReader(writer.finish());
      const got: [number, Wire][] = [];
      readFields(reader, Ship, mask, (index, wire) => got.push([index, wire]));
      reader.end();
      expect(got).toEqual(WIRES.map((wire, index) => [index, wire]).filter(([index]) => (mask >>> Number(index)) & 1));
    }
  });

  it("are the same bits when they come straight from columns", () => {
    const columns = new Columns(Ship.fields, "wire");
    WIRES.forEach((wire, index) => {
      columns.set(index, 40, wire);
    });
    for (let mask = 0; mask <= Ship.allMask; mask++) {
      const one = new BitWriter();
      const other = new BitWriter();
      writeFields(one, Ship, mask, wireAt);
      writeRow(other, Ship, mask, columns, 40);
      expect(other.finish()).toEqual(one.finish());
    }
  });

  it("reach the 32nd field", () => {
    const type = wide(32);
    const writer = new BitWriter();
    writeFields(writer, type, 0x8000_0000, () => 1);
    expect(writer.bitLength).toBe(1);
    const seen: number[] = [];
    readFields(new BitReader(writer.finish()), type, 0x8000_0000, (index) => seen.push(index));
    expect(seen).toEqual([31]);
  });
});
