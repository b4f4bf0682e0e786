import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutOf, type Load, nextMap, withoutServers } from "./balance.ts";
import { distanceToBox, type SliceMap, SliceMap as Slices } from "./slice-map.ts";

const place = fc.double({ min: -1000, max: 1000, noNaN: true });
const points = fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 60 });
const loads = (list: readonly (readonly [number, number])[]): Load[] =>
  list.map(([x, y]) => ({ x, y, z: 0, weight: 1 }));

/** Cuts at random places, for random owners. */
const maps = fc
  .array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), place, fc.nat({ max: 5 }), fc.boolean()), { maxLength: 12 })
  .map((changes) => {
    let map: SliceMap = Slices.whole(0);
    for (const [pick, axis, at, owner, isCut] of changes) {
      const { id, box } = map.slices[pick % map.slices.length]!;
      const isInside = at > box.low[axis]! && at < box.high[axis]!;
      map = isCut && isInside ? map.split(id, axis, at, owner) : map.assign(id, owner);
    }
    return map;
  });

describe("a map of slices", () => {
  it("has every point in exactly one slice", () => {
    fc.assert(
      fc.property(maps, place, place, place, (map, x, y, z) => {
        const inside = map.slices.filter(({ box }) =>
          [x, y, z].every((value, axis) => value >= box.low[axis]! && value < box.high[axis]!),
        );
        expect(inside).toEqual([map.at(x, y, z)]);
        expect(distanceToBox(inside[0]!.box, [x, y, z])).toBe(0);
      }),
    );
  });

  it("gives every slice that changes hands a fence that is higher than all before", () => {
    fc.assert(
      fc.property(maps, fc.nat(), fc.nat({ max: 9 }), (map, pick, owner) => {
        const { id } = map.slices[pick % map.slices.length]!;
        const next = map.assign(id, owner);
        const highest = Math.max(...map.slices.map(({ fence }) => fence));
        expect(next.get(id)!.fence).toBeGreaterThan(highest);
        expect(next.get(id)!.fence).toBe(next.epoch);
        for (const slice of map.slices) if (slice.id !== id) expect(next.get(slice.id)).toEqual(slice);
      }),
    );
  });

  it("is the same after it was encoded", () => {
    fc.assert(
      fc.property(maps, (map) => {
        const again = Slices.decode(map.encode());
        expect([again.epoch, again.slices]).toEqual([map.epoch, map.slices]);
      }),
    );
  });

  it("refuses bytes that are no map", () => {
    const bytes = Slices.whole(1).split("r", 0, 5, 2).encode();
    for (let length = 0; length < bytes.length; length++) {
      expect(() => Slices.decode(bytes.subarray(0, length))).toThrow(expect.objectContaining({ code: "bad-map" }));
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        try {
          Slices.decode(noise);
        } catch (error) {
          expect(error).toMatchObject({ code: "bad-map" });
        }
      }),
    );
  });

  it("says how far a point is from a slice", () => {
    const [, high] = Slices.whole(1).split("r", 0, 100, 2).split("r1", 1, 50, 3).slices;
    expect(high!.id).toBe("r10");
    expect(distanceToBox(high!.box, [97, 54, 7])).toBe(5);
  });
});

describe("balance", () => {
  it("cuts where load halves: each side has half of it, but for those at one place", () => {
    fc.assert(
      fc.property(points, (list) => {
        const cut = cutOf(loads(list));
        const isOnePlace = list.every(([x, y]) => x === list[0]![0] && y === list[0]![1]);
        if (isOnePlace) return void expect(cut).toBeUndefined();
        if (cut === undefined) return; // places that differ by less than a number can say
        const low = list.filter((point) => point[cut.axis]! < cut.at).length;
        expect(low).toBeGreaterThan(0);
        expect(low).toBeLessThan(list.length);
      }),
    );
    const crowd = loads(Array.from({ length: 100 }, (_, i) => [i < 90 ? i : i * 50, 0]));
    const { axis, at } = cutOf(crowd)!;
    expect([axis, crowd.filter(({ x }) => x < at).length]).toEqual([0, 50]);
  });

  it("gives a server that has no slice half of the busiest one", () => {
    const map = Slices.whole(1);
    const own = loads(Array.from({ length: 40 }, (_, i) => [i, 0]));
    const next = nextMap(map, {
      me: 1,
      loads: new Map([
        [1, 40],
        [2, 0],
      ]),
      own,
    })!;
    const counts = [1, 2].map((server) => own.filter(({ x, y }) => next.at(x, y).owner === server).length);
    expect(counts).toEqual([20, 20]);
    expect(
      nextMap(map, {
        me: 2,
        loads: new Map([
          [1, 40],
          [2, 0],
        ]),
        own: [],
      }),
      "only the owner cuts",
    ).toBeUndefined();
  });

  it("cuts an empty world too", () => {
    let map = Slices.whole(1);
    for (const server of [2, 3, 4]) {
      const known = Array.from({ length: server }, (_, i) => [i + 1, 0] as const);
      map = nextMap(map, { me: 1, loads: new Map(known), own: [] })!;
    }
    expect(new Set(map.slices.map(({ owner }) => owner))).toEqual(new Set([1, 2, 3, 4]));
  });

  it("evens out a crowd, and then rests", () => {
    const own = loads(Array.from({ length: 120 }, (_, i) => [i % 11, i]));
    let map = Slices.whole(1);
    for (let step = 0; step < 50; step++) {
      const of = (server: number) => own.filter(({ x, y }) => map.at(x, y).owner === server);
      const known = new Map([1, 2, 3, 4].map((server) => [server, of(server).length]));
      const next = [1, 2, 3, 4]
        .map((me) => nextMap(map, { me, loads: known, own: of(me) }))
        .find((m) => m !== undefined);
      if (next === undefined) {
        expect(Math.max(...known.values())).toBeLessThanOrEqual(1.2 * 30);
        return;
      }
      map = next;
    }
    expect.fail("it never rests");
  });

  it("puts the sides of a cut together again where one server has both, and leaves nothing to the dead", () => {
    const map = Slices.whole(1).split("r", 0, 0, 2).split("r1", 1, 0, 3);
    const without = withoutServers(map, (server) => server !== 1, [1]);
    expect(without.slices.every(({ owner }) => owner === 1)).toBe(true);
    const loadsOfOne = new Map([[1, 0]]);
    const mended = nextMap(nextMap(without, { me: 1, loads: loadsOfOne, own: [] })!, {
      me: 1,
      loads: loadsOfOne,
      own: [],
    })!;
    expect(mended.slices).toHaveLength(1);
  });
});
