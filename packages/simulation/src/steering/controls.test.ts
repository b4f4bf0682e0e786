/** Entities under the four controls: what a player expects of the keys, and the same bits every time. */

import { describe, expect, test } from "vitest";
import { action, CONTROLS, direct, pointAndClick, thrust } from "./controls.ts";
import {
  type ControlInput,
  type ControlModel,
  ENTITY_SIZE,
  EntityField,
  type EntityTraits,
  Keys,
  stepEntity,
} from "./entity.ts";
import { GENRE_ENTITIES, type GenreEntity } from "./genre-entities.ts";

const STEP_S = 0.02;
const traits: EntityTraits = { acceleration: 100, drag: 2, brakeForce: 50, turnSpeed: Math.PI };

function press(keys: number, targetX = 0, targetY = 0): ControlInput {
  return { keys, targetX, targetY };
}

function run(
  control: ControlModel,
  seconds: number,
  input: ControlInput,
  state: Float64Array = new Float64Array(ENTITY_SIZE),
  of: EntityTraits = traits,
): Float64Array {
  for (let step = 0; step < Math.round(seconds / STEP_S); step++) stepEntity(control, of, state, 0, input, STEP_S);
  return state;
}

function speed(state: Float64Array): number {
  return Math.hypot(state[EntityField.velocityX]!, state[EntityField.velocityY]!);
}

test.each(CONTROLS)("$name: the top speed is acceleration ÷ drag, whichever keys are held", (control) => {
  const input = press(Keys.forward, 1e6, 1e6);
  expect(speed(run(control, 10, input))).toBeCloseTo(50, 3);
});

describe("direct", () => {
  test("looks where the key points, at once, and diagonals are no faster", () => {
    const state = run(direct, 10, press(Keys.left | Keys.back));
    expect(state[EntityField.heading]).toBeCloseTo((-3 * Math.PI) / 4, 12);
    expect(speed(state)).toBeCloseTo(50, 3);
  });

  test("opposite keys are none", () => {
    expect([...run(direct, 1, press(Keys.left | Keys.right))]).toEqual([...new Float64Array(ENTITY_SIZE)]);
  });

  test("released, it brakes to a stand and stays", () => {
    const state = run(direct, 2, press(Keys.right));
    run(direct, 2, press(0), state);
    const { 0: x } = state;
    run(direct, 1, press(0), state);
    expect([speed(state), state[0]]).toEqual([0, x]);
  });
});

describe("thrust", () => {
  test("turns at its turn speed and goes where it looks, not sideways or back", () => {
    const state = run(thrust, 0.5, press(Keys.left));
    expect(state[EntityField.heading]).toBeCloseTo(Math.PI / 2, 9);
    run(thrust, 1, press(Keys.forward | Keys.strafeLeft), state);
    expect(state[EntityField.x]).toBeCloseTo(0, 9);
    expect(state[EntityField.y]).toBeGreaterThan(10);
    expect(speed(run(thrust, 1, press(Keys.back)))).toBe(0);
  });
});

describe("action", () => {
  test("steps aside and back without turning", () => {
    const aside = run(action, 1, press(Keys.strafeLeft));
    expect([aside[EntityField.heading], aside[EntityField.x]]).toEqual([0, 0]);
    expect(aside[EntityField.y]).toBeGreaterThan(10);
    expect(run(action, 1, press(Keys.back))[EntityField.x]).toBeLessThan(-10);
  });
});

describe("point and click", () => {
  test.each([traits, { ...traits, brakeForce: 0 }, { ...traits, turnSpeed: 1 }])("arrives and stops: %o", (of) => {
    const state = run(pointAndClick, 12, press(0, 80, -60), undefined, of);
    expect(state[EntityField.x]).toBeCloseTo(80, 3);
    expect(state[EntityField.y]).toBeCloseTo(-60, 3);
    expect(speed(state)).toBeLessThan(0.01);
  });

  test("does not run past it", () => {
    const state = new Float64Array(ENTITY_SIZE);
    let furthest = 0;
    for (let step = 0; step < 600; step++) {
      stepEntity(pointAndClick, traits, state, 0, press(0, 40, 0), STEP_S);
      furthest = Math.max(furthest, state[0]!);
    }
    expect(furthest).toBeLessThan(40.01);
  });
});

test("genres: a sportsman turns back within about a second; an arcade figure at once", () => {
  const turnBack = ({ control, traits: own }: GenreEntity): number => {
    const forward = press(Keys.forward | Keys.right);
    const state = run(control, 20, forward, undefined, own);
    const before = Math.hypot(state[EntityField.velocityX]!, state[EntityField.velocityY]!);
    let seconds = 0;
    const back = press(Keys.back | Keys.left);
    while (-state[EntityField.velocityY]! < (0.9 * before) / Math.SQRT2 && seconds < 5) {
      run(control, STEP_S, back, state, own);
      seconds += STEP_S;
    }
    return seconds;
  };
  expect(turnBack(GENRE_ENTITIES.sport)).toBeGreaterThan(0.5);
  expect(turnBack(GENRE_ENTITIES.sport)).toBeLessThan(1.5);
  expect(turnBack(GENRE_ENTITIES.arcade)).toBeLessThan(0.3);
});

test("the same bits as ever", () => {
  const state = new Float64Array(ENTITY_SIZE);
  for (const [index, control] of CONTROLS.entries()) {
    run(control, 0.5, press(Keys.forward | Keys.left, 100 + index, 30), state);
    run(control, 0.3, press(Keys.right | Keys.strafeRight | Keys.back, -50, 7), state);
  }
  const bits = [...new BigUint64Array(state.buffer)].reduce((hash, word) => (hash * 31n + word) % (1n << 61n), 7n);
  expect(bits.toString(16)).toMatchInlineSnapshot(`"1e2c0a6779dbc38c"`);
});
