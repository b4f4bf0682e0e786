/** The recommender on movements that were steered at random in each genre. */

import { arcade, type MovementSample, recommendPreset, settingsFor, simulation, sport } from "@nearfield/presentation";
import { GENRES, type GenrePreset } from "@nearfield/presentation/internal";
import { ENTITY_SIZE, EntityField, GENRE_ENTITIES, Keys, stepEntity } from "@nearfield/simulation";
import { direct } from "@nearfield/simulation/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const FRAME_MS = 40;

/** Each run holds some keys for some frames. */
function steer(
  genre: GenrePreset,
  runs: readonly { keys: number; frames: number }[],
  scale = 1,
  hasHeading = true,
): MovementSample[] {
  const { control, traits } = GENRE_ENTITIES[genre.name];
  const state = new Float64Array(ENTITY_SIZE);
  const movement: MovementSample[] = [];
  for (const { keys, frames } of runs) {
    for (let frame = 0; frame < frames; frame++) {
      stepEntity(control, traits, state, 0, { keys, targetX: 0, targetY: 0 }, FRAME_MS / 1000);
      const place = { timeMs: movement.length * FRAME_MS, x: scale * state[0]!, y: scale * state[1]! };
      movement.push(hasHeading ? { ...place, heading: state[EntityField.heading]! } : place);
    }
  }
  return movement;
}

const HELD = [
  Keys.forward,
  Keys.forward | Keys.left,
  Keys.right,
  Keys.strafeLeft | Keys.left,
  Keys.back | Keys.right,
  Keys.left,
  Keys.strafeRight,
];
/** Now these keys, now those, never the same twice in a row. */
const play = fc
  .array(fc.record({ skip: fc.integer({ min: 1, max: HELD.length - 1 }), frames: fc.integer({ min: 4, max: 20 }) }), {
    minLength: 40,
    maxLength: 60,
  })
  .map((runs) => {
    let at = 0;
    return runs.map(({ skip, frames }) => {
      at = (at + skip) % HELD.length;
      return { keys: HELD[at]!, frames };
    });
  });

describe.each(GENRES)("$name", (genre) => {
  test("the preset is meant for the genre's entity", () => {
    const { control, size } = GENRE_ENTITIES[genre.name];
    expect(genre.size).toBe(size);
    expect(genre.turnsAtOnce).toBe(control === direct);
  });

  test("is recognised, whatever its scale", () => {
    fc.assert(
      fc.property(play, fc.constantFrom(0.01, 1, 50), (runs, scale) => {
        expect(recommendPreset(steer(genre, runs, scale)).preset.name).toBe(genre.name);
      }),
      { numRuns: 40 },
    );
  });
});

test("without headings inertia alone decides: the quickest and the slowest are told apart", () => {
  const runs = Array.from({ length: 30 }, (_, i) => ({
    keys: [Keys.forward, Keys.right, Keys.back, Keys.forward | Keys.left][i % 4]!,
    frames: 12,
  }));
  expect(recommendPreset(steer(arcade, runs, 1, false)).preset).toBe(arcade);
  expect(recommendPreset(steer(simulation, runs, 1, false)).preset).toBe(simulation);
});

test("what is no movement is a mistake; what never changes is a ship's", () => {
  expect(() => recommendPreset([])).toThrow(/0 samples/);
  const still = Array.from({ length: 20 }, () => ({ timeMs: 0, x: 0, y: 0 }));
  expect(() => recommendPreset(still)).toThrow(/must ascend/);
  const steady = Array.from({ length: 20 }, (_, i) => ({ timeMs: i * 50, x: i, y: 0 }));
  expect(recommendPreset(steady).preset).toBe(simulation);
});

test("settings follow link and size", () => {
  expect(settingsFor(simulation, { rttMs: 900 })).toEqual(simulation.tuned.gprs);
  expect(settingsFor(simulation, { rttMs: 100 })).toEqual(simulation.tuned.umts);
  expect(settingsFor(sport, { rttMs: 900, size: 2 }).positionThreshold).toBeCloseTo(0.2, 12);
});
