/**
 * Storage that grows pauses no round: while a world grows to 200,000 objects, no round copies more than a small one does. Counted where all
 * copying of columns goes through, the array's own `set` and `fill`; never in time.
 */

import { afterEach, expect, test, vi } from "vitest";
import type { World } from "../src/index.ts";
import { Engine } from "../src/internal/index.ts";
import { Ship, smallWorld, viewOf } from "./small-world.ts";

const OBJECTS = 200_000;
const PER_ROUND = 500;
const VIEWS = 10;

type Columns = {
  set(from: ArrayLike<number>, at?: number): void;
  fill(value: number, from?: number, to?: number): Columns;
};
const columns = Object.getPrototypeOf(Float64Array.prototype) as Columns;

afterEach(() => void vi.restoreAllMocks());

interface Copies {
  readonly copied: number;
  readonly filled: number;
}

/** Numbers that were copied, and that were given a first value, since the last time it was asked. */
function countCopies(): () => Copies {
  const { set, fill } = columns;
  let [copied, filled] = [0, 0];
  vi.spyOn(columns, "set").mockImplementation(function (this: Columns, from, at) {
    copied += from.length;
    set.call(this, from, at);
  });
  vi.spyOn(columns, "fill").mockImplementation(function (
    this: Columns & ArrayLike<number>,
    value,
    from = 0,
    to = this.length,
  ) {
    filled += to - from;
    return fill.call(this, value, from, to);
  });
  return () => {
    const counts = { copied, filled };
    [copied, filled] = [0, 0];
    return counts;
  };
}

/** The most that any one round copied and filled, while the world grew from that many objects to twice as many. */
function largestBySize(world: World, round: (round: number) => void): Map<number, Copies> {
  const take = countCopies();
  const largest = new Map<number, Copies>();
  for (let n = 1; world.count < OBJECTS; n++) {
    const size = 2 ** Math.floor(Math.log2(Math.max(1024, world.count)));
    for (let i = 0; i < PER_ROUND; i++)
      world.spawn(Ship, { x: (world.count * 7919) % 1000, y: (world.count * 104_729) % 1000 });
    world.commit(0);
    round(n);
    const { copied, filled } = take();
    const most = largest.get(size) ?? { copied: 0, filled: 0 };
    largest.set(size, { copied: Math.max(most.copied, copied), filled: Math.max(most.filled, filled) });
  }
  return largest;
}

/** Columns up to 4,096 rows are copied; from there on they grow where they lie. */
function expectNoPause(largest: Map<number, Copies>): void {
  expect([...largest.keys()].at(-1)).toBe(131_072);
  for (const [size, { copied, filled }] of largest) {
    expect(copied, `at ${size} objects`).toBeLessThanOrEqual(size < 4096 ? 400_000 : 20_000);
    expect(filled, `at ${size} objects`).toBeLessThanOrEqual(size < 4096 ? 400_000 : 60_000);
  }
}

test("a world alone", () => {
  const world = smallWorld();
  expectNoPause(largestBySize(world, () => {}));
  // The columns are what they were.
  const { store } = world;
  for (let slot = 0; slot < OBJECTS; slot += 997) {
    expect([world.x[slot], world.y[slot]]).toEqual([(slot * 7919) % 1000, (slot * 104_729) % 1000]);
    expect([world.version[slot], store.typeIndex[slot], store.row[slot]]).toEqual([1, store.typeIndex[0], slot]);
  }
  expect([...store.typeIndex.subarray(store.slotHigh)].every((index) => index === -1)).toBe(true);
});

test("a world with an engine and views", () => {
  const world = smallWorld();
  const engine = new Engine(world, { roundMs: 50 });
  const bounds = [{ time: 100 }, { time: 1000 }];
  const views = Array.from({ length: VIEWS }, (_, i) => {
    const settings = viewOf({ radii: [2], bounds, range: 4 }, [{ point: [i * 100, i * 100] }]);
    return engine.addView(settings, { assumeDelivered: true });
  });
  let created = 0;
  const largest = largestBySize(world, (round) => {
    engine.round(round);
    for (const view of views) created += engine.decisions(view).count;
  });
  expectNoPause(largest);
  expect(created).toBeGreaterThan(1000);
});
