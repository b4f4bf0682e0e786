import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEEPEST, distanceToBox, type SliceMap, SliceMap as Slices } from "./slice-map.ts";

const place = fc.double({ min: -1000, max: 1000, noNaN: true });

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

  it("says since when an owner has had what lies in a slice: new ids and fences change nothing about that", () => {
    const cut = Slices.whole(1).split("r", 0, 0, 2).split("r1", 0, 10, 2);
    const sinceOf = (map: SliceMap, id: string): number => map.get(id)!.since;
    expect(["r0", "r10", "r11"].map((id) => sinceOf(cut, id))).toEqual([2, 3, 3]);
    const without = cut.without("r0");
    expect([without.get("r0")!.fence, sinceOf(without, "r0"), sinceOf(without, "r1")]).toEqual([without.epoch, 3, 3]);
    expect(sinceOf(cut.merge("r1", 2), "r1")).toBe(3);
    const given = cut.assign("r10", 1);
    expect(sinceOf(given, "r10")).toBe(given.epoch);
    expect(sinceOf(given.merge("r1", 1), "r1")).toBe(given.epoch + 1);
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

  it("lets what lies on the other side of a cut reach over a slice that is taken away", () => {
    fc.assert(
      fc.property(maps, fc.nat(), place, place, (map, pick, x, y) => {
        const { id } = map.slices[pick % map.slices.length]!;
        if (id === "r") return void expect(() => map.without(id)).toThrow(expect.objectContaining({ code: "bad-map" }));
        const next = map.without(id);
        expect(next.slices).toHaveLength(map.slices.length - 1);
        const before = map.at(x, y);
        if (before.id !== id) expect(next.at(x, y).owner).toBe(before.owner);
        const otherSide = id.slice(0, -1);
        for (const slice of next.slices) {
          if (slice.id.startsWith(otherSide)) expect(slice.fence).toBe(next.epoch);
          else expect(slice).toEqual(map.get(slice.id));
        }
      }),
    );
  });

  it("refuses to be cut deeper than it can be read", () => {
    let map = Slices.whole(1);
    let id = "r";
    for (let depth = 0; depth < DEEPEST; depth++, id += "1") map = map.split(id, 0, depth, 1);
    expect(Slices.decode(map.encode()).slices).toHaveLength(DEEPEST + 1);
    expect(() => map.split(id, 0, DEEPEST, 1)).toThrow(expect.objectContaining({ code: "bad-map" }));
  });

  it("says how far a point is from a slice", () => {
    const [, high] = Slices.whole(1).split("r", 0, 100, 2).split("r1", 1, 50, 3).slices;
    expect(high!.id).toBe("r10");
    expect(distanceToBox(high!.box, [97, 54, 7])).toBe(5);
  });
});
