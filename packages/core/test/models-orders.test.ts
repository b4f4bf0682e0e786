/**
 * Small stories, computed by hand, told to the oracle and to the engine alike: `predicted` with models beyond the first order. Rounds are 50 ms, and
 * places are sent in halves.
 */

import { int, object, Protocol } from "@nearfield/schema";
import { describe, expect, test } from "vitest";
import { type Entity, World } from "../src/index.ts";
import type { ConsistencyModel } from "../src/internal/index.ts";
import { MODELS, ROUND_MS, Story, viewOf } from "./small-world.ts";

/** Falls and is thrown: all that a model can go by is sent, in whole numbers. */
const Stone = object(
  "stone",
  { x: int(20), y: int(20), vx: int(14), vy: int(14), ax: int(14), ay: int(14) },
  { position: ["x", "y"], velocity: ["vx", "vy"], acceleration: ["ax", "ay"] },
);
type AStone = Entity<(typeof Stone)["shape"]>;

describe.each(MODELS)("%s", (_, Model) => {
  function launch(metric: string, value = 3, start: Partial<AStone> = {}) {
    const world = new World({ protocol: new Protocol({ objects: [Stone] }) });
    const model: ConsistencyModel = new Model(world, { roundMs: ROUND_MS });
    const story = new Story(world, model);
    const stone = world.spawn(Stone, start);
    const view = model.addView(viewOf({ metric, bounds: [{ value }] }));
    expect(story.play(view)).toEqual([`create ${stone.id} by creation in 0`]);
    story.acknowledge(view, stone.id);
    const valueNow = (): number => model.explain(view, stone.id)!.divergence.value;
    return { story, model, stone, view, valueNow };
  }

  /** Thrown at 400 a second along x, and pulled at 800 a second squared along y: a round is 20 in x; the n-th is n² in y. */
  const thrown = (stone: AStone, round: number): void => {
    stone.x = 20 * (round - 1);
    stone.vy = 40 * (round - 1);
    stone.y = (round - 1) ** 2;
  };
  const start = { vx: 400, ay: 800 };

  test("accelerated: what falls as it was sent to fall is not sent again", () => {
    const { story, stone, view, valueNow } = launch("predicted:accelerated", 3, start);
    expect(story.playUntilSent(view, () => thrown(stone, story.round + 1), 100)).toBe(Number.POSITIVE_INFINITY);
    expect(valueNow()).toBe(0);
  });

  test("linear: it is, whenever its picture has been left behind", () => {
    const { story, stone, view } = launch("predicted", 3, start);
    // 1 after the first round, 4 after the second; from there at 80 a second: 4 + 4 a round.
    expect(story.playUntilSent(view, () => thrown(stone, story.round + 1))).toBe(3);
    expect(story.playUntilSent(view, () => thrown(stone, story.round + 1))).toBe(5);
  });

  test("quadratic: it is once, and then the two velocities tell how it falls", () => {
    const { story, stone, view, valueNow } = launch("predicted:quadratic", 3, start);
    expect(story.playUntilSent(view, () => thrown(stone, story.round + 1))).toBe(3);
    story.acknowledge(view, stone.id);
    expect(story.playUntilSent(view, () => thrown(stone, story.round + 1), 100)).toBe(Number.POSITIVE_INFINITY);
    expect(valueNow()).toBe(0);
  });

  test.each(["predicted:historyCurve", "predicted:history"])("%s: it is twice more, then its places tell", (metric) => {
    const { story, stone, view, valueNow } = launch(metric, 30, start);
    const fall = (): void => thrown(stone, story.round + 1);
    const rounds = [story.playUntilSent(view, fall), story.playUntilSent(view, fall)];
    // At the start it is taken to rest; then on the line through rounds 1 and 3, which it leaves by n² + 2n in n rounds.
    expect(rounds).toEqual([3, 8]);
    expect(story.playUntilSent(view, fall, 100)).toBe(Number.POSITIVE_INFINITY);
    expect(valueNow()).toBeLessThan(1e-9);
  });

  test("what rests is equal, whatever it did before, and costs nothing", () => {
    for (const metric of ["quadratic", "accelerated", "historyLine", "historyCurve", "history"]) {
      const { story, model, stone, view } = launch(`predicted:${metric}`, 3, start);
      story.playUntilSent(view, () => thrown(stone, story.round + 1), 20);
      const stoppedAt = story.playUntilSent(view, () => {});
      expect(stoppedAt).toBeLessThan(story.round + 1);
      expect(model.explain(view, stone.id)).toMatchObject({ equal: true, divergence: { value: 0 } });
      story.rest(view, 50);
    }
  });

  describe("a send that never arrived is in no client's history", () => {
    /** Created at x 0 in round 1, which is acknowledged; sent in every round in which it leaps. */
    function leaping(metric: string) {
      const launched = launch(metric, 50);
      const { story, stone, view } = launched;
      const leap = (x: number): void => {
        stone.x = x;
        expect(story.play(view)).toEqual(["update 0 by value in 0"]);
      };
      return { ...launched, leap };
    }

    test("lost: what was built on it is taken again", () => {
      const { story, stone, view, valueNow, leap } = leaping("predicted:historyLine");
      leap(100); // round 2, at 2,000 a second from x 0
      leap(150); // round 3: it is taken to be at 1,000 a second, from x 100
      expect(valueNow()).toBe(0);
      story.lose(view, stone.id, 2);
      // From x 0 in round 1 it takes two rounds: 1,500 a second, 75 a round.
      stone.x = 225;
      expect([story.play(view), valueNow()]).toEqual([[], 0]);
    });

    test("overtaken: the client drops it when it comes", () => {
      const { story, stone, view, valueNow, leap } = leaping("predicted:historyLine");
      leap(100);
      leap(150);
      story.acknowledge(view, stone.id, 3);
      stone.x = 225;
      expect([story.play(view), valueNow()]).toEqual([[], 0]);
      story.acknowledge(view, stone.id, 2);
      stone.x = 300;
      expect([story.play(view), valueNow()]).toEqual([[], 0]);
    });

    test("on its way: it counts", () => {
      const { story, stone, view, valueNow, leap } = leaping("predicted:historyLine");
      leap(100);
      leap(150);
      stone.x = 200;
      expect([story.play(view), valueNow()]).toEqual([[], 0]);
      story.acknowledge(view, stone.id, 2);
      story.acknowledge(view, stone.id, 3);
      stone.x = 250;
      expect([story.play(view), valueNow()]).toEqual([[], 0]);
    });
  });
});
