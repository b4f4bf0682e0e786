/** Recordings, links and files: what is written can be read, and means the same. */
import "../../../../test/seeds.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeCsv } from "../../web/simulator/csv.ts";
import { problemOf, readLosses, textOf } from "../../web/simulator/field.ts";
import { FIELDS } from "../../web/simulator/fields.ts";
import { describeMovement } from "../../web/simulator/movement.ts";
import {
  MOST_FRAMES,
  Player,
  Recorder,
  RecordingError,
  readRecording,
  writeRecording,
} from "../../web/simulator/recording.ts";
import { sampleRecording } from "../../web/simulator/sample.ts";
import {
  DEFAULT_SETTINGS,
  isAsGenre,
  type SimulatorSettings,
  withGenre,
  withSetting,
} from "../../web/simulator/settings.ts";
import { readLink, writeLink } from "../../web/simulator/settings-link.ts";
import { countCells, planOf, testRun } from "../../web/simulator/test-run.ts";

const place = fc.integer({ min: -30_000, max: 30_000 }).map((hundredths) => hundredths / 100);
const input = fc.record({ keys: fc.integer({ min: 0, max: 63 }), targetX: place, targetY: place });
const held = fc.tuple(input, fc.integer({ min: 1, max: 20 }));

function recordingOf(runs: readonly (readonly [{ keys: number; targetX: number; targetY: number }, number])[]) {
  const recorder = new Recorder();
  for (const [each, frames] of runs) for (let frame = 0; frame < frames; frame++) recorder.add(each);
  return recorder.finish();
}

describe("recordings", () => {
  test("give back what was steered, also by way of their text", () => {
    fc.assert(
      fc.property(fc.array(held, { minLength: 1, maxLength: 20 }), (runs) => {
        const recording = recordingOf(runs);
        expect(readRecording(writeRecording(recording))).toEqual(recording);
        const player = new Player(recording);
        for (const [each, frames] of runs)
          for (let frame = 0; frame < frames; frame++) expect(player.next()).toEqual(each);
        expect(player.next()).toBeUndefined();
      }),
    );
  });

  test("are short as text", () => {
    const recording = readRecording("fl3 f12 .5 @12.5,-30 .2");
    expect(recording.keys).toHaveLength(22);
    expect(recording.clicks).toEqual([{ frame: 20, x: 12.5, y: -30 }]);
    expect(writeRecording(recording)).toBe("fl3 f12 .5 @12.5,-30 .2");
  });

  test.each(["", "x3", "f", "f99999", "@1", "f7200 f1"])("refuse the text “%s”", (text) => {
    expect(() => readRecording(text)).toThrow(RecordingError);
  });

  test("end by themselves", () => {
    const recorder = new Recorder();
    for (let frame = 0; frame < MOST_FRAMES + 5; frame++) recorder.add({ keys: 1, targetX: 0, targetY: 0 });
    expect(recorder.finish().keys).toHaveLength(MOST_FRAMES);
  });

  test("there is a sample for every control, of twenty seconds, the same for the same seed", () => {
    for (const control of ["direct", "thrust", "action", "point"] as const) {
      expect(sampleRecording(control, "1").keys).toHaveLength(1200);
      expect(sampleRecording(control, "1")).toEqual(sampleRecording(control, "1"));
      expect(sampleRecording(control, "1")).not.toEqual(sampleRecording(control, "2"));
    }
  });
});

type Change = readonly [keyof SimulatorSettings, string | number | boolean];

/** Any settings that the form could make, by changing fields one after the other. */
const changes = fc.array(
  fc.constantFrom(...FIELDS).chain((field): fc.Arbitrary<Change> => {
    if (field.kind === "choice")
      return fc.constantFrom(...field.choices).map(([value]) => [field.name, value] as const);
    if (field.kind === "flag") return fc.boolean().map((value) => [field.name, value] as const);
    if (field.kind === "text") return fc.constantFrom("5", "0,20").map((value) => [field.name, value] as const);
    return fc.double({ min: field.min, max: field.max, noNaN: true }).map((value) => [field.name, value] as const);
  }),
  { maxLength: 12 },
);

describe("links", () => {
  test("carry all settings", () => {
    fc.assert(
      fc.property(changes, (list) => {
        let settings: SimulatorSettings = DEFAULT_SETTINGS;
        for (const [name, value] of list) settings = withSetting(settings, name, value as never);
        expect(readLink(writeLink(settings))).toEqual({ settings, recording: undefined, problems: [] });
      }),
    );
  });

  test("carry a recording, unless it is too long for an address", () => {
    const recording = readRecording("fl3 @1,2 f12 .5");
    expect(readLink(writeLink(DEFAULT_SETTINGS, recording)).recording).toEqual(recording);
    const long = recordingOf(
      Array.from({ length: 3000 }, (_, index) => [{ keys: index % 2, targetX: 0, targetY: 0 }, 1]),
    );
    expect(readLink(writeLink(DEFAULT_SETTINGS, long)).recording).toBeUndefined();
  });

  test("are short while nothing differs from genre and network", () => {
    expect(writeLink(withGenre(DEFAULT_SETTINGS, "arcade"))).toBe("#genre=arcade&network=umts");
  });

  test("name what cannot be used and use the rest", () => {
    const { settings, problems } = readLink("#model=magic&latencyMs=-1&seed=&convergence=snap&recording=zzz&what=1");
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, convergence: "snap" });
    expect(problems).toHaveLength(5);
  });

  test("never throw, whatever they say", () => {
    fc.assert(fc.property(fc.string(), (text) => void readLink(`#${text}`)));
  });
});

test("every default is a value its own field takes", () => {
  for (const field of FIELDS) expect(problemOf(field, textOf(field, DEFAULT_SETTINGS))).toBeUndefined();
  for (const genre of ["sport", "simulation", "shooter", "arcade"] as const) {
    const settings = withGenre(DEFAULT_SETTINGS, genre);
    for (const field of FIELDS)
      expect([field.name, problemOf(field, textOf(field, settings))]).toEqual([field.name, undefined]);
    expect(isAsGenre(settings)).toBe(true);
    expect(isAsGenre({ ...settings, drag: 49 })).toBe(false);
  }
});

test.each(["sport", "simulation", "shooter", "arcade"] as const)("a sample of %s is recognised as such", (genre) => {
  const settings = withGenre(DEFAULT_SETTINGS, genre);
  const words = { sport: "sport", simulation: "a simulation", shooter: "a 3D shooter", arcade: "arcade action" };
  const text = describeMovement(settings, sampleRecording(settings.control, "1"));
  expect(text).toContain(`This moves like ${words[genre]}: top speed after`);
});

test("a recording that is too short or does not move is not judged", () => {
  expect(describeMovement(DEFAULT_SETTINGS, readRecording("f60"))).toContain("at least two seconds");
  expect(describeMovement(DEFAULT_SETTINGS, readRecording(".600"))).toContain("Nothing moves");
});

test("loss rates are read from a list", () => {
  expect(readLosses(" 10, 0,5 ,5")).toEqual([0, 5, 10]);
  for (const text of ["", "1,,2", "a", "-1", "95", "1,2,3,4,5,6,7"]) expect(readLosses(text)).toBeUndefined();
});

describe("test runs", () => {
  const settings = {
    ...DEFAULT_SETTINGS,
    runToMs: 400,
    runStepMs: 200,
    runLosses: "0, 30",
    runRepeats: 2,
    seed: 'a,"b',
  };
  const recording = sampleRecording("direct", "1");

  test("measure every cell once, and again the same", () => {
    const plan = planOf(settings);
    const rows = [...testRun(settings, recording, plan)];
    expect(rows).toHaveLength(countCells(plan));
    expect(rows.map(({ latencyMs, lossPercent }) => [latencyMs, lossPercent])).toEqual([
      [0, 0],
      [200, 0],
      [400, 0],
      [0, 30],
      [200, 30],
      [400, 30],
    ]);
    expect([...testRun(settings, recording, plan)]).toEqual(rows);
    expect(rows[2]!.figures.avgDistanceError).toBeGreaterThan(rows[0]!.figures.avgDistanceError);
    expect(rows[3]!.figures.avgDistanceError).toBeGreaterThan(rows[0]!.figures.avgDistanceError);
  });

  test("compare the chosen model with the others", () => {
    expect(planOf({ ...settings, runCurves: "model", model: "historyLine" }).models).toContain("historyLine");
  });

  test("are written as csv that can be read again", () => {
    const rows = [...testRun(settings, recording, { latencies: [0], losses: [0], models: ["linear"] })];
    const [head, line, rest] = writeCsv(settings, rows).split("\r\n");
    expect(head!.split(",").length).toBe(line!.replace('"a,""b"', "seed").split(",").length);
    expect(line).toContain('"a,""b"');
    expect(rest).toBe("");
    expect(writeCsv({ ...settings, seed: "=1+1" }, rows)).toContain(",'=1+1,");
  });
});
