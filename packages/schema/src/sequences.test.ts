import { describe, expect, it } from "vitest";
import { BitReader } from "./bit-reader.ts";
import { BitWriter } from "./bit-writer.ts";
import { SchemaError, WireError } from "./errors.ts";
import type { SequenceField } from "./field.ts";
import { bool, enumeration, uint } from "./numbers.ts";
import { bytes, list, text } from "./sequences.ts";

function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof SchemaError || error instanceof WireError) return error.message;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function readBytes<T>(field: SequenceField<T>, ...raw: number[]): unknown {
  return field.readWire(new BitReader(Uint8Array.from(raw)));
}

describe("text", () => {
  it("counts its maximum in bytes of UTF-8", () => {
    const field = text(4);
    for (const good of ["", "abcd", "éé", "😀"]) expect(() => field.check(good, "chat.line")).not.toThrow();
    expect(refusal(() => field.check("ééa", "chat.line"))).toBe(
      'chat.line: must be at most 4 bytes of UTF-8, got 5: "ééa"',
    );
    expect(refusal(() => field.check(7, "chat.line"))).toBe("chat.line: must be a string, got 7");
  });

  it("shows only the head of a long text that does not fit", () => {
    expect(refusal(() => text(4).check("x".repeat(10_000), "chat.line")).length).toBeLessThan(120);
  });

  it("replaces half a surrogate pair in wire form", () => {
    expect(text(8).toWire("a\ud83d")).toBe("a\ufffd");
    expect(text(8).sameWire(text(8).toWire("\ud83d"), text(8).toWire("\ud83c"))).toBe(true);
  });

  it("refuses a length above its maximum, past the end, and bytes that are no UTF-8", () => {
    expect(refusal(() => readBytes(text(200), 201, ...Array(201).fill(65)))).toContain("length");
    expect(refusal(() => readBytes(text(200), 3, 65, 65))).toContain("truncated");
    expect(refusal(() => readBytes(text(200), 2, 0xc3, 0x41))).toContain("utf8");
    expect(readBytes(text(200), 2, 0xc3, 0xa9)).toBe("é");
  });
});

describe("bytes", () => {
  it("takes any bytes up to its maximum", () => {
    const field = bytes(3);
    expect(() => field.check(new Uint8Array(3), "map.tile")).not.toThrow();
    expect(() => field.check(Buffer.from("abc"), "map.tile")).not.toThrow();
    expect(refusal(() => field.check(new Uint8Array(4), "map.tile"))).toBe("map.tile: must be at most 3 bytes, got 4");
    expect(refusal(() => field.check([1, 2], "map.tile"))).toBe("map.tile: must be a Uint8Array, got an array of 2");
  });

  it("compares by content", () => {
    const field = bytes(3);
    expect(field.sameWire(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
    expect(field.sameWire(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
    expect(field.sameWire(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false);
  });

  it("copies a pooled buffer instead of keeping a window of it", () => {
    const pooled = Buffer.from([1, 2, 3]);
    const wire = bytes(3).toWire(pooled);
    pooled.fill(0);
    expect(wire).toEqual(Uint8Array.of(1, 2, 3));
  });
});

describe("list", () => {
  it("checks its length and each item, naming the item", () => {
    const field = list(uint(4), 3);
    expect(() => field.check([0, 15], "ship.cargo")).not.toThrow();
    expect(refusal(() => field.check([1, 2, 3, 4], "ship.cargo"))).toBe("ship.cargo: must have at most 3 items, got 4");
    expect(refusal(() => field.check([1, 16], "ship.cargo"))).toBe(
      "ship.cargo[1]: must be an integer from 0 to 15, got 16",
    );
    expect(refusal(() => field.check(new Array(2), "ship.cargo"))).toContain("ship.cargo[0]");
    expect(refusal(() => field.check({ length: 1 }, "ship.cargo"))).toContain("must be an array");
  });

  it("compares item by item", () => {
    const field = list(bytes(2), 3);
    expect(field.sameWire([Uint8Array.of(1)], [Uint8Array.of(1)])).toBe(true);
    expect(field.sameWire([Uint8Array.of(1)], [Uint8Array.of(2)])).toBe(false);
    expect(field.sameWire([Uint8Array.of(1)], [])).toBe(false);
  });

  it("brings each item into wire form and back", () => {
    const field = list(enumeration("red", "blue"), 3);
    expect(field.toWire(["blue", "red"])).toEqual([1, 0]);
    expect(field.fromWire([1, 0])).toEqual(["blue", "red"]);
  });

  it("refuses a length that cannot be there, before it reads an item", () => {
    expect(refusal(() => readBytes(list(bool(), 200), 201))).toContain("length");
    expect(refusal(() => readBytes(list(bool(), 200), 9, 255))).toBe("truncated: 9 bits wanted, 8 left");
    expect(refusal(() => readBytes(list(text(15), 200), 3, 0))).toBe("truncated: 12 bits wanted, 8 left");
  });

  it("refuses lists of lists", () => {
    expect(refusal(() => list(list(bool(), 2), 2))).toContain("must not be lists themselves");
  });
});

describe("maxima", () => {
  it.each([0, -1, 1.5, NaN, 65_536])("%d is refused", (maximum) => {
    const messages = [() => text(maximum), () => bytes(maximum), () => list(bool(), maximum)].map(refusal);
    expect(messages.map((message) => message.split(":")[0])).toEqual(["text", "bytes", "list"]);
  });

  it("hold also when a wire form is written that never passed a check", () => {
    const writer = new BitWriter();
    expect(refusal(() => text(2).writeWire(writer, "abc"))).toContain("text(2)");
    expect(refusal(() => bytes(2).writeWire(writer, new Uint8Array(3)))).toContain("bytes(2)");
    expect(refusal(() => list(bool(), 2).writeWire(writer, [1, 1, 1]))).toContain("list(bool(),2)");
    expect(writer.bitLength).toBe(0);
  });

  it("cost as many length bits as they need", () => {
    expect(text(255).measureWire("")).toBe(8);
    expect(text(256).measureWire("é")).toBe(9 + 16);
    expect(list(uint(4), 3).measureWire([1, 2, 3])).toBe(2 + 12);
  });
});
