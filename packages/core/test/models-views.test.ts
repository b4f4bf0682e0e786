/**
 * Small stories, computed by hand from the model page, told to the oracle and to the engine alike: from position to bound, and what is
 * in a replica at all. Rounds are 50 ms; objects that are there from the start are created in round 1. The random worlds show that the
 * two agree; these show that both are right.
 */

import { slotOf } from "@nearfield/schema";
import { describe, expect, test } from "vitest";
import type { Entity, Pivot } from "../src/index.ts";
import { Crate, MODELS, Score, type SetSettings, Ship, storyOf, viewOf } from "./small-world.ts";

describe.each(MODELS)("%s", (_, Model) => {
  const { begin, watch } = storyOf(Model);

  // ── from position to bound ───────────────────────────────────────────────────────────────────────────────────

  describe("views", () => {
    const NEAR_ONLY: SetSettings = { radii: [20], bounds: [{ sequence: 1 }, {}] };

    test("a pair is judged by its cell of this round, in which it moved there", () => {
      const { story, view, ship } = watch(NEAR_ONLY);
      ship.x = 20;
      expect(story.play(view)).toEqual(["update 0 by sequence in 0"]);
      ship.x = 20.5;
      expect(story.play(view)).toEqual([]);
      ship.x = 19;
      expect(story.play(view)).toEqual(["update 0 by sequence in 0"]);
    });

    test("an update not sent far off is sent when its object comes near, though it rests", () => {
      const { story, model, view, ship } = watch(NEAR_ONLY);
      ship.x = 100;
      story.rest(view, 5);
      model.setPivots(view, [{ point: [90, 0] }]);
      expect(story.play(view)).toEqual(["update 0 by sequence in 0"]);
    });

    test("a view change is obeyed in the very next round", () => {
      const { story, model, view, ship } = watch({ bounds: [{}] });
      ship.x = 15;
      story.rest(view, 5);
      model.changeView(view, viewOf({ bounds: [{ value: 5 }] }));
      expect(story.play(view)).toEqual(["update 0 by value in 0"]);
      model.changeView(view, viewOf({ bounds: [{}] }));
      ship.x = 30;
      story.rest(view, 5);
    });

    test("another metric than the one that took the sample counts as infinitely far", () => {
      const { story, model, view, ship } = watch({ bounds: [{}] });
      ship.hull = 1;
      story.rest(view, 2);
      model.changeView(view, viewOf({ bounds: [{ value: 1000 }], metric: "path" }));
      expect(story.play(view)).toEqual(["update 0 by value in 0"]);
    });

    test("zoom stretches the zones in the round it is set, and lets go as fast", () => {
      const { story, model, view, ship } = watch(NEAR_ONLY);
      ship.x = 30;
      story.rest(view, 3);
      model.setPivots(view, [{ point: [0, 0], scale: 1.5 }]);
      expect(story.play(view)).toEqual(["update 0 by sequence in 0"]);
      model.setPivots(view, [{ point: [0, 0] }]);
      ship.x = 29;
      story.rest(view, 3);
    });

    test("pivots that come after the view count, however many", () => {
      const { story, model, view, ship } = watch(NEAR_ONLY);
      ship.x = 300;
      expect(story.play(view)).toEqual([]);
      model.setPivots(view, [{ point: [0, 0] }, { point: [500, 500] }, { point: [299, 0] }]);
      expect(story.play(view)).toEqual(["update 0 by sequence in 0"]);
      model.setPivots(view, []);
      ship.x = 301;
      story.rest(view, 3);
    });

    test("a spectator sees near whom it follows, from the round it switches", () => {
      const { world, story, model } = begin();
      const ann = world.spawn(Ship, { x: 0 });
      const bob = world.spawn(Ship, { x: 500 });
      const shot = world.spawn(Ship, { x: 510 });
      const view = model.addView(viewOf(NEAR_ONLY, [{ object: ann.id }]));
      story.play(view);
      shot.y = 1;
      expect(story.play(view)).toEqual([]);
      model.setPivots(view, [{ object: bob.id }]);
      expect(story.play(view)).toEqual([`update ${shot.id} by sequence in 0`]);
    });

    test("a view follows its own object, turns with it, and sees sharper ahead", () => {
      const { world, story, model } = begin();
      const me = world.spawn(Ship, { x: 0, heading: 0 });
      const other = world.spawn(Ship, { x: -50 });
      const view = model.addView(
        viewOf({ sectors: [90], bounds: [[{ sequence: 1 }, { sequence: 5 }]] }, [{ object: me.id }]),
      );
      story.play(view);
      other.y = 1;
      expect(story.play(view)).toEqual([]);
      expect(model.explain(view, other.id)).toMatchObject({ sector: 1, bound: { sequence: 5 } });
      me.heading = Math.PI;
      expect(story.play(view)).toEqual([`update ${me.id} by sequence in 0`, `update ${other.id} by sequence in 0`]);
    });

    test("a group sees over its members and a margin, then by coefficients", () => {
      const { world, story, model } = begin();
      const [left, right] = [world.spawn(Ship, { x: 0 }), world.spawn(Ship, { x: 20 })];
      const [inside, outside] = [world.spawn(Crate, { x: 24 }), world.spawn(Crate, { x: 28 })];
      const group: Pivot = { group: [left.id, right.id], margin: 5, coefficients: [2] };
      const set: SetSettings = { radii: [1, 2], bounds: [{ sequence: 1 }, { sequence: 2 }, {}] };
      const view = model.addView(viewOf(set, [group]));
      story.play(view);
      const stir = (label: string): void => {
        inside.label = label;
        outside.label = label;
      };
      stir("a");
      expect(story.play(view)).toEqual([`update ${inside.id} by sequence in 0`]);
      stir("b");
      expect(story.play(view)).toEqual([
        `update ${inside.id} by sequence in 0`,
        `update ${outside.id} by sequence in 1`,
      ]);
      right.x = 40;
      stir("c");
      expect(story.play(view)).toContain(`update ${outside.id} by sequence in 0`);
    });

    test("a pivot whose object is gone looks where that looked last, also if nobody cared until then", () => {
      const { world, story, model } = begin();
      const [me, other] = [world.spawn(Ship, { x: 0, y: 0 }), world.spawn(Ship, { x: 0, y: 50 })];
      const pivots = [{ object: me.id }];
      const view = model.addView(viewOf({ bounds: [{}] }, pivots));
      story.play(view);
      story.play(view);
      me.heading = Math.PI / 2;
      story.play(view);
      world.destroy(me);
      model.changeView(
        view,
        viewOf(
          {
            radii: [100],
            sectors: [90],
            bounds: [
              [{ sequence: 1 }, {}],
              [{}, {}],
            ],
          },
          pivots,
        ),
      );
      story.play(view);
      other.y = 51;
      expect(story.play(view)).toEqual([`update ${other.id} by sequence in 0`]);
    });

    test("a group of one that stands still, without a margin, has a zone 0 of no width", () => {
      const { world, story, model } = begin();
      const [me, other] = [world.spawn(Ship, { x: 2, y: 0 }), world.spawn(Ship, { x: 4, y: 0 })];
      const view = model.addView(
        viewOf({ radii: [10], bounds: [{ sequence: 1 }, {}] }, [{ group: [me.id], margin: 0, coefficients: [] }]),
      );
      story.play(view);
      other.x = 3;
      expect(story.play(view)).toEqual([]);
      other.x = 2;
      expect(story.play(view)).toEqual([`update ${other.id} by sequence in 0`]);
    });

    test("a group that spreads takes in what it reaches, though its centre stands still", () => {
      const { world, story, model } = begin();
      const [left, right] = [world.spawn(Ship, { x: -10 }), world.spawn(Ship, { x: 10 })];
      const crate = world.spawn(Crate, { x: 100 });
      const group: Pivot = { group: [left.id, right.id], margin: 5, coefficients: [] };
      const view = model.addView({
        pivots: [group],
        sets: [
          { match: { type: "crate" }, radii: [1], bounds: [{ sequence: 1 }, {}] },
          { match: "everything", bounds: [{}] },
        ],
      });
      story.play(view);
      crate.label = "tea";
      const spread = (): void => {
        left.x -= 1;
        right.x += 1;
      };
      expect(story.playUntilSent(view, spread)).toBe(1 + 85);
    });

    test("a destroyed pivot stays where it was, through a zoom too, until it is changed", () => {
      const { world, story, model } = begin();
      const me = world.spawn(Ship, { x: 300 });
      const other = world.spawn(Ship, { x: 310 });
      const set: SetSettings = { ...NEAR_ONLY, range: 50 };
      const view = model.addView(viewOf(set, [{ object: me.id }]));
      story.play(view);
      world.destroy(me);
      other.y = 1;
      expect(story.play(view)).toEqual([`destroy ${me.id} by removal in 0`, `update ${other.id} by sequence in 0`]);
      model.changeView(view, viewOf(set, [{ object: me.id, scale: 2 }]));
      other.y = 2;
      expect(story.play(view)).toEqual([`update ${other.id} by sequence in 0`]);
      model.setPivots(view, [{ point: [0, 0] }]);
      expect(story.play(view)).toEqual([`leave ${other.id} by removal in 0`]);
    });

    test("without pivots everything is in the last zone", () => {
      const { story, view, ship } = watch(
        {
          radii: [20],
          sectors: [90],
          bounds: [
            [{ sequence: 1 }, { sequence: 1 }],
            [{ sequence: 2 }, { sequence: 4 }],
          ],
        },
        {},
        [{ point: [0, 0] }],
      );
      story.model.setPivots(view, []);
      const stir = (): void => {
        ship.hull += 1;
      };
      expect(story.playUntilSent(view, stir)).toBe(3);
      expect(story.model.explain(view, ship.id)).toMatchObject({ zone: 1, sector: 0 });
    });

    test("objects change their set by tag, predicate and owner, and are judged by it at once", () => {
      const { world, story, model } = begin();
      world.predicate("weak", (entity) => (entity as Entity & { hull: number }).hull < 10);
      const ship = world.spawn(Ship, { hull: 50 });
      const view = model.addView({
        pivots: [],
        sets: [
          { match: { tag: "flag" }, bounds: [{ sequence: 1 }] },
          { match: { predicate: "weak" }, bounds: [{ sequence: 1 }] },
          { match: "everything", bounds: [{}] },
        ],
      });
      story.play(view);
      ship.hull = 40;
      expect(story.play(view)).toEqual([]);
      world.tag(ship, "flag");
      expect(story.play(view)).toEqual(["update 0 by sequence in 0"]);
      world.untag(ship, "flag");
      ship.hull = 41;
      expect(story.play(view)).toEqual([]);
      ship.hull = 5;
      expect(story.play(view)).toEqual(["update 0 by sequence in 0"]);
    });

    test("events are filtered by zone and distance", () => {
      const { world, story, model } = begin();
      const me = world.spawn(Ship, { x: 100 });
      const view = model.addView({
        pivots: [{ object: me.id }],
        sets: [
          { match: { type: "score" }, bounds: [{}], pivots: [] },
          { match: "everything", radii: [10, 50], shape: "square", bounds: [{}, {}, {}] },
        ],
      });
      story.play(view);
      expect([108, 130, 151].map((x) => model.zoneAt(view, [x, 8]))).toEqual([0, 1, 2]);
      expect(model.distanceTo(view, [103, 4])).toBe(5);
      model.setPivots(view, []);
      expect([model.zoneAt(view, [100, 0]), model.distanceTo(view, [100, 0])]).toEqual([0, Number.POSITIVE_INFINITY]);
    });
  });

  // ── existence ────────────────────────────────────────────────────────────────────────────────────────────────

  describe("existence", () => {
    test("fog hides even the id, and brings a leave; what happens in it is not told", () => {
      const { world, story, model } = begin({
        visible: (_view, entity) => (entity as Entity & { x: number }).x < 50,
      });
      const ship = world.spawn(Ship, { x: 60 });
      const view = model.addView(viewOf({ bounds: [{ sequence: 1 }] }));
      story.rest(view, 3);
      ship.x = 40;
      expect(story.play(view)).toEqual(["create 0 by creation in 0"]);
      ship.x = 60;
      expect(story.play(view)).toEqual(["leave 0 by removal in 0"]);
      ship.x = 70;
      story.rest(view, 3);
      world.destroy(ship);
      story.rest(view, 3);
      story.acknowledge(view, ship.id, 5);
      story.rest(view, 3);
    });

    test("a leave that got lost in the fog comes up as a leave, though the object is destroyed by then", () => {
      const { world, story, model } = begin({
        visible: (_view, entity) => (entity as Entity & { x: number }).x < 50,
      });
      const ship = world.spawn(Ship, { x: 40 });
      const view = model.addView(viewOf({ bounds: [{}] }));
      story.play(view);
      ship.x = 60;
      expect(story.play(view)).toEqual(["leave 0 by removal in 0"]);
      world.destroy(ship);
      story.rest(view, 2);
      story.lose(view, ship.id, 2);
      expect(story.play(view)).toEqual(["leave 0 by removal in 0"]);
    });

    test("range: enter at d ≤ range, leave at d > 1.1 × range", () => {
      const { world, story, model } = begin();
      const ship = world.spawn(Ship, { x: 100.5 });
      const view = model.addView(viewOf({ bounds: [{}], range: 100 }));
      const at = (x: number): string[] => {
        ship.x = x;
        return story.play(view).map((decision) => decision.split(" ")[0]!);
      };
      expect([100.5, 100, 105, 110, 110.5, 105, 100.5, 100].map(at)).toEqual([
        [],
        ["create"],
        [],
        [],
        ["leave"],
        [],
        [],
        ["create"],
      ]);
    });

    test("range: the nearest pivot counts, and pivots move too", () => {
      const { world, story, model } = begin();
      world.spawn(Ship, { x: 400 });
      const view = model.addView(viewOf({ bounds: [{}], range: 50 }, [{ point: [0, 0] }, { point: [300, 0] }]));
      story.rest(view, 3);
      model.setPivots(view, [{ point: [0, 0] }, { point: [350, 0] }]);
      expect(story.play(view)).toEqual(["create 0 by creation in 0"]);
      model.setPivots(view, [{ point: [0, 0] }]);
      expect(story.play(view)).toEqual(["leave 0 by removal in 0"]);
    });

    test("being destroyed is told apart from leaving, and never waits for a bound", () => {
      const { world, story, view, ship } = watch({ bounds: [{}] });
      world.destroy(ship);
      expect(story.play(view)).toEqual(["destroy 0 by removal in 0"]);
    });

    test("creation never waits for a bound; the next round knows it is there", () => {
      const { world, story, view } = watch({ bounds: [{}] });
      const late = world.spawn(Ship, { x: 900 });
      expect(story.play(view)).toEqual([`create ${late.id} by creation in 0`]);
      story.rest(view, 5);
    });

    test("what comes and goes between two rounds is never spoken of", () => {
      const { world, story, view } = watch({ bounds: [{}] });
      world.destroy(world.spawn(Ship));
      story.rest(view, 2);
    });

    test("a slot that is reused never mixes two objects", () => {
      const { world, story, view, ship } = watch({ bounds: [{ sequence: 1 }] });
      world.destroy(ship);
      for (let i = 0; i < 64; i++) world.destroy(world.spawn(Score));
      const next = world.spawn(Ship, { x: 5 });
      expect(slotOf(next.id)).toBe(slotOf(ship.id));
      expect(story.play(view)).toEqual([`destroy ${ship.id} by removal in 0`, `create ${next.id} by creation in 0`]);
      story.acknowledge(view, ship.id, 1);
      expect(story.model.baseVersion(view, next.id)).toBe(0);
      story.lose(view, ship.id, 1);
      story.rest(view, 2);
      expect(story.model.explain(view, ship.id)).toBeUndefined();
    });

    test("non-spatial objects are sent on every update, in any range", () => {
      const { world, story, model } = begin();
      const score = world.spawn(Score, { points: 1 });
      const view = model.addView(viewOf({ bounds: [{}], range: 10 }, []));
      expect(story.play(view)).toEqual(["create 0 by creation in 0"]);
      story.rest(view, 3);
      for (let i = 0; i < 3; i++) {
        score.points += 1;
        expect(story.play(view)).toEqual(["update 0 by change in 0"]);
      }
    });
  });
});
