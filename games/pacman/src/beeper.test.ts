import { describe, expect, it } from "vitest";
import { BEEP_EVERY_MS, Beeper } from "./beeper.ts";
import { roomCentre } from "./maze.ts";

const middleOf = (column: number, row: number) => ({ x: roomCentre(column), y: roomCentre(row) });

describe("beeper", () => {
  it.each([
    ["up", 3, 2, [0]],
    ["right", 4, 3, [1]],
    ["down", 3, 4, [2]],
    ["left", 2, 3, [3]],
    ["in the same room", 3, 3, []],
    ["across the corner", 4, 4, []],
    ["two rooms off", 5, 3, []],
  ])("hears an opponent %s", (_, column, row, sides) => {
    const heard = new Beeper().look(0, middleOf(3, 3), [middleOf(column, row)]);
    expect(heard).toEqual({ sides, beep: sides.length > 0 });
  });

  it("beeps at its pace, at once at first, and stays silent for nobody", () => {
    const beeper = new Beeper();
    const near = [middleOf(4, 3)];
    const beeps = [];
    for (let now = 0; now <= 3 * BEEP_EVERY_MS; now += 100)
      if (beeper.look(now, middleOf(3, 3), near).beep) beeps.push(now);
    expect(beeps).toEqual([0, BEEP_EVERY_MS, 2 * BEEP_EVERY_MS, 3 * BEEP_EVERY_MS]);
    expect(beeper.look(10_000, middleOf(3, 3), []).beep).toBe(false);
    expect(beeper.look(10_000, undefined, near)).toEqual({ sides: [], beep: false });
  });

  it("names every side once", () => {
    const { sides } = new Beeper().look(0, middleOf(3, 3), [middleOf(4, 3), middleOf(4, 3), middleOf(3, 2)]);
    expect(sides).toEqual([0, 1]);
  });
});
