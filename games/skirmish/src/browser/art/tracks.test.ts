import { Dice } from "@nearfield/kit";
import { describe, expect, it } from "vitest";
import { Tracks, turned } from "./tracks.ts";

describe("tracks", () => {
  it.each([1, 2, 3])("keep a row for each piece that is shown, and tell of those that are not (seed %i)", (seed) => {
    const dice = new Dice(seed, "tracks");
    const tracks = new Tracks();
    const expected = new Map<number, number>();
    for (let frame = 0; frame < 60; frame++) {
      const shown = new Map<number, number>();
      for (const [id, mark] of expected) if (!dice.chance(0.2)) shown.set(id, mark);
      for (let count = dice.int(40); count > 0; count--) shown.set(1 + dice.int(5000), dice.next());
      tracks.begin();
      for (const [id, mark] of shown) {
        const row = tracks.touch(id, mark, 0, 0, 0, 0);
        // Rows that stand since before kept what was written into them.
        if (expected.has(id)) expect(tracks.aim[row]).toBe(Math.fround(expected.get(id)!));
        tracks.aim[row] = mark;
      }
      const lost: number[] = [];
      tracks.end((row) => lost.push(tracks.id[row]!));
      const gone = [...expected.keys()].filter((id) => !shown.has(id));
      expect(lost.sort((a, b) => a - b)).toEqual(gone.sort((a, b) => a - b));
      expect(tracks.count).toBe(shown.size);
      expected.clear();
      for (const [id, mark] of shown) expected.set(id, mark);
    }
  });
});

describe("turned", () => {
  it("takes the shorter way round and does not go too far", () => {
    expect(turned(3, -3, 0.1)).toBeCloseTo(3.1, 6);
    expect(turned(-3, 3, 0.1)).toBeCloseTo(-3.1, 6);
    expect(turned(1, 1.05, 0.1)).toBe(1.05);
    expect(turned(20 * Math.PI, 0.5, 0.1)).toBeCloseTo(20 * Math.PI + 0.1, 6);
  });
});
