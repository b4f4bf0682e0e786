import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SchemaError } from "./index.ts";
import { appendBits, BitReader, BitWriter, bitsFor, measureVar, WireError } from "./internal/index.ts";

/** One write that a reader can repeat. */
type Piece =
  | { kind: "uint"; bits: number; value: number }
  | { kind: "var"; value: number }
  | { kind: "float32"; value: number }
  | { kind: "float64"; value: number }
  | { kind: "bytes"; value: Uint8Array };

const uintPiece: fc.Arbitrary<Piece> = fc
  .integer({ min: 0, max: 53 })
  .chain((bits) => fc.maxSafeNat().map((value): Piece => ({ kind: "uint", bits, value: value % 2 ** bits })));

const piece: fc.Arbitrary<Piece> = fc.oneof(
  uintPiece,
  fc.maxSafeNat().map((value): Piece => ({ kind: "var", value })),
  fc.nat(300).map((value): Piece => ({ kind: "var", value })),
  fc.float().map((value): Piece => ({ kind: "float32", value })),
  fc.double().map((value): Piece => ({ kind: "float64", value })),
  fc.uint8Array({ maxLength: 300 }).map((value): Piece => ({ kind: "bytes", value })),
);

function write(writer: BitWriter, piece: Piece): void {
  if (piece.kind === "uint") writer.writeUint(piece.value, piece.bits);
  else if (piece.kind === "var") writer.writeVar(piece.value);
  else if (piece.kind === "float32") writer.writeFloat32(piece.value);
  else if (piece.kind === "float64") writer.writeFloat64(piece.value);
  else writer.writeBytes(piece.value);
}

function read(reader: BitReader, piece: Piece): number | Uint8Array {
  if (piece.kind === "uint") return reader.readUint(piece.bits);
  if (piece.kind === "var") return reader.readVar();
  if (piece.kind === "float32") return reader.readFloat32();
  if (piece.kind === "float64") return reader.readFloat64();
  return reader.readBytes(piece.value.length);
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof WireError || error instanceof SchemaError) return `${error.name} ${error.code}`;
    throw error;
  }
  return "nothing thrown";
}

describe("BitWriter and BitReader", () => {
  it("gives back any sequence of pieces, from any capacity", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(64), (pieces, capacity) => {
        const writer = new BitWriter(capacity);
        for (const each of pieces) write(writer, each);
        const reader = new BitReader(writer.finish());
        for (const each of pieces) expect(read(reader, each)).toEqual(each.value);
        reader.end();
      }),
    );
  });

  it("puts the first bit into the lowest bit of the first byte", () => {
    const writer = new BitWriter();
    writer.writeBits(1, 1);
    writer.writeBits(0b10, 2);
    writer.writeBits(0x1ff, 9);
    expect([...writer.finish()]).toEqual([0b1111_1101, 0b0000_1111]);
    expect(writer.bitLength).toBe(12);
    expect(writer.byteLength).toBe(2);
  });

  it("writes the ends of every width", () => {
    for (let bits = 1; bits <= 53; bits++) {
      const writer = new BitWriter();
      writer.writeBits(1, 1);
      writer.writeUint(0, bits);
      writer.writeUint(2 ** bits - 1, bits);
      expect(writer.bitLength).toBe(1 + 2 * bits);
      const reader = new BitReader(writer.view());
      expect([reader.readBits(1), reader.readUint(bits), reader.readUint(bits)]).toEqual([1, 0, 2 ** bits - 1]);
      reader.end();
    }
  });

  it("takes zero bits for a width of zero", () => {
    const writer = new BitWriter();
    writer.writeBits(0, 0);
    expect(writer.finish()).toEqual(new Uint8Array(0));
    expect(new BitReader(new Uint8Array(0)).readBits(0)).toBe(0);
  });

  it.each([
    [2, 1],
    [256, 8],
    [-1, 8],
    [-1, 32],
    [2 ** 32, 32],
    [1.5, 8],
    [Number.NaN, 8],
    [0, 33],
    [0, -1],
    [0, 1.5],
    [0, Number.NaN],
  ])("refuses to write %d in %d bits", (value, bits) => {
    const writer = new BitWriter();
    expect(() => writer.writeBits(value, bits)).toThrow(SchemaError);
    expect(writer.bitLength).toBe(0);
  });

  it.each([
    [2 ** 53, 53],
    [2 ** 40, 40],
    [-1, 40],
    [Number.NaN, 40],
    [2 ** 33 + 0.5, 40],
    [0, 54],
  ])("refuses to write %d as an unsigned integer of %d bits", (value, bits) => {
    const writer = new BitWriter();
    expect(() => writer.writeUint(value, bits)).toThrow(SchemaError);
    expect(writer.bitLength).toBe(0);
  });

  it.each([-1, 1.5, Number.NaN, 2 ** 53])("refuses to write %d at variable width", (value) => {
    expect(() => new BitWriter().writeVar(value)).toThrow(SchemaError);
  });

  it("refuses widths it cannot read", () => {
    const reader = new BitReader(new Uint8Array(100));
    expect(codeOf(() => reader.readBits(33))).toBe("SchemaError parameter");
    expect(codeOf(() => reader.readUint(54))).toBe("SchemaError parameter");
  });

  it.each([-1, 1.5, Number.NaN])("refuses a capacity of %d", (capacity) => {
    expect(() => new BitWriter(capacity)).toThrow(SchemaError);
  });

  it("starts over after a reset, without old bits", () => {
    const writer = new BitWriter(4);
    writer.writeBytes(new Uint8Array(500).fill(255));
    writer.writeBits(7, 3);
    writer.reset();
    writer.writeBits(0, 11);
    expect([...writer.finish()]).toEqual([0, 0]);
  });

  it("keeps what finish returned and reuses what view returned", () => {
    const writer = new BitWriter();
    writer.writeBits(1, 8);
    const copy = writer.finish();
    const view = writer.view();
    writer.reset();
    writer.writeBits(2, 8);
    writer.view();
    expect([copy[0], view[0]]).toEqual([1, 2]);
  });
});

describe("writeBitsFrom", () => {
  const pieces = fc.array(piece, { maxLength: 20 });

  it("appends the other writer's bits as if they had been written here", () => {
    fc.assert(
      fc.property(pieces, pieces, pieces, (before, appended, after) => {
        const whole = new BitWriter();
        for (const each of [...before, ...appended, ...after]) write(whole, each);
        const part = new BitWriter(0);
        for (const each of appended) write(part, each);
        const joined = new BitWriter(0);
        for (const each of before) write(joined, each);
        appendBits(joined, part);
        for (const each of after) write(joined, each);
        expect(joined.bitLength).toBe(whole.bitLength);
        expect(joined.finish()).toEqual(whole.finish());
      }),
    );
  });

  it("copies long runs at every bit position, and drops what the buffer held before", () => {
    const run = new BitWriter();
    for (let at = 0; at < 200; at++) run.writeBits((at * 7) & 0x7f, 7);
    const joined = new BitWriter(8);
    joined.writeBytes(new Uint8Array(600).fill(255));
    for (let lead = 0; lead < 40; lead++) {
      joined.reset();
      const expected = new BitWriter();
      for (let bit = 0; bit < lead; bit++) joined.writeBits(bit & 1, 1);
      for (let bit = 0; bit < lead; bit++) expected.writeBits(bit & 1, 1);
      for (let at = 0; at < 200; at++) expected.writeBits((at * 7) & 0x7f, 7);
      appendBits(joined, run);
      joined.writeBits(0, 5);
      expected.writeBits(0, 5);
      expect(joined.finish()).toEqual(expected.finish());
    }
  });

  it("can append a writer to itself", () => {
    for (const bits of [5, 37, 64, 2_000, 2_003]) {
      const writer = new BitWriter(0);
      for (let at = 0; at < bits; at++) writer.writeBits(at % 3 === 0 ? 1 : 0, 1);
      appendBits(writer, writer);
      expect(writer.bitLength).toBe(2 * bits);
      const reader = new BitReader(writer.finish());
      for (let at = 0; at < 2 * bits; at++) expect(reader.readBits(1)).toBe((at % bits) % 3 === 0 ? 1 : 0);
    }
  });
});

describe("variable-width integers", () => {
  it.each([
    [0, 5],
    [15, 5],
    [16, 10],
    [255, 10],
    [256, 15],
    [2 ** 32, 45],
    [Number.MAX_SAFE_INTEGER, 70],
  ])("%d takes %d bits", (value, bits) => {
    const writer = new BitWriter();
    writer.writeVar(value);
    expect(writer.bitLength).toBe(bits);
    expect(measureVar(value)).toBe(bits);
    expect(new BitReader(writer.finish()).readVar()).toBe(value);
  });

  it("refuses an empty last group, which would be a second form of the same number", () => {
    const writer = new BitWriter();
    writer.writeBits(0b1_0011, 5);
    writer.writeBits(0b0_0000, 5);
    expect(codeOf(() => new BitReader(writer.finish()).readVar())).toBe("WireError range");
  });

  it("refuses numbers above 2^53 - 1, however they are written", () => {
    expect(codeOf(() => new BitReader(new Uint8Array(100).fill(255)).readVar())).toBe("WireError range");
    const writer = new BitWriter();
    for (let group = 0; group < 13; group++) writer.writeBits(0b1_0000, 5);
    writer.writeBits(0b0_0010, 5);
    expect(codeOf(() => new BitReader(writer.finish()).readVar())).toBe("WireError range");
  });

  it("gives the same bits back for whatever it accepts", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 9, maxLength: 9 }), (bytes) => {
        const reader = new BitReader(bytes);
        let value: number;
        try {
          value = reader.readVar();
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
          return;
        }
        const writer = new BitWriter();
        writer.writeVar(value);
        expect(writer.bitLength).toBe(72 - reader.bitsLeft);
        const again = new BitReader(bytes);
        const written = new BitReader(writer.finish());
        for (let bit = 0; bit < writer.bitLength; bit++) expect(written.readBits(1)).toBe(again.readBits(1));
      }),
    );
  });
});

describe("the end of the bytes", () => {
  it("throws truncated for every read past it, and takes nothing", () => {
    for (let bits = 1; bits <= 53; bits++) {
      const reader = new BitReader(new Uint8Array(Math.ceil(bits / 8)));
      reader.readUint(reader.bitsLeft - bits + 1);
      expect(codeOf(() => reader.readUint(bits))).toBe("WireError truncated");
      expect(reader.bitsLeft).toBe(bits - 1);
    }
    const reader = new BitReader(new Uint8Array(3));
    expect(codeOf(() => reader.readFloat32())).toBe("WireError truncated");
    expect(codeOf(() => reader.readFloat64())).toBe("WireError truncated");
    expect(codeOf(() => reader.readBytes(4))).toBe("WireError truncated");
    expect(codeOf(() => reader.readBytes(Number.MAX_SAFE_INTEGER))).toBe("WireError truncated");
    expect(reader.bitsLeft).toBe(24);
  });

  it("accepts zero padding and nothing else after the last value", () => {
    const after = (bytes: number[], bits: number): string =>
      codeOf(() => {
        const reader = new BitReader(Uint8Array.from(bytes));
        reader.readUint(bits);
        reader.end();
      });
    expect(after([0b101], 3)).toBe("nothing thrown");
    expect(after([], 0)).toBe("nothing thrown");
    expect(after([0b1000_0101], 3)).toBe("WireError trailing");
    expect(after([0b101, 0], 3)).toBe("WireError trailing");
    expect(after([0], 0)).toBe("WireError trailing");
  });

  it("reads a window of a larger buffer, and copies out of it", () => {
    const buffer = Buffer.from([9, 9, 1, 2, 3, 4, 5, 9, 9]);
    const reader = new BitReader(buffer.subarray(2, 7));
    const copied = reader.readBytes(2);
    expect(reader.readBits(24)).toBe(0x05_04_03);
    expect(codeOf(() => reader.readBits(1))).toBe("WireError truncated");
    buffer.fill(0);
    expect([...copied]).toEqual([1, 2]);
  });
});

describe("bitsFor", () => {
  it("is the smallest width that holds the number", () => {
    expect([0, 1, 2, 3, 4, 255, 256, 2 ** 32 - 1, 2 ** 32].map(bitsFor)).toEqual([0, 1, 2, 2, 3, 8, 9, 32, 33]);
    expect(bitsFor(Number.MAX_SAFE_INTEGER)).toBe(53);
  });
});
