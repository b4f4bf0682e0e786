/**
 * What a round of the engine costs, in pairs looked at and never in time: it follows what is due, moved or crossed a border, not all pairs.
 * Ceilings are coarse, several times what is measured; they catch an engine that has begun to sweep.
 */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { Engine, type Entity, type ViewId, type World } from "../src/index.ts";
import { type SetSettings, Ship, smallWorld, viewOf } from "./small-world.ts";

const NIGHTLY = process.env["NEARFIELD_NIGHTLY"] === "1";
const VIEWS = 200;
const OBJECTS = 2000;
const PAIRS = VIEWS * OBJECTS;

/** Even steps through the unit square that never repeat: places without dice. */
const spread = (index: number): [number, number] => [(index * 0.754877666) % 1, (index * 0.569840291) % 1];

/** A crowd that moves all the time; each of the first 200 looks out of its own ship. */
class Crowd {
  readonly engine: Engine;
  readonly #world: World = smallWorld();
  readonly #ships: Entity<(typeof Ship)["shape"]>[];
  readonly #views: ViewId[];
  readonly #speed: number;
  #round = 0;

  constructor(set: SetSettings, speed: number) {
    this.#speed = speed;
    this.engine = new Engine(this.#world, { roundMs: 50 });
    this.#ships = Array.from({ length: OBJECTS }, (_, i) => {
      const [u, v] = spread(i);
      return this.#world.spawn(Ship, { x: u * 1800 - 900, y: v * 1800 - 900 });
    });
    this.#views = this.#ships
      .slice(0, VIEWS)
      .map(({ id }) => this.engine.addView(viewOf(set, [{ object: id }]), { assumeDelivered: true }));
    for (let round = 0; round < 20; round++) this.round();
  }

  /** Moves everybody; what is measured then is the engine's part alone. */
  round(measured: (run: () => void) => void = (run) => run()): void {
    this.#round += 1;
    const turn = Math.floor(this.#round / 40);
    for (let i = 0; i < this.#ships.length; i++) {
      const ship = this.#ships[i]!;
      ship.x += Math.cos(i + turn) * this.#speed;
      ship.y += Math.sin(i + turn) * this.#speed;
    }
    this.#world.commit(0);
    measured(() => this.engine.round(this.#round));
  }

  /** Pairs looked at and decisions made per round, averaged over some rounds. */
  figures(rounds = 40): { checks: number; decisions: number } {
    let [checks, decisions] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      this.round();
      checks += this.engine.checks;
      for (const view of this.#views) decisions += this.engine.decisions(view).count;
    }
    expect(this.engine.account.decided).toBe(0);
    return { checks: checks / rounds, decisions: decisions / rounds };
  }
}

const RANGED: SetSettings = {
  radii: [40, 80],
  bounds: [{ sequence: 1 }, { time: 500, value: 10 }, { time: 2500, value: 50 }],
  range: 160,
};
const HISTORY: SetSettings = { ...RANGED, metric: "predicted:history" };
const FULL_REPLICAS: SetSettings = { radii: [40, 200], bounds: [{ value: 2 }, { value: 20 }, { value: 200 }] };

describe("pairs looked at per round", () => {
  test("a world at rest: none", () => {
    expect(new Crowd(RANGED, 0).figures().checks).toBe(0);
    expect(new Crowd(FULL_REPLICAS, 0).figures().checks).toBe(0);
  });

  test("ranged views, all moving: in the order of what is sent", () => {
    const { checks, decisions } = new Crowd(RANGED, 1).figures();
    expect(decisions).toBeGreaterThan(100);
    expect(checks).toBeLessThan(10 * decisions);
    expect(checks).toBeLessThan(PAIRS / 20);
  });

  test("full replicas of slow movers: far below all pairs", () => {
    const { checks, decisions } = new Crowd(FULL_REPLICAS, 0.2).figures();
    expect(decisions).toBeGreaterThan(20);
    expect(checks).toBeLessThan(PAIRS / 100);
  });
});

describe("memory", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;

  /** Rounds measured together. */
  const BLOCK = 60;
  /** Blocks after which code that still boxes its numbers does so for good: the slowest compiler seen (Node 24) is done after the third. */
  const MOST_BLOCKS = 12;

  /**
   * Ceilings in bytes, measuring included, which takes about 240. What is left is a little for each object that enters a view: 960 bytes
   * for full replicas on Node 20, 980 on 22, 660 on 24.
   *
   * They are for compiled code. Before that V8 puts every fractional number in an object of its own. How many rounds it takes differs between releases: on
   * Node 20 the compiler is done after 80 rounds; on Node 24 the bytes of a round fall in steps, 45,528, 27,176, 8,936, 848, 656, over 240. So blocks of
   * rounds are measured until one meets its ceiling. What the engine itself allocates is in every block, however late.
   */
  test.each([
    ["full replicas", FULL_REPLICAS, 0.2, 4096],
    ["ranged views, which objects enter and leave", RANGED, 1, 16_384],
    // At night only: where V8 does not inline the general judge, which it decides anew in each process, numbers of these models are boxed and a
    // round leaves up to 133,000 bytes. Not mended yet.
    ...(NIGHTLY ? [["a model that builds on earlier sends", HISTORY, 1, 16_384] as const] : []),
  ] as const)("%s: a steady round leaves next to nothing behind, and keeps nothing", (_, set, speed, ceiling) => {
    const crowd = new Crowd(set, speed);
    for (let round = 0; round < 60; round++) crowd.round();
    collect();
    const before = process.memoryUsage().heapUsed;
    let median = Number.POSITIVE_INFINITY;
    for (let block = 0; block < MOST_BLOCKS && median >= ceiling; block++) {
      const left: number[] = [];
      for (let round = 0; round < BLOCK; round++) crowd.round((run) => left.push(growthOf(run)));
      median = left.sort((a, b) => a - b)[BLOCK / 2]!;
    }
    collect();
    const kept = process.memoryUsage().heapUsed - before;
    expect(median).toBeLessThan(ceiling);
    expect(kept).toBeLessThan(PAIRS);
  });
});

function growthOf(run: () => void): number {
  const before = process.memoryUsage();
  run();
  const after = process.memoryUsage();
  return after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
}
