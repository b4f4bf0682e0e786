/** Ripe pairs ride along with what is due: told to the oracle and to the engine alike. */

import { describe, expect, test } from "vitest";
import { MODELS, Ship, storyOf, viewOf } from "./small-world.ts";

const BOUNDS = [{ value: 1 }, { value: 10 }];

describe.each(MODELS)("%s", (_, Model) => {
  const { begin } = storyOf(Model);

  /** A ship near by and one far away, both created, acknowledged and long known; plain views are the kernel's, square ones too, those with `path` are not. */
  function two(ripe: number, set: { metric?: string; shape?: "square" } = {}) {
    const { world, story, model } = begin({ ripe });
    const near = world.spawn(Ship, { x: 5, y: 0 });
    const far = world.spawn(Ship, { x: 80, y: 0 });
    const view = model.addView(viewOf({ radii: [20], bounds: BOUNDS, ...set }, [{ point: [0, 0] }]));
    expect(story.play(view)).toHaveLength(2);
    for (const { id } of [near, far]) story.acknowledge(view, id);
    story.rest(view, 32);
    return { story, model, view, near, far };
  }

  test.each([{}, { metric: "path" }, { shape: "square" as const }])("from its share on, with %o", (set) => {
    const { story, view, near, far } = two(0.5, set);
    far.x = 84.9;
    story.rest(view, 1);
    near.x = 6;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`]);
    far.x = 85;
    story.rest(view, 1);
    near.x = 7;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`, `update ${far.id} by ripe in 1`]);
    far.x = 94;
    story.rest(view, 1);
    far.x = 95;
    expect(story.play(view)).toEqual([`update ${far.id} by value in 1`]);
  });

  test("alone it is not sent, and with a share of 1 never before it is due", () => {
    const { story, view, far } = two(0.5);
    far.x = 89;
    story.rest(view, 40);
    const off = two(1);
    off.far.x = 89;
    off.near.x = 7;
    expect(off.story.play(off.view)).toEqual([`update ${off.near.id} by value in 0`]);
  });

  test.each([{}, { metric: "path" }])("the share can change, with %o", (set) => {
    const { story, model, view, near, far } = two(1, set);
    far.x = 85;
    story.rest(view, 1);
    model.setRipe(0.5);
    near.x = 6;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`, `update ${far.id} by ripe in 1`]);
    far.x = 93;
    story.rest(view, 1);
    model.setRipe(0.9);
    near.x = 7;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`]);
    expect(() => model.setRipe(0)).toThrow("ripe: must be above 0 and at most 1, is 0");
  });

  test("a removal or a creation carries it too", () => {
    const { story, model, view, near, far } = two(0.5);
    far.x = 89;
    story.world.destroy(near);
    expect(story.play(view)).toEqual([`destroy ${near.id} by removal in 0`, `update ${far.id} by ripe in 1`]);
    expect(model.account.decided).toBe(0);
  });

  test("a lost one falls back, and is due as ever", () => {
    const { story, view, near, far } = two(0.5);
    far.x = 89;
    near.x = 7;
    expect(story.play(view)).toHaveLength(2);
    story.lose(view, far.id);
    story.rest(view, 1);
    far.x = 90;
    expect(story.play(view)).toEqual([`update ${far.id} by value in 1`]);
  });

  test("not where bytes are limited or bounds are loosened", () => {
    const { story, model, view, near, far } = two(0.5);
    far.x = 89;
    model.setBudgeted(view, true);
    near.x = 7;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`]);
    model.setSpare(view, 1);
    near.x = 8;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`]);
    model.setBudgeted(view, false);
    model.loosen(view, 2);
    near.x = 9;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`]);
    model.loosen(view, 1);
    near.x = 11;
    expect(story.play(view)).toHaveLength(2);
  });

  test("with bytes to spare, where bytes are limited, unless something was withheld lately", () => {
    const { story, model, view, near, far } = two(0.5);
    model.setBudgeted(view, true);
    model.setSpare(view, 2);
    far.x = 89;
    near.x = 7;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`, `update ${far.id} by ripe in 1`]);
    model.withhold(view, far.id);
    expect(model.account.decided).toBe(0);
    near.x = 8;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`]);
    story.rest(view, 30);
    near.x = 9;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`]);
    near.x = 10;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`, `update ${far.id} by ripe in 1`]);
  });

  test("not in a view that sends in most rounds, until it has been silent again", () => {
    const { story, view, near, far } = two(0.5);
    for (let i = 0; i < 30; i++) {
      near.x += 1 - 2 * (i % 2);
      expect(story.play(view)).toHaveLength(1);
    }
    far.x = 89;
    near.x += 1;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`]);
    story.rest(view, 7);
    near.x -= 1;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`]);
    story.rest(view, 1);
    near.x += 1;
    expect(story.play(view)).toHaveLength(2);
  });

  test("not in a new view, before 8 of its rounds were silent", () => {
    const { world, story, model } = begin({ ripe: 0.5 });
    const near = world.spawn(Ship, { x: 5, y: 0 });
    const far = world.spawn(Ship, { x: 80, y: 0 });
    const view = model.addView(viewOf({ radii: [20], bounds: BOUNDS }, [{ point: [0, 0] }]));
    expect(story.play(view)).toHaveLength(2);
    for (const { id } of [near, far]) story.acknowledge(view, id);
    far.x = 89;
    story.rest(view, 7);
    near.x = 6;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`]);
    story.rest(view, 1);
    near.x = 7;
    expect(story.play(view)).toEqual([`update ${near.id} by value in 0`, `update ${far.id} by ripe in 1`]);
  });

  test("a share that is none is refused", () => {
    expect(() => begin({ ripe: 0 })).toThrow("ripe: must be above 0 and at most 1, is 0");
  });
});
