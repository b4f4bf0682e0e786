/**
 * One send of one object as a presenter takes it in: a row of numbers, so that a client's columns and a server's log hold sends without
 * allocating. `writeSend` makes a row of something readable.
 */

import { PLACE_SIZE } from "./motion-model.ts";

/** Where each number stands. */
export const SendField = {
  /** Server time of the state, ms. */
  time: 0,
  /** Time bound of the zone it was sent for, ms; `Infinity` where the receiver does not know. */
  bound: 1,
  /** Position, velocity, acceleration: `FULL_MOTION_SIZE` numbers. */
  motion: 2,
  /** Radians: heading, or yaw and pitch (and roll). */
  orientation: 11,
  /** Radians per second. */
  turnRate: 14,
  /** 1: the object rests where it is, whatever its velocity says; it may turn on the spot. */
  settles: 17,
} as const;

/** Numbers of a send. */
export const SEND_SIZE = 18;

/** Up to three numbers; what is missing is 0. */
type Numbers = ArrayLike<number>;

export interface Send {
  /** Server time of the state, ms. */
  readonly timeMs: number;
  /** World units. */
  readonly position: Numbers;
  /** World units per second. Default 0. */
  readonly velocity?: Numbers;
  /** World units per second squared; read by the model `accelerated`. Default 0. */
  readonly acceleration?: Numbers;
  /** Radians. Default 0. */
  readonly orientation?: Numbers;
  /** Radians per second; read where `turning` is "sent". Default 0. */
  readonly turnRate?: Numbers;
  /** The object rests where it is; with `turning: "sent"` it may turn there. Default false. */
  readonly settles?: boolean;
  /** Time bound of its zone, ms; interpolation's delay follows it. Default `Infinity`: not known. */
  readonly boundMs?: number;
}

export function writeSend(send: Send, out: Float64Array, at: number): void {
  out[at + SendField.time] = send.timeMs;
  out[at + SendField.bound] = send.boundMs ?? Number.POSITIVE_INFINITY;
  put(send.position, out, at + SendField.motion);
  put(send.velocity, out, at + SendField.motion + PLACE_SIZE);
  put(send.acceleration, out, at + SendField.motion + 2 * PLACE_SIZE);
  put(send.orientation, out, at + SendField.orientation);
  put(send.turnRate, out, at + SendField.turnRate);
  out[at + SendField.settles] = send.settles === true ? 1 : 0;
}

/** Beyond this, in any unit, numbers are cut off: sums and products of them stay finite. */
const FARTHEST = 1e12;

/** Copies a send with nothing in it that could turn into NaN on the way: what is no number becomes 0. */
export function copyCleaned(send: Float64Array, at: number, out: Float64Array): void {
  for (let i = 0; i < SEND_SIZE; i++) out[i] = finite(send[at + i]!);
  const bound = send[at + SendField.bound]!;
  out[SendField.bound] = bound >= 0 ? bound : Number.POSITIVE_INFINITY;
}

/** The number within reach, or 0 if it is none. */
export function finite(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.max(-FARTHEST, Math.min(FARTHEST, value));
}

function put(numbers: Numbers | undefined, out: Float64Array, at: number): void {
  for (let axis = 0; axis < PLACE_SIZE; axis++) out[at + axis] = numbers?.[axis] ?? 0;
}
