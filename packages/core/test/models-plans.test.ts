/**
 * Small stories, computed by hand from the model page, told to the oracle and to the engine alike: what an engine that looks at a pair only
 * when it must could look at too late.
 */

import { describe, expect, test } from "vitest";
import type { Bound } from "../src/index.ts";
import { MODELS, type SetSettings, Ship, storyOf, viewOf } from "./small-world.ts";

const DELIVERED = { assumeDelivered: true };

/** The same bound near and far: with a border so far off, steps of a unit are small ones. */
const everywhere = (bound: Bound): SetSettings => ({ radii: [900], bounds: [bound, bound] });

describe.each(MODELS)("%s", (_, Model) => {
  const { begin, watch } = storyOf(Model);

  test("one's own object is due on its first change, whenever after its creation that comes", () => {
    const bounds = [{ time: 5000, sequence: 100, value: 100 }];
    for (const pause of [0, 1, 5, 300]) {
      const { world, story, model } = begin();
      const ship = world.spawn(Ship, { x: 10 }, { owner: 1 });
      const other = model.addView(viewOf({ bounds }), DELIVERED);
      for (let i = 0; i < 8; i++) {
        story.play(other);
        ship.x += 1;
      }
      const view = model.addView(viewOf({ bounds }), { session: 1, ...DELIVERED });
      expect(story.play(view)).toEqual([`create ${ship.id} by creation in 0`]);
      story.rest(view, pause);
      ship.x += 1;
      expect(story.play(view)).toEqual([`update ${ship.id} by change in 0`]);
    }
  });

  test("an object that changes hands is due for its new owner at once", () => {
    const { world, story, view, ship } = watch({ bounds: [{ time: 60_000 }] }, { session: 2, ...DELIVERED });
    ship.x += 1;
    expect(story.play(view)).toEqual([]);
    world.setOwner(ship, 2);
    expect(story.play(view)).toEqual([`update ${ship.id} by change in 0`]);
  });

  /** Runs 97 of 100 units, then crawls for the rest: 600 rounds of 0.005. */
  test("who ran and then crawls for long reaches its value bound when it is reached", () => {
    const { story, view, ship } = watch(everywhere({ value: 100 }), DELIVERED);
    for (let i = 0; i < 10; i++) {
      ship.x += 9.7;
      expect(story.play(view)).toEqual([]);
    }
    const sent = story.playUntilSent(
      view,
      () => {
        ship.x += 0.005;
      },
      2000,
    );
    expect(ship.x - 10).toBeGreaterThanOrEqual(100);
    expect(ship.x - 10).toBeLessThan(100.005);
    expect(sent).toBeGreaterThan(600);
  });

  test("who crawled for long and then runs is sent as soon as it is too far", () => {
    const { story, view, ship } = watch(everywhere({ value: 100 }), DELIVERED);
    for (let i = 0; i < 700; i++) {
      ship.x += 0.01;
      expect(story.play(view)).toEqual([]);
    }
    const sent = story.playUntilSent(view, () => {
      ship.x += 31;
    });
    expect(sent).toBe(701 + 3);
  });

  test.each([253, 254, 255, 256, 300, 508, 509, 600])(
    "a time bound of %i rounds is kept to the round, behind or moving",
    (rounds) => {
      for (const moves of [false, true]) {
        const { story, view, ship } = watch(everywhere({ time: rounds * 50 }), DELIVERED);
        ship.x += 1;
        const sent = story.playUntilSent(
          view,
          () => {
            if (moves) ship.x += 1;
          },
          1000,
        );
        expect(sent).toBe(1 + rounds);
      }
    },
  );

  test("a loss falls back to a send of long ago, and to when its first miss was", () => {
    const { story, view, ship } = watch({ ...everywhere({ time: 20_000 }), clock: "firstMiss" });
    story.rest(view, 100);
    ship.x += 1;
    story.rest(view, 400);
    expect(story.play(view)).toEqual([`update ${ship.id} by time in 0`]);
    story.lose(view, ship.id);
    expect(story.play(view)).toEqual([`update ${ship.id} by time in 0`]);
  });

  test.each([2, 20])(
    "a first miss of long ago is remembered, though nobody asked for it then (updates every %i rounds)",
    (every) => {
      const { world, story, model } = begin();
      for (let i = 0; i < 4; i++) world.spawn(Ship, { x: 20 });
      const ship = world.spawn(Ship, { x: -900 });
      const stir = (): void => {
        if (story.round % every === 0) ship.x += 0.5;
      };
      const view = model.addView(viewOf({ ...everywhere({ time: 60_000 }), range: 500 }));
      for (let i = 0; i < 60; i++) {
        stir();
        story.play(view);
      }
      ship.x = -300;
      expect(story.play(view)).toEqual([`create ${ship.id} by creation in 0`]);
      story.acknowledge(view, ship.id);
      // Before round 61 + k it stirs where 60 + k is a multiple of `every`.
      const firstMiss = 61 + every;
      expect(story.playUntilSent(view, stir, 1500)).toBe(61 + 1200);
      story.lose(view, ship.id);
      model.changeView(view, viewOf({ ...everywhere({ time: 70_000 }), clock: "firstMiss" }));
      expect(story.playUntilSent(view, undefined, 500)).toBe(firstMiss + 1400);
    },
  );

  test("an object that was updated once a round and then thrice a round keeps its sequence bound", () => {
    const { world, story, view, ship } = watch(everywhere({ sequence: 10 }), DELIVERED);
    for (let i = 0; i < 4; i++) {
      ship.x += 1;
      expect(story.play(view)).toEqual([]);
    }
    const sent = story.playUntilSent(view, () => {
      for (let i = 0; i < 3; i++) {
        ship.x += 1;
        world.commit(0);
      }
    });
    expect(sent).toBe(5 + 2);
  });

  test.each([
    [8, 8],
    [5, 5],
    [3, 3],
    [16, 1],
    [5, 1],
  ])("an object that is updated every %i rounds, and later every %i, keeps its sequence bound", (every, later) => {
    const { story, view, ship } = watch(everywhere({ sequence: 60 }), DELIVERED);
    let updates = 0;
    for (let round = 1; updates < 60; round++) {
      if (round % (updates < 20 ? every : later) === 0) {
        ship.x += 1;
        updates++;
      }
      expect(story.play(view)).toEqual(updates < 60 ? [] : [`update ${ship.id} by sequence in 0`]);
    }
  });

  test("what rounding to wire form had added counts, beside a tight bound", () => {
    const { world, story, model } = begin();
    const ship = world.spawn(Ship, { x: 10.24 });
    const view = model.addView(viewOf({ bounds: [{ value: 0.3 }] }), DELIVERED);
    expect(story.play(view)).toEqual([`create ${ship.id} by creation in 0`]);
    ship.hull += 1;
    story.rest(view, 1);
    ship.x += 0.05;
    story.rest(view, 1);
    ship.x += 0.05;
    expect(story.play(view)).toEqual([`update ${ship.id} by value in 0`]);
  });

  test("it counts as well where the bound was loose when it was rounded", () => {
    const { world, story, model } = begin();
    const ship = world.spawn(Ship, { x: 10.24 });
    const view = model.addView(viewOf({ bounds: [{ value: 100 }] }), DELIVERED);
    expect(story.play(view)).toEqual([`create ${ship.id} by creation in 0`]);
    model.changeView(view, viewOf({ bounds: [{ value: 0.3 }] }));
    ship.x += 0.1;
    expect(story.play(view)).toEqual([`update ${ship.id} by value in 0`]);
  });

  test("a pair that leaves and comes back in the same round as its slot is used again starts anew", () => {
    const { world, story, model } = begin();
    const view = model.addView(viewOf({ bounds: [{ value: 5 }], range: 50 }), DELIVERED);
    const ships = Array.from({ length: 200 }, () => world.spawn(Ship, { x: 10 }));
    expect(story.play(view)).toHaveLength(200);
    for (const ship of ships) world.destroy(ship);
    const others = Array.from({ length: 200 }, () => world.spawn(Ship, { x: 12 }));
    const words = story.play(view);
    for (const { id } of others) expect(words).toContain(`create ${id} by creation in 0`);
    for (const { id } of ships) expect(words).toContain(`destroy ${id} by removal in 0`);
    others[0]!.x += 5;
    expect(story.play(view)).toEqual([`update ${others[0]!.id} by value in 0`]);
  });

  test("a tighter view holds objects to it that rested under a looser one", () => {
    const { story, model, view, ship } = watch(everywhere({ value: 100 }), DELIVERED);
    ship.x += 0.9;
    story.rest(view, 300);
    model.changeView(view, viewOf({ bounds: [{ value: 0.5 }] }));
    expect(story.play(view)).toEqual([`update ${ship.id} by value in 0`]);
    ship.x += 0.4;
    story.rest(view, 3);
    ship.x += 0.2;
    expect(story.play(view)).toEqual([`update ${ship.id} by value in 0`]);
  });
});
