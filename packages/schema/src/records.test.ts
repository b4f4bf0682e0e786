import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { angle, bytes, command, enumeration, event, list, SchemaError, text, uint } from "./index.ts";
import {
  BitReader,
  BitWriter,
  checkRecord,
  measureRecord,
  readRecord,
  WireError,
  writeRecord,
} from "./internal/index.ts";

const RUNS = 20 * (fc.readConfigureGlobal().numRuns ?? 100);

const Shot = event("shot", {
  by: uint(20),
  weapon: enumeration("laser", "rail"),
  heading: angle(8),
  line: text(40),
  seed: bytes(4),
  hits: list(uint(20), 8),
});

const shot = {
  by: 7,
  weapon: "rail" as const,
  heading: 0,
  line: "héllo",
  seed: Uint8Array.of(1, 2),
  hits: [3, 4],
};

function bytesOf(values: typeof shot): Uint8Array {
  const writer = new BitWriter();
  writeRecord(writer, Shot, values);
  return writer.finish();
}

describe("records", () => {
  it("go through the wire as plain objects, with their inferred type", () => {
    const writer = new BitWriter();
    writeRecord(writer, Shot, shot);
    expect(writer.bitLength).toBe(measureRecord(Shot, shot));
    const reader = new BitReader(writer.finish());
    const back = readRecord(reader, Shot);
    reader.end();
    expect(back).toEqual(shot);
    expectTypeOf(back.weapon).toEqualTypeOf<"laser" | "rail">();
    expectTypeOf(back.hits).toEqualTypeOf<readonly number[]>();
  });

  it("may have no fields", () => {
    const Respawn = command("respawn", {});
    const writer = new BitWriter();
    writeRecord(writer, Respawn, {});
    expect(writer.bitLength).toBe(0);
    expect(readRecord(new BitReader(new Uint8Array(0)), Respawn)).toEqual({});
  });

  it("may have fields named like the members of every object", () => {
    const Odd = event("odd", { constructor: uint(4), toString: uint(4), valueOf: uint(4) });
    const values = { constructor: 1, toString: 2, valueOf: 3 };
    const writer = new BitWriter();
    writeRecord(writer, Odd, values);
    expect(readRecord(new BitReader(writer.finish()), Odd)).toEqual(values);
    expect(() => checkRecord(Odd, {} as never)).toThrow("odd.constructor");
  });

  it.each<[string, object | null]>([
    ["shot.weapon: must be one of", { ...shot, weapon: "bow" }],
    ["shot.by: must be an integer from 0 to 1048575, got undefined", { ...shot, by: undefined }],
    ["shot.hits[1]: must be an integer", { ...shot, hits: [1, -1] }],
    ["shot.speed: is not a field", { ...shot, speed: 3 }],
    ["shot: must be an object", null],
  ])("are refused whole when a value does not fit: %s", (message, values) => {
    const writer = new BitWriter();
    for (const action of [writeRecord.bind(null, writer), measureRecord, checkRecord]) {
      expect(() => action(Shot, values as never)).toThrow(SchemaError);
      expect(() => action(Shot, values as never)).toThrow(message);
    }
    expect(writer.bitLength).toBe(0);
  });

  it("throw only WireErrors for bytes that were cut or changed", () => {
    const good = bytesOf(shot);
    fc.assert(
      fc.property(fc.nat(good.length), fc.array(fc.nat(good.length * 8 - 1), { maxLength: 4 }), (length, flips) => {
        const bytes = good.slice();
        for (const bit of flips) bytes[bit >>> 3]! ^= 1 << (bit & 7);
        const reader = new BitReader(bytes.subarray(0, length));
        try {
          const values = readRecord(reader, Shot);
          checkRecord(Shot, values);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
