/**
 * Riders: somebody who sits in a vehicle is shown where the player sees that vehicle, plus the seat that was last sent. So a rider costs nothing
 * while he keeps his seat, however far the vehicle drives. The vehicle is sent when the picture of the vehicle or of a rider is wrong.
 *
 * Claim: in a zone with bound b the player sees a rider less than b off. The server states one seat for a rider, the same for all players. It
 * states a new one only when the real seat is a step away from the stated one, so the stated seat rarely changes. The bound is shared: s for
 * the seat, b − s for the vehicle. The vehicle's error is the largest error, in this player's picture, of the vehicle itself or of any rider in
 * his stated seat; it stays below b − s. The seat that the player was sent differs from the stated one by less than s. Together:
 * |shown(vehicle) + seat sent − rider| ≤ |shown(vehicle) + seat stated − rider| + |seat sent − seat stated|.
 * Near the player, where s would be shorter than a step, every new seat is sent, and the vehicle has all of b.
 * A vehicle at rest where it was sent is not judged; its riders are then off by less than a step plus s, which is below b.
 * A vehicle may be in a zone farther out than its rider, so its radii are longer by the longest seat. Bounds only loosen outward, so that
 * is never too loose. When a rider gets on, gets off or changes vehicles, his metric changes or becomes infinite, so he is due in the same round.
 */

import { type Metric, predicted, type World } from "@nearfield/core";
import type { ObjectSetSettings } from "@nearfield/core/internal";
import { type MotionModel, PLACE_SIZE } from "@nearfield/presentation/internal";
import type { ObjectId, ObjectType } from "@nearfield/schema";

/** Tags of what can carry, of what carries somebody, and of those who ride. */
export const VEHICLE = "vehicle";
export const CARRYING = "carrying";
export const RIDING = "riding";

/** World units from the vehicle. Somebody farther away does not sit in it, whatever the trace says. */
export const LONGEST_SEAT = 6;
/** World units: as far as most seats move when the vehicle turns round. */
const SEAT_PLAY = 3;
/** Share of a bound that is the seat's, where that is worth a step. */
const SEAT_SHARE = 0.2;
/** A share of the tightest bound that is less than seats are told apart by. */
const ANY_CHANGE = 0.001;
/** A step, as a share of the tightest bound. With the share above it stays below 1, or a rider's picture could not be put right. */
const SEAT_STEP = 0.75;

/** Field of what carries a rider: its id + 1, 0 for nobody. */
export const CARRIER = "carrier";
export const SEAT = ["seatX", "seatY", "seatZ"] as const;
/** Bits of an id + 1. */
export const CARRIER_BITS = 33;

/** Slots of those who ride, by the slot of what carries them. */
export type Crews = ReadonlyMap<number, readonly number[]>;

export function carrierOf(id: ObjectId | undefined): number {
  return id === undefined ? 0 : id + 1;
}

/** How far a rider must be from his stated seat before a new seat is stated. */
export function seatStep(tightest: number): number {
  return SEAT_STEP * tightest;
}

/** The seat's part of each zone's value bound: none, or more than a step. The rest is the vehicle's, and must loosen outward as all bounds do. */
export function seatShares(values: readonly number[]): number[] {
  const step = seatStep(values[0]!);
  let left = 0;
  return values.map((value) => {
    const most = Math.min(SEAT_SHARE * value, SEAT_PLAY, value - left);
    const share = most > step ? most : 0;
    left = value - share;
    return share;
  });
}

/** How far the seat stated now is from the one last sent; another vehicle is infinitely far. */
export function seatMetric(type: ObjectType): Metric {
  const carrier = type.fieldIndex(CARRIER);
  const seatOf = seatReader(type);
  const seat = new Float64Array(PLACE_SIZE);
  return {
    name: "seat",
    sample(world, slot, out, at) {
      out[at] = world.numberAt(slot, carrier);
      seatOf(world, slot, out, at + 1);
    },
    divergence(world, slot, sent, at) {
      if (world.numberAt(slot, carrier) !== sent[at]) return Number.POSITIVE_INFINITY;
      seatOf(world, slot, seat, 0);
      return length(seat[0]! - sent[at + 1]!, seat[1]! - sent[at + 2]!, seat[2]! - sent[at + 3]!);
    },
    growth: () => Number.POSITIVE_INFINITY,
  };
}

/** The largest error of the vehicle itself or of any rider in his stated seat, when the model shows the vehicle. */
export function crewMetric(type: ObjectType, model: MotionModel, crews: Crews): Metric {
  const { sample, growth, carriesOn } = predicted(model);
  const seatOf = seatReader(type);
  const seat = new Float64Array(PLACE_SIZE);
  const shown = new Float64Array(PLACE_SIZE);
  return {
    name: "crew",
    sample,
    growth,
    ...(carriesOn !== undefined && { carriesOn }),
    divergence(world, slot, sent, at, elapsedMs) {
      const { x, y, z } = world;
      model.place(sent, at, elapsedMs, shown, 0);
      let farthest = length(x[slot]! - shown[0]!, y[slot]! - shown[1]!, z[slot]! - shown[2]!);
      for (const rider of crews.get(slot) ?? []) {
        seatOf(world, rider, seat, 0);
        const dx = x[rider]! - shown[0]! - seat[0]!;
        const dy = y[rider]! - shown[1]! - seat[1]!;
        const dz = z[rider]! - shown[2]! - seat[2]!;
        farthest = Math.max(farthest, length(dx, dy, dz));
      }
      return farthest;
    },
  };
}

/** The sets of a view in which riders are shown where their vehicle is; `metric` judges what is neither. */
export function setsWithRiders(
  radii: readonly number[],
  values: readonly number[],
  metric: string,
): ObjectSetSettings[] {
  const shares = seatShares(values);
  const seats = shares.map((share) => ({ value: share === 0 ? ANY_CHANGE * values[0]! : share }));
  const bounds = values.map((value) => ({ value }));
  return [
    { match: { tag: RIDING }, radii, bounds: seats, metric: "seat" },
    {
      match: { tag: CARRYING },
      radii: radii.map((radius) => radius + LONGEST_SEAT),
      bounds: values.map((value, zone) => ({ value: value - shares[zone]! })),
      metric: "crew",
    },
    { match: { tag: VEHICLE }, radii, bounds, metric: "crew" },
    { match: "everything", radii, bounds, metric },
  ];
}

type SeatReader = (world: World, slot: number, out: Float64Array, at: number) => void;

/** Reads a seat as it travels, so that one that was sent is the one stated, to the bit. */
function seatReader(type: ObjectType): SeatReader {
  const axes = SEAT.flatMap((name) => type.fields.filter((named) => named.name === name));
  return (world, slot, out, at) => {
    axes.forEach(({ index, field }, axis) => {
      out[at + axis] = field.numeric ? field.dequantizeNumber(world.wireNumberAt(slot, index)) : 0;
    });
  };
}

function length(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}
