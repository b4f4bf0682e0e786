/**
 * The models of IEEE 1278.1 against third-party figures: those of Towers & Hines, as the tests of open-dis-java have them
 * (DeadReckonerTest.java at f0aaa496, BSD). Of each model the figures for half a second stand here; where NEARFIELD_DIS_VECTORS
 * names the whole file of them, that is run as well.
 */

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MOTION_MODELS } from "../src/index.ts";
import { advanceBody, BODY_SIZE, BodyField, DIS_MODELS, type DisModel } from "../src/internal/index.ts";
import { Fed } from "./motion-contract.ts";

interface Kinematics {
  readonly pos: readonly number[];
  readonly vel: readonly number[];
  readonly acc: readonly number[];
  readonly ori: readonly number[];
  readonly angvel: readonly number[];
}

interface Vectors {
  readonly dt_s: number;
  readonly tolerance: number;
  readonly initial: Readonly<Record<string, Kinematics>>;
  readonly expect: readonly (Pick<Kinematics, "pos" | "ori" | "vel"> & {
    readonly drm: number;
    readonly init: string;
  })[];
}

const motion = { vel: [30, 35, 40], acc: [-80, -85, -90], ori: [15, 20, 25] };
const slowed = [-10, -7.5, -5];
const FIGURES: Vectors = {
  dt_s: 0.5,
  tolerance: 0.01,
  initial: {
    world: { ...motion, pos: [-6378137, -5, -10], angvel: [60, 65, 70] },
    body: { ...motion, pos: [6378137, 5, 10], angvel: [-60, -65, -70] },
  },
  expect: [
    { drm: 1, init: "world", pos: [-6378137, -5, -10], ori: motion.ori, vel: motion.vel },
    { drm: 2, init: "world", pos: [-6378122, 12.5, 10], ori: motion.ori, vel: motion.vel },
    { drm: 3, init: "world", pos: [-6378122, 12.5, 10], ori: [64.32, 14.84, 72.5], vel: motion.vel },
    { drm: 4, init: "world", pos: [-6378132, 1.88, -1.25], ori: [64.32, 14.84, 72.5], vel: slowed },
    { drm: 5, init: "world", pos: [-6378132, 1.88, -1.25], ori: motion.ori, vel: slowed },
    { drm: 6, init: "body", pos: [6378157.13, 18.06, 28.85], ori: motion.ori, vel: motion.vel },
    { drm: 7, init: "body", pos: [6378156.77, 18.75, 28.73], ori: [-23.07, -8.68, -10.86], vel: motion.vel },
    { drm: 8, init: "body", pos: [6378144.03, 10.46, 18.32], ori: [-23.07, -8.68, -10.86], vel: slowed },
    { drm: 9, init: "body", pos: [6378144.46, 9.62, 18.47], ori: motion.ori, vel: slowed },
  ],
};

const DEGREE = Math.PI / 180;
const inRadians = (degrees: readonly number[]): number[] => degrees.map((angle) => angle * DEGREE);
const bodyOf = ({ pos, vel, acc, ori, angvel }: Kinematics): Float64Array =>
  Float64Array.of(...pos, ...vel, ...acc, ...inRadians(ori), ...inRadians(angvel));

function after(model: DisModel, body: Float64Array, seconds: number): Float64Array {
  const out = new Float64Array(BODY_SIZE);
  advanceBody(model, body, seconds, out);
  return out;
}

function expectClose(actual: ArrayLike<number>, wanted: readonly number[], tolerance: number): void {
  wanted.forEach((value, i) => {
    expect(Math.abs(actual[i]! - value)).toBeLessThanOrEqual(tolerance);
  });
}

function describeVectors(title: string, { dt_s, tolerance, initial, expect: rows }: Vectors): void {
  describe(title, () => {
    test.each(rows)("model $drm", ({ drm, init, pos, ori, vel }) => {
      const body = after(DIS_MODELS[drm - 1]!, bodyOf(initial[init]!), dt_s);
      // The figures are rounded to two places.
      expectClose(body, pos, tolerance);
      expectClose(body.subarray(BodyField.velocity), vel, tolerance);
      expectClose(
        body.subarray(BodyField.attitude).map((angle) => angle / DEGREE),
        ori,
        tolerance,
      );
    });

    test.each([
      ["hold", 1],
      ["linear", 2],
      ["accelerated", 5],
    ] as const)("the motion model %s is model %i", (name, drm) => {
      const { pos, init } = rows.find((row) => row.drm === drm)!;
      const { pos: from, vel, acc } = initial[init]!;
      const fed = new Fed(MOTION_MODELS[name]);
      fed.send([...from, ...vel, ...acc]);
      expectClose(fed.at(dt_s * 1000), pos, tolerance);
    });
  });
}

describeVectors("the figures of Towers & Hines", FIGURES);

const path = process.env["NEARFIELD_DIS_VECTORS"] ?? "";
describe.skipIf(!existsSync(path))("the whole file, where NEARFIELD_DIS_VECTORS names it", () => {
  if (existsSync(path)) describeVectors("its figures", JSON.parse(readFileSync(path, "utf8")) as Vectors);
});

test.each(DIS_MODELS)("%s: two halves make a whole", (model) => {
  const body = bodyOf(FIGURES.initial["body"]!);
  const halves = after(model, after(model, body, 0.25), 0.25);
  const whole = after(model, body, 0.5);
  expectClose(halves, [...whole], 1e-6);
});

test.each(DIS_MODELS)("%s: a body that does not turn, or hardly, is no special case", (model) => {
  const at = (rate: number): Float64Array =>
    after(model, bodyOf({ ...FIGURES.initial["world"]!, pos: [0, 0, 0], angvel: [rate, 0, 0] }), 0.5);
  const [still, hardly, littleBelow, littleAbove] = [at(0), at(1e-9), at(1.1459), at(1.14593)];
  expect(still.every(Number.isFinite)).toBe(true);
  expectClose(hardly, [...still], 1e-9);
  // Either side of where the series gives way to the quotients.
  expectClose(littleBelow, [...littleAbove], 1e-4);
});
