/**
 * Motion kinds (N §2.8.1), for objects whose whole course is known when it begins: a lift, a missile, a swinging lamp, a thrown stone. Such an
 * object is sent once, as a kind with its numbers, and both sides know where it is from then on. A course is a pure function of the time since
 * it began, with the same bits on every machine. Clients draw it by `present(Type, { course })`. Positions are in world units, velocities per
 * second, times in ms; in 2D z is 0.
 */

import { cosine, sine } from "@nearfield/schema/internal";
import { PLACE_SIZE } from "../motion-model.ts";

type Vector = readonly [x: number, y: number, z: number];

export type MotionKind =
  /** Stays where it is. */
  | { readonly kind: "stationary"; readonly from: Vector }
  /** Goes on for good. */
  | { readonly kind: "linear"; readonly from: Vector; readonly velocity: Vector }
  /** Goes on for `durationMs`, then stays. */
  | { readonly kind: "linearStop"; readonly from: Vector; readonly velocity: Vector; readonly durationMs: number }
  /** Swings about `from`, by `swing` to either side, once every `periodMs`; begins in the middle, towards `swing`. */
  | { readonly kind: "sine"; readonly from: Vector; readonly swing: Vector; readonly periodMs: number }
  /** Thrown, and pulled by `gravity` (world units per second squared). */
  | { readonly kind: "gravity"; readonly from: Vector; readonly velocity: Vector; readonly gravity: Vector };

/** Writes where the course is after `elapsedMs` into `out[outAt … outAt + 2]`. Before it began, it is where it begins. */
export function placeOnCourse(course: MotionKind, elapsedMs: number, out: Float64Array, outAt: number): void {
  const seconds = secondsOn(course, elapsedMs);
  for (let axis = 0; axis < PLACE_SIZE; axis++) {
    const from = course.from[axis]!;
    if (course.kind === "stationary") out[outAt + axis] = from;
    else if (course.kind === "sine") out[outAt + axis] = from + course.swing[axis]! * sine(phase(course, elapsedMs));
    else out[outAt + axis] = from + course.velocity[axis]! * seconds + fallen(course, axis, seconds);
  }
}

/** Writes the velocity then, in world units per second. */
export function velocityOnCourse(course: MotionKind, elapsedMs: number, out: Float64Array, outAt: number): void {
  const rests = course.kind === "stationary" || elapsedMs < 0 || isOver(course, elapsedMs);
  for (let axis = 0; axis < PLACE_SIZE; axis++) {
    if (rests) out[outAt + axis] = 0;
    else if (course.kind === "sine") out[outAt + axis] = swingSpeed(course, axis, elapsedMs);
    else if (course.kind === "gravity")
      out[outAt + axis] = course.velocity[axis]! + course.gravity[axis]! * (elapsedMs / 1000);
    else out[outAt + axis] = course.velocity[axis]!;
  }
}

/** Whether it has come to rest for good. */
export function isOver(course: MotionKind, elapsedMs: number): boolean {
  if (course.kind === "stationary") return true;
  return course.kind === "linearStop" && elapsedMs >= course.durationMs;
}

function secondsOn(course: MotionKind, elapsedMs: number): number {
  const most = course.kind === "linearStop" ? course.durationMs : Number.POSITIVE_INFINITY;
  return Math.max(0, Math.min(elapsedMs, most)) / 1000;
}

function fallen(course: MotionKind, axis: number, seconds: number): number {
  return course.kind === "gravity" ? 0.5 * course.gravity[axis]! * seconds * seconds : 0;
}

type Swing = Extract<MotionKind, { readonly kind: "sine" }>;

function phase({ periodMs }: Swing, elapsedMs: number): number {
  return (2 * Math.PI * Math.max(0, elapsedMs)) / periodMs;
}

function swingSpeed(course: Swing, axis: number, elapsedMs: number): number {
  return ((course.swing[axis]! * 2000 * Math.PI) / course.periodMs) * cosine(phase(course, elapsedMs));
}
