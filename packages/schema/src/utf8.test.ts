import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BitReader } from "./bit-reader.ts";
import { BitWriter } from "./bit-writer.ts";
import { WireError } from "./errors.ts";
import { readUtf8, utf8Length, wellFormed, writeUtf8 } from "./utf8.ts";

const RUNS = 40 * (fc.readConfigureGlobal().numRuns ?? 100);

/** Any UTF-16 units, half surrogate pairs included. */
const anyText = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom("a", "é", "中", "😀", "\ud83d", "\ude00", "\u0000", "\ufeff"), { maxLength: 20 })
    .map((parts) => parts.join("")),
  fc.string({ unit: "binary" }),
);

function encode(text: string, leadBits: number): Uint8Array {
  const writer = new BitWriter();
  writer.writeBits(0, leadBits);
  writeUtf8(writer, text);
  return writer.finish();
}

describe("utf8", () => {
  it("encodes as the platform does", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const encoded = encode(text, 0);
        expect(encoded).toEqual(new TextEncoder().encode(text));
        expect(utf8Length(text)).toBe(encoded.length);
      }),
    );
  });

  it("reads back the well-formed text, at any bit position", () => {
    fc.assert(
      fc.property(anyText, fc.nat(31), (text, leadBits) => {
        const reader = new BitReader(encode(text, leadBits));
        reader.readBits(leadBits);
        expect(readUtf8(reader, utf8Length(text))).toBe(wellFormed(text));
        reader.end();
      }),
    );
  });

  it("leaves well-formed text as it is and replaces each half pair", () => {
    expect(wellFormed("naïve 😀")).toBe("naïve 😀");
    expect(wellFormed("\ud83d")).toBe("\ufffd");
    expect(wellFormed("a\ude00\ud83db")).toBe("a\ufffd\ufffdb");
  });

  it("accepts and refuses the same bytes as a strict decoder", () => {
    const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const lively = fc.constantFrom(
      0x00,
      0x41,
      0x7f,
      0x80,
      0x8f,
      0x90,
      0x9f,
      0xa0,
      0xbf,
      0xc0,
      0xc1,
      0xc2,
      0xdf,
      0xe0,
      0xed,
      0xef,
      0xf0,
      0xf4,
      0xf5,
      0xf8,
      0xff,
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.array(lively, { maxLength: 8 }).map((each) => Uint8Array.from(each)),
    );
    fc.assert(
      fc.property(bytes, (each) => {
        let expected: string | undefined;
        try {
          expected = strict.decode(each);
        } catch {
          expected = undefined;
        }
        let decoded: string | undefined;
        try {
          decoded = readUtf8(new BitReader(each), each.length);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
          expect((error as WireError).code).toBe("utf8");
        }
        expect(decoded).toBe(expected);
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    ["an overlong form", [0xc0, 0x80]],
    ["an overlong form of three bytes", [0xe0, 0x9f, 0xbf]],
    ["an overlong form of four bytes", [0xf0, 0x8f, 0xbf, 0xbf]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a surrogate pair", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ["a point past U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
    ["a lone continuation", [0x80]],
    ["a lead without its continuation", [0xc3, 0x41]],
    ["a lead of five bytes", [0xf8, 0x88, 0x80, 0x80, 0x80]],
  ])("refuses %s", (_name, bytes) => {
    expect(() => readUtf8(new BitReader(Uint8Array.from(bytes)), bytes.length)).toThrow("utf8");
  });

  it("looks no further than the length it was given", () => {
    const reader = new BitReader(new TextEncoder().encode("é"));
    expect(() => readUtf8(reader, 1)).toThrow("cut off");
    expect(() => readUtf8(new BitReader(new Uint8Array(3)), 4)).toThrow("truncated");
  });
});
