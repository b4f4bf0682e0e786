/**
 * Small stories, computed by hand from the model page, told to the oracle and to the engine alike: when bytes run short. What is withheld,
 * loosened is judged again and counted, pair by pair and round by round; a paused view is not. Rounds are 50 ms.
 */

import type { ObjectId } from "@nearfield/schema";
import { describe, expect, test } from "vitest";
import { ViewError } from "../src/index.ts";
import { Cause, type ConsistencyModel, DecisionKind, type ViewId } from "../src/internal/index.ts";
import { MODELS, Score, Ship, storyOf, viewOf } from "./small-world.ts";

/** Ids in the order in which they go when bytes run short. */
function inOrder(model: ConsistencyModel, view: ViewId): number[] {
  const { count, ids, urgencies, waits } = model.decisions(view);
  return Array.from({ length: count }, (_, i) => i)
    .sort((a, b) => {
      if (urgencies[a] !== urgencies[b]) return urgencies[b]! - urgencies[a]!;
      return waits[b]! - waits[a]! || ids[a]! - ids[b]!;
    })
    .map((i) => ids[i]!);
}

function urgencyOf(model: ConsistencyModel, view: ViewId, id: ObjectId): number {
  const { count, ids, urgencies } = model.decisions(view);
  return urgencies[ids.subarray(0, count).indexOf(id)]!;
}

function waitOf(model: ConsistencyModel, view: ViewId, id: ObjectId): number {
  const { count, ids, waits } = model.decisions(view);
  return waits[ids.subarray(0, count).indexOf(id)]!;
}

describe.each(MODELS)("%s", (_, Model) => {
  const { begin, watch } = storyOf(Model);

  describe("withheld", () => {
    test("an update: the pair stands where it stood, is due again at once, and each round is a shortfall", () => {
      const { story, model, view, ship } = watch({ bounds: [{ value: 10 }] }, { budgeted: true });
      ship.x = 22;
      for (let i = 0; i < 3; i++) {
        expect(story.play(view)).toEqual(["update 0 by value in 0"]);
        expect(model.decisions(view).withheld).toBe(0);
        model.withhold(view, ship.id);
        expect(model.decisions(view).withheld).toBe(1);
        expect(model.explain(view, ship.id)).toMatchObject({ sentVersion: 1, lastSend: 1, divergence: { value: 12 } });
        expect(model.lastCause(view, ship.id)).toBe(Cause.creation);
      }
      expect(story.play(view)).toEqual(["update 0 by value in 0"]);
      story.rest(view, 5);
      expect(model.account.shortfalls("decided")).toEqual([
        { zone: 0, cause: "value", spells: 1, pairRounds: 3, longest: 3 },
      ]);
      expect([model.account.deliveredUpTo(story.round), model.account.open]).toEqual([0, 0]);
    });

    test("an update that is within its bound again in the next round is not repeated", () => {
      const { story, model, view, ship } = watch({ bounds: [{ value: 10 }] }, { budgeted: true });
      ship.x = 22;
      story.play(view);
      model.withhold(view, ship.id);
      ship.x = 12;
      story.rest(view, 20);
      expect(model.account.decided).toBe(1);
    });

    test("while an older send is on its way, that is what the pair stands on", () => {
      const { story, model, view, ship } = watch({ bounds: [{ sequence: 1 }] }, { budgeted: true });
      ship.x = 20;
      story.play(view);
      ship.x = 30;
      story.play(view);
      model.withhold(view, ship.id);
      expect(model.explain(view, ship.id)).toMatchObject({ sentVersion: 2, lastSend: 2 });
      story.lose(view, ship.id, 2);
      expect(model.explain(view, ship.id)).toMatchObject({ sentVersion: 1, lastSend: 1 });
    });

    test("a creation: the object is not there, and if it goes nothing has to be removed", () => {
      const { world, story, model } = begin();
      const ship = world.spawn(Ship, { x: 10 });
      const view = model.addView(viewOf({ bounds: [{}], range: 50 }), { budgeted: true });
      for (let i = 0; i < 2; i++) {
        expect(story.play(view)).toEqual(["create 0 by creation in 0"]);
        model.withhold(view, ship.id);
        expect(model.explain(view, ship.id)).toMatchObject({ present: false, sentVersion: 0 });
      }
      ship.x = 500;
      story.rest(view, 5);
      ship.x = 10;
      expect(story.play(view)).toEqual(["create 0 by creation in 0"]);
      world.destroy(ship);
      expect(story.play(view)).toEqual(["destroy 0 by removal in 0"]);
      expect(model.account.shortfalls("decided")).toEqual([
        { zone: 0, cause: "creation", spells: 1, pairRounds: 2, longest: 2 },
      ]);
    });

    test("a creation in place of a removal that was on its way: what the client may have is still removed", () => {
      const { story, model, view, ship } = watch({ bounds: [{}], range: 50 }, { budgeted: true });
      ship.x = 500;
      expect(story.play(view)).toEqual(["leave 0 by removal in 0"]);
      ship.x = 10;
      expect(story.play(view)).toEqual(["create 0 by creation in 0"]);
      model.withhold(view, ship.id);
      story.lose(view, ship.id, 2);
      ship.x = 500;
      expect(story.play(view)).toEqual(["leave 0 by removal in 0"]);
    });

    test("a removal is decided again", () => {
      const { world, story, model, view, ship } = watch({ bounds: [{}], range: 50 }, { budgeted: true });
      ship.x = 500;
      expect(story.play(view)).toEqual(["leave 0 by removal in 0"]);
      model.withhold(view, ship.id);
      expect(story.play(view)).toEqual(["leave 0 by removal in 0"]);
      story.acknowledge(view, ship.id);
      const other = world.spawn(Ship, { x: 5 });
      story.play(view);
      story.acknowledge(view, other.id);
      world.destroy(other);
      expect(story.play(view)).toEqual([`destroy ${other.id} by removal in 0`]);
      model.withhold(view, other.id);
      expect(story.play(view)).toEqual([`destroy ${other.id} by removal in 0`]);
      expect(model.account.shortfalls("decided")).toEqual([
        { zone: 0, cause: "removal", spells: 2, pairRounds: 2, longest: 1 },
      ]);
    });

    test("a demand stays", () => {
      const { story, model, view, ship } = watch({ bounds: [{}] }, { budgeted: true });
      model.demand(view, ship.id);
      ship.x = 12;
      expect(story.play(view)).toEqual(["update 0 by demand in 0"]);
      model.withhold(view, ship.id);
      expect(story.play(view)).toEqual(["update 0 by demand in 0"]);
    });

    test("what was not decided in this round is not withheld", () => {
      const { story, model, view, ship } = watch({ bounds: [{ value: 10 }] }, { budgeted: true });
      story.rest(view, 1);
      model.withhold(view, ship.id);
      story.rest(view, 5);
      expect(model.account.decided).toBe(0);
    });

    test("a view takes its sends as received or has a budget, not both", () => {
      const refused = expect.objectContaining({ code: "bad-option" }) as ViewError;
      const options = { budgeted: true, assumeDelivered: true };
      const { model } = begin();
      expect(() => model.addView(viewOf({ bounds: [{}] }), options)).toThrow(refused);
      const view = model.addView(viewOf({ bounds: [{}] }), { assumeDelivered: true });
      expect(() => model.setBudgeted(view, true)).toThrow(refused);
    });
  });

  describe("urgency", () => {
    const RINGS = {
      radii: [20],
      bounds: [
        { time: 100, sequence: 10, value: 4 },
        { time: 200, sequence: 10, value: 8 },
      ],
    };

    test("is the largest divergence ÷ stated bound; the inner zone goes first", () => {
      const { world, story, model } = begin();
      const [near, far, farther] = [10, 30, 40].map((x) => world.spawn(Ship, { x }));
      const view = model.addView(viewOf(RINGS), { budgeted: true });
      story.play(view);
      near!.y = 5;
      far!.y = 12;
      farther!.y = 8;
      story.play(view);
      expect([far!.id, farther!.id].map((id) => urgencyOf(model, view, id))).toEqual([12 / 8, 1]);
      expect(urgencyOf(model, view, near!.id)).toBe(2 ** 32 + 5 / 4);
      expect(inOrder(model, view)).toEqual([near!.id, far!.id, farther!.id]);
    });

    test("grows while the pair waits", () => {
      const { world, story, model } = begin();
      const ship = world.spawn(Ship, { x: 30 });
      const view = model.addView(viewOf(RINGS), { budgeted: true });
      story.play(view);
      ship.y = 1;
      const seen: number[] = [];
      for (let i = 0; i < 6; i++) {
        if (story.play(view).length === 0) continue;
        seen.push(urgencyOf(model, view, ship.id));
        model.withhold(view, ship.id);
      }
      expect(seen).toEqual([200 / 200, 250 / 200, 300 / 200]);
    });

    test("creations go nearest first: in zone 0 before all updates, elsewhere as updates at two to three times the bound", () => {
      const { world, story, model } = begin();
      const [late, later] = [30, 31].map((x) => world.spawn(Ship, { x }));
      const view = model.addView(viewOf(RINGS), { budgeted: true });
      story.play(view);
      const fresh = [60, 25, 10].map((x) => world.spawn(Ship, { x }).id);
      late!.y = 15;
      later!.y = 25;
      story.play(view);
      expect(inOrder(model, view)).toEqual([fresh[2], later!.id, fresh[1], fresh[0], late!.id]);
      expect(urgencyOf(model, view, fresh[1]!)).toBe(2 + 1 / 26);
      for (const id of fresh) model.withhold(view, id);
      model.loosen(view, 3);
      story.play(view);
      // The time bounds are two and four rounds: one round of waiting is half of one and a quarter of the other.
      expect(urgencyOf(model, view, fresh[1]!)).toBe(3 * (2 + 1 / 26) + 1 / 4);
      expect(urgencyOf(model, view, fresh[2]!)).toBe(2 ** 32 + 8 + 1 / 11 + 1 / 2);
    });

    test("removals, what is due on every change, and demands go before all", () => {
      const { world, story, model } = begin();
      const score = world.spawn(Score);
      const [own, asked, gone] = [10, 30, 40].map((x) => world.spawn(Ship, { x }));
      world.setOwner(own!, 7);
      const view = model.addView(viewOf(RINGS), { budgeted: true, session: 7 });
      story.play(view);
      expect([score.id, own!.id].map((id) => urgencyOf(model, view, id))).toEqual([1 / 0, 1 / 0]);
      score.points = 1;
      own!.hull = 1;
      asked!.hull = 1;
      model.demand(view, asked!.id);
      world.destroy(gone!);
      expect(story.play(view)).toHaveLength(4);
      for (const { id } of [score, own!, asked!, gone!]) expect(urgencyOf(model, view, id)).toBe(1 / 0);
      expect(model.decisions(view).kinds.subarray(0, 4)).toContain(DecisionKind.destroy);
    });

    test("outer updates at eight times their bound are on a par with inner ones at theirs", () => {
      const { world, story, model } = begin();
      const [near, far, farther] = [10, 30, 40].map((x) => world.spawn(Ship, { x }));
      const view = model.addView(viewOf(RINGS), { budgeted: true });
      story.play(view);
      near!.y = 6;
      far!.y = 8 * 8 - 0.5;
      farther!.y = 8 * 16;
      story.play(view);
      expect(inOrder(model, view)).toEqual([near!.id, farther!.id, far!.id]);
      expect(urgencyOf(model, view, farther!.id)).toBe(2 ** 32 + 1);
    });

    test("a bound of 0 presses like any other that was just reached", () => {
      const { world, story, model } = begin();
      const [near, far] = [10, 30].map((x) => world.spawn(Ship, { x }));
      const view = model.addView(viewOf({ radii: [20], bounds: [{ time: 0 }, { value: 0 }] }), { budgeted: true });
      story.play(view);
      near!.hull = 1;
      far!.hull = 1;
      story.play(view);
      expect([near!, far!].map(({ id }) => urgencyOf(model, view, id))).toEqual([2 ** 32 + 1, 1]);
    });

    test("what never waits, and what is new, goes before updates of zone 0 under a bound of 0, whatever their ids", () => {
      const { world, story, model } = begin();
      const crowd = Array.from({ length: 5 }, (_, i) => world.spawn(Ship, { x: i }));
      const view = model.addView(viewOf({ bounds: [{ time: 0 }] }), { budgeted: true, session: 7 });
      story.play(view);
      for (const ship of crowd) ship.hull = 1;
      const fresh = world.spawn(Ship, { x: 9 });
      const score = world.spawn(Score);
      const own = world.spawn(Ship, { x: 3 });
      world.setOwner(own, 7);
      story.play(view);
      expect(inOrder(model, view)).toEqual([score.id, own.id, fresh.id, ...crowd.map(({ id }) => id)]);
    });

    test("of equals the one that has waited longest goes first, then the lowest id", () => {
      const { world, story, model } = begin();
      const [a, b, c] = [10, 11, 12].map((x) => world.spawn(Ship, { x }).id);
      const view = model.addView(viewOf({ bounds: [{ time: 0 }] }), { budgeted: true });
      const play = (withheld: readonly ObjectId[]): number[] => {
        for (const ship of world.all(Ship)) ship.hull = 1 - ship.hull;
        story.play(view);
        const order = inOrder(model, view);
        for (const id of withheld) model.withhold(view, id);
        return order;
      };
      play([]);
      expect(play([b!, c!])).toEqual([a, b, c]);
      expect(play([a!, c!])).toEqual([b, c, a]);
      expect(play([a!])).toEqual([c, a, b]);
      expect(play([])).toEqual([a, b, c]);
      expect(waitOf(model, view, a!)).toBe(2);
      expect(urgencyOf(model, view, a!)).toBe(2 ** 32 + 3);
    });

    test("a wait goes on through withholding and loosening, and ends where the pair is within its bound again", () => {
      const { world, story, model } = begin();
      const ship = world.spawn(Ship, { x: 30 });
      const view = model.addView(viewOf({ radii: [20], bounds: [{ value: 4 }, { value: 8 }] }), { budgeted: true });
      story.play(view);
      ship.y = 10;
      story.play(view);
      model.withhold(view, ship.id);
      model.loosen(view, 2);
      story.rest(view, 3);
      model.loosen(view, 1);
      story.play(view);
      expect(waitOf(model, view, ship.id)).toBe(4);
      model.withhold(view, ship.id);
      ship.y = 1;
      story.rest(view, 1);
      ship.y = 10;
      story.play(view);
      expect(waitOf(model, view, ship.id)).toBe(0);
    });

    test("what waits outside zone 0 rises above it", () => {
      const { world, story, model } = begin();
      const [hog, still] = [9, 30].map((x) => world.spawn(Ship, { x }));
      const bound = { time: 100, value: 1 };
      const view = model.addView(viewOf({ radii: [20], bounds: [bound, bound] }), { budgeted: true });
      story.play(view);
      still!.y = 1;
      let passedOver = -1;
      do {
        passedOver += 1;
        hog!.x = -hog!.x;
        story.play(view);
        expect(urgencyOf(model, view, hog!.id)).toBe(2 ** 32 + 8);
        expect(waitOf(model, view, still!.id)).toBe(passedOver);
        model.withhold(view, still!.id);
      } while (inOrder(model, view)[0] === hog!.id);
      // Its pace is two rounds. At 1 + 28 / 2 − 7 it stands at 8, the most that a divergence counts, and has waited longer.
      expect(passedOver).toBe(28);
    });

    test("withheld creations and removals wait like updates", () => {
      const { world, story, model } = begin();
      const view = model.addView(viewOf({ bounds: [{ time: 0 }] }), { budgeted: true });
      const ship = world.spawn(Ship, { x: 4 });
      for (let waited = 0; waited < 3; waited++) {
        story.play(view);
        expect(waitOf(model, view, ship.id)).toBe(waited);
        expect(urgencyOf(model, view, ship.id)).toBe(2 ** 32 + 8 + 1 / 5 + waited);
        model.withhold(view, ship.id);
      }
      story.play(view);
      story.acknowledge(view, ship.id);
      world.destroy(ship);
      for (let waited = 0; waited < 3; waited++) {
        story.play(view);
        expect(waitOf(model, view, ship.id)).toBe(waited);
        model.withhold(view, ship.id);
      }
    });

    test("is 0 where there is no budget, which may come and go", () => {
      const { story, model, view, ship } = watch({ bounds: [{ sequence: 1 }] });
      const seen = [false, true, false].map((budgeted) => {
        model.setBudgeted(view, budgeted);
        ship.x += 10;
        story.play(view);
        return urgencyOf(model, view, ship.id);
      });
      expect(seen).toEqual([0, 2 ** 32 + 1, 0]);
    });
  });

  describe("loosened", () => {
    test("outer bounds are multiplied, the inner zone's are not; what waits longer than stated is counted", () => {
      const { world, story, model } = begin();
      const [near, far] = [10, 30].map((x) => world.spawn(Ship, { x }));
      const view = model.addView(viewOf({ radii: [20], bounds: [{ time: 100 }, { time: 200 }] }));
      story.play(view);
      model.loosen(view, 1.5);
      near!.hull = 1;
      far!.hull = 1;
      const sent: string[][] = [2, 3, 4, 5, 6, 7].map(() => story.play(view));
      expect(sent).toEqual([[], ["update 0 by time in 0"], [], [], [], ["update 1 by time in 1"]]);
      expect(model.account.shortfalls("decided")).toEqual([
        { zone: 1, cause: "time", spells: 1, pairRounds: 2, longest: 2 },
      ]);
    });

    test("the inner zone by a factor of its own", () => {
      const { story, model, view, ship } = watch({ bounds: [{ sequence: 2 }] });
      model.loosen(view, 2, 2);
      const stir = (): void => {
        ship.hull = 1 - ship.hull;
      };
      expect(story.playUntilSent(view, stir)).toBe(1 + 4);
      expect(model.account.decided).toBe(2);
    });

    test.each([
      ["time", { time: 0 }],
      ["sequence", { sequence: 0 }],
      ["value", { value: 0 }],
    ] as const)("a %s bound of 0 asks for an update every so many rounds, time counting", (cause, bound) => {
      const { story, model, view, ship } = watch({ bounds: [bound] });
      model.loosen(view, 3, 3);
      const stir = (): void => {
        ship.x = 10 + ((ship.x - 10 + 1) % 5);
      };
      expect(story.playUntilSent(view, stir)).toBe(1 + 3);
      expect(model.account.shortfalls("decided")).toEqual([{ zone: 0, cause, spells: 1, pairRounds: 2, longest: 2 }]);
      model.loosen(view, 1, 1);
      stir();
      expect(story.play(view)).toEqual([`update 0 by ${cause} in 0`]);
    });

    test("a bound with a 0 keeps its other dimensions, times the factor", () => {
      const { story, model, view, ship } = watch({ bounds: [{ time: 0, value: 4 }] });
      model.loosen(view, 4, 4);
      ship.x = 10 + 15;
      story.rest(view, 1);
      ship.x = 10 + 16;
      expect(story.play(view)).toEqual(["update 0 by value in 0"]);
    });

    test("a pair that has reached its stated bound waits for eight of its paces at most", () => {
      const { world, story, model } = begin();
      const ship = world.spawn(Ship, { x: 30 });
      const view = model.addView(viewOf({ radii: [20], bounds: [{ value: 5 }, { value: 5 }] }));
      story.play(view);
      model.loosen(view, 8, 4);
      ship.y = 6;
      // No time bound: a pace of a second, 20 rounds.
      expect(story.playUntilSent(view)).toBe(2 + 8 * 20);
      expect(model.account.shortfalls("decided")).toEqual([
        { zone: 1, cause: "value", spells: 1, pairRounds: 160, longest: 160 },
      ]);
    });

    test("tightening is obeyed in the next round", () => {
      const { world, story, model } = begin();
      const ship = world.spawn(Ship, { x: 30 });
      const view = model.addView(viewOf({ radii: [20], bounds: [{ value: 2 }, { value: 5 }] }));
      story.play(view);
      model.loosen(view, 8);
      ship.y = 20;
      story.rest(view, 3);
      model.loosen(view, 1);
      expect(story.play(view)).toEqual(["update 0 by value in 1"]);
      expect(model.account.decided).toBe(3);
    });

    test("a pair that came back within its stated bound is no shortfall", () => {
      const { world, story, model } = begin();
      const ship = world.spawn(Ship, { x: 30 });
      const view = model.addView(viewOf({ radii: [20], bounds: [{ value: 2 }, { value: 5 }] }));
      story.play(view);
      model.loosen(view, 8);
      ship.y = 20;
      story.rest(view, 2);
      ship.y = 1;
      story.rest(view, 10);
      expect(model.account.decided).toBe(2);
    });

    test("a new view of the same client stays loosened", () => {
      const { story, model, view, ship } = watch({ bounds: [{ value: 2 }] });
      model.loosen(view, 4, 4);
      model.changeView(view, viewOf({ bounds: [{ value: 3 }] }));
      ship.x = 21.5;
      story.rest(view, 3);
      ship.x = 22;
      expect(story.play(view)).toEqual(["update 0 by value in 0"]);
    });

    test("factors that would make bounds stricter outward, or stricter at all, are refused", () => {
      const { model, view } = watch({ bounds: [{}] });
      for (const [outer, inner] of [
        [0.5, 1],
        [2, 3],
        [Number.POSITIVE_INFINITY, 1],
        [Number.NaN, 1],
        [2, 0],
      ] as const) {
        expect(() => model.loosen(view, outer, inner)).toThrow(ViewError);
      }
    });
  });

  describe("paused", () => {
    test("nothing is judged or counted; resumed, all that waited is sent", () => {
      const { world, story, model } = begin();
      const [near, far, gone] = [10, 30, 12].map((x) => world.spawn(Ship, { x }));
      const view = model.addView(viewOf({ radii: [20], bounds: [{ sequence: 1 }, { time: 200 }], range: 100 }));
      story.play(view);
      model.pause(view);
      near!.hull = 1;
      far!.hull = 1;
      story.rest(view, 4);
      world.destroy(gone!);
      world.spawn(Ship, { x: 50 });
      far!.x = 300;
      story.rest(view, 2);
      model.resume(view);
      expect(story.play(view)).toHaveLength(4);
      story.rest(view, 3);
      expect(model.account.decided).toBe(0);
    });

    test("the first miss is known after a pause that is longer than any plan", () => {
      const { world, story, model } = begin();
      const [ship, other] = [10, 11].map((x) => world.spawn(Ship, { x }));
      const view = model.addView(viewOf({ clock: "firstMiss", bounds: [{ time: 50 * 700 }] }));
      story.play(view);
      model.pause(view);
      story.rest(view, 9);
      ship!.hull = 1;
      story.rest(view, 1);
      for (let i = 0; i < 600; i++) {
        ship!.hull = 1 - (i % 2);
        other!.hull = 1 - (i % 2);
        story.rest(view, 1);
      }
      model.resume(view);
      // In round 11 the first update came that was not sent, in round 12 that of the other.
      story.rest(view, 99);
      expect(story.round).toBe(710);
      expect(story.play(view)).toEqual(["update 0 by time in 0"]);
      expect(story.play(view)).toEqual(["update 1 by time in 0"]);
    });

    test("a view that only answers questions is neither sent nor owed anything", () => {
      const { world, story, model } = begin();
      world.spawn(Ship, { x: 10 });
      const view = model.addView(viewOf({ radii: [20], bounds: [{ sequence: 1 }, {}] }), { questionsOnly: true });
      story.rest(view, 3);
      model.pause(view);
      story.rest(view, 1);
      model.resume(view);
      story.rest(view, 3);
      expect([model.account.decided, model.zoneAt(view, [30, 0])]).toEqual([0, 1]);
    });
  });
});
