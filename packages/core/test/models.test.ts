/**
 * Small stories, computed by hand from the model page, told to the oracle and to the engine alike: divergence, writers, views that
 * come and go, the worked example of the documentation, and the baselines. Rounds are 50 ms; objects that are there from the start are
 * created in round 1. The random worlds show that the two agree; these show that both are right.
 */

import type { ObjectId } from "@nearfield/schema";
import { describe, expect, test } from "vitest";
import { Aura, Broadcast, type Entity, type ViewSettings, zones } from "../src/index.ts";
import { Crate, Drone, MODELS, ROUND_MS, Score, Ship, Story, smallWorld, storyOf, viewOf } from "./small-world.ts";

const X = 1 << 0;

describe.each(MODELS)("%s", (_, Model) => {
  const { begin, watch } = storyOf(Model);

  // ── divergence ───────────────────────────────────────────────────────────────────────────────────────────────

  describe("time", () => {
    test("refresh: what rested longer than its bound is sent in the round it stirs, then at its pace", () => {
      const { story, view, ship } = watch({ bounds: [{ time: 500 }] });
      story.rest(view, 29);
      ship.y = 1;
      expect(story.play(view)).toEqual(["update 0 by time in 0"]);
      const stir = (): void => {
        ship.y += 1;
      };
      expect(story.playUntilSent(view, stir)).toBe(31 + 10);
      expect(story.playUntilSent(view, stir)).toBe(41 + 10);
    });

    test("firstMiss: what stirs waits its time from then on", () => {
      const { story, view, ship } = watch({ bounds: [{ time: 200 }], clock: "firstMiss" });
      story.rest(view, 28);
      ship.y = 1;
      expect(story.playUntilSent(view)).toBe(30 + 4);
      story.rest(view, 50);
    });

    test("strict: the bound is never passed; without it, by up to a round", () => {
      for (const [strict, round] of [
        [false, 4],
        [true, 3],
      ] as const) {
        const { story, view, ship } = watch({ bounds: [{ time: 120 }], strict });
        const stir = (): void => {
          ship.y += 1;
        };
        expect(story.playUntilSent(view, stir)).toBe(round);
        const gap = (round - 1) * ROUND_MS;
        expect(strict ? gap <= 120 : gap - ROUND_MS < 120).toBe(true);
      }
    });

    test("a bound of many rounds is kept to the round", () => {
      const { story, view, ship } = watch({ bounds: [{ time: 40_000 }] });
      const stir = (): void => {
        ship.hull = 1 - ship.hull;
      };
      expect(story.playUntilSent(view, stir, 1000)).toBe(1 + 800);
      expect(story.playUntilSent(view, stir, 1000)).toBe(801 + 800);
    });

    test("an equal pair is never due, whatever its clock says", () => {
      for (const set of [{ bounds: [{ time: 0, sequence: 0, value: 0 }] }, { bounds: [{ time: 50 }], strict: true }]) {
        const { story, view } = watch(set);
        story.rest(view, 300);
      }
    });
  });

  test("sequence: updates since the last send", () => {
    const { story, view, ship } = watch({ bounds: [{ sequence: 3 }] });
    const stir = (): void => {
      ship.hull = (ship.hull + 1) % 100;
    };
    expect(story.playUntilSent(view, stir)).toBe(4);
    expect(story.playUntilSent(view, stir)).toBe(7);
    ship.hull = 101;
    story.rest(view, 60);
  });

  test("sequence: several writers a round count each", () => {
    const { world, story, view, ship } = watch({ bounds: [{ sequence: 20 }] });
    const stir = (): void => {
      for (const writer of [0, 3, 0, 4]) {
        ship.hull = 1 - ship.hull;
        world.commit(writer);
      }
    };
    expect(story.playUntilSent(view, stir)).toBe(1 + 5);
    expect(story.playUntilSent(view, stir)).toBe(6 + 5);
  });

  test("value: distance from the state as last sent, primary against wire form", () => {
    const { story, view, ship } = watch({ bounds: [{ value: 2 }] });
    const stir = (): void => {
      ship.x += 0.5;
    };
    expect(story.playUntilSent(view, stir)).toBe(5);
    expect(story.playUntilSent(view, stir)).toBe(9);
    expect(story.model.explain(view, ship.id)).toMatchObject({ divergence: { value: 0 }, equal: true });
  });

  test("path: there and back counts, where displacement stays small", () => {
    const sent = (metric: string): number => {
      const { story, view, ship } = watch({ bounds: [{ value: 6 }], metric });
      return story.playUntilSent(view, () => {
        ship.x = ship.x === 10 ? 12 : 10;
      });
    };
    expect(sent("path")).toBe(4);
    expect(sent("displacement")).toBe(Number.POSITIVE_INFINITY);
  });

  test("relative: percent of the value last sent", () => {
    const { story, view, ship } = watch({ bounds: [{ value: 20 }], metric: "relative:hull" });
    ship.hull = 50;
    expect(story.play(view)).toEqual(["update 0 by value in 0"]);
    ship.hull = 41;
    expect(story.play(view)).toEqual([]);
    ship.hull = 40;
    expect(story.play(view)).toEqual(["update 0 by value in 0"]);
  });

  test("a move below the wire's step leaves the pair equal; A → B → A does not", () => {
    const { story, view, ship } = watch({ bounds: [{ time: 0, sequence: 2 }] });
    ship.x = 10.2;
    story.rest(view, 20);
    const { story: second, view: secondView, ship: other } = watch({ bounds: [{ sequence: 2 }] });
    other.hull = 1;
    second.world.commit(0);
    other.hull = 0;
    expect(second.play(secondView)).toEqual(["update 0 by sequence in 0"]);
  });

  test("a game's own metric decides", () => {
    const { world, story, model } = begin({
      metrics: [
        {
          name: "hull-lost",
          sample: (w, slot, out, at) => {
            out[at] = w.numberAt(slot, 3);
          },
          divergence: (w, slot, sent, at) => Math.max(0, sent[at]! - w.numberAt(slot, 3)),
          growth: () => Number.POSITIVE_INFINITY,
        },
      ],
    });
    const ship = world.spawn(Ship, { hull: 100 });
    const view = model.addView(viewOf({ bounds: [{ value: 10 }], metric: "hull-lost" }));
    story.play(view);
    ship.hull = 120;
    expect(story.play(view)).toEqual([]);
    ship.hull = 90;
    expect(story.play(view)).toEqual(["update 0 by value in 0"]);
  });

  // ── who may write ────────────────────────────────────────────────────────────────────────────────────────────

  describe("writers", () => {
    test("the owner's objects are due for it on every change, for others by their bound", () => {
      const { world, story, model } = begin();
      const mine = world.spawn(Ship, {}, { owner: 7 });
      const view = model.addView(viewOf({ bounds: [{}] }), { session: 7 });
      const other = model.addView(viewOf({ bounds: [{}] }), { session: 8 });
      story.play(view);
      mine.hull = 1;
      expect(story.play(view)).toEqual(["update 0 by change in 0"]);
      expect(model.decisions(other).count).toBe(0);
      expect(model.explain(view, mine.id)?.bound).toEqual({ time: 0, sequence: 0, value: 0 });
      world.setOwner(mine, 8);
      expect(story.play(other)).toEqual(["update 0 by change in 0"]);
    });

    test("a writer gets no echo; the others hear of it", () => {
      const { world, story, model } = begin();
      const drone = world.spawn(Drone, {}, { owner: 7 });
      const view = model.addView(viewOf({ bounds: [{ sequence: 1 }] }), { session: 7 });
      const other = model.addView(viewOf({ bounds: [{ sequence: 1 }] }), { session: 8 });
      story.play(view);
      story.acknowledge(view, drone.id);
      story.acknowledge(other, drone.id);
      drone.x = 5;
      world.commit(7);
      expect(story.play(view)).toEqual([]);
      expect(model.decisions(other).count).toBe(1);
      drone.y = 6;
      expect(story.play(view)).toEqual(["update 0 by change in 0"]);
      expect(world.changedSince(0, model.baseVersion(view, drone.id), 7)).toBe(1 << 1);
    });

    test("a corrected write comes back to its owner at once", () => {
      const { world, story, model } = begin();
      const drone = world.spawn(Drone, {}, { owner: 7 });
      const view = model.addView(viewOf({ bounds: [{}] }), { session: 7 });
      story.play(view);
      story.acknowledge(view, drone.id);
      drone.x = 900;
      drone.x = 5;
      world.correct(drone, X);
      world.commit(7);
      expect(story.play(view)).toEqual(["update 0 by change in 0"]);
      expect(world.changedSince(0, model.baseVersion(view, drone.id), 7)).toBe(X);
    });

    test("a refused write under a lock comes back on demand, and only to whom it is demanded for", () => {
      const { world, story, model } = begin();
      const crate = world.spawn(Crate);
      const view = model.addView(viewOf({ bounds: [{}] }), { session: 7 });
      const other = model.addView(viewOf({ bounds: [{}] }), { session: 8 });
      story.play(view);
      world.correct(crate, X);
      model.demand(view, crate.id);
      expect(story.play(view)).toEqual(["update 0 by demand in 0"]);
      expect(model.decisions(other).count).toBe(0);
      crate.x = 40;
      story.rest(view, 3);
    });

    test("a demand waits for the next update of an equal pair", () => {
      const { story, model, view, ship } = watch({ bounds: [{}] });
      model.demand(view, ship.id);
      story.rest(view, 3);
      ship.x = 11;
      expect(story.play(view)).toEqual(["update 0 by demand in 0"]);
    });
  });

  // ── views come and go ────────────────────────────────────────────────────────────────────────────────────────

  describe("pause", () => {
    test("a paused view is not judged; resumed, all of it is in the next round", () => {
      const { world, story, model, view, ship } = watch({ bounds: [{ value: 5 }], range: 200 });
      const [far, dead] = [world.spawn(Ship, { x: 100 }), world.spawn(Ship, { x: 50 })];
      story.play(view);
      model.pause(view);
      ship.x = 20;
      far.x = 900;
      world.destroy(dead);
      const late = world.spawn(Ship, { x: 30 });
      story.rest(view, 20);
      model.resume(view);
      expect(story.play(view)).toEqual([
        `update ${ship.id} by value in 0`,
        `leave ${far.id} by removal in 0`,
        `destroy ${dead.id} by removal in 0`,
        `create ${late.id} by creation in 0`,
      ]);
      story.rest(view, 3);
    });

    test("where objects are hidden, what is destroyed meanwhile has left, as far as the client learns; its own is destroyed", () => {
      const { world, story, model } = begin({ visible: () => true });
      const [other, own] = [world.spawn(Ship, { x: 1 }), world.spawn(Ship, { x: 2 }, { owner: 7 })];
      const view = model.addView(viewOf({ bounds: [{}] }), { session: 7 });
      story.play(view);
      model.pause(view);
      world.destroy(other);
      world.destroy(own);
      story.rest(view, 2);
      model.resume(view);
      expect(story.play(view)).toEqual([`leave ${other.id} by removal in 0`, `destroy ${own.id} by removal in 0`]);
    });

    test("a view that changed while paused is obeyed on resume", () => {
      const { story, model, view, ship } = watch({ bounds: [{}] });
      model.pause(view);
      ship.x = 15;
      model.changeView(view, viewOf({ bounds: [{ sequence: 1 }] }));
      story.rest(view, 2);
      model.resume(view);
      expect(story.play(view)).toEqual(["update 0 by sequence in 0"]);
    });
  });

  test("views come and go; numbers are reused, pairs are not", () => {
    const { world, story, model, view, ship } = watch({ bounds: [{ sequence: 1 }] });
    const second = model.addView(viewOf({ bounds: [{}] }));
    expect(second).not.toBe(view);
    model.removeView(view);
    ship.x = 20;
    story.play(second);
    const again = model.addView(viewOf({ bounds: [{}] }));
    expect(again).toBe(view);
    expect(story.play(again)).toEqual(["create 0 by creation in 0"]);
    const unknown = expect.objectContaining({ code: "unknown-view" });
    expect(() => model.decisions(99)).toThrow(unknown);
    expect(() => model.setPivots(99, [])).toThrow(unknown);
    model.dispose();
    expect(() => world.destroy(ship)).not.toThrow();
  });

  test("settings that break a rule leave the view as it was", () => {
    const { story, model, view, ship } = watch({ bounds: [{ sequence: 1 }] });
    const broken: ViewSettings = viewOf({ radii: [5], bounds: [{ time: 9 }, { time: 8 }] });
    expect(() => model.changeView(view, broken)).toThrow("bounds[1][0].time");
    expect(() => model.setPivots(view, [{ point: [0] }])).toThrow("pivots[0].point");
    ship.x = 20;
    expect(story.play(view)).toEqual(["update 0 by sequence in 0"]);
  });

  test("a model made for a world that has objects already knows them", () => {
    const world = smallWorld();
    world.spawn(Ship);
    world.spawn(Score);
    const story = new Story(world, new Model(world, { roundMs: ROUND_MS }));
    const ranged = story.model.addView(viewOf({ bounds: [{}], range: 10 }));
    expect(story.play(ranged)).toHaveLength(2);
  });

  test("explain says everything about a pair", () => {
    const { story, model, view, ship } = watch({
      radii: [20],
      bounds: [
        { time: 900, value: 50 },
        { time: 900, value: 50 },
      ],
    });
    ship.x = 14;
    story.play(view);
    ship.x = 30;
    story.play(view);
    expect(model.explain(view, ship.id)).toEqual({
      id: ship.id,
      present: true,
      zone: 1,
      sector: 0,
      bound: { time: 900, sequence: Number.POSITIVE_INFINITY, value: 50 },
      divergence: { time: 100, sequence: 2, value: 20 },
      equal: false,
      lastSend: 1,
      sentVersion: 1,
      version: 3,
    });
    expect(model.explain(view, 4000 as ObjectId)).toBeUndefined();
  });

  // ── docs/consistency.md ──────────────────────────────────────────────────────────────────────────────────────

  describe("the worked example of docs/consistency.md", () => {
    const bounds = [{ time: 200, value: 1 }, { time: 500, value: 4 }, { time: 2000 }];

    function sail(clock: "refresh" | "firstMiss") {
      const { world, story, model } = begin();
      const [a, b, c] = [60, 200, 400].map((x) => world.spawn(Ship, { x, y: 0 })) as [
        Entity<(typeof Ship)["shape"]>,
        Entity<(typeof Ship)["shape"]>,
        Entity<(typeof Ship)["shape"]>,
      ];
      const view = model.addView({ ...zones(Ship, { radii: [100, 300], bounds, clock }), pivots: [{ point: [0, 0] }] });
      const sends = new Map<ObjectId, string[]>([a, b, c].map(({ id }) => [id, []]));
      const play = (moving: boolean, decided: (id: ObjectId) => void = (id) => story.acknowledge(view, id)): void => {
        if (moving) for (const ship of [a, b, c]) ship.y += 0.5;
        story.play(view);
        const { count, ids, causes } = model.decisions(view);
        for (let i = 0; i < count; i++) {
          sends.get(ids[i]! as ObjectId)!.push(`${story.round}:${["create", "time", "sequence", "value"][causes[i]!]}`);
          decided(ids[i]! as ObjectId);
        }
      };
      return { story, model, view, a, b, c, sends, play };
    }

    test("two seconds of three ships: 20, 5 and 1 updates of 40", () => {
      const { a, b, c, sends, play } = sail("refresh");
      play(false);
      for (let round = 2; round <= 41; round++) play(true);
      const every = (step: number, cause: string): string[] =>
        Array.from({ length: 40 / step }, (_, i) => `${1 + step * (i + 1)}:${cause}`);
      expect(sends.get(a.id)).toEqual(["1:create", ...every(2, "value")]);
      expect(sends.get(b.id)).toEqual(["1:create", ...every(8, "value")]);
      expect(sends.get(c.id)).toEqual(["1:create", "41:time"]);
    });

    test("the far ship stirs after a minute's rest: in that round, or two seconds on", () => {
      for (const [clock, sentIn] of [
        ["refresh", 1202],
        ["firstMiss", 1242],
      ] as const) {
        const { story, c, sends, play } = sail(clock);
        for (let round = 1; round <= 1201; round++) play(false);
        c.y = 0.5;
        while (story.round < 1250) play(false);
        expect(sends.get(c.id)).toEqual(["1:create", `${sentIn}:time`]);
      }
    });

    test("the middle ship's send of round 9 is lost, and the server learns it before round 12", () => {
      const { story, model, view, b, sends, play } = sail("refresh");
      play(false);
      while (story.round < 11) play(true, (id) => id !== b.id && story.acknowledge(view, id));
      story.acknowledge(view, b.id, 1);
      story.lose(view, b.id, 9);
      expect(model.explain(view, b.id)).toMatchObject({ lastSend: 1, divergence: { time: 500, value: 5 } });
      play(true);
      expect(sends.get(b.id)).toEqual(["1:create", "9:value", "12:time"]);
      expect(model.account.decided).toBe(0);
      expect(model.account.shortfalls("delivered")).toEqual([
        { zone: 1, cause: "value", spells: 1, pairRounds: 3, longest: 3 },
      ]);
    });
  });
});

// ── baselines ────────────────────────────────────────────────────────────────────────────────────────────────────

describe("baselines take a view's pivots and nothing else", () => {
  const STATED = viewOf({ radii: [10], bounds: [{ time: 500 }, {}], range: 30 }, [{ point: [0, 0] }]);

  test("Broadcast: every update of every object, to everyone", () => {
    const world = smallWorld();
    const [near, far] = [world.spawn(Ship, { x: 5 }), world.spawn(Ship, { x: 900 })];
    const model = new Broadcast(world, { roundMs: ROUND_MS });
    const story = new Story(world, model);
    const view = model.addView(STATED);
    expect(story.play(view)).toEqual(["create 0 by creation in 0", "create 1 by creation in 0"]);
    expect(story.play(view)).toEqual([]);
    for (let i = 0; i < 3; i++) {
      near.hull += 1;
      far.hull += 1;
      expect(story.play(view)).toEqual(["update 0 by sequence in 0", "update 1 by sequence in 0"]);
    }
  });

  test("Aura: everything within the radius at once, nothing beyond", () => {
    const world = smallWorld();
    const [inside, outside] = [world.spawn(Ship, { x: 99 }), world.spawn(Ship, { x: 101 })];
    const score = world.spawn(Score);
    const model = new Aura(world, { roundMs: ROUND_MS, radius: 100 });
    const story = new Story(world, model);
    const view = model.addView(STATED);
    expect(story.play(view)).toEqual(["create 0 by creation in 0", "create 2 by creation in 0"]);
    inside.hull = 1;
    outside.hull = 1;
    score.points = 1;
    expect(story.play(view)).toEqual(["update 0 by sequence in 0", "update 2 by change in 0"]);
    model.setPivots(view, [{ point: [50, 0] }]);
    expect(story.play(view)).toEqual(["create 1 by creation in 0"]);
    model.changeView(view, { ...STATED, pivots: [{ point: [-50, 0] }] });
    expect(story.play(view)).toEqual(["leave 0 by removal in 0", "leave 1 by removal in 0"]);
  });
});
