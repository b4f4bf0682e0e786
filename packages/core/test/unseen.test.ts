/**
 * Pairs that wait unseen: over their stated bound, not due by the loosened one. The engine looks at them in few rounds and counts them in every round, as
 * the oracle does by looking at all. Each story ends such a wait in another way.
 */

import { describe, expect, test } from "vitest";
import { pairKey } from "../src/account.ts";
import type { Entity } from "../src/index.ts";
import { Engine, ReferenceEngine, type ViewId, type ViewOptions } from "../src/internal/index.ts";
import { Comet, inWords, ROUND_MS, type SetSettings, Ship, smallWorld, viewOf } from "./small-world.ts";

/** Oracle and engine on one world, with one view of each; after every round their accounts are the same. */
class Pair {
  readonly world = smallWorld();
  readonly oracle = new ReferenceEngine(this.world, { roundMs: ROUND_MS });
  readonly engine = new Engine(this.world, { roundMs: ROUND_MS });
  readonly view: ViewId;
  round = 0;

  constructor(set: SetSettings, options: ViewOptions = {}) {
    const [oracles] = [this.oracle, this.engine].map((model) => model.addView(viewOf(set), options));
    this.view = oracles!;
  }

  both(change: (model: ReferenceEngine | Engine) => void): void {
    for (const model of [this.oracle, this.engine]) change(model);
  }

  /** Plays rounds; what was decided in the last, and how many pairs the engine looked at in all. */
  play(rounds = 1, beforeEach: () => void = () => {}): { decided: string[]; looks: number } {
    let looks = 0;
    for (let i = 0; i < rounds; i++) {
      beforeEach();
      this.world.commit(0);
      this.round += 1;
      this.both((model) => model.round(this.round));
      looks += this.engine.checks;
      expect(inWords(this.engine.decisions(this.view))).toEqual(inWords(this.oracle.decisions(this.view)));
      expect(this.engine.account.shortfalls("decided"), `round ${this.round}`).toEqual(
        this.oracle.account.shortfalls("decided"),
      );
    }
    return { decided: inWords(this.engine.decisions(this.view)), looks };
  }

  get short(): string[] {
    return this.engine.account
      .shortfalls("decided")
      .map(({ zone, cause, spells, pairRounds, longest }) => `${zone} ${cause}: ${spells}, ${pairRounds}, ${longest}`);
  }
}

/** Zone 0 within 5, zone 1 within 20. */
const BY_TIME: SetSettings = { radii: [5, 20], bounds: [{ time: 50 }, { time: 200 }, { time: 1000 }] };

/** A ship in zone 1 that is behind from round 2 on, so over its bound from round 5 on; loosened, that would be from round 33 on. */
function waiting(x = 10): { pair: Pair; ship: Entity<(typeof Ship)["shape"]> } {
  const pair = new Pair(BY_TIME);
  const ship = pair.world.spawn(Ship, { x, y: 0 });
  pair.both((model) => model.loosen(pair.view, 8));
  expect(pair.play().decided).toHaveLength(1);
  ship.hull = 1;
  pair.play(5);
  expect(pair.short).toEqual(["1 time: 1, 2, 2"]);
  return { pair, ship };
}

describe("a pair that waits unseen", () => {
  test("is counted in every round, and looked at in none", () => {
    const { pair, ship } = waiting();
    expect(
      pair.play(20, () => {
        ship.hull = (ship.hull + 1) % 100;
      }).looks,
    ).toBe(0);
    expect(pair.short).toEqual(["1 time: 1, 22, 22"]);
    expect(pair.engine.account.isShort(pairKey(pair.view, ship.id), pair.round)).toBe(true);
    expect(pair.play(7).decided).toEqual([`update ${ship.id} by time in 1`]);
    expect(pair.short).toEqual(["1 time: 1, 28, 28"]);
  });

  test("is counted in the zone into which it walks, if it is over the bound there", () => {
    const { pair, ship } = waiting(19.5);
    const walk = (way: number) => () => {
      ship.x += way;
    };
    pair.play(2, walk(0.25));
    expect(pair.short).toEqual(["1 time: 1, 4, 4"]);
    pair.play(12, walk(0.25));
    expect(pair.short).toEqual(["1 time: 1, 4, 4"]);
    pair.play(2);
    expect(pair.short).toEqual(["1 time: 1, 4, 4", "2 time: 1, 2, 2"]);
    expect(pair.play(12, walk(-0.25)).decided).toEqual([`update ${ship.id} by time in 1`]);
    expect(pair.short).toEqual(["1 time: 1, 4, 4", "2 time: 1, 13, 13"]);
  });

  test("ends its spell when its view is paused, and begins another when that goes on", () => {
    const { pair } = waiting();
    pair.play(5);
    pair.both((model) => model.pause(pair.view));
    pair.play(4);
    expect(pair.short).toEqual(["1 time: 1, 7, 7"]);
    pair.both((model) => model.resume(pair.view));
    pair.play(3);
    expect(pair.short).toEqual(["1 time: 2, 10, 7"]);
  });

  test("goes on with its spell when its view is paused and goes on before the next round", () => {
    const { pair } = waiting();
    pair.play(5);
    pair.both((model) => model.pause(pair.view));
    pair.both((model) => model.resume(pair.view));
    pair.play(3);
    expect(pair.short).toEqual(["1 time: 1, 10, 10"]);
  });

  test("is counted no more when its object is destroyed or its view removed", () => {
    const destroyed = waiting();
    destroyed.pair.world.destroy(destroyed.ship);
    destroyed.pair.play(3);
    expect(destroyed.pair.short).toEqual(["1 time: 1, 2, 2"]);
    const removed = waiting();
    const { pair } = removed;
    pair.both((model) => model.removeView(pair.view));
    pair.both((model) => model.addView(viewOf(BY_TIME)));
    pair.play(3);
    expect(pair.short).toEqual(["1 time: 1, 2, 2"]);
  });

  test("is sent at once when its bound is tightened enough, or no longer loosened", () => {
    for (const factor of [1.5, 1]) {
      const { pair, ship } = waiting();
      pair.play(10);
      pair.both((model) => model.loosen(pair.view, factor));
      expect(pair.play().decided).toEqual([`update ${ship.id} by time in 1`]);
      expect(pair.short).toEqual(["1 time: 1, 12, 12"]);
    }
  });

  test("is sent when it is demanded", () => {
    const { pair, ship } = waiting();
    pair.both((model) => model.demand(pair.view, ship.id));
    expect(pair.play().decided).toEqual([`update ${ship.id} by demand in 1`]);
    expect(pair.short).toEqual(["1 time: 1, 2, 2"]);
  });

  test("is sent when it has waited for eight paces, whatever the factor", () => {
    const pair = new Pair({ radii: [5], bounds: [{ sequence: 1 }, { sequence: 2 }] });
    const ship = pair.world.spawn(Ship, { x: 10, y: 0 });
    pair.both((model) => model.loosen(pair.view, 8));
    pair.play();
    for (const hull of [1, 2]) {
      ship.hull = hull;
      pair.play();
    }
    const { decided, looks } = pair.play(159);
    expect(decided).toEqual([]);
    // Loosened, 16 updates may be missed: it is looked at whenever so many can have come.
    expect(looks).toBeLessThan(15);
    expect(pair.play().decided).toEqual([`update ${ship.id} by sequence in 1`]);
    expect(pair.short).toEqual(["1 sequence: 1, 160, 160"]);
  });

  test("changes its cause, and is no longer counted once it is within its bound again", () => {
    const pair = new Pair({
      radii: [5],
      bounds: [
        { time: 1000, value: 1 },
        { time: 1000, value: 4 },
      ],
    });
    const ship = pair.world.spawn(Ship, { x: 100, y: 0 });
    pair.both((model) => model.loosen(pair.view, 8));
    pair.play();
    const walk = (way: number) => () => {
      ship.x += way;
    };
    pair.play(6, walk(1));
    expect(pair.short).toEqual(["1 value: 1, 3, 3"]);
    pair.play(4, walk(-1));
    expect(pair.short).toEqual(["1 value: 1, 5, 5"]);
    pair.play(4, walk(1));
    pair.play(10);
    expect(pair.short).toEqual(["1 time: 0, 5, 0", "1 value: 2, 13, 13"]);
  });

  test("is equal when its client itself has put right what was wrong", () => {
    const pair = new Pair({ radii: [5], bounds: [{ value: 1 }, { value: 2 }], metric: "predicted" }, { session: 1 });
    const comet = pair.world.spawn(Comet, { x: 100, y: 0, vx: 20 });
    pair.both((model) => model.loosen(pair.view, 8));
    pair.play(8);
    const [before] = pair.short;
    expect(before).toMatch(/^1 value: 1, /);
    comet.y += 1;
    pair.world.commit(1);
    pair.play(10);
    expect(pair.short).toEqual([before]);
  });
});
