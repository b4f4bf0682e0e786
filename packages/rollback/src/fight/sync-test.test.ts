import { expect, test } from "vitest";
import { Columns, perPlayer } from "../state/columns.ts";
import type { Fight } from "./replica.ts";
import { syncTest } from "./sync-test.ts";

const shape = { x: perPlayer(Float64Array), y: perPlayer(Float64Array) };
const still = new Uint8Array(1);

function fight(move: (state: Columns<typeof shape>, step: number) => unknown): () => Fight {
  return () => {
    const state = new Columns(2, shape);
    return { state, advance: (step) => move(state, step) } as Fight;
  };
}

const options = { input: () => still, steps: 20 };

test("a fight that keeps all in its state passes", () => {
  expect(syncTest({ ...options, fight: fight(({ at }) => at.x.fill(at.x[0]! + 0.1)) })).toBeUndefined();
});

test("a counter outside the state is found, and the value is named", () => {
  let outside = 0;
  const fault = syncTest({ ...options, fight: fight(({ at }) => at.y.fill(++outside, 1)) });
  expect(fault).toMatchObject({ step: 0, why: "other-instance", difference: { column: "y", row: 1, values: [1, 2] } });
});

test("a hidden memory of each instance is found when a step is advanced again", () => {
  const make = (): Fight => {
    const state = new Columns(2, shape);
    let hidden = 0;
    return { state, advance: () => state.at.x.fill(++hidden, 1) } as Fight;
  };
  expect(syncTest({ ...options, fight: make })).toMatchObject({
    step: 0,
    why: "again",
    difference: { column: "x", row: 1 },
  });
});

test("what is not a number is refused", () => {
  const fault = syncTest({ ...options, fight: fight(({ at }, step) => at.x.fill(step === 3 ? Number.NaN : 1)) });
  expect(fault).toMatchObject({ step: 3, why: "not-a-number", difference: { column: "x", row: 0 } });
});
