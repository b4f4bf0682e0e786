/**
 * An engine with a crew of threads decides as one without and as the oracle, decision for decision and in the same order; and the threads
 * do take part. They start and wake when the host lets them, so a test that needs them plays rounds until they have: a bounded number,
 * the event loop in between.
 */

import { setImmediate as nextTick } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ViewSettings, World } from "../src/index.ts";
import {
  type ConsistencyModel,
  type Crew,
  CrewError,
  type CrewTask,
  type Decisions,
  Engine,
  type ModelOptions,
  ReferenceEngine,
  type ViewId,
} from "../src/internal/index.ts";
import { WorkerCrew } from "../src/node/index.ts";
import { FOGS } from "./fogs.ts";
import { checksum, MOODS, nothingMet, PlainWorld, type Recipe } from "./plain-worlds.ts";
import { A_ROUND, decided, ROUND_MS, ScriptedWorld, type Step } from "./scenario.ts";
import { Ship, smallWorld, viewOf } from "./small-world.ts";

const NIGHTLY = process.env["NEARFIELD_NIGHTLY"] === "1";
const PLAIN_WORLDS = NIGHTLY ? 40 : 3;
const SCRIPTED_WORLDS = NIGHTLY ? 100 : 8;
/** Far more than it takes; who has not helped by then never will. */
const MOST_ROUNDS = 5000;
/** Threads take views by sixteens, so fewer than this leave them nothing to do. */
const VIEWS = 48;

/** So much to do that every thread finds some. */
const RUNNING: Recipe = {
  seed: 5,
  objects: 300,
  views: 4 * VIEWS,
  rounds: 0,
  deep: false,
  mood: "running",
  pressed: false,
  ripe: 1,
  fog: "clear",
};

/** In which the bounds of most views are loosened, so that threads count pairs that wait unseen. */
const LOOSENED: Recipe = {
  seed: 11,
  objects: 60,
  views: VIEWS,
  rounds: 60,
  deep: false,
  mood: "loosened",
  pressed: true,
  fog: "clear",
  ripe: 0.5,
};

/** Oracle, engine alone, engine with a crew; the workers end with the test. */
function threeOn(
  world: World,
  size: number,
  ripe: number,
  fog: Pick<ModelOptions, "visible"> = {},
): readonly [ReferenceEngine, Engine, Engine] {
  const options = { roundMs: ROUND_MS, ripe, ...fog };
  const crewed = new Engine(world, { ...options, crew: new WorkerCrew(size) });
  return [new ReferenceEngine(world, options), new Engine(world, options), crewed];
}

/** Fails unless both decided the same for a view, in the same order. */
function expectSameOrder(alone: Engine, crewed: Engine, view: ViewId, round: number): void {
  const [expected, actual] = [alone.decisions(view), crewed.decisions(view)];
  let isSame = expected.count === actual.count;
  for (let i = 0; isSame && i < expected.count; i++) {
    for (const column of COLUMNS) isSame &&= expected[column][i] === actual[column][i];
  }
  if (!isSame) expect(listed(actual), `round ${round}, view ${view}`).toEqual(listed(expected));
}
const COLUMNS = ["ids", "kinds", "causes", "zones", "urgencies", "waits", "settled"] as const;

function listed(decisions: Decisions): string[] {
  return Array.from({ length: decisions.count }, (_, i) => COLUMNS.map((column) => decisions[column][i]).join(" "));
}

/** Fails unless all three have counted the same shortfalls. */
function expectSameAccounts(models: readonly ConsistencyModel[], round: number): void {
  const [expected, ...others] = models.map(({ account }) => account.shortfalls("decided"));
  for (const actual of others) expect(actual, `round ${round}`).toEqual(expected);
}

function expectAlike(models: readonly ConsistencyModel[], view: ViewId, round: number): void {
  const [oracle, alone, crewed] = models as readonly [ReferenceEngine, Engine, Engine];
  expectSameOrder(alone, crewed, view, round);
  if (checksum(oracle.decisions(view)) === checksum(crewed.decisions(view))) return;
  expect(decided(crewed, view), `round ${round}, view ${view}`).toEqual(decided(oracle, view));
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
      objects: fc.integer({ min: 40, max: 80 }),
      views: fc.integer({ min: VIEWS, max: VIEWS + 20 }),
      rounds: fc.integer({ min: 30, max: 60 }),
      deep: fc.boolean(),
      mood: fc.constantFrom(...MOODS),
      pressed: fc.boolean(),
      ripe: fc.constantFrom(1, 0.5),
      fog: fc.constantFrom("clear", ...FOGS),
    });
    const met = nothingMet();
    const property = fc.asyncProperty(recipe, async (chosen) => {
      const plain = new PlainWorld(chosen, met, (world, fog) => threeOn(world, size, chosen.ripe, fog));
      const crewed = plain.models[2] as Engine;
      for (let round = 1; round <= chosen.rounds; round++) {
        plain.play((view) => expectAlike(plain.models, view, round));
        expectSameAccounts(plain.models, round);
        await nextTick();
      }
      helped += total(crewed.doneByCrew);
      crewed.dispose();
    });
    await fc.assert(property, { numRuns: PLAIN_WORLDS, examples: [[LOOSENED]] });
    expect(met.losses).toBeGreaterThan(100);
  });

  test(`${SCRIPTED_WORLDS} random worlds with onlookers`, async () => {
    const digit = fc.nat({ max: 0xffff });
    const script: fc.Arbitrary<Step[]> = fc.array(fc.tuple(digit, digit, digit, digit, digit), {
      minLength: 20,
      maxLength: 120,
      size: "max",
    });
    const property = fc.asyncProperty(script, fc.constantFrom(1, 0.5), async (steps, ripe) => {
      const onlookers: ViewId[] = [];
      const scripted = new ScriptedWorld((world) => {
        const models = threeOn(world, size, ripe);
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
      expectSameAccounts(scripted.models, scripted.round);
      const crewed = scripted.models[2] as Engine;
      helped += total(crewed.doneByCrew);
      crewed.dispose();
    });
    await fc.assert(property, { numRuns: SCRIPTED_WORLDS });
  });

  test.skipIf(process.env["NEARFIELD_PATH"] !== undefined)("it helped in them (a replay has less for it to do)", () => {
    expect(helped).toBeGreaterThan(0);
  });

  test("every thread takes part, and it makes no difference", async () => {
    const options = { roundMs: ROUND_MS };
    const plain = new PlainWorld(RUNNING, nothingMet(), (world) => [
      new Engine(world, options),
      new Engine(world, { ...options, crew: new WorkerCrew(size) }),
    ]);
    const [alone, crewed] = plain.models as [Engine, Engine];
    onTestFinished(() => crewed.dispose());
    const done = await untilAllHelped(crewed, () =>
      plain.play((view) => expectSameOrder(alone, crewed, view, plain.round)),
    );
    expect(done).toHaveLength(size);
    expect(Math.min(...done), `after ${plain.round} rounds`).toBeGreaterThan(0);
  });
});

/** Plain views, spread over the middle of the scripted worlds. */
function onlooker(index: number): ViewSettings {
  const point = [(index % 8) * 10 - 35, Math.floor(index / 8) * 10 - 25];
  const bounds = [{ time: 50, value: 0.2 }, { time: 200, value: 1 + (index % 3) }, { time: 1000 }];
  return {
    pivots: [{ point }],
    sets: [{ match: "everything", radii: [8, 20], bounds, ...(index % 4 < 2 && { range: 40 }) }],
  };
}

/** A crew that shows what it was given. */
class SeenCrew implements Crew {
  readonly size: number;
  readonly #workers: WorkerCrew;
  memory: { readonly buffer: SharedArrayBuffer } | undefined;

  constructor(size: number) {
    this.size = size;
    this.#workers = new WorkerCrew(size);
  }

  join(task: CrewTask): void {
    this.memory = task.memory as { buffer: SharedArrayBuffer };
    this.#workers.join(task);
  }

  leave(): void {
    this.#workers.leave();
  }
}

test("memory that grows while threads wait is theirs too", async () => {
  const world = smallWorld();
  const crew = new SeenCrew(1);
  const alone = new Engine(world, { roundMs: ROUND_MS });
  const crewed = new Engine(world, { roundMs: ROUND_MS, crew });
  onTestFinished(() => crewed.dispose());
  const views: ViewId[] = [];
  let round = 0;
  const play = (): void => {
    for (const ship of world.all(Ship)) ship.x = ((ship.x + 1001) % 2000) - 1000;
    world.commit(0);
    round++;
    for (const model of [alone, crewed]) model.round(round);
    for (const view of views) expectSameOrder(alone, crewed, view, round);
  };
  const sizes = new Set<number>();
  for (let wave = 0; wave < 5; wave++) {
    for (let i = 0; i < 40 << wave; i++) {
      const at = 40 * wave + i;
      world.spawn(Ship, { x: (at * 37) % 900, y: (at * 91) % 900 });
    }
    for (let i = 0; i < VIEWS; i++) {
      const settings = viewOf({ radii: [100, 300], bounds: [{ value: 1 }, { value: 5 }, { value: 20 }] }, [
        { point: [(i * 53) % 900, (i * 29) % 900] },
      ]);
      const [view] = [alone, crewed].map((model) => model.addView(settings, { assumeDelivered: i % 2 === 0 }));
      views.push(view!);
    }
    const before = total(crewed.doneByCrew);
    for (let i = 0; i < MOST_ROUNDS && (i < 3 || total(crewed.doneByCrew) === before); i++) {
      play();
      await nextTick();
    }
    expect(total(crewed.doneByCrew), `wave ${wave}`).toBeGreaterThan(before);
    sizes.add(crew.memory!.buffer.byteLength);
  }
  expect(sizes.size).toBeGreaterThan(2);
});

describe("a crew is refused", () => {
  const join = (crew: Crew) => () => new Engine(smallWorld(), { roundMs: ROUND_MS, crew });

  test.each([0, 65, 1.5, Number.NaN, -1])("of %d", (size) => {
    expect(join(new WorkerCrew(size))).toThrow(CrewError);
    expect(join(new WorkerCrew(size))).toThrow(
      expect.objectContaining({ code: "size", message: expect.stringContaining(`a crew of ${size}`) }),
    );
  });

  test("that another engine has, which goes on with it", async () => {
    const crew = new WorkerCrew(1);
    const plain = new PlainWorld(RUNNING, nothingMet(), (world) => [new Engine(world, { roundMs: ROUND_MS, crew })]);
    const engine = plain.models[0] as Engine;
    expect(join(crew)).toThrow(CrewError);
    expect(join(crew)).toThrow(expect.objectContaining({ code: "taken" }));
    const done = await untilAllHelped(engine, () => plain.play(() => {}));
    expect(total(done)).toBeGreaterThan(0);
    engine.dispose();
    const next = join(crew)();
    next.dispose();
  });

  test("where memory cannot be shared", async () => {
    vi.stubGlobal("SharedArrayBuffer", undefined);
    vi.resetModules();
    onTestFinished(() => {
      vi.unstubAllGlobals();
      vi.resetModules();
    });
    const [core, node, small] = await Promise.all([
      import("../src/internal/index.ts"),
      import("../src/node/index.ts"),
      import("./small-world.ts"),
    ]);
    const make = () => new core.Engine(small.smallWorld(), { roundMs: ROUND_MS, crew: new node.WorkerCrew(1) });
    expect(make).toThrow(core.CrewError);
    expect(make).toThrow(expect.objectContaining({ code: "not-shared" }));
    new core.Engine(small.smallWorld(), { roundMs: ROUND_MS }).dispose();
  });
});
