/**
 * Borders around a group that keeps its size share rings. Its range does not grow with it, so they need not lie in the order of their distances: here the
 * range lies within the group's zones. Ships go through all of them in both directions; the engine must decide as the oracle does.
 */

import type { ObjectId } from "@nearfield/schema";
import { expect, test } from "vitest";
import { Engine, ReferenceEngine } from "../src/internal/index.ts";
import { ROUND_MS } from "./scenario.ts";
import { Ship, smallWorld, viewOf } from "./small-world.ts";

const MEMBERS = 6;
const SHIPS = 150;
const ROUNDS = 160;

test.each([60, 130, 240, 700])("a range of %i around a group whose zones end at 90, 135 and 270", (range) => {
  const world = smallWorld();
  const group: ObjectId[] = [];
  for (let i = 0; i < MEMBERS; i++)
    group.push(world.spawn(Ship, { x: 60 * Math.cos(i), y: 60 * Math.sin(i), heading: 0, hull: 1 }).id);
  const ships = Array.from({ length: SHIPS }, (_, i) =>
    world.spawn(Ship, { x: 400 * Math.cos(i), y: 400 * Math.sin(i), heading: 0, hull: 1 }),
  );
  const bounds = [{ sequence: 1 }, { sequence: 3 }, { sequence: 9 }, { sequence: 27 }];
  const view = viewOf({ radii: [10, 20, 30], bounds, range }, [{ group, margin: 30, coefficients: [1.5, 3] }]);
  const models = [new ReferenceEngine(world, { roundMs: ROUND_MS }), new Engine(world, { roundMs: ROUND_MS })];
  const ids = models.map((model) => model.addView(view, { assumeDelivered: true }));
  let sends = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    ships.forEach((ship, i) => {
      const way = 400 * Math.cos((round + 9 * i) / (40 + 5 * (i % 7)));
      ship.x = way * Math.cos(i);
      ship.y = way * Math.sin(i);
    });
    // The group grows for some rounds, and keeps its size again.
    if (round > 60 && round < 66) world.get(Ship, group[0]!)!.x += 4;
    world.commit();
    const decided = models.map((model, which) => {
      model.round(round);
      const { count, ids: objects, kinds, zones } = model.decisions(ids[which]!);
      return Array.from({ length: count }, (_, i) => `${objects[i]} ${kinds[i]} ${zones[i]}`).sort();
    });
    expect(decided[1], `round ${round}`).toEqual(decided[0]);
    sends += decided[0]!.length;
  }
  expect(sends).toBeGreaterThan(ROUNDS);
});
