import { Dice } from "@nearfield/kit";
import { describe, expect, it } from "vitest";
import { FIRST_BUILDING, SIGHT } from "../rules/kinds.ts";
import { Pieces } from "../rules/pieces.ts";
import { SideVision } from "../rules/vision.ts";
import { Fog } from "./fog.ts";

const SIDE = 3;

describe("fog", () => {
  it.each([
    [1, 1024],
    [2, 2048],
    [3, 1024],
    [4, 4096],
  ])("equals what the rules say a side sees, step by step (seed %i, map of %i)", (seed, size) => {
    const dice = new Dice(seed, "fog");
    const pieces = new Pieces(200);
    for (let count = 0; count < 30; count++) {
      pieces.add(dice.int(FIRST_BUILDING + 6), SIDE, dice.next() * size, dice.next() * size);
    }
    const vision = new SideVision(size);
    const fog = new Fog(size);
    for (let step = 0; step < 12; step++) {
      vision.refresh(pieces);
      fog.begin();
      for (let slot = 0; slot < pieces.high; slot++) {
        if (pieces.alive[slot] === 1) fog.see(pieces.x[slot]!, pieces.y[slot]!, SIGHT[pieces.kind[slot]!]!);
      }
      fog.end();
      for (let cell = 0; cell < fog.cells.length; cell++) {
        const [seen, known] = [(vision.seen[cell]! >> SIDE) & 1, (vision.known[cell]! >> SIDE) & 1];
        if (fog.cells[cell] !== seen + known) expect.fail(`seed ${seed}, step ${step}, cell ${cell}`);
      }
      // Some walk, past the edges too, and one is gone.
      for (let slot = 0; slot < pieces.high; slot++) {
        pieces.x[slot]! += (dice.next() - 0.5) * 300;
        pieces.y[slot]! += (dice.next() - 0.5) * 300;
      }
      const last = dice.int(pieces.high);
      if (pieces.alive[last] === 1) pieces.remove(last);
    }
  });

  it("tells seen places from those that were seen", () => {
    const fog = new Fog(1024);
    fog.begin();
    fog.see(500, 500, 140);
    fog.end();
    expect([fog.isSeen(500, 500), fog.wasSeen(500, 500), fog.wasSeen(900, 500)]).toEqual([true, true, false]);
    fog.begin();
    fog.end();
    expect([fog.isSeen(500, 500), fog.wasSeen(500, 500)]).toEqual([false, true]);
  });

  it("counts places outside the map as on its edge", () => {
    const fog = new Fog(1024);
    fog.begin();
    fog.see(-40, 5000, 140);
    fog.end();
    expect(fog.isSeen(0, 1023)).toBe(true);
    expect(fog.isSeen(-40, 5000)).toBe(true);
  });
});
