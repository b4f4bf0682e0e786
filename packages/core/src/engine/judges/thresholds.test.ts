/** Comparing with a threshold gives exactly what `judge.ts` gives, on the very edge and one double to either side of it. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolved, smallWorld, viewOf } from "../../../test/small-world.ts";
import { dueCause, inRange, sectorOf, zoneOf } from "../../judge.ts";
import { Cause } from "../../model.ts";
import type { PlacedPivot } from "../../pivots.ts";
import type { ResolvedSet } from "../../resolve-view.ts";
import type { Bound } from "../../view.ts";
import {
  CELL,
  CELL_MISSED,
  CELL_ROUNDS,
  CELL_SAFE,
  CELL_VALUE,
  CELL_VALUE_SQUARE,
  CELLS,
  MIXES,
  SECTORS,
  SET,
  SET_CELLS,
  SET_COSINES,
  SET_EDGES,
  SET_ENTER,
  SET_MIXED_CELLS,
  SET_MIXES,
  SET_SECTORS,
  SET_STAY,
  SET_TERMS,
  TERM,
  ZONES,
} from "../memory/layout.ts";
import { heap } from "../memory/memory.ts";
import { squareOfAtLeast, squareOfAtMost, Thresholds, toleranceOf } from "./thresholds.ts";

const world = smallWorld();
const bits = new BigInt64Array(1);
const double = new Float64Array(bits.buffer);

/** A few doubles around one that is not negative, itself among them. */
function around(value: number): number[] {
  return [-3, -2, -1, 0, 1, 2, 3].flatMap((steps) => {
    double[0] = value;
    bits[0] = bits[0]! + BigInt(steps);
    return double[0]! >= 0 ? [double[0]!] : [];
  });
}

const length = fc.oneof(
  fc.integer({ min: 1, max: 2000 }),
  fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
  fc.double({ min: Number.MIN_VALUE, max: 1e300, noNaN: true }),
);
const scale = fc.constantFrom(1, 1, 0.5, 3, 0.1, 1 / 3, 1.7);
const roundMs = fc.constantFrom(50, 16, 33.333, 1000 / 60, 100, 0.1);

function setOf(set: Parameters<typeof viewOf>[0]): ResolvedSet {
  return resolved(world, viewOf(set)).sets[0]!;
}

function ahead(factor: number): PlacedPivot {
  return {
    placed: true,
    x: 0,
    y: 0,
    z: 0,
    dirX: 1,
    dirY: 0,
    dirZ: 0,
    scale: factor,
    radii: undefined,
    frame: undefined,
  };
}

interface Cell {
  readonly rounds: number;
  readonly missed: number;
  readonly value: number;
  readonly valueSquare: number;
  readonly safe: number;
}

/** What is asked for in one zone and sector of a set. */
function cellOf(thresholds: Thresholds, set = 0, zone = 0, sector = 0): Cell {
  const at = SET_CELLS + (zone * SECTORS + sector) * CELL;
  return {
    rounds: thresholds.int(set, at + CELL_ROUNDS),
    missed: thresholds.int(set, at + CELL_MISSED),
    value: thresholds.real(set, at + CELL_VALUE),
    valueSquare: thresholds.real(set, at + CELL_VALUE_SQUARE),
    safe: thresholds.real(set, at + CELL_SAFE),
  };
}

describe("squares", () => {
  test("stand exactly for their roots", () => {
    fc.assert(
      fc.property(length, (root) => {
        const [most, least] = [squareOfAtMost(root), squareOfAtLeast(root)];
        for (const square of [...around(most), ...around(least), ...around(root * root)]) {
          expect(square <= most).toBe(Math.sqrt(square) <= root);
          expect(square >= least).toBe(Math.sqrt(square) >= root);
        }
      }),
    );
    expect([squareOfAtMost(0), squareOfAtLeast(0)]).toEqual([0, 0]);
    const never = Number.POSITIVE_INFINITY;
    expect([squareOfAtMost(never), squareOfAtLeast(never)]).toEqual([never, never]);
  });
});

describe("thresholds", () => {
  test("zones and range", () => {
    fc.assert(
      fc.property(fc.uniqueArray(length, { minLength: 1, maxLength: 5 }), length, scale, (lengths, range, factor) => {
        const radii = lengths.sort((a, b) => a - b);
        const set = setOf({ radii, bounds: [...radii.map(() => ({})), {}], range });
        const thresholds = new Thresholds(heap, [set], factor, 50);
        for (const edge of [...radii.map((radius) => radius * factor), range, 1.1 * range]) {
          for (const square of around(edge * edge)) {
            const distance = Math.sqrt(square);
            let zone = 0;
            while (square > thresholds.real(0, SET_EDGES, zone)) zone++;
            expect(zone).toBe(zoneOf(set, ahead(factor), distance));
            expect(square <= thresholds.real(0, SET_ENTER)).toBe(inRange(set, distance, false));
            expect(square <= thresholds.real(0, SET_STAY)).toBe(inRange(set, distance, true));
          }
        }
      }),
    );
  });

  test("sectors", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 359 }), { maxLength: 7 }),
        fc.double({ min: -10, max: 10, noNaN: true }),
        fc.double({ min: -10, max: 10, noNaN: true }),
        (degrees, dx, dy) => {
          const sectors = degrees.sort((a, b) => a - b);
          const set = setOf({ sectors, bounds: [[...sectors.map(() => ({})), {}]] });
          const thresholds = new Thresholds(heap, [set], 1, 50);
          const square = dx * dx + dy * dy;
          if (square === 0) return;
          let sector = 0;
          while (dx < Math.sqrt(square) * thresholds.real(0, SET_COSINES, sector)) sector++;
          expect(sector).toBe(sectorOf(set, ahead(1), dx, dy, 0));
        },
      ),
    );
  });

  const bound = fc.record({
    time: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.double({ min: 0, max: 1e5, noNaN: true })),
    sequence: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.double({ min: 0, max: 40, noNaN: true })),
    value: fc.oneof(fc.constant(0), length),
  });
  const maybe = fc.constantFrom<keyof Bound | "none">("none", "time", "sequence", "value");

  test("bounds, in rounds, updates and distance", () => {
    fc.assert(
      fc.property(bound, maybe, fc.boolean(), roundMs, (complete, left, strict, ms) => {
        const stated = Object.fromEntries(Object.entries(complete).filter(([name]) => name !== left)) as Bound;
        const set = setOf({ bounds: [stated], strict });
        const { rounds, missed, value, valueSquare } = cellOf(new Thresholds(heap, [set], 1, ms));
        const cell = { time: set.time[0]!, sequence: set.sequence[0]!, value: set.value[0]! };
        const nothing = { time: Number.NEGATIVE_INFINITY, sequence: 0, value: 0 };
        const is = (cause: Cause, divergence: Partial<Record<keyof Bound, number>>, only: keyof Bound): boolean => {
          const never = {
            time: Number.POSITIVE_INFINITY,
            sequence: Number.POSITIVE_INFINITY,
            value: Number.POSITIVE_INFINITY,
          };
          return dueCause(set, { ...never, [only]: cell[only] }, { ...nothing, ...divergence }, ms) === cause;
        };
        const guess = Math.min(100_000, Math.floor(cell.time / ms));
        for (let n = Math.max(0, guess - 3); n < guess + 4; n++) {
          expect(n >= rounds, `${n} rounds of ${ms}`).toBe(is(Cause.time, { time: n * ms }, "time"));
        }
        for (let n = 0; n < 45; n++) {
          expect(n >= missed, `${n} updates`).toBe(is(Cause.sequence, { sequence: n }, "sequence"));
        }
        expect(value).toBe(cell.value);
        const squares = cell.value === Number.POSITIVE_INFINITY ? [0, 1, 1e300] : around(cell.value * cell.value);
        for (const square of squares) {
          expect(square >= valueSquare).toBe(is(Cause.value, { value: Math.sqrt(square) }, "value"));
        }
      }),
    );
  });

  test("each set, zone and sector has its own", () => {
    const bounds = [0, 1, 2].map((zone) =>
      [0, 1].map((sector) => ({
        time: 500 * zone + 100 * sector + 50,
        sequence: 10 * zone + sector + 2,
        value: 4 * zone + sector,
      })),
    );
    const first = setOf({ radii: [10, 20], sectors: [90], bounds });
    const second = setOf({ radii: [7], bounds: [{ time: 50 }, { time: 100 }], strict: true });
    const thresholds = new Thresholds(heap, [first, second], 2, 50);
    for (const [zone, row] of bounds.entries()) {
      for (const [sector, cell] of row.entries()) {
        const { rounds, missed, value } = cellOf(thresholds, 0, zone, sector);
        expect([rounds * 50, missed, value]).toEqual([cell.time, cell.sequence, cell.value]);
      }
    }
    expect([0, 1].map((set) => thresholds.int(set, SET_SECTORS))).toEqual([2, 1]);
    expect([0, 1].map((zone) => cellOf(thresholds, 1, zone).rounds)).toEqual([1, 2]);
    const edges = [0, 1, 2].map((zone) => thresholds.real(0, SET_EDGES, zone));
    const reach = [...edges, ...[0, 1].map((zone) => thresholds.real(1, SET_EDGES, zone))].map(Math.sqrt);
    expect(reach).toEqual([20, 40, Number.POSITIVE_INFINITY, 14, Number.POSITIVE_INFINITY]);
  });

  test("what is safe lies below the bound, by more than rounding to wire form may add", () => {
    fc.assert(
      fc.property(bound, (stated) => {
        const set = setOf({ bounds: [stated] });
        const { safe, value } = cellOf(new Thresholds(heap, [set], 1, 50));
        expect(safe + toleranceOf(set)).toBeLessThanOrEqual(value);
      }),
    );
    const set = setOf({ sectors: [90], bounds: [[{ value: 4 }, { value: 8 }]] });
    expect(toleranceOf(set)).toBeLessThan(4);
  });
});

test("the layout has room for what it says", () => {
  expect(CELLS).toBe(ZONES * SECTORS);
  expect(SET_TERMS).toBe(Math.ceil((SET_CELLS + CELLS * CELL) / 64) * 64);
  expect(TERM).toBe(CELL);
  expect(SET_MIXES).toBe(SET_TERMS + CELLS * TERM);
  expect(SET_MIXED_CELLS).toBe(SET_MIXES + MIXES * 4);
  expect(SET).toBe(SET_MIXED_CELLS + MIXES * CELL);
});
