/**
 * Where the host has no shared memory, the engine works on memory of a fixed size, by a kernel compiled for that: it still decides as the
 * oracle does. All modules are loaded only after shared memory is gone, as on such a host.
 */

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { World } from "../src/index.ts";
import type { ConsistencyModel, Engine, ModelOptions, ReferenceEngine, ViewId } from "../src/internal/index.ts";
import type { Recipe } from "./plain-worlds.ts";
import type { Step } from "./scenario.ts";

const NIGHTLY = process.env["NEARFIELD_NIGHTLY"] === "1";
const PLAIN_WORLDS = NIGHTLY ? 80 : 8;
const SCRIPTED_WORLDS = NIGHTLY ? 600 : 60;

/** All that is used of the sources, loaded on a host without shared memory. */
async function load() {
  const [core, batches, memory, plainWorlds, scenario] = await Promise.all([
    import("../src/internal/index.ts"),
    import("../src/engine/memory/batches.ts"),
    import("../src/engine/memory/memory.ts"),
    import("./plain-worlds.ts"),
    import("./scenario.ts"),
  ]);
  return { ...core, ...batches, ...memory, ...plainWorlds, ...scenario };
}
let loaded: Awaited<ReturnType<typeof load>>;

beforeAll(async () => {
  vi.stubGlobal("SharedArrayBuffer", undefined);
  vi.resetModules();
  loaded = await load();
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const RIPE = 0.5;

function bothOn(world: World, fog: Pick<ModelOptions, "visible"> = {}): readonly ConsistencyModel[] {
  const options = { roundMs: loaded.ROUND_MS, ripe: RIPE, ...fog };
  return [new loaded.ReferenceEngine(world, options), new loaded.Engine(world, options)];
}

function expectAlike(models: readonly ConsistencyModel[], view: ViewId, round: number): void {
  const [expected, actual] = models.map((model) => loaded.decided(model, view)) as [string[], string[]];
  if (expected.join() !== actual.join()) expect(actual, `round ${round}, view ${view}`).toEqual(expected);
}

function expectAlikeInTheEnd(models: readonly ConsistencyModel[], world: World, views: readonly ViewId[]): void {
  const [oracle, engine] = models as [ReferenceEngine, Engine];
  const { store } = world;
  for (const view of views) {
    for (let slot = 0; slot < store.slotHigh; slot++) {
      if (!store.isLive(slot)) continue;
      expect(engine.baseVersion(view, store.idAt(slot))).toBe(oracle.baseVersion(view, store.idAt(slot)));
    }
  }
}

const recipe: fc.Arbitrary<Recipe> = fc.record({
  seed: fc.nat({ max: 0xffff }),
  objects: fc.integer({ min: 40, max: 120 }),
  views: fc.integer({ min: 2, max: 5 }),
  rounds: fc.integer({ min: 30, max: 90 }),
  deep: fc.boolean(),
  mood: fc.constantFrom("busy", "quiet", "running", "turnover"),
  pressed: fc.boolean(),
  ripe: fc.constant(RIPE),
  fog: fc.constantFrom("clear", "asked", "told", "teams", "walls"),
});

const digit = fc.nat({ max: 0xffff });
const script: fc.Arbitrary<Step[]> = fc.array(fc.tuple(digit, digit, digit, digit, digit), {
  minLength: 20,
  maxLength: 120,
  size: "max",
});

describe("engine = oracle, without shared memory", () => {
  test("there is none", () => {
    const { linear, isShared } = new loaded.Memory();
    expect(isShared).toBe(false);
    expect(linear.buffer).toBeInstanceOf(ArrayBuffer);
  });

  test(`${PLAIN_WORLDS} worlds of plain views`, () => {
    const met = loaded.nothingMet();
    const judged = vi.spyOn(loaded.Batches.prototype, "addView");
    onTestFinished(() => judged.mockRestore());
    fc.assert(
      fc.property(recipe, (chosen) => {
        const plain = new loaded.PlainWorld(chosen, met, bothOn);
        for (let round = 1; round <= chosen.rounds; round++) {
          plain.play((view) => expectAlike(plain.models, view, round));
        }
        expectAlikeInTheEnd(plain.models, plain.world, plain.views);
      }),
      { numRuns: PLAIN_WORLDS },
    );
    if (process.env["NEARFIELD_PATH"] !== undefined) return;
    expect(judged.mock.calls.length).toBeGreaterThan(500);
    expect(met.decisions).toBeGreaterThan(2000);
  });

  test(`${SCRIPTED_WORLDS} random worlds`, () => {
    fc.assert(
      fc.property(script, (steps) => {
        const scripted = new loaded.ScriptedWorld(bothOn);
        const compare = (): void => {
          for (const { id } of scripted.views) expectAlike(scripted.models, id, scripted.round);
        };
        for (const step of [...steps, loaded.A_ROUND]) scripted.play(step, compare);
        const views = scripted.views.map(({ id }) => id);
        expectAlikeInTheEnd(scripted.models, scripted.world, views);
      }),
      { numRuns: SCRIPTED_WORLDS },
    );
  });
});
