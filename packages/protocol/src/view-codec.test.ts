import type { Pivot, ViewSettings } from "@nearfield/core";
import { VIEW_CAPACITY } from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
import { BitReader, BitWriter } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readView, writeView } from "./view-codec.ts";

function roundTrip(view: ViewSettings): ViewSettings {
  const w = new BitWriter();
  writeView(w, view);
  const r = new BitReader(w.finish());
  const read = readView(r);
  r.end();
  return read;
}

const number = fc.oneof(fc.nat(), fc.double({ noNaN: true }), fc.constant(Number.POSITIVE_INFINITY));
const bound = fc.record(
  { time: fc.nat(), sequence: fc.nat(), value: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }) },
  { requiredKeys: [] },
);
const id = fc.nat(2 ** 31).map((n) => n as ObjectId);
const scale = fc.record({ scale: fc.double({ min: 0.1, max: 9, noNaN: true }) }, { requiredKeys: [] });
const pivot: fc.Arbitrary<Pivot> = fc.oneof(
  fc.tuple(scale, id).map(([s, object]) => ({ ...s, object })),
  fc.tuple(scale, fc.tuple(number, number, number)).map(([s, point]) => ({ ...s, point, orientation: [1, 0.25] })),
  fc.tuple(scale, fc.array(id, { maxLength: 9 })).map(([s, group]) => ({
    ...s,
    group,
    margin: 3,
    coefficients: [2, 4.5],
    ...(group.length > 1 && { spread: 7.5 }),
  })),
);
const name = fc.string({ maxLength: 30, unit: "grapheme-ascii" });
const set = fc.record({
  match: fc.oneof(
    fc.constant("everything" as const),
    name.map((type) => ({ type })),
    name.map((tag) => ({ tag })),
    name.map((predicate) => ({ predicate })),
  ),
  radii: fc.array(number, { maxLength: 5 }),
  sectors: fc.array(number, { maxLength: 5 }),
  bounds: fc.oneof(
    fc.array(bound, { maxLength: 5 }),
    fc.array(fc.array(bound, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  ),
  shape: fc.constantFrom("round" as const, "square" as const),
  clock: fc.constantFrom("refresh" as const, "firstMiss" as const),
  strict: fc.boolean(),
  own: fc.constantFrom("changes" as const, "bounds" as const),
  metric: name,
  range: number,
  pivots: fc.array(fc.nat(31), { maxLength: 4 }),
});

describe("views on the wire", () => {
  it("come back as they were", () => {
    fc.assert(
      fc.property(
        fc.record({ sets: fc.array(set, { maxLength: 4 }), pivots: fc.array(pivot, { maxLength: 4 }) }),
        (view) => {
          expect(roundTrip(view)).toEqual(view);
        },
      ),
    );
  });

  it("take few bytes", () => {
    const w = new BitWriter();
    const bounds = [{ time: 50, value: 0.5 }, { time: 200, value: 2 }, { time: 1000, value: 10 }, { time: 5000 }];
    writeView(w, {
      sets: [
        { match: { type: "ship" }, radii: [100, 300, 1000], bounds },
        { match: "everything", bounds: [{}] },
      ],
      pivots: [{ object: 77 as ObjectId }],
    });
    expect(w.byteLength).toBeLessThan(50);
  });

  it("are refused when they hold more than there can be", () => {
    const many = { sets: new Array(VIEW_CAPACITY.sets + 1).fill({ match: "everything", bounds: [{}] }), pivots: [] };
    expect(() => roundTrip(many)).toThrow(/17 sets, at most 16/);
  });
});
