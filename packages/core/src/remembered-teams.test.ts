import { describe, expect, it } from "vitest";
import { Ship, smallWorld } from "../test/small-world.ts";
import { PlainVisibility } from "./plain-visibility.ts";
import type { TeamVisionSettings } from "./visibility.ts";

/** A scout of team 0 at the origin and a stranger of team 1 within its sight; what the game says of the scout can be changed. */
function scene() {
  const world = smallWorld();
  const said = { team: 0, sight: 40, asked: 0 };
  const scout = world.spawn(Ship, { x: 0, y: 0 });
  const stranger = world.spawn(Ship, { x: 30, y: 0 });
  const teams: TeamVisionSettings<number> = {
    area: { min: [-100, -100], max: [100, 100] },
    cell: 10,
    teamOf: (viewer) => viewer,
    teamOfObject: ({ id }) => (id === scout.id ? said.team : 1),
    sight: ({ id }) => {
      said.asked += 1;
      return id === scout.id ? said.sight : 0;
    },
  };
  world.commit();
  const visibility = new PlainVisibility(world, { teams }, true);
  const sees = (round: number) => visibility.isVisible(0, stranger as never, round);
  return { world, said, scout, stranger, visibility, sees };
}

describe("remembered teams", () => {
  it("go by where units are in this round, and ask seldom", () => {
    const { world, said, stranger, sees } = scene();
    expect(sees(1)).toBe(true);
    const before = said.asked;
    expect(sees(1)).toBe(true);
    expect(said.asked).toBe(before);
    stranger.x = 90;
    world.commit();
    expect(sees(2)).toBe(false);
  });

  it("ask at once about new objects, and about what is said to have changed", () => {
    const { world, said, scout, visibility, sees } = scene();
    expect(sees(1)).toBe(true);
    said.sight = 10;
    visibility.objectChanged(world.store.liveSlot(scout.id));
    expect(sees(2)).toBe(false);
    said.sight = 40;
    world.tag(scout, "awake");
    expect(sees(3)).toBe(true);
    world.destroy(scout);
    expect(sees(4)).toBe(false);
  });

  it("find within 64 rounds what changed unsaid", () => {
    const { said, sees } = scene();
    expect(sees(1)).toBe(true);
    said.sight = 10;
    expect(Array.from({ length: 64 }, (_, round) => sees(round + 2))).toContain(false);
  });
});
