import { Dice } from "@nearfield/kit";
import { describe, expect, it } from "vitest";
import { Terrain } from "../terrain/terrain.ts";
import { BattleState } from "./battle-state.ts";
import { ALERT, FIRST_BUILDING, KINDS } from "./kinds.ts";
import { findTarget, worthOf } from "./targeting.ts";

const terrain = new Terrain({ seed: 1, map: "small", sides: 4 });

describe("targets", () => {
  it.each([1, 2, 3])("are the best of all that a piece may shoot at (seed %i)", (seed) => {
    const dice = new Dice(seed, "targets");
    const state = new BattleState({ terrain });
    const { pieces } = state;
    for (let count = 0; count < 300; count++) {
      const kind = dice.int(dice.chance(0.1) ? KINDS.length : FIRST_BUILDING);
      pieces.add(kind, dice.int(4), 200 + dice.next() * 600, 200 + dice.next() * 600);
    }
    state.crowd.gather(pieces);
    state.vision.refresh(pieces);
    let found = 0;
    for (let slot = 0; slot < pieces.high; slot++) {
      const reach = ALERT[pieces.kind[slot]!]!;
      if (reach === 0) continue;
      const target = findTarget(state, slot, reach);
      const worths = Array.from({ length: pieces.high }, (_, other) => worthOf(state, slot, other, reach));
      const best = Math.min(...worths);
      expect(target < 0 ? Number.POSITIVE_INFINITY : worths[target]).toBe(best);
      if (target >= 0) found += 1;
    }
    expect(found).toBeGreaterThan(100);
  });
});
