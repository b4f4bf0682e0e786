/** The engine decides as the oracle does: every pair, every round, over seeded random worlds. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Metric, World } from "../src/index.ts";
import { Cause, type ConsistencyModel, Engine, ReferenceEngine } from "../src/internal/index.ts";
import { FOGS, Fog, type FogKind } from "./fogs.ts";
import { METRICS } from "./proposals.ts";
import { A_ROUND, decided, ROUND_MS, ScriptedWorld, type Step, THRESHOLDS } from "./scenario.ts";

/** Ten times as many in the nightly tier; seed and replay command as for every property (see CONTRIBUTING). */
const WORLDS = process.env["NEARFIELD_NIGHTLY"] === "1" ? 20_000 : 2_000;
const TIME_LIMIT_MS = WORLDS * 120;

const digit = fc.nat({ max: 0xffff });
const script: fc.Arbitrary<Step[]> = fc.array(fc.tuple(digit, digit, digit, digit, digit), {
  minLength: 60,
  maxLength: 200,
  size: "max",
});

/** Metrics of games, besides those in the box. */
const OWN: readonly Metric[] = [...THRESHOLDS, ...METRICS];

/** The share of its bound at which a pair rides along: 1 is never. */
const ripeness = fc.constantFrom(1, 0.5, 0.2, 0.9);

/** Decisions of pairs that rode along, in all worlds. */
let rodeAlong = 0;

/** When a round's account is read, by turns: whoever reads it has the engine record its decisions, and it must not matter when. */
const READ_AT = ["decided", "withheld", "over"] as const;

/** @param later the share from the middle of the script on. */
function play(steps: readonly Step[], kind: FogKind, ripe: number, later: number): void {
  const fog = new Fog(kind, 60, 8);
  const { visible } = fog;
  const build = (world: World): readonly ConsistencyModel[] => {
    const options = { roundMs: ROUND_MS, metrics: OWN, ripe, ...(visible && { visible }) };
    return [new ReferenceEngine(world, options), new Engine(world, options)];
  };
  const scripted = new ScriptedWorld(build, OWN, fog);
  const [oracle, engine] = scripted.models as [ReferenceEngine, Engine];
  const compare = (): void => {
    for (const { id } of scripted.views) {
      const { causes, count } = engine.decisions(id);
      for (let i = 0; i < count; i++) if (causes[i] === Cause.ripe) rodeAlong++;
      const [expected, actual] = [decided(oracle, id), decided(engine, id)];
      if (expected.join() !== actual.join()) expect(actual, `round ${scripted.round}, view ${id}`).toEqual(expected);
    }
    compareLater("decided");
  };
  const compareAccounts = (): void => {
    const [expected, actual] = [oracle.account.decided, engine.account.decided];
    if (expected !== actual) expect(actual, `round ${scripted.round}, decided shortfalls`).toBe(expected);
  };
  const compareLater = (moment: string): void => {
    if (READ_AT[scripted.round % READ_AT.length] === moment) compareAccounts();
  };
  for (const [index, step] of [...steps, A_ROUND].entries()) {
    if (index === steps.length >> 1) for (const model of scripted.models) model.setRipe(later);
    scripted.play(step, compare, compareLater);
  }
  const { store } = scripted.world;
  for (const { id } of scripted.views) {
    for (let slot = 0; slot < store.slotHigh; slot++) {
      if (!store.isLive(slot)) continue;
      const object = store.idAt(slot);
      expect(engine.baseVersion(id, object)).toBe(oracle.baseVersion(id, object));
      expect(engine.lastCause(id, object)).toBe(oracle.lastCause(id, object));
      const [expected, actual] = [oracle.explain(id, object)!, engine.explain(id, object)!];
      expect(actual.present).toBe(expected.present);
      if (expected.sentVersion === 0) continue;
      expect(actual).toEqual({ ...expected, divergence: actual.equal ? actual.divergence : expected.divergence });
    }
  }
  if (!scripted.wasShort) expect(oracle.account.decided).toBe(0);
  expect(engine.account.shortfalls("decided")).toEqual(oracle.account.shortfalls("decided"));
  expect(engine.account.deliveredUpTo(scripted.round)).toBe(oracle.account.deliveredUpTo(scripted.round));
  expect(engine.account.shortfalls("delivered")).toEqual(oracle.account.shortfalls("delivered"));
}

describe("engine = oracle (replay: NEARFIELD_SEED=… NEARFIELD_PATH=… npm test -- packages/core/test/engine-equals-oracle)", () => {
  test(`${WORLDS} random worlds`, { timeout: TIME_LIMIT_MS }, () => {
    fc.assert(
      fc.property(script, fc.constantFrom("clear", "clear", "clear", "clear", ...FOGS), ripeness, ripeness, play),
      {
        numRuns: WORLDS,
        interruptAfterTimeLimit: TIME_LIMIT_MS - 20_000,
        markInterruptAsFailure: true,
      },
    );
    if (process.env["NEARFIELD_PATH"] === undefined) expect(rodeAlong).toBeGreaterThan(WORLDS / 4);
  });
});
