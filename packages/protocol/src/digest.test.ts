/** Digests of predicted states: what a rounding error apart is agrees, what is further apart does not, and exact fields are compared exactly. */

import {
  angle,
  bool,
  bytes,
  enumeration,
  float32,
  float64,
  int,
  list,
  object,
  quantized,
  text,
  uint,
} from "@nearfield/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agrees, digestOf, HASH_BITS, isExactly } from "./digest.ts";

const STEP = 0.25;
const Ship = object("ship", {
  x: quantized(-100, 100, STEP),
  y: quantized(-100, 100, STEP),
  heading: angle(10),
  speed: float32(),
  exact: float64(),
  hits: uint(8),
  lean: int(6),
  fires: bool(),
  mood: enumeration("calm", "angry"),
  name: text(16),
  key: bytes(8),
  trail: list(uint(8), 4),
});
const type = Ship as never;

const TURN = 2 * Math.PI;
const state = fc.record({
  x: fc.double({ min: -99, max: 99, noNaN: true }),
  y: fc.double({ min: -99, max: 99, noNaN: true }),
  heading: fc.double({ min: -20, max: 20, noNaN: true }),
  speed: fc.integer({ min: 1, max: 1e6 }).map((n) => n / 7),
  exact: fc.integer({ min: 1, max: 1e9 }).map((n) => n / 7),
  hits: fc.nat(255),
  lean: fc.integer({ min: -32, max: 31 }),
  fires: fc.boolean(),
  mood: fc.constantFrom("calm", "angry"),
  name: fc.constantFrom("", "ann", "größe"),
  key: fc.uint8Array({ maxLength: 8 }),
  trail: fc.array(fc.nat(255), { maxLength: 4 }),
});

/** The share of these states that agree with what becomes of them. */
function shareThatAgrees(change: (values: Record<string, unknown>) => Record<string, unknown>): number {
  const samples = fc.sample(state, { numRuns: 4000, seed: 11 });
  return samples.filter((values) => agrees(digestOf(type, values), type, change(values))).length / samples.length;
}

/** What wrong states share by chance, with room for the dice. */
const BY_CHANCE = 3 / 2 ** HASH_BITS;

describe("a digest", () => {
  it("agrees with its own state, and with its state as it comes over the wire", () => {
    fc.assert(
      fc.property(state, (values) => {
        const sent = Object.fromEntries(
          Ship.fields.map(({ name, field }) => {
            const own = (values as Record<string, unknown>)[name];
            return [name, field.fromWire(field.toWire(own as never) as never)];
          }),
        );
        expect(agrees(digestOf(type, values), type, values)).toBe(true);
        expect(agrees(digestOf(type, values), type, sent)).toBe(true);
      }),
    );
  });

  it("agrees with rounded numbers that are up to one step apart", () => {
    const off = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(state, off, off, off, (values, a, b, c) => {
        const other = {
          ...values,
          x: values.x + a * STEP * 0.5,
          y: values.y + b * STEP * 0.5,
          heading: values.heading + (c * TURN * 0.5) / 1024,
        };
        expect(agrees(digestOf(type, values), type, other)).toBe(true);
      }),
    );
  });

  it("tells what is exact from what is near", () => {
    fc.assert(
      fc.property(state, (values) => {
        expect(isExactly(digestOf(type, values), type, values)).toBe(true);
      }),
    );
    const samples = fc.sample(state, { numRuns: 2000, seed: 12 });
    const passed = samples.filter((values) =>
      isExactly(digestOf(type, values), type, { ...values, x: values.x * 0.98 + STEP * 5 }),
    );
    expect(passed.length / samples.length).toBeLessThan(BY_CHANCE);
  });

  it("agrees across the end of a turn", () => {
    const heading = (steps: number) => ({
      ...fc.sample(state, { numRuns: 1, seed: 3 })[0]!,
      heading: (steps * TURN) / 1024,
    });
    for (let steps = -3; steps <= 3; steps++) {
      expect(agrees(digestOf(type, heading(steps)), type, heading(steps + 1024 + 1))).toBe(true);
      expect(agrees(digestOf(type, heading(steps)), type, heading(steps + 1024 - 1))).toBe(true);
    }
  });

  it.each([
    ["a place three steps off", (v: Record<string, unknown>) => ({ ...v, x: (v["x"] as number) * 0.98 + 3 * STEP })],
    ["another heading", (v: Record<string, unknown>) => ({ ...v, heading: (v["heading"] as number) + 0.1 })],
    ["another speed", (v: Record<string, unknown>) => ({ ...v, speed: (v["speed"] as number) * 1.01 })],
    ["one hit more", (v: Record<string, unknown>) => ({ ...v, hits: ((v["hits"] as number) + 1) % 256 })],
    ["another sign", (v: Record<string, unknown>) => ({ ...v, fires: !(v["fires"] as boolean) })],
    ["another mood", (v: Record<string, unknown>) => ({ ...v, mood: v["mood"] === "calm" ? "angry" : "calm" })],
    ["another name", (v: Record<string, unknown>) => ({ ...v, name: `${v["name"] as string}x` })],
    [
      "a longer list",
      (v: Record<string, unknown>) => ({ ...v, trail: [...(v["trail"] as number[]), 0].slice(-4), hits: 0 }),
    ],
    [
      "the last bit of an exact number",
      (v: Record<string, unknown>) => ({ ...v, exact: (v["exact"] as number) * (1 + 2 ** -52) }),
    ],
  ])("does not agree with %s, but by chance", (_, change) => {
    expect(shareThatAgrees(change)).toBeLessThan(BY_CHANCE);
  });
});
