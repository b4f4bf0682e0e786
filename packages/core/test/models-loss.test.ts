/**
 * Small stories, computed by hand from the model page, told to the oracle and to the engine alike: what becomes of sends that got
 * lost. Rounds are 50 ms; objects that are there from the start are created in round 1. The random worlds show that the two agree;
 * these show that both are right.
 */

import { describe, expect, test } from "vitest";
import { Cause } from "../src/internal/index.ts";
import { MODELS, Ship, storyOf, viewOf } from "./small-world.ts";

describe.each(MODELS)("%s", (_, Model) => {
  const { begin, watch } = storyOf(Model);

  describe("loss", () => {
    test("a lost send falls back, and the pair is due again by the state the client has", () => {
      const { story, model, view, ship } = watch({ bounds: [{ value: 10 }] });
      ship.x = 22;
      expect(story.play(view)).toEqual(["update 0 by value in 0"]);
      ship.x = 24;
      expect(story.play(view)).toEqual([]);
      expect(model.lastCause(view, ship.id)).toBe(Cause.value);
      story.lose(view, ship.id, 2);
      expect(model.explain(view, ship.id)).toMatchObject({ sentVersion: 1, lastSend: 1, divergence: { value: 14 } });
      expect(model.lastCause(view, ship.id)).toBe(Cause.creation);
      expect(story.play(view)).toEqual(["update 0 by value in 0"]);
      expect(model.baseVersion(view, ship.id)).toBe(1);
      expect(model.account.deliveredUpTo(4)).toBe(2);
      story.acknowledge(view, ship.id, 4);
      expect([model.account.delivered, model.account.open, model.baseVersion(view, ship.id)]).toEqual([2, 0, 3]);
      expect(model.lastCause(view, ship.id)).toBe(Cause.value);
      expect(model.account.shortfalls("delivered")).toEqual([
        { zone: 0, cause: "value", spells: 1, pairRounds: 2, longest: 2 },
      ]);
    });

    test("a lost send whose object came back within the bound is not repeated", () => {
      const { story, view, ship } = watch({ bounds: [{ value: 10 }] });
      ship.x = 22;
      expect(story.play(view)).toEqual(["update 0 by value in 0"]);
      ship.x = 11;
      expect(story.play(view)).toEqual(["update 0 by value in 0"]);
      story.lose(view, ship.id, 2);
      story.lose(view, ship.id, 3);
      story.rest(view, 100);
    });

    test("while a newer send is on its way, the older one's loss changes nothing", () => {
      const { story, view, ship } = watch({ bounds: [{ sequence: 1 }] });
      ship.x = 20;
      story.play(view);
      ship.x = 30;
      story.play(view);
      story.lose(view, ship.id, 2);
      story.rest(view, 5);
      story.lose(view, ship.id, 3);
      expect(story.play(view)).toEqual(["update 0 by sequence in 0"]);
    });

    test("the newer send lost, the older one on its way counts", () => {
      const { story, model, view, ship } = watch({ bounds: [{ sequence: 1 }] });
      ship.x = 20;
      story.play(view);
      ship.x = 30;
      story.play(view);
      story.lose(view, ship.id, 3);
      expect(model.explain(view, ship.id)).toMatchObject({ sentVersion: 2, lastSend: 2 });
      expect(story.play(view)).toEqual(["update 0 by sequence in 0"]);
    });

    test("firstMiss counts from the first update the client lacks", () => {
      const { story, view, ship } = watch({ bounds: [{ time: 200 }], clock: "firstMiss" });
      ship.x = 20;
      expect(story.playUntilSent(view)).toBe(2 + 4);
      ship.x = 30;
      story.rest(view, 1);
      story.lose(view, ship.id, 6);
      expect(story.play(view)).toEqual(["update 0 by time in 0"]);
    });

    test("a lost create is created again, whole, until one arrives", () => {
      const { world, story, model } = begin();
      const ship = world.spawn(Ship);
      const view = model.addView(viewOf({ bounds: [{}] }));
      for (let i = 0; i < 3; i++) {
        expect(story.play(view)).toEqual(["create 0 by creation in 0"]);
        expect(model.baseVersion(view, ship.id)).toBe(0);
        story.lose(view, ship.id);
      }
      story.play(view);
      story.acknowledge(view, ship.id);
      story.rest(view, 3);
      expect(model.baseVersion(view, ship.id)).toBe(1);
    });

    test("lost removals come up again by themselves, until one arrives", () => {
      const { world, story, model } = begin();
      const [gone, left] = [world.spawn(Ship, { x: 1 }), world.spawn(Ship, { x: 2 })];
      const view = model.addView(viewOf({ bounds: [{}], range: 100 }));
      story.play(view);
      world.destroy(gone);
      left.x = 500;
      for (let i = 0; i < 3; i++) {
        expect(story.play(view)).toEqual([`destroy ${gone.id} by removal in 0`, `leave ${left.id} by removal in 0`]);
        story.lose(view, gone.id);
        story.lose(view, left.id);
      }
      story.play(view);
      story.acknowledge(view, gone.id);
      story.acknowledge(view, left.id);
      story.rest(view, 5);
    });

    test("a loss that is learnt after its object left or was destroyed counts until then", () => {
      const { world, story, model } = begin();
      const [left, gone] = [world.spawn(Ship, { x: 1 }), world.spawn(Ship, { x: 2 })];
      const view = model.addView(viewOf({ bounds: [{ sequence: 1 }], range: 100 }));
      story.play(view);
      for (const ship of [left, gone]) {
        story.acknowledge(view, ship.id);
        ship.hull = 1;
      }
      expect(story.play(view)).toHaveLength(2);
      story.rest(view, 2);
      left.x = 500;
      world.destroy(gone);
      expect(story.play(view)).toHaveLength(2);
      for (const ship of [left, gone]) {
        story.acknowledge(view, ship.id, 5);
        story.lose(view, ship.id, 2);
        story.lose(view, ship.id, 2);
      }
      expect(model.account.shortfalls("delivered")).toEqual([
        { zone: 0, cause: "sequence", spells: 2, pairRounds: 6, longest: 3 },
      ]);
      expect(model.account.open).toBe(0);
    });

    test("what comes back before its leave is known to have arrived is created anew, and the leave forgotten", () => {
      const { world, story, model } = begin();
      const ship = world.spawn(Ship, { x: 1 });
      const view = model.addView(viewOf({ bounds: [{}], range: 100 }));
      story.play(view);
      story.acknowledge(view, ship.id);
      ship.x = 500;
      expect(story.play(view)).toEqual(["leave 0 by removal in 0"]);
      ship.x = 1;
      expect(story.play(view)).toEqual(["create 0 by creation in 0"]);
      expect(model.baseVersion(view, ship.id)).toBe(0);
      story.lose(view, ship.id, 2);
      story.rest(view, 3);
      expect(model.account.open).toBe(0);
    });

    test("a lost leave counts until its object returned, though the loss is learnt after that", () => {
      const { world, story, model } = begin();
      const ship = world.spawn(Ship, { x: 1 });
      const view = model.addView(viewOf({ bounds: [{}], range: 100 }));
      story.play(view);
      story.acknowledge(view, ship.id);
      ship.x = 500;
      expect(story.play(view)).toEqual(["leave 0 by removal in 0"]);
      story.rest(view, 2);
      ship.x = 1;
      expect(story.play(view)).toEqual(["create 0 by creation in 0"]);
      expect(model.account.delivered).toBe(0);
      story.lose(view, ship.id, 2);
      story.acknowledge(view, ship.id, 5);
      expect(model.account.shortfalls("delivered")).toEqual([
        { zone: 0, cause: "removal", spells: 1, pairRounds: 3, longest: 3 },
      ]);
      expect(model.account.open).toBe(0);
    });

    test("a leave that was lost, told again and overtaken by a return is one spell", () => {
      const { world, story, model } = begin();
      const ship = world.spawn(Ship, { x: 1 });
      const view = model.addView(viewOf({ bounds: [{}], range: 100 }));
      story.play(view);
      story.acknowledge(view, ship.id);
      ship.x = 500;
      story.play(view);
      story.lose(view, ship.id, 2);
      expect(story.play(view)).toEqual(["leave 0 by removal in 0"]);
      ship.x = 1;
      expect(story.play(view)).toEqual(["create 0 by creation in 0"]);
      story.lose(view, ship.id, 3);
      story.acknowledge(view, ship.id, 4);
      expect(model.account.shortfalls("delivered")).toEqual([
        { zone: 0, cause: "removal", spells: 1, pairRounds: 2, longest: 2 },
      ]);
      expect(model.account.open).toBe(0);
    });

    test("a leave that arrived after all, its object being back, counts nothing", () => {
      const { world, story, model } = begin();
      const ship = world.spawn(Ship, { x: 1 });
      const view = model.addView(viewOf({ bounds: [{}], range: 100 }));
      story.play(view);
      story.acknowledge(view, ship.id);
      ship.x = 500;
      story.play(view);
      ship.x = 1;
      story.play(view);
      story.acknowledge(view, ship.id, 2);
      story.acknowledge(view, ship.id, 3);
      expect([model.account.delivered, model.account.open]).toEqual([0, 0]);
    });

    describe("a demand", () => {
      /** A ship that no bound would ever send again, updated and demanded; sent in round 2. */
      function demanded() {
        const seen = watch({ bounds: [{ sequence: 3 }] });
        seen.ship.hull = 1;
        seen.model.demand(seen.view, seen.ship.id);
        expect(seen.story.play(seen.view)).toEqual(["update 0 by demand in 0"]);
        return seen;
      }

      test("is made again whenever its send is lost, until one arrives", () => {
        const { story, view, ship } = demanded();
        for (let i = 0; i < 3; i++) {
          story.rest(view, 2);
          story.lose(view, ship.id, story.round - 2);
          expect(story.play(view)).toEqual(["update 0 by demand in 0"]);
        }
        story.acknowledge(view, ship.id);
        story.rest(view, 100);
      });

      test("is met by a later send that arrives", () => {
        const { story, view, ship } = demanded();
        for (let hull = 2; hull < 4; hull++) {
          ship.hull = hull;
          story.rest(view, 1);
        }
        ship.hull = 4;
        expect(story.play(view)).toEqual(["update 0 by sequence in 0"]);
        story.lose(view, ship.id, 2);
        story.rest(view, 2);
        story.acknowledge(view, ship.id, 5);
        story.rest(view, 100);
      });

      test("passes to a later send on its way, and is made again if that is lost too", () => {
        const { story, view, ship } = demanded();
        for (let hull = 2; hull < 5; hull++) {
          ship.hull = hull;
          story.play(view);
        }
        story.lose(view, ship.id, 2);
        story.rest(view, 2);
        story.lose(view, ship.id, 5);
        expect(story.play(view)).toEqual(["update 0 by demand in 0"]);
        story.acknowledge(view, ship.id);
        story.rest(view, 100);
      });

      test("is made again where the later send was lost first", () => {
        const { story, view, ship } = demanded();
        for (let hull = 2; hull < 5; hull++) {
          ship.hull = hull;
          story.play(view);
        }
        story.lose(view, ship.id, 5);
        expect(story.play(view)).toEqual(["update 0 by sequence in 0"]);
        story.lose(view, ship.id, 6);
        story.lose(view, ship.id, 2);
        expect(story.play(view)).toEqual(["update 0 by demand in 0"]);
      });

      test("waits for a paused view to be resumed, and ends with the object's stay", () => {
        const { story, model, view, ship } = demanded();
        model.pause(view);
        story.lose(view, ship.id, 2);
        story.rest(view, 3);
        model.resume(view);
        expect(story.play(view)).toEqual(["update 0 by demand in 0"]);
        story.world.destroy(ship);
        expect(story.play(view)).toEqual(["destroy 0 by removal in 0"]);
        story.lose(view, ship.id, 6);
        story.acknowledge(view, ship.id, 7);
        story.rest(view, 100);
      });
    });

    test("a link that loses nothing needs no acknowledgements", () => {
      const { story, model, view, ship } = watch({ bounds: [{ sequence: 1 }] }, { assumeDelivered: true });
      ship.x = 20;
      story.play(view);
      expect(model.baseVersion(view, ship.id)).toBe(1);
      ship.x = 30;
      story.play(view);
      expect(model.baseVersion(view, ship.id)).toBe(2);
      story.world.destroy(ship);
      expect(story.play(view)).toEqual(["destroy 0 by removal in 0"]);
      story.rest(view, 3);
    });

    test("acknowledgements in any order keep the newest base", () => {
      const { story, model, view, ship } = watch({ bounds: [{ sequence: 1 }] });
      for (const x of [20, 30]) {
        ship.x = x;
        story.play(view);
      }
      story.acknowledge(view, ship.id, 3);
      expect(model.baseVersion(view, ship.id)).toBe(3);
      story.acknowledge(view, ship.id, 2);
      expect(model.baseVersion(view, ship.id)).toBe(3);
      story.lose(view, ship.id, 2);
      story.rest(view, 3);
    });
  });
});
