/** When the engine asks a game's own metric: in every round, or, if the metric goes by fields alone, once something was written. */

import { object, Protocol, quantized } from "@nearfield/schema";
import { expect, test } from "vitest";
import { type Metric, World } from "../src/index.ts";
import { Engine } from "../src/internal/index.ts";
import { ROUND_MS } from "./scenario.ts";

const axis = quantized(0, 100, 1);
const Ship = object("ship", { x: axis, y: axis, hull: quantized(0, 100, 1) }, { position: ["x", "y"] });
const at = Ship.fieldIndex("hull");

function hullMetric(byFields: boolean): { metric: Metric; asked: () => number } {
  let asked = 0;
  const metric: Metric = {
    name: "hull",
    sample: (world, slot, out, index) => {
      out[index] = world.wireNumberAt(slot, at);
    },
    divergence: (world, slot, sent, index) => {
      asked++;
      return Math.abs(world.numberAt(slot, at) - sent[index]!);
    },
    growth: () => Number.POSITIVE_INFINITY,
    byFields,
  };
  return { metric, asked: () => asked };
}

/** A ship whose hull lost 3 of the 5 points that are allowed; returns how often the metric is asked in the 60 rounds after that. */
function restingShip(byFields: boolean) {
  const { metric, asked } = hullMetric(byFields);
  const world = new World({ protocol: new Protocol({ objects: [Ship] }) });
  const ship = world.spawn(Ship, { x: 10, y: 10, hull: 50 });
  const engine = new Engine(world, { roundMs: ROUND_MS, metrics: [metric] });
  const sets = [{ match: "everything" as const, metric: "hull", bounds: [{ value: 5 }] }];
  const view = engine.addView({ sets, pivots: [{ point: [0, 0] }] }, { assumeDelivered: true });
  let round = 0;
  const play = (): number => {
    world.commit();
    engine.round(++round);
    return engine.decisions(view).count;
  };
  for (let i = 0; i < 10; i++) play();
  ship.hull = 47;
  expect(play()).toBe(0);
  const before = asked();
  for (let i = 0; i < 60; i++) expect(play()).toBe(0);
  return { ship, play, asked: asked() - before };
}

test("a metric that may depend on anything is asked in every round", () => {
  expect(restingShip(false).asked).toBeGreaterThanOrEqual(60);
});

test("one that goes by fields is asked until the object rests, and again when it is written", () => {
  const { ship, play, asked } = restingShip(true);
  expect(asked).toBeLessThan(6);
  ship.hull = 45.4;
  expect(play()).toBe(0);
  // Below half a step: there is no new version, and 5 points are lost now.
  ship.hull = 45;
  expect(play()).toBe(1);
});

test("a write that does not show in wire form is heard", () => {
  const { ship, play } = restingShip(true);
  ship.hull = 45.49;
  play();
  for (let i = 0; i < 30; i++) play();
  ship.hull = 44.51;
  expect(play()).toBe(1);
});
