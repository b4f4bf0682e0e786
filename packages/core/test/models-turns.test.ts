/**
 * Small stories, computed by hand, told to the oracle and to the engine alike: a view that sits out rounds because time is short. Rounds are 50 ms.
 */

import { describe, expect, test } from "vitest";
import { MOST_ROUNDS_OUT } from "../src/internal/index.ts";
import { MODELS, Ship, storyOf } from "./small-world.ts";

describe.each(MODELS)("%s", (_, Model) => {
  const { watch } = storyOf(Model);

  test("what became due meanwhile is sent in the first round that serves the view, and counted as late", () => {
    const { story, model, view, ship } = watch({ bounds: [{ value: 10 }] });
    ship.x = 25;
    for (let i = 0; i < 3; i++) {
      model.sitOut(view);
      expect(story.play(view)).toEqual([]);
    }
    expect(story.play(view)).toEqual(["update 0 by value in 0"]);
    expect(model.account.shortfalls("decided")).toEqual([
      { zone: 0, cause: "value", spells: 1, pairRounds: 3, longest: 3 },
    ]);
  });

  test("what is within its bound when the view is served again is not sent", () => {
    const { story, model, view, ship } = watch({ bounds: [{ value: 10 }] });
    ship.x = 25;
    model.sitOut(view);
    story.rest(view, 1);
    ship.x = 12;
    story.rest(view, 20);
    expect(model.account.decided).toBe(0);
  });

  test("creations and removals wait too", () => {
    const { story, model, view, ship, world } = watch({ bounds: [{ value: 10 }] });
    model.sitOut(view);
    const other = world.spawn(Ship, { x: 3, y: 0 });
    world.destroy(ship);
    story.rest(view, 1);
    expect(story.play(view).sort()).toEqual([
      `create ${other.id} by creation in 0`,
      `destroy ${ship.id} by removal in 0`,
    ]);
    expect(model.account.decided).toBe(2);
  });

  test("a pair that waited goes on waiting, and counts in every round", () => {
    const { story, model, view, ship } = watch({ bounds: [{ value: 10 }] }, { budgeted: true });
    ship.x = 25;
    story.play(view);
    model.withhold(view, ship.id);
    for (let i = 0; i < 3; i++) {
      model.sitOut(view);
      story.rest(view, 1);
      expect(model.account.decided).toBe(2 + i);
    }
    story.play(view);
    expect(model.decisions(view).waits[0]).toBe(4);
    model.withhold(view, ship.id);
    expect(model.account.shortfalls("decided")).toEqual([
      { zone: 0, cause: "value", spells: 1, pairRounds: 5, longest: 5 },
    ]);
  });

  test("nobody sits out more rounds in a row than is allowed", () => {
    const { story, model, view, ship } = watch({ bounds: [{ sequence: 1 }] });
    const served: number[] = [];
    for (let i = 0; i < 3 * (MOST_ROUNDS_OUT + 1); i++) {
      ship.x += 1;
      model.sitOut(view);
      if (story.play(view).length > 0) served.push(story.round);
    }
    expect(served).toEqual([9, 17, 25]);
  });

  test("a call holds for one round, and not while the view is paused", () => {
    const { story, model, view, ship } = watch({ bounds: [{ sequence: 1 }] });
    ship.x = 12;
    model.pause(view);
    model.sitOut(view);
    model.resume(view);
    expect(story.play(view)).toHaveLength(1);
    ship.x = 13;
    expect(story.play(view)).toHaveLength(1);
  });
});
