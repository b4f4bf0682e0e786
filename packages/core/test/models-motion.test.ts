/**
 * Small stories, computed by hand from the model page, told to the oracle and to the engine alike: the metric `predicted`. A comet at 20
 * units a second travels a unit a round; it is created in round 1, in motion, and acknowledged.
 */

import { describe, expect, test } from "vitest";
import type { Entity } from "../src/index.ts";
import type { ViewOptions } from "../src/internal/index.ts";
import { Comet, MODELS, type SetSettings, storyOf, viewOf } from "./small-world.ts";

type AComet = Entity<(typeof Comet)["shape"]>;

const fly = (comet: AComet) => (): void => {
  comet.x += comet.vx / 20;
  comet.y += comet.vy / 20;
};
const stand = (): void => {};

describe.each(MODELS)("%s", (_, Model) => {
  const { begin, watch } = storyOf(Model);

  function launch(set: SetSettings, options: ViewOptions = {}) {
    const { world, story, model } = begin();
    const comet = world.spawn(Comet, { x: 10, vx: 20 });
    const view = model.addView(viewOf({ metric: "predicted", ...set }), options);
    expect(story.play(view)).toEqual(["create 0 by creation in 0"]);
    story.acknowledge(view, comet.id);
    const flyFor = (rounds: number): void => {
      for (let i = 0; i < rounds; i++) {
        fly(comet)();
        expect(story.play(view)).toEqual([]);
      }
    };
    return { world, story, model, comet, view, flyFor };
  }

  test("what goes straight on is not sent, though it moves", () => {
    const { model, view, comet, flyFor } = launch({ bounds: [{ value: 2 }] });
    flyFor(200);
    expect(model.explain(view, comet.id)).toMatchObject({ equal: false, divergence: { value: 0, sequence: 200 } });
  });

  test("by displacement it would be, every other round", () => {
    const { story, view, comet } = launch({ bounds: [{ value: 2 }], metric: "displacement" });
    expect(story.playUntilSent(view, fly(comet))).toBe(3);
    expect(story.playUntilSent(view, fly(comet))).toBe(5);
  });

  test("what turns is sent once the picture is wrong, and then it is right again", () => {
    const { story, view, comet, flyFor } = launch({ bounds: [{ value: 4 }] });
    flyFor(9);
    Object.assign(comet, { vx: 0, vy: 20 });
    // 1 round: √2 off, 2: 2√2, 3: 3√2 = 4.24
    expect(story.playUntilSent(view, fly(comet))).toBe(10 + 3);
    flyFor(100);
  });

  test("what stops although its velocity says otherwise settles, and rests", () => {
    const { story, model, view, comet, flyFor } = launch({ bounds: [{ value: 2 }] });
    flyFor(9);
    story.rest(view, 1);
    expect(model.explain(view, comet.id)).toMatchObject({ equal: false, divergence: { value: 1 } });
    expect(story.play(view)).toEqual(["update 0 by value in 0, settles"]);
    expect(model.explain(view, comet.id)).toMatchObject({ equal: true, divergence: { value: 0 } });
    story.rest(view, 100);
  });

  test("it carries on from the next send in which it moved", () => {
    const { story, view, comet } = launch({ bounds: [{ value: 2 }] });
    expect(story.playUntilSent(view, stand)).toBe(1 + 2);
    fly(comet)();
    expect(story.play(view)).toEqual([]);
    fly(comet)();
    expect(story.play(view)).toEqual(["update 0 by value in 0"]);
    expect(story.playUntilSent(view, fly(comet))).toBe(Number.POSITIVE_INFINITY);
  });

  test("what was sent its last version in motion is not equal before it settled, even by time alone", () => {
    for (const [clock, round] of [
      ["refresh", 1 + 4],
      ["firstMiss", 2 + 4],
    ] as const) {
      const { story, view } = launch({ bounds: [{ time: 200 }], clock });
      expect(story.playUntilSent(view, stand)).toBe(round);
      story.rest(view, 50);
    }
  });

  test("the time bound holds for what goes straight on", () => {
    const { story, view, comet } = launch({ bounds: [{ time: 500, value: 2 }] });
    expect(story.playUntilSent(view, fly(comet))).toBe(1 + 10);
    expect(story.playUntilSent(view, fly(comet))).toBe(11 + 10);
  });

  test("a lost settle leaves the picture carrying on from the send before", () => {
    const { story, model, view, comet } = launch({ bounds: [{ value: 2 }] });
    expect(story.playUntilSent(view, stand)).toBe(3);
    story.rest(view, 2);
    story.lose(view, comet.id, 3);
    expect(model.explain(view, comet.id)).toMatchObject({ equal: false, lastSend: 1, divergence: { value: 4 } });
    expect(story.play(view)).toEqual(["update 0 by value in 0, settles"]);
  });

  test("a view that changes to it feeds the model anew", () => {
    const { story, model, view } = launch({ bounds: [{ value: 2 }], metric: "displacement" });
    story.rest(view, 5);
    model.changeView(view, viewOf({ bounds: [{ value: 2 }], metric: "predicted" }));
    expect(story.play(view)).toEqual(["update 0 by value in 0, settles"]);
    story.rest(view, 50);
  });

  test("an own object is due on every change; once it stands, its picture settles by the bounds", () => {
    const { world, story, view, comet } = launch({ bounds: [{ time: 5000, value: 2 }] }, { session: 7 });
    world.setOwner(comet, 7);
    comet.x += 1;
    expect(story.play(view)).toEqual(["update 0 by change in 0"]);
    story.rest(view, 1);
    expect(story.play(view)).toEqual(["update 0 by value in 0, settles"]);
    story.rest(view, 50);
    comet.x += 1;
    expect(story.play(view)).toEqual(["update 0 by change in 0"]);
  });

  test("an own object whose set goes by bounds waits for them, like any other", () => {
    const { world, story, view, comet } = launch({ bounds: [{ value: 2 }], own: "bounds" }, { session: 7 });
    world.setOwner(comet, 7);
    expect(story.playUntilSent(view, fly(comet))).toBe(Number.POSITIVE_INFINITY);
  });

  test("a client that wrote the object itself has it at rest there", () => {
    const { world, story, model, view, comet } = launch({ bounds: [{ value: 2 }] }, { session: 7 });
    comet.x = 30;
    world.commit(7);
    story.rest(view, 50);
    expect(model.explain(view, comet.id)).toMatchObject({ equal: true, divergence: { value: 0 } });
  });

  test("a demand is met in the next round, though the newest version was sent", () => {
    const { story, model, view, comet } = launch({ bounds: [{}] });
    story.rest(view, 3);
    model.demand(view, comet.id);
    expect(story.play(view)).toEqual(["update 0 by demand in 0, settles"]);
  });

  test("without a velocity, and by the model that holds, it is displacement", () => {
    const { story, view, ship } = watch({ bounds: [{ value: 2 }], metric: "predicted" });
    const stir = (): void => {
      ship.x += 1;
    };
    expect(story.playUntilSent(view, stir)).toBe(3);
    story.rest(view, 20);
    const held = launch({ bounds: [{ value: 2 }], metric: "predicted:hold" });
    expect(held.story.playUntilSent(held.view, fly(held.comet))).toBe(3);
    held.story.rest(held.view, 20);
  });

  test("predicted:linear is predicted", () => {
    const { story, model, view, flyFor } = launch({ bounds: [{ value: 2 }] });
    model.changeView(view, viewOf({ bounds: [{ value: 2 }], metric: "predicted:linear" }));
    flyFor(20);
    expect(story.round).toBe(21);
  });
});
