/** Skirmish on a server with clients, on virtual time: joining, orders, training, refusals, the end of a match, leaving and coming back. */

import { describe, expect, it } from "vitest";
import { START_BUILDERS, START_ORE } from "../src/state.ts";
import { begin, setUp, TestPlayer } from "./skirmish-lab.ts";

describe("joining", () => {
  it("gives a newcomer the match, the list of sides, a base, builders and a purse of its own", () => {
    const skirmish = setUp();
    const ann = new TestPlayer(skirmish, "ann");
    skirmish.lab.until(() => ann.side !== undefined && ann.units.length > 0);
    expect(ann.match).toMatchObject({ seed: 1, map: "small", sides: 2, phase: "waiting" });
    expect(ann.sides).toMatchObject([
      { side: 0, name: "ann", bot: false, standing: true },
      { side: 1, name: "Brahe", bot: true, standing: true },
    ]);
    expect(ann.purses).toMatchObject([{ side: 0, ore: START_ORE, units: START_BUILDERS }]);
    expect(ann.ownUnits("builder")).toHaveLength(START_BUILDERS);
    expect(ann.ownBuilding("base")).toMatchObject({ side: 0, built: 100, health: 100 });
    expect(skirmish.host).toMatchObject({ people: 1, bots: 1 });
  });

  it("starts when all people are ready; then orders move units", () => {
    const skirmish = setUp();
    const [ann] = begin(skirmish, "ann");
    const [unit] = ann!.ownUnits("builder");
    const { x, y } = unit!;
    ann!.order([unit!], { what: "move", x: x - 60, y });
    skirmish.lab.run(3000);
    expect(Math.hypot(unit!.x - (x - 60), unit!.y - y)).toBeLessThan(20);
    expect(ann!.refusals).toEqual([]);
  });
});
