/**
 * The models of presentation, end to end: ships on circles and ships that speed up, sent twice a second, drawn by a real client over a link with
 * latency. Where a ship is follows from the time alone, so what is drawn is held against the truth of the very moment drawn.
 */

import { present } from "@nearfield/client";
import { type Bound, thresholds, zones } from "@nearfield/core";
import { type PresenterSettings, shooter, simulation } from "@nearfield/presentation";
import {
  GENRES,
  type MotionKind,
  type MotionModelName,
  type PresentedBy,
  placeOnCourse,
  type Turning,
} from "@nearfield/presentation/internal";
import { angle, object, Protocol, quantized, uint } from "@nearfield/schema";
import { describe, expect, test } from "vitest";
import { Lab } from "../src/index.ts";

const ROUND_MS = 50;
const place = quantized(-2000, 2000, 0.01);
const rate = quantized(-400, 400, 0.01);
const spin = quantized(-7, 7, 0.001);
const Ship = object(
  "ship",
  { x: place, y: place, vx: rate, vy: rate, ax: rate, ay: rate, heading: angle(16), spin },
  {
    position: ["x", "y"],
    velocity: ["vx", "vy"],
    acceleration: ["ax", "ay"],
    orientation: "heading",
    turnRate: "spin",
  },
);
/** The same, but nothing is sent of how it moves. */
const Buoy = object(
  "buoy",
  { x: place, y: place, heading: angle(16) },
  { position: ["x", "y"], orientation: "heading" },
);
/** Its place is where its course begins. */
const Lift = object("lift", { x: place, y: place, begunMs: uint(31), kind: uint(3) }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Ship, Buoy, Lift] });

type Motion = Record<"x" | "y" | "vx" | "vy" | "ax" | "ay" | "heading" | "spin", number>;
type Course = (timeMs: number) => Motion;

/** Flies circles of 50 units, 1.2 radians a second, and looks where it flies. */
const circling: Course = (timeMs) => {
  const [turn, radius] = [1.2, 50];
  const [c, s] = [Math.cos((turn * timeMs) / 1000), Math.sin((turn * timeMs) / 1000)];
  const speed = turn * radius;
  const heading = (turn * timeMs) / 1000 + Math.PI / 2;
  return {
    ...{ x: radius * c, y: radius * s, vx: -speed * s, vy: speed * c },
    ...{ ax: -turn * speed * c, ay: -turn * speed * s, heading, spin: turn },
  };
};

/** Is pulled to and fro, as a ship that speeds up and brakes: 120 units to either side in eight seconds. */
const speeding: Course = (timeMs) => {
  const turn = (2 * Math.PI) / 8;
  const [c, s] = [Math.cos((turn * timeMs) / 1000), Math.sin((turn * timeMs) / 1000)];
  return { x: 120 * s, y: 0, vx: 120 * turn * c, vy: 0, ax: -120 * turn * turn * s, ay: 0, heading: 0, spin: 0 };
};

/** Stands, and turns where it stands. */
const pivoting: Course = (timeMs) => ({ ...circling(timeMs), x: 0, y: 0, vx: 0, vy: 0, ax: 0, ay: 0 });

/** Stands, and looks about: to and fro by 1.5 radians. */
const lookingAbout: Course = (timeMs) => {
  const seconds = timeMs / 1000;
  return { ...pivoting(timeMs), heading: 1.5 * Math.sin(seconds), spin: 1.5 * Math.cos(seconds) };
};

interface Errors {
  readonly place: number;
  readonly heading: number;
}

/** How far what is drawn is from the truth of that moment, on the mean of ten seconds: world units, radians. */
function errorsOf(
  course: Course,
  by: PresentedBy,
  type: typeof Ship | typeof Buoy = Ship,
  metric = "displacement",
  bound: Bound = { time: 500 },
): Errors {
  const view = zones(type, { radii: [], bounds: [bound], metric });
  const metrics = GENRES.map((preset) => thresholds(preset));
  const lab = new Lab({ protocol, view, metrics, roundMs: ROUND_MS, frameMs: 16, seed: 5 });
  const ship = lab.world.spawn(type as typeof Ship, { x: 0, y: 0 });
  const put = (): void => {
    const motion = course(lab.server.roundNumber * ROUND_MS);
    for (const { name } of type.fields) ship[name as keyof Motion] = motion[name as keyof Motion];
  };
  put();
  lab.server.onRound(put);
  const { client, world } = lab.join("ann", { latencyMs: 40 });
  present(client, type as typeof Ship, by);
  lab.run(3000);
  const sum = { place: 0, heading: 0, frames: 0 };
  client.activity(() => {
    for (const { shown } of world.all(type as typeof Ship)) {
      const truth = course(world.renderMs);
      const off = shown.heading - truth.heading;
      sum.place += Math.hypot(shown.x - truth.x, shown.y - truth.y);
      sum.heading += Math.abs(Math.atan2(Math.sin(off), Math.cos(off)));
      sum.frames += 1;
    }
  });
  lab.run(10_000);
  expect(sum.frames).toBeGreaterThan(600);
  return { place: sum.place / sum.frames, heading: sum.heading / sum.frames };
}

const errors = (course: Course, model: MotionModelName | "interpolation", more: PresenterSettings = {}): Errors =>
  errorsOf(course, { model, convergence: "snap", ...more });

describe.each([circling, speeding])("a ship that is $name", (course) => {
  test("is drawn nearer to the truth the more of its motion a model goes by", () => {
    const [hold, linear, quadratic, accelerated] = (["hold", "linear", "quadratic", "accelerated"] as const).map(
      (model) => errors(course, model).place,
    );
    expect(linear).toBeLessThan(hold! / 4);
    expect(quadratic).toBeLessThan(linear! / 2);
    expect(accelerated).toBeLessThan(quadratic! / 2);
    expect(accelerated).toBeLessThan(1);
  });

  test("by its last positions alone, the nearer the more of them count", () => {
    const [hold, line, curve, history] = (["hold", "historyLine", "historyCurve", "history"] as const).map(
      (model) => errorsOf(course, { model, convergence: "snap" }, Buoy).place,
    );
    expect(line).toBeLessThan(hold! / 1.9);
    expect(curve).toBeLessThan(line! / 1.8);
    expect(history).toBeLessThan(line! / 1.7);
  });
});

describe("a ship that turns", () => {
  test("turns on at the rate it was sent with, or at that of its last two headings", () => {
    const [hold, sent, derived] = (["hold", "sent", "derived"] as const).map(
      (turning) => errors(circling, "linear", { turning }).heading,
    );
    expect(hold).toBeGreaterThan(0.3);
    expect(sent).toBeLessThan(0.001);
    expect(derived).toBeLessThan(0.001);
    expect(errorsOf(circling, { model: "hold", turning: "derived" }, Buoy).heading).toBeLessThan(0.001);
  });

  test("also where it stands, and the server says that it rests there", () => {
    const turned = (turning: Turning): Errors => errorsOf(pivoting, { turning }, Ship, "predicted");
    expect(turned("hold")).toMatchObject({ place: 0 });
    expect(turned("hold").heading).toBeGreaterThan(0.3);
    expect(turned("sent")).toMatchObject({ place: 0 });
    expect(turned("sent").heading).toBeLessThan(0.001);
  });
});

test.each(GENRES)("the preset $name is one line", (preset) => {
  const { place, heading } = errorsOf(circling, preset);
  expect(place).toBeLessThan(errors(circling, "linear", { compensationMs: 0 }).place * 1.3);
  expect(heading).toBeLessThan(errors(circling, "linear").heading / 5);
});

describe("a genre's thresholds", () => {
  const bound = { time: 10_000, value: 1 };

  test("count headings, where predicted counts places alone", () => {
    const [places, both] = ["predicted", "thresholds:shooter"].map(
      (metric) => errorsOf(lookingAbout, shooter, Ship, metric, bound).heading,
    );
    expect(places).toBeGreaterThan(0.3);
    expect(both).toBeLessThan(0.05);
  });

  test("keep a circling ship near where it is, and turned as it is", () => {
    const { place, heading } = errorsOf(circling, simulation, Ship, "thresholds:simulation", bound);
    expect(place).toBeLessThan(3);
    expect(heading).toBeLessThan(0.01);
  });
});

test("what a type is not sent with is refused when it is asked for", () => {
  expect(() => errors(circling, "accelerated")).not.toThrow();
  expect(() => errorsOf(circling, { model: "accelerated" }, Buoy)).toThrow("the schema of buoy names no velocity");
  expect(() => errorsOf(circling, simulation, Buoy)).toThrow("the schema of buoy names no velocity");
  expect(() => errorsOf(circling, { model: "history", turning: "sent" }, Buoy)).toThrow("names no turnRate");
});

test("whole courses, each of its kind, are sent once and drawn from then on", () => {
  const from = [10, 20, 0] as const;
  const kinds: readonly MotionKind[] = [
    { kind: "stationary", from },
    { kind: "linear", from, velocity: [5, -3, 0] },
    { kind: "linearStop", from, velocity: [5, 0, 0], durationMs: 4000 },
    { kind: "sine", from, swing: [0, 8, 0], periodMs: 3000 },
    { kind: "gravity", from, velocity: [5, 20, 0], gravity: [0, -10, 0] },
  ];
  const lab = new Lab({ protocol, view: zones(Lift, { bounds: [{ time: 100 }] }), roundMs: ROUND_MS, seed: 6 });
  const { client, world } = lab.join("ann", { latencyMs: 60, jitterMs: 10 });
  present(client, Lift, { course: ({ kind, begunMs }) => ({ course: kinds[kind]!, begunMs }) });
  lab.run(2000);
  const begunMs = lab.server.timeMs;
  for (const kind of kinds.keys()) lab.world.spawn(Lift, { x: 10, y: 20, begunMs, kind });
  lab.run(1000);
  const [{ telemetry }] = lab.server.main.players.values() as unknown as [{ telemetry: { recordsChanged: number } }];
  const { recordsChanged } = telemetry;
  const expected = new Float64Array(3);
  let drawn = 0;
  client.activity(() => {
    for (const { shown } of world.all(Lift)) {
      placeOnCourse(kinds[shown.kind]!, world.renderMs - begunMs, expected, 0);
      expect([shown.x, shown.y]).toEqual([expected[0], expected[1]]);
      drawn += 1;
    }
  });
  lab.run(8000);
  expect(drawn).toBeGreaterThan(kinds.length * 400);
  expect(telemetry.recordsChanged).toBe(recordsChanged);
});
