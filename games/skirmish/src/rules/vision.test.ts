import { Dice } from "@nearfield/kit";
import { describe, expect, it } from "vitest";
import { FOG_CELL } from "../state.ts";
import { FIRST_BUILDING, SIGHT } from "./kinds.ts";
import { Pieces } from "./pieces.ts";
import { SideVision } from "./vision.ts";

const size = 1024;

describe("what sides see", () => {
  it.each([1, 2])("is what any of their pieces sees, cell by cell (seed %i)", (seed) => {
    const dice = new Dice(seed, "vision");
    const pieces = new Pieces(200);
    for (let count = 0; count < 40; count++) {
      pieces.add(dice.int(FIRST_BUILDING + 6), dice.int(8), dice.next() * size, dice.next() * size);
    }
    const vision = new SideVision(size);
    vision.refresh(pieces);
    const cells = size / FOG_CELL;
    const cellOf = (coordinate: number) => Math.floor(coordinate / FOG_CELL);
    for (let cell = 0; cell < cells * cells; cell++) {
      let expected = 0;
      for (let slot = 0; slot < pieces.high; slot++) {
        const dx = cellOf(pieces.x[slot]!) - (cell % cells);
        const dy = cellOf(pieces.y[slot]!) - Math.floor(cell / cells);
        const reach = SIGHT[pieces.kind[slot]!]! / FOG_CELL;
        if (dx * dx + dy * dy <= reach * reach) expected |= 1 << pieces.side[slot]!;
      }
      expect(vision.seen[cell]).toBe(expected);
    }
  });

  it("is kept as known when nobody is there any more", () => {
    const pieces = new Pieces(10);
    const vision = new SideVision(size);
    const slot = pieces.add(0, 3, 500, 500);
    vision.refresh(pieces);
    pieces.remove(slot);
    vision.refresh(pieces);
    expect(vision.sees(3, 510, 510)).toBe(false);
    expect(vision.hasSeen(3, 510, 510)).toBe(true);
    expect(vision.hasSeen(2, 510, 510)).toBe(false);
  });
});
