import { describe, expect, test } from "vitest";
import { resolved, Ship, smallWorld, viewOf } from "../test/small-world.ts";
import type { Entity, Pivot } from "./index.ts";
import { Cause, type ObjectSetSettings } from "./internal/index.ts";
import {
  cellOf,
  distance,
  divergenceOf,
  dueCause,
  inRange,
  matchSet,
  nearest,
  type PairState,
  sectorOf,
  zoneAtPoint,
  zoneOf,
} from "./judge.ts";
import { type PlacedPivot, placePivot, replaced } from "./pivots.ts";
import type { ResolvedSet } from "./resolve-view.ts";

const UNBOUNDED = Number.POSITIVE_INFINITY;
const world = smallWorld();

function setOf(settings: Omit<ObjectSetSettings, "match" | "bounds"> & Partial<ObjectSetSettings>): ResolvedSet {
  const zones = (settings.radii?.length ?? 0) + 1;
  const sectors = (settings.sectors?.length ?? 0) + 1;
  const bounds = Array.from({ length: zones }, () => Array.from({ length: sectors }, () => ({})));
  return resolved(world, viewOf({ bounds, ...settings })).sets[0]!;
}

function placed(pivot: Pivot): PlacedPivot {
  const [place] = replaced([], [], [pivot]);
  placePivot(pivot, world, place!);
  return place!;
}

const at = (...point: number[]): PlacedPivot => placed({ point });
const facing = (orientation: number[], ...point: number[]): PlacedPivot => placed({ point, orientation });

describe("distance and zone", () => {
  test("round is Euclid, square is Chebyshev, in 2D and 3D", () => {
    expect(distance("round", 3, -4, 0)).toBe(5);
    expect(distance("square", 3, -4, 0)).toBe(4);
    expect(distance("round", 2, -3, 6)).toBe(7);
    expect(distance("square", 2, -3, -6)).toBe(6);
  });

  test("a zone holds its outer edge and not its inner one; the last is unbounded", () => {
    const set = setOf({ radii: [10, 20] });
    expect([0, 10, 10.001, 20, 20.001, 1e9].map((d) => zoneOf(set, at(0, 0), d))).toEqual([0, 0, 1, 1, 2, 2]);
  });

  test("without radii there is one zone", () => {
    expect(zoneOf(setOf({}), at(0, 0), 1e9)).toBe(0);
  });

  test("a pivot's scale stretches the radii", () => {
    const set = setOf({ radii: [10, 20] });
    const zoomed = placed({ point: [0, 0], scale: 2 });
    expect([20, 20.5, 40, 40.5].map((d) => zoneOf(set, zoomed, d))).toEqual([0, 1, 1, 2]);
  });
});

describe("sector", () => {
  const set = setOf({ sectors: [90, 180] });

  test("by the angle to the pivot's direction, borders inclusive", () => {
    const pivot = facing([1, 0], 0, 0);
    expect(sectorOf(set, pivot, 5, 0, 0)).toBe(0);
    expect(sectorOf(set, pivot, 5, 5.001, 0)).toBe(1);
    expect(sectorOf(set, pivot, 0.001, 5, 0)).toBe(1);
    expect(sectorOf(set, pivot, -0.001, 5, 0)).toBe(2);
    expect(sectorOf(set, pivot, -5, 0, 0)).toBe(2);
    const half = setOf({ sectors: [120, 240] });
    const [border, across] = [Math.sqrt(3), 1];
    expect(sectorOf(half, pivot, 1, border - 1e-9, 0)).toBe(0);
    expect(sectorOf(half, pivot, -1, border + 1e-9, 0)).toBe(1);
    expect(sectorOf(half, pivot, -border, across, 0)).toBe(2);
  });

  test("exactly on a border counts as inside", () => {
    const exact = { ...set, cosHalf: Float64Array.of(0.6) };
    const pivot = facing([1, 0], 0, 0);
    expect(sectorOf(exact, pivot, 3, 4, 0)).toBe(0);
    expect(sectorOf(exact, pivot, 3, 4.0001, 0)).toBe(1);
  });

  test("in 3D the angle is in space", () => {
    const up = facing([0, 0, 2], 0, 0, 0);
    expect(sectorOf(set, up, 1, 1, 3)).toBe(0);
    expect(sectorOf(set, up, 3, 0, 1)).toBe(1);
    expect(sectorOf(set, up, 3, 0, -1)).toBe(2);
  });

  test("distance 0 and no orientation are sector 0", () => {
    expect(sectorOf(set, facing([1, 0], 0, 0), 0, 0, 0)).toBe(0);
    expect(sectorOf(set, at(0, 0), -5, 0, 0)).toBe(0);
    expect(sectorOf(set, facing([0, 0], 0, 0), -5, 0, 0)).toBe(0);
  });
});

describe("cell", () => {
  const set = setOf({
    radii: [10, 100],
    sectors: [90],
    bounds: [
      [
        { time: 50, sequence: 2, value: 1 },
        { time: 100, sequence: 2, value: 1 },
      ],
      [
        { time: 200, sequence: 4, value: 2 },
        { time: 400, sequence: 4, value: 2 },
      ],
      [
        { time: 1000, sequence: 8, value: 4 },
        { time: 2000, sequence: 9, value: 5 },
      ],
    ],
  });

  test("zone and sector of the one pivot pick the bound", () => {
    const pivots = [facing([1, 0], 0, 0)];
    expect(cellOf(set, pivots, 50, 0, 0)).toEqual({ zone: 1, sector: 0, bound: { time: 200, sequence: 4, value: 2 } });
    expect(cellOf(set, pivots, -5, 0, 0)).toEqual({
      zone: 0,
      sector: 1,
      bound: { time: 100, sequence: 2, value: 1 },
    });
  });

  test("of several pivots the strictest wins", () => {
    const pivots = [facing([1, 0], 0, 0), facing([1, 0], 300, 0)];
    expect(cellOf(set, pivots, 305, 0, 0)).toMatchObject({ zone: 0, sector: 0, bound: { time: 50, value: 1 } });
  });

  test("cells that cannot be compared give the smallest of each dimension", () => {
    const crossed = setOf({
      radii: [10],
      sectors: [180],
      bounds: [
        [
          { time: 100, value: 3 },
          { time: 500, value: 3 },
        ],
        [
          { time: 100, value: 30 },
          { time: 900, value: 30 },
        ],
      ],
    });
    const behind = facing([-1, 0], 0, 0);
    const ahead = facing([1, 0], -95, 0);
    expect(cellOf(crossed, [behind], 5, 0, 0)).toMatchObject({ zone: 0, sector: 1, bound: { time: 500, value: 3 } });
    expect(cellOf(crossed, [ahead], 5, 0, 0)).toMatchObject({ zone: 1, sector: 0, bound: { time: 100, value: 30 } });
    expect(cellOf(crossed, [behind, ahead], 5, 0, 0)).toEqual({
      zone: 0,
      sector: 1,
      bound: { time: 100, sequence: UNBOUNDED, value: 3 },
    });
  });

  test("without pivots everything is in the last zone, in sector 0", () => {
    const last = { zone: 2, sector: 0, bound: { time: 1000, sequence: 8, value: 4 } };
    expect(cellOf(set, [], 0, 0, 0)).toEqual(last);
    expect(cellOf(set, replaced([], [], [{ point: [0, 0] }]), 0, 0, 0)).toEqual(last);
  });

  test("all pivots count, however many the view was resolved with, unless the set names some", () => {
    const second = setOf({ radii: [10], pivots: [1] });
    const pivots = [at(0, 0), at(500, 0)];
    expect(cellOf(second, pivots, 1, 0, 0).zone).toBe(1);
    expect(cellOf(second, pivots, 501, 0, 0).zone).toBe(0);
    expect(nearest(second, pivots, 0, 0, 0)).toBe(500);
    expect(cellOf(setOf({ radii: [10], pivots: [] }), pivots, 1, 0, 0).zone).toBe(1);
  });
});

describe("sets", () => {
  test("the first that matches wins", () => {
    const own = smallWorld();
    own.predicate("weak", (entity) => (entity as Entity & { hull: number }).hull < 10);
    const view = resolved(own, {
      pivots: [],
      sets: [
        { match: { predicate: "weak" }, bounds: [{ time: 1 }] },
        { match: { tag: "vip" }, bounds: [{ time: 2 }] },
        { match: { type: "ship" }, bounds: [{ time: 3 }] },
        { match: "everything", bounds: [{ time: 4 }] },
      ],
    });
    const bound = (slot: number): number => matchSet(view, slot).time[0]!;
    own.spawn(Ship, { hull: 5 }, { tags: ["vip"] });
    own.spawn(Ship, { hull: 50 }, { tags: ["vip"] });
    own.spawn(Ship, { hull: 50 });
    own.spawn(own.protocol.objects[3]!, {});
    expect([0, 1, 2].map(bound)).toEqual([1, 2, 3]);
  });

  test("events are filtered by the first set that has a pivot", () => {
    const view = resolved(world, {
      pivots: [{ point: [0, 0] }],
      sets: [
        { match: { type: "ship" }, bounds: [{}], pivots: [] },
        { match: "everything", radii: [5], bounds: [{}, {}] },
      ],
    });
    expect(zoneAtPoint(view, [at(0, 0)], [30, 0])).toBe(1);
    expect(zoneAtPoint(view, [], [30, 0])).toBe(0);
  });
});

describe("range", () => {
  test("enter at d ≤ range, leave at d > 1.1 × range", () => {
    const set = setOf({ range: 100 });
    expect([100, 100.01].map((d) => inRange(set, d, false))).toEqual([true, false]);
    expect([100.01, 110, 110.01].map((d) => inRange(set, d, true))).toEqual([true, true, false]);
  });

  test("no range means every distance, even without pivots", () => {
    expect(inRange(setOf({}), nearest(setOf({}), [], 0, 0, 0), false)).toBe(true);
    expect(inRange(setOf({ range: 100 }), nearest(setOf({}), [], 0, 0, 0), false)).toBe(false);
  });

  test("the nearest pivot counts, by the set's shape", () => {
    const pivots = [at(0, 0), at(30, 40)];
    expect(nearest(setOf({}), pivots, 33, 44, 0)).toBe(5);
    expect(nearest(setOf({ shape: "square" }), pivots, 33, 44, 0)).toBe(4);
  });
});

describe("divergence", () => {
  const own = smallWorld();
  const ship = own.spawn(Ship, { x: 10, y: 0 });
  Object.assign(ship, { x: 13, y: 4 });
  own.commit(0);
  ship.hull = 7;
  own.commit(0);
  const pair: PairState = {
    sentVersion: 1,
    lastSend: 4,
    firstMiss: 7,
    metric: "displacement",
    sample: Float64Array.of(10, 0, 0),
  };
  const now = (clock: "refresh" | "firstMiss", state: PairState = pair) =>
    divergenceOf(setOf({ clock }), own, 0, state, 9, 50);

  test("time since the last send, or since the first update that was not sent", () => {
    expect(now("refresh")).toEqual({ time: 250, sequence: 2, value: 5 });
    expect(now("firstMiss")).toEqual({ time: 100, sequence: 2, value: 5 });
  });

  test("an equal pair has no time and no sequence to answer for", () => {
    expect(now("refresh", { ...pair, sentVersion: 3 })).toMatchObject({ time: 0, sequence: 0 });
  });

  test("a sample taken by another metric is infinitely far", () => {
    expect(now("refresh", { ...pair, metric: "path" }).value).toBe(UNBOUNDED);
  });
});

describe("due", () => {
  const none = { time: UNBOUNDED, sequence: UNBOUNDED, value: UNBOUNDED };
  const far = { time: 1e9, sequence: 1e9, value: UNBOUNDED };
  const plain = setOf({});
  const strict = setOf({ strict: true });

  test("reaching a bound is enough, in any dimension; time comes first", () => {
    const bound = { time: 100, sequence: 3, value: 2 };
    const cause = (time: number, sequence: number, value: number) =>
      dueCause(plain, bound, { time, sequence, value }, 50);
    expect(cause(99, 2, 1.9)).toBe(-1);
    expect(cause(100, 2, 1.9)).toBe(Cause.time);
    expect(cause(99, 3, 1.9)).toBe(Cause.sequence);
    expect(cause(99, 2, 2)).toBe(Cause.value);
    expect(cause(100, 3, 2)).toBe(Cause.time);
  });

  test("strict is due one round before the time bound would be passed, never at a bound that is met exactly later", () => {
    const at120 = { ...none, time: 120 };
    const cause = (set: ResolvedSet, time: number) => dueCause(set, at120, { time, sequence: 1, value: 0 }, 50);
    expect([50, 100, 150].map((time) => cause(plain, time))).toEqual([-1, -1, Cause.time]);
    expect([50, 100].map((time) => cause(strict, time))).toEqual([-1, Cause.time]);
    const at100 = { ...none, time: 100 };
    expect(dueCause(strict, at100, { time: 50, sequence: 1, value: 0 }, 50)).toBe(-1);
    expect(dueCause(strict, at100, { time: 100, sequence: 1, value: 0 }, 50)).toBe(Cause.time);
  });

  test("no requirement is never reached; 0 always is", () => {
    expect(dueCause(plain, none, far, 50)).toBe(-1);
    expect(dueCause(strict, none, far, 50)).toBe(-1);
    const stirred = { time: 0, sequence: 1, value: 0 };
    expect(dueCause(plain, { ...none, time: 0 }, stirred, 50)).toBe(Cause.time);
    expect(dueCause(plain, { ...none, sequence: 0 }, stirred, 50)).toBe(Cause.sequence);
    expect(dueCause(plain, { ...none, value: 0 }, stirred, 50)).toBe(Cause.value);
  });
});
