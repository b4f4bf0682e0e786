import { describe, expect, it } from "vitest";
import { BitReader } from "./bit-reader.ts";
import { BitWriter } from "./bit-writer.ts";
import { SchemaError, WireError } from "./errors.ts";
import { angle, bool, enumeration, float32, float64, int, quantized, uint } from "./numbers.ts";
import type { NumericField } from "./numeric-field.ts";

function refusal(action: () => unknown): SchemaError {
  try {
    action();
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** What reading a float field says to a number that some other writer put there. */
function readFloat(field: NumericField<number>, number: number): number | string {
  const writer = new BitWriter();
  if (field.wireBits === 32) writer.writeFloat32(number);
  else writer.writeFloat64(number);
  try {
    return field.readNumber(new BitReader(writer.finish()));
  } catch (error) {
    if (error instanceof WireError) return error.code;
    throw error;
  }
}

/** What reading an integer field says to raw bits. */
function readRaw(field: NumericField<unknown>, raw: number): number | string {
  const writer = new BitWriter();
  writer.writeUint(raw, field.wireBits);
  try {
    return field.readNumber(new BitReader(writer.finish()));
  } catch (error) {
    if (error instanceof WireError) return error.code;
    throw error;
  }
}

describe("checks", () => {
  it.each<[NumericField<unknown>, unknown[], unknown[]]>([
    [bool(), [true, false], [0, 1, "true", null, undefined]],
    [uint(7), [0, 127, -0], [128, -1, 1.5, NaN, Infinity, "5", null, undefined, 5n]],
    [uint(53), [2 ** 53 - 1], [2 ** 53]],
    [int(7), [-64, 63], [-65, 64, 0.1]],
    [int(53), [-(2 ** 52), 2 ** 52 - 1], [2 ** 52, -(2 ** 52) - 1]],
    [int(1), [-1, 0], [1, -2]],
    [float32(), [0.1, -0, 3.4e38], [NaN, Infinity, -Infinity, 3.5e38, "1", true]],
    [float64(), [0.1, -0, 1.7e308], [NaN, Infinity, -Infinity, "1"]],
    [quantized(0, 10, 0.1), [5, 0, 10, -0.04, 10.04], [-5, 10.1, -0.1, Infinity, -Infinity, NaN, "5", null]],
    [angle(8), [0, 1e6, -1e6], [NaN, Infinity, -Infinity, "1"]],
    [enumeration("red", "blue"), ["red", "blue"], ["green", 0, "", undefined]],
  ])("$kind tells what fits from what does not", (field, good, bad) => {
    for (const value of good) expect(() => field.check(value, "ship.hull")).not.toThrow();
    for (const value of bad) expect(refusal(() => field.check(value, "ship.hull")).field).toBe("ship.hull");
  });

  it("name the field, the requirement and the value", () => {
    const messages = [
      () => uint(7).check(300, "ship.hull"),
      () => int(4).check("7", "ship.gear"),
      () => enumeration("red", "blue").check("green", "ship.team"),
      () => quantized(0, 10, 1).check(11, "ship.x"),
    ].map((action) => refusal(action).message);
    expect(messages).toEqual([
      "ship.hull: must be an integer from 0 to 127, got 300",
      'ship.gear: must be an integer from -8 to 7, got "7"',
      'ship.team: must be one of "red", "blue", got "green"',
      "ship.x: must be a number from 0 to 10, got 11",
    ]);
    expect(refusal(() => bool().check(1, "door.open")).code).toBe("value");
  });
});

describe("widths", () => {
  it("are as narrow as the range allows", () => {
    expect(bool().wireBits).toBe(1);
    expect(uint(13).wireBits).toBe(13);
    expect(int(13).wireBits).toBe(13);
    expect(quantized(0, 5000, 0.01).wireBits).toBe(19);
    expect(quantized(0, 255, 1).wireBits).toBe(8);
    expect(quantized(0, 256, 1).wireBits).toBe(9);
    expect(enumeration("a", "b", "c", "d").wireBits).toBe(2);
    expect(enumeration("a", "b", "c", "d", "e").wireBits).toBe(3);
    expect(enumeration("only").wireBits).toBe(1);
  });
});

describe("reading refuses what no writer wrote", () => {
  it("in enumerations and quantised ranges, above the last wire number", () => {
    expect(readRaw(enumeration("a", "b", "c"), 2)).toBe(2);
    expect(readRaw(enumeration("a", "b", "c"), 3)).toBe("range");
    expect(readRaw(enumeration("only"), 1)).toBe("range");
    expect(readRaw(quantized(0, 10, 1), 10)).toBe(10);
    expect(readRaw(quantized(0, 10, 1), 11)).toBe("range");
  });

  it.each([float32(), float64()])("in $kind: NaN, infinities and -0", (field) => {
    expect([NaN, Infinity, -Infinity, -0].map((number) => readFloat(field, number))).toEqual(Array(4).fill("range"));
    expect(readFloat(field, 0.5)).toBe(0.5);
    expect(readFloat(field, 0)).toBe(0);
  });
});

describe("writing refuses wire numbers outside the range", () => {
  const misfits: [NumericField<unknown>, number][] = [
    [enumeration("a", "b", "c"), 3],
    [quantized(0, 10, 1), 11],
    [uint(3), -1],
    [uint(3), 0.5],
    [uint(3), NaN],
    [float32(), NaN],
    [float64(), Infinity],
    [float64(), -0],
  ];
  it.each(misfits.map(([field, wire]) => [field.signature(), wire, field] as const))("%s: %d", (_name, wire, field) => {
    const writer = new BitWriter();
    expect(refusal(() => field.writeNumber(writer, wire)).code).toBe("value");
    expect(writer.bitLength).toBe(0);
  });
});

describe("quantizeNumber", () => {
  it("rounds integers and clamps them", () => {
    expect([2.4, 2.5, -3, 99, Infinity, -Infinity].map((n) => uint(4).quantizeNumber(n))).toEqual([2, 3, 0, 15, 15, 0]);
    expect([-2.6, -0.2, -99].map((n) => int(4).quantizeNumber(n))).toEqual([-3, 0, -8]);
  });

  it("takes NaN for the initial value", () => {
    const fields = [uint(4), int(4), float32(), float64(), angle(4), quantized(-1, 1, 0.5), quantized(5, 9, 1)];
    expect(fields.map((field) => field.quantizeNumber(NaN))).toEqual([0, 0, 0, 0, 0, 2, 0]);
    expect(angle(4).quantizeNumber(Infinity)).toBe(0);
  });

  it("rounds floats to 32 bits and keeps them finite", () => {
    expect(float32().quantizeNumber(0.1)).toBe(Math.fround(0.1));
    expect(float32().quantizeNumber(1e39)).toBe(3.4028234663852886e38);
    expect(float32().quantizeNumber(-Infinity)).toBe(-3.4028234663852886e38);
    expect(float64().quantizeNumber(Infinity)).toBe(Number.MAX_VALUE);
    expect(float32().quantizeNumber(-0)).toBe(0);
    expect(float64().quantizeNumber(-0)).toBe(0);
  });
});

describe("angles", () => {
  it("are read back in [-π, π)", () => {
    const field = angle(2);
    expect([0, 1, 2, 3].map((wire) => field.fromWire(wire))).toEqual([0, Math.PI / 2, -Math.PI, -Math.PI / 2]);
  });

  it("wrap at both ends and over many turns", () => {
    const field = angle(10);
    expect(field.toWire(Math.PI)).toBe(512);
    expect(field.toWire(-Math.PI)).toBe(512);
    expect(field.toWire(2 * Math.PI)).toBe(0);
    expect(field.toWire(-2 * Math.PI)).toBe(0);
    expect(field.toWire(2 * Math.PI - 1e-9)).toBe(0);
    expect(field.toWire(-1e-9)).toBe(0);
    expect(field.toWire(1 + 40 * Math.PI)).toBe(field.toWire(1));
    expect(field.toWire(-1 - 40 * Math.PI)).toBe(field.toWire(-1));
    expect(field.toWire(Number.MAX_VALUE)).toBeLessThan(1024);
  });

  it("are exact to half a step", () => {
    for (const bits of [1, 2, 7, 16, 32]) {
      const field = angle(bits);
      for (let turn = -1.5; turn <= 1.5; turn += 0.0137) {
        const radians = turn * 2 * Math.PI;
        const error = field.fromWire(field.toWire(radians)) - radians;
        const wrapped = Math.abs(error - Math.round(error / (2 * Math.PI)) * 2 * Math.PI);
        expect(wrapped).toBeLessThanOrEqual(Math.PI / 2 ** bits + 1e-12);
      }
    }
  });
});

describe("column numbers", () => {
  it("are 0 and 1 for bool, the index for enumerations, the value itself for numbers", () => {
    expect([bool().toNumber(false), bool().toNumber(true)]).toEqual([0, 1]);
    expect([bool().fromNumber(0), bool().fromNumber(1)]).toEqual([false, true]);
    const team = enumeration("red", "blue");
    expect(team.toNumber("blue")).toBe(1);
    expect(team.fromNumber(1)).toBe("blue");
    expect(quantized(0, 1, 0.5).toNumber(0.3)).toBe(0.3);
    expect(quantized(0, 1, 0.5).fromNumber(0.3)).toBe(0.3);
  });
});

describe("initial values", () => {
  it("are 0, false, the first label, or what is nearest to 0 in the range", () => {
    expect([bool(), uint(3), int(3), float32(), float64(), angle(3)].map((field) => field.initial)).toEqual([
      false,
      ...[0, 0, 0, 0, 0],
    ]);
    expect(enumeration("red", "blue").initial).toBe("red");
    expect(quantized(5, 9, 1).initial).toBe(5);
    expect(quantized(-9, -5, 1).initial).toBe(-5);
    expect(quantized(-1.03, 1, 0.1).initial).toBeCloseTo(-0.03, 10);
  });
});

describe("builders", () => {
  it.each<[string, () => unknown]>([
    ["uint", () => uint(0)],
    ["uint", () => uint(54)],
    ["uint", () => uint(1.5)],
    ["uint", () => uint(NaN)],
    ["int", () => int(0)],
    ["int", () => int(54)],
    ["angle", () => angle(0)],
    ["angle", () => angle(33)],
    ["quantized", () => quantized(1, 0, 0.1)],
  ])("refuse a wrong parameter of %s", (builder, build) => {
    expect(refusal(build)).toMatchObject({ code: "parameter", field: builder });
  });

  it("refuse labels that are missing, double, too many or no strings", () => {
    expect(refusal(() => enumeration("a", "b", "a"))).toMatchObject({ code: "name", field: "enumeration" });
    expect(refusal(() => enumeration(...([] as unknown as [string]))).code).toBe("parameter");
    expect(refusal(() => enumeration(...([1, 2] as unknown as [string]))).code).toBe("name");
    const many = Array.from({ length: 1025 }, (_, index) => `label${index}`) as [string, ...string[]];
    expect(refusal(() => enumeration(...many)).code).toBe("limit");
  });

  it("say in their signature everything that changes the bits", () => {
    const signatures = [bool(), uint(3), int(3), float32(), float64(), angle(3), quantized(-0, 1, 0.1)].map((field) =>
      field.signature(),
    );
    expect(signatures).toEqual([
      "bool()",
      "uint(3)",
      "int(3)",
      "float32()",
      "float64()",
      "angle(3)",
      "quantized(0,1,0.1)",
    ]);
    expect(enumeration('a"', "b").signature()).toBe('enumeration("a\\"","b")');
  });
});
