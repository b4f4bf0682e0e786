/**
 * Riders: who sits in a vehicle is shown where the player sees that vehicle, plus the seat he was last sent with. So a rider costs nothing
 * while he keeps his seat, however far the two drive; the vehicle is sent for both.
 *
 * Claim: with bound b in a rider's zone, and s of it for the seat, what the player sees of him is less than b off. For the vehicle is
 * judged by its picture with b − s, its seat by the distance between the seat now and as sent with s, and the two add up at most:
 * |shown(vehicle) + seat sent − rider| ≤ |shown(vehicle) − vehicle| + |seat sent − seat now|. A vehicle may be in a zone farther out than
 * its rider, so its radii are longer by the longest seat; bounds only loosen outward, so that is never too loose.
 * Getting on, off, or over to another changes the metric or makes it infinite, which is due in the same round.
 */

import type { Metric, ObjectId, ObjectSetSettings } from "@nearfield/core";
import type { ObjectType } from "@nearfield/schema";

/** Tags of those who ride, and of what carries somebody. */
export const RIDING = "riding";
export const CARRYING = "carrying";

/** World units from the vehicle; who is farther away does not sit in it, whatever the trace says. */
export const LONGEST_SEAT = 6;
/** World units: as far as most seats move when the vehicle turns round. Far away, where a bound is larger, the rest is the vehicle's. */
const SEAT_PLAY = 3;
/** Nearby, where bounds are tight, the seat has so much of them. Between 0.3 and 0.5 it makes no difference of 1 %. */
const SEAT_SHARE = 0.4;

/** Field of what carries a rider: its id + 1, 0 for nobody. */
export const CARRIER = "carrier";
export const SEAT = ["seatX", "seatY", "seatZ"] as const;
/** Bits of an id + 1. */
export const CARRIER_BITS = 33;

export function carrierOf(id: ObjectId | undefined): number {
  return id === undefined ? 0 : id + 1;
}

/** What of a value bound is the seat's. */
export function seatBound(value: number): number {
  return Math.min(SEAT_SHARE * value, SEAT_PLAY);
}

/** How far the seat is from the one last sent; another vehicle is infinitely far. */
export function seatMetric(type: ObjectType): Metric {
  const carrier = type.fieldIndex(CARRIER);
  const seat = SEAT.flatMap((name) => type.fields.filter((named) => named.name === name));
  return {
    name: "seat",
    sample(world, slot, out, at) {
      out[at] = world.numberAt(slot, carrier);
      seat.forEach(({ index, field }, axis) => {
        out[at + 1 + axis] = field.numeric ? field.dequantizeNumber(world.wireNumberAt(slot, index)) : 0;
      });
    },
    divergence(world, slot, sent, at) {
      if (world.numberAt(slot, carrier) !== sent[at]) return Number.POSITIVE_INFINITY;
      let square = 0;
      for (let axis = 0; axis < seat.length; axis++) {
        square += (world.numberAt(slot, seat[axis]!.index) - sent[at + 1 + axis]!) ** 2;
      }
      return Math.sqrt(square);
    },
    growth: () => Number.POSITIVE_INFINITY,
  };
}

/** The sets of a view in which riders are shown where their vehicle is; all others are judged as `others` says. */
export function setsWithRiders(
  radii: readonly number[],
  values: readonly number[],
  metric: string,
): ObjectSetSettings[] {
  return [
    { match: { tag: RIDING }, radii, bounds: values.map((value) => ({ value: seatBound(value) })), metric: "seat" },
    {
      match: { tag: CARRYING },
      radii: radii.map((radius) => radius + LONGEST_SEAT),
      bounds: values.map((value) => ({ value: value - seatBound(value) })),
      metric,
    },
    { match: "everything", radii, bounds: values.map((value) => ({ value })), metric },
  ];
}
