/** A crowd that moves all the time, what the engine looks at for it, and what a round of it leaves on the heap. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import type { Entity, World } from "../src/index.ts";
import { Engine, type ViewId } from "../src/internal/index.ts";
import { Comet, ROUND_MS, type SetSettings, Ship, smallWorld, viewOf } from "./small-world.ts";

const VIEWS = 200;
const OBJECTS = 2000;
export const PAIRS: number = VIEWS * OBJECTS;

/** Even steps through the unit square that never repeat: places without dice. */
const spread = (index: number): [number, number] => [(index * 0.754877666) % 1, (index * 0.569840291) % 1];

export interface CrowdSettings {
  readonly set: SetSettings;
  /** World units per round. */
  readonly speed: number;
  /** Default 50. */
  readonly roundMs?: number;
  /** Whether objects are sent with their velocity. */
  readonly saysVelocity?: boolean;
}

/** Each of the first 200 looks out of its own ship. */
export class Crowd {
  readonly engine: Engine;
  readonly #world: World = smallWorld();
  readonly #settings: CrowdSettings;
  readonly #ships: (Entity<(typeof Ship)["shape"]> | Entity<(typeof Comet)["shape"]>)[];
  readonly #views: ViewId[];
  #round = 0;

  constructor(settings: CrowdSettings) {
    const { set, roundMs = ROUND_MS, saysVelocity = false } = settings;
    this.#settings = settings;
    this.engine = new Engine(this.#world, { roundMs });
    this.#ships = Array.from({ length: OBJECTS }, (_, i) => {
      const [u, v] = spread(i);
      const place = { x: u * 1800 - 900, y: v * 1800 - 900 };
      return saysVelocity ? this.#world.spawn(Comet, place) : this.#world.spawn(Ship, place);
    });
    this.#views = this.#ships
      .slice(0, VIEWS)
      .map(({ id }) => this.engine.addView(viewOf(set, [{ object: id }]), { assumeDelivered: true }));
    for (let round = 0; round < 20; round++) this.round();
  }

  /** Moves everybody; what is measured then is the engine's part alone. */
  round(measured: (run: () => void) => void = (run) => run()): void {
    const { speed, roundMs = ROUND_MS } = this.#settings;
    this.#round += 1;
    const turn = Math.floor(this.#round / 40);
    for (let i = 0; i < this.#ships.length; i++) {
      const ship = this.#ships[i]!;
      const dx = Math.cos(i + turn) * speed;
      const dy = Math.sin(i + turn) * speed;
      ship.x += dx;
      ship.y += dy;
      if (!("vx" in ship)) continue;
      ship.vx = (dx * 1000) / roundMs;
      ship.vy = (dy * 1000) / roundMs;
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

export const RANGED: SetSettings = {
  radii: [40, 80],
  bounds: [{ sequence: 1 }, { time: 500, value: 10 }, { time: 2500, value: 50 }],
  range: 160,
};
export const FULL_REPLICAS: SetSettings = {
  radii: [40, 200],
  bounds: [{ value: 2 }, { value: 20 }, { value: 200 }],
};

const HISTORY: SetSettings = { ...RANGED, metric: "predicted:history" };
const QUADRATIC: SetSettings = { ...RANGED, metric: "predicted:quadratic" };

/**
 * With ceilings in bytes, measuring included, which takes about 240. What is left is a little for each object that enters a view: 960 bytes
 * for full replicas on Node 20, 980 on 22, 660 on 24.
 */
export const STEADY_CROWDS: readonly (readonly [string, number, CrowdSettings])[] = [
  ["full replicas", 4096, { set: FULL_REPLICAS, speed: 0.2 }],
  ["ranged views, which objects enter and leave", 16_384, { set: RANGED, speed: 1 }],
  ["a model that builds on earlier sends", 16_384, { set: HISTORY, speed: 1 }],
  ["one of second order", 16_384, { set: QUADRATIC, speed: 1, saysVelocity: true }],
  ["the former in rounds of 33⅓ ms", 16_384, { set: HISTORY, speed: 1, roundMs: 1000 / 30 }],
];

/** Rounds measured together. */
const BLOCK = 60;
/** Blocks after which code that still boxes its numbers does so for good: the slowest compiler seen (Node 24) is done after the third. */
const MOST_BLOCKS = 12;

/**
 * What a round leaves for the garbage collector, and what is kept of all rounds, in bytes; measured until a block of rounds is below the ceiling.
 *
 * Ceilings are for compiled code. Before that V8 puts every fractional number in an object of its own. How many rounds it takes differs between releases: on
 * Node 20 the compiler is done after 80 rounds; on Node 24 the bytes of a round fall in steps, 45,528, 27,176, 8,936, 848, 656, over 240. What the
 * engine itself allocates is in every block, however late.
 */
export function measureLeft(settings: CrowdSettings, ceiling: number): { median: number; kept: number } {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const crowd = new Crowd(settings);
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
  return { median, kept: process.memoryUsage().heapUsed - before };
}

function growthOf(run: () => void): number {
  const before = process.memoryUsage();
  run();
  const after = process.memoryUsage();
  return after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
}
