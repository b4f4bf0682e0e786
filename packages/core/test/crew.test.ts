/**
 * An engine with a crew of threads decides as one without and as the oracle, decision for decision and in the same order; and the threads
 * do take part. They start and wake when the host lets them, so a test that needs them plays rounds until they have: a bounded number,
 * the event loop in between.
 */

import { setImmediate as nextTick } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import {
  type ConsistencyModel,
  type Crew,
  CrewError,
  type CrewTask,
  Engine,
  ReferenceEngine,
  type ViewId,
  type ViewSettings,
  World,
} from "../src/index.ts";
import { WorkerCrew } from "../src/node/index.ts";
import { MOODS, nothingMet, PlainWorld, type Recipe } from "./plain-worlds.ts";
import { A_ROUND, decided, ROUND_MS, ScriptedWorld, type Step } from "./scenario.ts";
import { Ship, smallWorld } from "./small-world.ts";

const NIGHTLY = process.env["NEARFIELD_NIGHTLY"] === "1";
const PLAIN_WORLDS = NIGHTLY ? 60 : 6;
const SCRIPTED_WORLDS = NIGHTLY ? 200 : 20;
/** Far more than it takes; who has not helped by then never will. */
const MOST_ROUNDS = 5000;
/** Threads take views by sixteens, so fewer than this leave them nothing to do. */
const VIEWS = 48;

/** Oracle, engine alone, engine with a crew; the workers end with the test. */
function threeOn(world: World, size: number): readonly [ReferenceEngine, Engine, Engine] {
  const options = { roundMs: ROUND_MS, auditSample: 50 };
  const crewed = new Engine(world, { ...options, crew: new WorkerCrew(size) });
  return [new ReferenceEngine(world, { roundMs: ROUND_MS }), new Engine(world, options), crewed];
}

function inOrder(model: ConsistencyModel, view: ViewId): string[] {
  const { count, ids, kinds, causes, zones, urgencies, settled } = model.decisions(view);
  return Array.from({ length: count }, (_, i) =>
    [ids[i], kinds[i], causes[i], zones[i], urgencies[i], settled[i]].join(" "),
  );
}

function expectAlike(models: readonly ConsistencyModel[], view: ViewId, round: number): void {
  const [oracle, alone, crewed] = models as readonly [ReferenceEngine, Engine, Engine];
  const [expected, actual] = [inOrder(alone, view), inOrder(crewed, view)];
  if (expected.join() !== actual.join()) expect(actual, `round ${round}, view ${view}`).toEqual(expected);
  const [asked, answered] = [decided(oracle, view), decided(crewed, view)];
  if (asked.join() !== answered.join()) expect(answered, `round ${round}, view ${view}`).toEqual(asked);
}

/** Plays until every thread has worked on something, and says how much each has. */
async function untilAllHelped(engine: Engine, play: () => void): Promise<readonly number[]> {
  for (let round = 0; round < MOST_ROUNDS && engine.doneByCrew.some((done) => done === 0); round++) {
    play();
    await nextTick();
  }
  return engine.doneByCrew;
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

describe.each([1, 3])("with a crew of %d", (size) => {
  let helped = 0;

  test(`${PLAIN_WORLDS} worlds of plain views`, async () => {
    const recipe: fc.Arbitrary<Recipe> = fc.record({
      seed: fc.nat({ max: 0xffff }),
      objects: fc.integer({ min: 60, max: 160 }),
      views: fc.integer({ min: VIEWS, max: 2 * VIEWS }),
      rounds: fc.integer({ min: 30, max: 60 }),
      deep: fc.boolean(),
      mood: fc.constantFrom(...MOODS),
    });
    const met = nothingMet();
    const property = fc.asyncProperty(recipe, async (chosen) => {
      const plain = new PlainWorld(chosen, met, (world) => threeOn(world, size));
      const crewed = plain.models[2] as Engine;
      for (let round = 1; round <= chosen.rounds; round++) {
        plain.play((view) => expectAlike(plain.models, view, round));
        await nextTick();
      }
      expect(crewed.audit.faults).toBe(0);
      helped += total(crewed.doneByCrew);
      crewed.dispose();
    });
    await fc.assert(property, { numRuns: PLAIN_WORLDS });
    expect(met.losses).toBeGreaterThan(100);
  });

  test(`${SCRIPTED_WORLDS} random worlds with onlookers`, async () => {
    const digit = fc.nat({ max: 0xffff });
    const script: fc.Arbitrary<Step[]> = fc.array(fc.tuple(digit, digit, digit, digit, digit), {
      minLength: 20,
      maxLength: 120,
      size: "max",
    });
    const property = fc.asyncProperty(script, async (steps) => {
      const onlookers: ViewId[] = [];
      const scripted = new ScriptedWorld((world) => {
        const models = threeOn(world, size);
        for (let index = 0; index < VIEWS; index++) {
          const options = { assumeDelivered: index % 2 === 0 };
          const ids = models.map((model) => model.addView(onlooker(index), options));
          onlookers.push(ids[0]!);
        }
        return models;
      });
      const compare = (): void => {
        const views = [...onlookers, ...scripted.views.map(({ id }) => id)];
        for (const view of views) expectAlike(scripted.models, view, scripted.round);
      };
      for (const step of [...steps, A_ROUND]) {
        scripted.play(step, compare);
        await nextTick();
      }
      const crewed = scripted.models[2] as Engine;
      expect(crewed.audit.faults).toBe(0);
      helped += total(crewed.doneByCrew);
      crewed.dispose();
    });
    await fc.assert(property, { numRuns: SCRIPTED_WORLDS });
  });
  afterAll(() => {
    console.log("helped", helped);
  });

  test("every thread takes part, and it makes no difference", async () => {
    const recipe: Recipe = { seed: 5, objects: 300, views: 4 * VIEWS, rounds: 0, deep: false, mood: "running" };
    const options = { roundMs: ROUND_MS };
    const plain = new PlainWorld(recipe, nothingMet(), (world) => [
      new Engine(world, options),
      new Engine(world, { ...options, crew: new WorkerCrew(size) }),
    ]);
    const [alone, crewed] = plain.models as [Engine, Engine];
    onTestFinished(() => crewed.dispose());
    const done = await untilAllHelped(crewed, () =>
      plain.play((view) => {
        const [expected, actual] = [inOrder(alone, view), inOrder(crewed, view)];
        if (expected.join() !== actual.join()) expect(actual, `round ${plain.round}, view ${view}`).toEqual(expected);
      }),
    );
    expect(done).toHaveLength(size);
    console.log(done, plain.round);
    expect(Math.min(...done), `after ${plain.round} rounds`).toBeGreaterThan(0);
  });
});

/** Plain views, spread over the middle of the scripted worlds. */
function onlooker(index: number): ViewSettings {
  const point = [(index % 8) * 10 - 35, Math.floor(index / 8) * 10 - 25];
  const bounds = [{ time: 50, value: 0.2 }, { time: 200, value: 1 + (index % 3) }, { time: 1000, sequence: 5 }];
  return { pivots: [{ point }], sets: [{ match: "everything", radii: [8, 20], bounds, ...(index % 4 < 2 && { range: 40 }) }] };
}
