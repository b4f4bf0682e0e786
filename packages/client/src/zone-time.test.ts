/** The time bound of a zone, computed from a view. */

import { zones } from "@nearfield/core";
import { object, quantized } from "@nearfield/schema";
import { expect, test } from "vitest";
import { zoneTimeMs } from "./index.ts";

const place = quantized(0, 100, 1);
const Ship = object("ship", { x: place, y: place }, { position: ["x", "y"] });
const Rock = object("rock", { x: place, y: place }, { position: ["x", "y"] });
const NONE = Number.POSITIVE_INFINITY;

test("is that of the ring the object is in; a border belongs to the inner one", () => {
  const view = zones(Ship, { radii: [10, 50], bounds: [{ time: 50 }, { time: 400, value: 3 }, { value: 9 }] });
  expect([0, 10, 10.1, 50, 51].map((distance) => zoneTimeMs(view, Ship, distance))).toEqual([50, 50, 400, 400, NONE]);
});

test("the first set counts that the type is known to be in; of sectors the loosest", () => {
  const view = {
    sets: [
      { match: { tag: "boss" }, bounds: [{ time: 1 }] },
      { match: { type: "ship" }, sectors: [90], bounds: [[{ time: 20 }, { time: 80 }]] },
      { match: "everything" as const, bounds: [{ time: 300 }] },
    ],
    pivots: [],
  };
  expect([zoneTimeMs(view, Ship, 5), zoneTimeMs(view, Rock, 5)]).toEqual([80, 300]);
});
