/**
 * Nobody starves under a budget. Seeded crowds with bounds of every kind, zeros and objects that are over theirs in every round among them,
 * are given 50 to 90 % of what they ask for, while factors come and go. The engine and the oracle see the same world; a frame of the
 * simplest kind takes what goes first while it fits. How long a pair was over its stated bound is read off `explain`, round by
 * round, and compared with what `urgency.ts` claims.
 */

import type { ObjectId, ObjectType } from "@nearfield/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Bound, Entity, World } from "../src/index.ts";
import {
  type ConsistencyModel,
  Engine,
  type Explanation,
  ReferenceEngine,
  type ViewId,
} from "../src/internal/index.ts";
import { Digits, decided } from "./scenario.ts";
import { ROUND_MS, Score, Ship, smallWorld, viewOf } from "./small-world.ts";

const WORLDS = process.env["NEARFIELD_NIGHTLY"] === "1" ? 240 : 24;
const ROUNDS = 400;
const SESSION = 7;
const TIMES = [0, 30, 50, 100, 200, 500, Number.POSITIVE_INFINITY];
const SEQUENCES = [0, 1, 2, 5, Number.POSITIVE_INFINITY];
const VALUES = [0, 0.5, 2, 10, Number.POSITIVE_INFINITY];

type EntityOf<T> = T extends ObjectType<infer F> ? Entity<F> : never;

interface Mover {
  readonly ship: EntityOf<typeof Ship>;
  /** Units a round; one that hops is somewhere else in every round. */
  readonly speed: number;
  readonly hops: boolean;
  /** Share of the rounds in which it moves. */
  readonly busy: number;
}

/** A crowd around one client that has a ship and a score of its own; all of it drawn from the seed. */
class Crowd {
  readonly view: ViewId;
  readonly models: readonly ConsistencyModel[];
  readonly never: readonly ObjectId[];
  readonly movers: readonly Mover[];
  round = 0;
  readonly #world: World = smallWorld();
  readonly #dice: Digits;
  readonly #own: Mover;
  readonly #score: EntityOf<typeof Score>;

  constructor(seed: number, objects: number, budgeted: boolean) {
    this.#dice = new Digits([seed, objects, 0, 0, 0]);
    const dice = this.#dice;
    this.models = [ReferenceEngine, Engine].map((Model) => new Model(this.#world, { roundMs: ROUND_MS }));
    this.movers = Array.from({ length: objects }, () => this.#spawn());
    this.#score = this.#world.spawn(Score);
    this.#own = { ...this.#spawn(), busy: 1 };
    this.#world.setOwner(this.#own.ship, SESSION);
    this.never = [this.#score.id, this.#own.ship.id];
    const radii = [15, 40].slice(0, dice.below(3));
    const settings = viewOf({
      radii,
      bounds: someBounds(dice, radii.length + 1),
      clock: dice.pick(["refresh", "firstMiss"]),
      strict: dice.next() < 0.3,
    });
    const options = { session: SESSION, budgeted };
    this.view = this.models.map((model) => model.addView(settings, options))[0]!;
  }

  #spawn(): Mover {
    const dice = this.#dice;
    const ship = this.#world.spawn(Ship, { x: dice.next() * 100 - 50, y: dice.next() * 100 - 50 });
    return { ship, speed: dice.pick([0.5, 1, 4]), hops: dice.next() < 0.2, busy: dice.pick([1, 1, 0.5, 0.02]) };
  }

  /** Everybody moves, and both models decide alike. */
  step(): void {
    const dice = this.#dice;
    for (const { ship, speed, hops, busy } of [...this.movers, this.#own]) {
      const [a, b, c] = [dice.next(), dice.next(), dice.next()];
      if (a >= busy) continue;
      ship.x = hops ? b * 100 - 50 : clamped(ship.x + (b * 2 - 1) * speed);
      ship.y = hops ? c * 100 - 50 : clamped(ship.y + (c * 2 - 1) * speed);
      ship.hull = (ship.hull + 1) % 128;
    }
    this.#score.points += 1;
    this.#world.commit(0);
    this.round += 1;
    for (const model of this.models) model.round(this.round);
    const [expected, actual] = this.models.map((model) => decided(model, this.view));
    if (expected!.join() !== actual!.join()) expect(actual, `round ${this.round}`).toEqual(expected);
  }

  loosen(): void {
    const outer = this.#dice.pick([1, 1, 1.5, 4, 8]);
    const inner = Math.min(outer, this.#dice.pick([1, 1, 2, 4]));
    for (const model of this.models) model.loosen(this.view, outer, inner);
  }

  /** What was decided, in the order in which it goes. */
  inOrder(): { readonly id: ObjectId; readonly isFirst: boolean }[] {
    const { count, ids, urgencies, waits } = this.models[0]!.decisions(this.view);
    return Array.from({ length: count }, (_, i) => i)
      .sort((a, b) => {
        if (urgencies[a] !== urgencies[b]) return urgencies[b]! - urgencies[a]!;
        return waits[b]! - waits[a]! || ids[a]! - ids[b]!;
      })
      .map((i) => ({ id: ids[i]! as ObjectId, isFirst: urgencies[i] === Number.POSITIVE_INFINITY }));
  }

  end(id: ObjectId, goes: boolean): void {
    for (const model of this.models) {
      if (goes) model.acknowledge(this.view, id, this.round);
      else model.withhold(this.view, id);
    }
  }
}

function clamped(place: number): number {
  return Math.max(-50, Math.min(50, place));
}

function someBounds(dice: Digits, zones: number): Bound[] {
  const ladder = (rungs: readonly number[]): ((zone: number) => number) => {
    const [start, step] = [dice.below(rungs.length), dice.below(3)];
    return (zone) => rungs[Math.min(rungs.length - 1, start + zone * step)]!;
  };
  const [time, sequence, value] = [ladder(TIMES), ladder(SEQUENCES), ladder(VALUES)];
  return Array.from({ length: zones }, (_, zone) => ({
    time: time(zone),
    sequence: sequence(zone),
    value: value(zone),
  }));
}

/** Records differ in size: one to three units. */
function sizeOf(id: ObjectId): number {
  return 1 + (id % 3);
}

/** Units per round that the crowd takes where nothing limits it. */
function demandOf(seed: number, objects: number): number {
  const crowd = new Crowd(seed, objects, false);
  let units = 0;
  for (let round = 0; round < ROUNDS; round++) {
    crowd.step();
    for (const { id } of crowd.inOrder()) {
      units += sizeOf(id);
      crowd.end(id, true);
    }
  }
  return units / ROUNDS;
}

function isOver({ present, equal, bound, divergence }: Explanation): boolean {
  if (!present) return true;
  return (
    !equal &&
    (divergence.time >= bound.time ||
      divergence.sequence >= bound.sequence ||
      (bound.value !== Number.POSITIVE_INFINITY && divergence.value >= bound.value))
  );
}

/** Rounds of waiting that count like a bound, as docs/guide/budget.md states it. */
function paceOf({ time, sequence, value }: Explanation["bound"]): number {
  if (time === 0 || sequence === 0 || value === 0) return 1;
  if (time !== Number.POSITIVE_INFINITY) return Math.max(1, time / ROUND_MS);
  return sequence <= 1 ? 1 : 1000 / ROUND_MS;
}

describe("starvation (replay: NEARFIELD_SEED=… NEARFIELD_PATH=… npm test -- packages/core/test/starvation)", () => {
  test(`${WORLDS} crowds: no pair waits longer than stated, and what never waits does not`, {
    timeout: WORLDS * 10_000,
  }, () => {
    let waiting = 0;
    const crowds = fc.record({
      seed: fc.nat({ max: 0xffff }),
      objects: fc.integer({ min: 6, max: 30 }),
      share: fc.integer({ min: 50, max: 90 }),
    });
    const play = ({ seed, objects, share }: { seed: number; objects: number; share: number }): void => {
      const crowd = new Crowd(seed, objects, true);
      const never = crowd.never.reduce((sum, id) => sum + sizeOf(id), 0);
      const perRound = (share / 100) * Math.max(1, demandOf(seed, objects) - never);
      const everything = crowd.movers.reduce((sum, { ship }) => sum + sizeOf(ship.id), 0);
      const waits = new Map<ObjectId, { rounds: number; most: number }>();
      let left = 0;
      for (let round = 0; round < ROUNDS; round++) {
        if (round % 40 === 0) crowd.loosen();
        crowd.step();
        left = Math.min(4 * perRound, left + perRound);
        for (const { id, isFirst } of crowd.inOrder()) {
          expect(isFirst).toBe(crowd.never.includes(id));
          const goes = isFirst || left > 0;
          if (goes && !isFirst) left -= sizeOf(id);
          crowd.end(id, goes);
        }
        for (const id of crowd.never) expect(isOver(crowd.models[0]!.explain(crowd.view, id)!)).toBe(false);
        for (const { ship } of crowd.movers) {
          const explanation = crowd.models[0]!.explain(crowd.view, ship.id)!;
          if (!isOver(explanation)) {
            waits.delete(ship.id);
            continue;
          }
          const paces = explanation.zone === 0 ? 8 : 16;
          const { rounds, most } = waits.get(ship.id) ?? { rounds: 0, most: 0 };
          const wait = { rounds: rounds + 1, most: Math.max(most, paces * paceOf(explanation.bound)) };
          waits.set(ship.id, wait);
          waiting += 1;
          const limit = wait.most + (2 * everything) / perRound + 2;
          expect(wait.rounds, `round ${crowd.round}, ${ship.id} in zone ${explanation.zone}`).toBeLessThanOrEqual(
            limit,
          );
        }
      }
    };
    fc.assert(fc.property(crowds, play), { numRuns: WORLDS });
    // Pairs did have to wait.
    expect(waiting).toBeGreaterThan(1000 * WORLDS);
  });

  test("among equals nobody is passed over twice in a row while every second one fits", () => {
    for (const bound of [{ time: 0 }, { sequence: 0 }, { value: 0 }, { sequence: 1 }] satisfies Bound[]) {
      for (const share of [0.5, 0.6, 0.75, 0.9]) {
        const world = smallWorld();
        const model = new Engine(world, { roundMs: ROUND_MS });
        const ships = Array.from({ length: 41 }, (_, i) => world.spawn(Ship, { x: i }));
        const view = model.addView(viewOf({ bounds: [bound] }), { budgeted: true });
        const passedOver = new Map<number, number>();
        let most = 0;
        for (let round = 1; round <= 200; round++) {
          for (const ship of ships) ship.x += round % 2 === 0 ? 1 : -1;
          world.commit(0);
          model.round(round);
          const { count, ids, urgencies, waits } = model.decisions(view);
          expect(count).toBe(ships.length);
          const order = Array.from({ length: count }, (_, i) => i).sort(
            (a, b) => urgencies[b]! - urgencies[a]! || waits[b]! - waits[a]! || ids[a]! - ids[b]!,
          );
          for (const [place, i] of order.entries()) {
            const id = ids[i]! as ObjectId;
            const goes = place < Math.ceil(share * count);
            if (goes) model.acknowledge(view, id, round);
            else model.withhold(view, id);
            passedOver.set(id, goes ? 0 : (passedOver.get(id) ?? 0) + 1);
            most = Math.max(most, passedOver.get(id)!);
          }
        }
        expect(most).toBe(1);
      }
    }
  });
});
