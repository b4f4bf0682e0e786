/**
 * The nine dead reckoning models of IEEE 1278.1 (DIS), for bodies in 3D that are sent with their attitude: aircraft, ships in a swell. Their
 * names say what they do: F or R, the attitude is fixed or rotates; P or V, the velocity is constant or changes; W or B, velocity and
 * acceleration are in world or body axes. `hold`, `linear` and `accelerated` are static, FPW and FVW; the others need an attitude.
 *
 * Sines and cosines are our own, so that a body is at the same bits on every machine. To advance by two halves is to advance by the whole.
 * A call makes a few small arrays: right for tens of aircraft in a frame, not for thousands.
 */

import { cosine, directionOf, sine } from "@nearfield/schema/internal";

export type DisModel = "static" | "FPW" | "RPW" | "RVW" | "FVW" | "FPB" | "RPB" | "RVB" | "FVB";

/** In the order of the standard: model 1 comes first. */
export const DIS_MODELS: readonly DisModel[] = ["static", "FPW", "RPW", "RVW", "FVW", "FPB", "RPB", "RVB", "FVB"];

/** Where the three numbers of each stand in a body's state. */
export const BodyField = {
  position: 0,
  velocity: 3,
  acceleration: 6,
  /** Yaw, pitch, roll, in radians: turned about z, then the new y, then the new x. */
  attitude: 9,
  /** About the body's x, y and z, in radians per second. */
  turnRate: 12,
} as const;

/** Numbers of a body's state. */
export const BODY_SIZE = 15;

/** Below this angle the series is exact to 1e-11, where the quotients begin to cancel. */
const SMALL = 0.01;

type Matrix = Float64Array;

/** Writes the body's state `seconds` later into `out[0 … BODY_SIZE − 1]`. */
export function advanceBody(model: DisModel, body: Float64Array, seconds: number, out: Float64Array): void {
  out.set(body.subarray(0, BODY_SIZE));
  if (model === "static") return;
  const inBodyAxes = model.endsWith("B");
  const attitude = matrixOf(body);
  if (inBodyAxes) moveInBodyAxes(model, body, attitude, seconds, out);
  else moveInWorldAxes(model, body, seconds, out);
  if (model.startsWith("R")) rotate(body, attitude, seconds, out);
}

function moveInWorldAxes(model: DisModel, body: Float64Array, seconds: number, out: Float64Array): void {
  const changes = model[1] === "V" ? seconds : 0;
  for (let axis = 0; axis < 3; axis++) {
    const velocity = body[BodyField.velocity + axis]!;
    const gained = body[BodyField.acceleration + axis]! * changes;
    out[axis] = body[axis]! + (velocity + gained / 2) * seconds;
    out[BodyField.velocity + axis] = velocity + gained;
  }
}

/** The way of a body whose velocity turns with it: the integral of the turned velocity, brought into world axes. */
function moveInBodyAxes(
  model: DisModel,
  body: Float64Array,
  attitude: Matrix,
  seconds: number,
  out: Float64Array,
): void {
  const x = model[0] === "R" ? rateOf(body) * seconds : 0;
  const [alongV, ownV, acrossV] = shares(x < SMALL, [1 / 6, 1 / 120], [1, 1 / 6], [1 / 2, 1 / 24], x, () => [
    (x - sine(x)) / (x * x * x),
    sine(x) / x,
    (1 - cosine(x)) / (x * x),
  ]);
  const [alongA, ownA, acrossA] = shares(x < SMALL, [1 / 8, 1 / 144], [1 / 2, 1 / 8], [1 / 3, 1 / 30], x, () => {
    const own = (cosine(x) + x * sine(x) - 1) / (x * x);
    return [(0.5 - own) / (x * x), own, (sine(x) - x * cosine(x)) / (x * x * x)];
  });
  const changes = model[1] === "V" ? seconds : 0;
  const turn = turnOf(body, model[0] === "R" ? seconds : 0);
  const way = new Float64Array(3);
  addTurned(way, turn, body, BodyField.velocity, seconds, [alongV, ownV, acrossV]);
  addTurned(way, turn, body, BodyField.acceleration, seconds * changes, [alongA, ownA, acrossA]);
  for (let axis = 0; axis < 3; axis++) {
    const inWorld = attitude[axis]! * way[0]! + attitude[3 + axis]! * way[1]! + attitude[6 + axis]! * way[2]!;
    out[axis] = body[axis]! + inWorld;
    out[BodyField.velocity + axis] = body[BodyField.velocity + axis]! + body[BodyField.acceleration + axis]! * changes;
  }
}

/** Adds `time × (along · t(t·v) + own · v + across · t×v)`: what becomes of a vector v of the body while it turns by t. */
function addTurned(
  sum: Float64Array,
  turn: Float64Array,
  body: Float64Array,
  at: number,
  time: number,
  [along, own, across]: readonly [number, number, number],
): void {
  const dot = turn[0]! * body[at]! + turn[1]! * body[at + 1]! + turn[2]! * body[at + 2]!;
  for (let axis = 0; axis < 3; axis++) {
    const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
    const cross = turn[next]! * body[at + last]! - turn[last]! * body[at + next]!;
    sum[axis] = sum[axis]! + time * (along * dot * turn[axis]! + own * body[at + axis]! + across * cross);
  }
}

/** Turns the attitude about the body's own axes, and writes it as angles. */
function rotate(body: Float64Array, attitude: Matrix, seconds: number, out: Float64Array): void {
  const x = rateOf(body) * seconds;
  const [along, own, across] = shares(x < SMALL, [1 / 2, 1 / 24], [1, 1 / 2], [1, 1 / 6], x, () => [
    (1 - cosine(x)) / (x * x),
    cosine(x),
    sine(x) / x,
  ]);
  const turn = turnOf(body, seconds);
  const turned = new Float64Array(9);
  const column = new Float64Array(3);
  for (let axis = 0; axis < 3; axis++) {
    for (let row = 0; row < 3; row++) column[row] = attitude[3 * row + axis]!;
    const rotated = new Float64Array(3);
    // World axes as the body sees them turn the other way.
    addTurned(rotated, turn, column, 0, 1, [along, own, -across]);
    for (let row = 0; row < 3; row++) turned[3 * row + axis] = rotated[row]!;
  }
  const level = -turned[2]!;
  out[BodyField.attitude] = directionOf(turned[0]!, turned[1]!);
  out[BodyField.attitude + 1] = directionOf(Math.sqrt(Math.max(0, 1 - level * level)), level);
  out[BodyField.attitude + 2] = directionOf(turned[8]!, turned[5]!);
}

/** Three quotients of x, near 0 by the first two terms of their series. */
function shares(
  isSmall: boolean,
  a: readonly [number, number],
  b: readonly [number, number],
  c: readonly [number, number],
  x: number,
  exact: () => readonly [number, number, number],
): readonly [number, number, number] {
  if (!isSmall) return exact();
  return [a[0] - a[1] * x * x, b[0] - b[1] * x * x, c[0] - c[1] * x * x];
}

function rateOf(body: Float64Array): number {
  const [x, y, z] = [body[12]!, body[13]!, body[14]!];
  return Math.sqrt(x * x + y * y + z * z);
}

function turnOf(body: Float64Array, seconds: number): Float64Array {
  return body.slice(BodyField.turnRate, BODY_SIZE).map((rate) => rate * seconds);
}

/** The matrix that brings world axes into the body's, row by row. */
function matrixOf(body: Float64Array): Matrix {
  const [yaw, pitch, roll] = [body[9]!, body[10]!, body[11]!];
  const [cy, sy, cp, sp, cr, sr] = [cosine(yaw), sine(yaw), cosine(pitch), sine(pitch), cosine(roll), sine(roll)];
  return Float64Array.of(
    ...[cp * cy, cp * sy, -sp],
    ...[sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp],
    ...[cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp],
  );
}
