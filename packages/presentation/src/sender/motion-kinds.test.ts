/** Courses that are sent once: where they lead, and that velocity is what place does. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { isOver, type MotionKind, placeOnCourse, velocityOnCourse } from "./motion-kinds.ts";

const from = [1, 2, 3] as const;
const COURSES: readonly MotionKind[] = [
  { kind: "stationary", from },
  { kind: "linear", from, velocity: [10, -5, 0] },
  { kind: "linearStop", from, velocity: [10, 0, 1], durationMs: 500 },
  { kind: "sine", from, swing: [0, 4, 0], periodMs: 2000 },
  { kind: "gravity", from, velocity: [10, 0, 20], gravity: [0, 0, -10] },
];

function place(course: MotionKind, elapsedMs: number): number[] {
  const out = new Float64Array(5).fill(7);
  placeOnCourse(course, elapsedMs, out, 1);
  expect([out[0], out[4]]).toEqual([7, 7]);
  return [...out.subarray(1, 4)];
}

function velocity(course: MotionKind, elapsedMs: number): number[] {
  const out = new Float64Array(3);
  velocityOnCourse(course, elapsedMs, out, 0);
  return [...out];
}

test.each(COURSES)("$kind: begins where it begins, and not before", (course) => {
  expect(place(course, 0)).toEqual(from);
  expect(place(course, -100)).toEqual(from);
  expect(velocity(course, -100)).toEqual([0, 0, 0]);
});

test("where they lead", () => {
  const [stationary, linear, linearStop, sine, gravity] = COURSES as [
    MotionKind,
    MotionKind,
    MotionKind,
    MotionKind,
    MotionKind,
  ];
  expect(place(stationary, 1e6)).toEqual(from);
  expect(place(linear, 2000)).toEqual([21, -8, 3]);
  expect(place(linearStop, 2000)).toEqual([6, 2, 3.5]);
  expect(place(sine, 500)[1]).toBeCloseTo(6, 12);
  expect(place(sine, 1500)[1]).toBeCloseTo(-2, 12);
  expect(place(gravity, 4000)).toEqual([41, 2, 3]);
  expect([isOver(linearStop, 499), isOver(linearStop, 500), isOver(linear, 1e9)]).toEqual([false, true, false]);
});

test.each(COURSES)("$kind: its velocity is how its place changes", (course) => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 5000, noNaN: true }), (ms) => {
      if (Math.abs(ms - 500) < 1) return;
      const before = place(course, ms - 0.5);
      const change = place(course, ms + 0.5).map((value, axis) => (value - before[axis]!) * 1000);
      for (const [axis, value] of velocity(course, ms).entries()) expect(value).toBeCloseTo(change[axis]!, 3);
    }),
  );
});
