/** Views with units decide alike in the engine and in the oracle, on seeded random marches. */

import type { ObjectId } from "@nearfield/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Pivot } from "../src/index.ts";
import { Engine, ReferenceEngine, resolveUnits, type Unit, Units, unitPivot } from "../src/internal/index.ts";
import { inWords, ROUND_MS, Ship, smallWorld, viewOf } from "./small-world.ts";

const OWNER = 3;
/** Ten times as many in the nightly tier. */
const WORLDS = process.env["NEARFIELD_NIGHTLY"] === "1" ? 300 : 30;

function random(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/**
 * Two armies of one player march, turn, split and meet among strangers. One view has a point of its own and one has none; these have ranges. Two others have none:
 * one with a camera that glides, jumps, zooms and turns, one whose pictures go on by a metric of their own. In a quiet world most objects rest, so
 * that pairs are found by their plans and not by borders.
 */
function march(seed: number, isQuiet: boolean): { sends: number; editions: number } {
  const dice = random(seed);
  const stir = isQuiet ? 0.02 : 0.3;
  const world = smallWorld();
  const units = new Units(
    world,
    resolveUnits({ join: 12, part: 20, most: 6, margin: 10, coefficients: [1.5, 3], every: 1 + (seed % 3) }),
  );
  world.observe({
    spawned: (slot) => world.store.owner[slot] === OWNER && units.add(slot, OWNER),
    destroyed: (slot) => units.remove(slot),
    moved: (slot) => units.touch(slot),
    updated: () => {},
    reclassified: () => {},
  });
  const models = [new ReferenceEngine(world, { roundMs: ROUND_MS }), new Engine(world, { roundMs: ROUND_MS })];
  const soldiers = Array.from({ length: 30 }, (_, index) =>
    world.spawn(Ship, { x: (index % 2) * 200 + dice() * 40, y: dice() * 40 }, { owner: OWNER }),
  );
  const strangers = Array.from({ length: isQuiet ? 300 : 60 }, () =>
    world.spawn(Ship, { x: dice() * 500 - 100, y: dice() * 300 - 100 }),
  );
  const set = {
    radii: [30, 60],
    bounds: [
      { time: 50, value: 1 },
      { time: 200, value: 3 },
      { time: 1000, value: 20 },
    ],
    range: 150,
  };
  const ranged = viewOf(set, []);
  const { range: _, ...unranged } = set;
  const counted = { radii: [30, 60], metric: "path", clock: "firstMiss" as const };
  const views = models.map((model) => [
    model.addView(ranged),
    model.addView(viewOf({ ...set, range: 400 }, [])),
    model.addView(viewOf(unranged, [])),
    model.addView(viewOf({ ...counted, bounds: [{ sequence: 1 }, { sequence: 3, value: 9 }, { value: 40 }] }, [])),
  ]);
  const camera = { x: 0, y: 0, width: 80, height: 45, rotation: 0 };
  const pivots = new Map<Unit, Pivot>();
  let edition = 0;
  let editions = 0;
  let sends = 0;
  const courses = [0, 1, 2, 3].map(() => dice() * 2 * Math.PI);
  for (let round = 1; round <= 60; round++) {
    if (dice() < 0.1) courses[Math.floor(dice() * 4)] = dice() * 2 * Math.PI;
    soldiers.forEach((soldier, index) => {
      if (index % 5 === 0 && dice() < 0.5) return;
      if (isQuiet && (round + (index % 4) * 10) % 40 > 10) return;
      soldier.x += Math.cos(courses[index % 4]!) * 3;
      soldier.y += Math.sin(courses[index % 4]!) * 3;
      soldier.heading = courses[index % 4]!;
    });
    for (const stranger of strangers) if (dice() < stir) stranger.x += dice() * 6 - 3;
    if (dice() < 0.1 && soldiers.length > 2)
      world.destroy(soldiers.splice(Math.floor(dice() * soldiers.length), 1)[0]!);
    world.commit(0);
    units.round();
    const looks = moveCamera(camera, dice);
    const hasOthers = units.edition(OWNER) !== edition;
    if (hasOthers) {
      edition = units.edition(OWNER);
      editions += 1;
      for (const unit of units.of(OWNER)) if (!pivots.has(unit)) pivots.set(unit, unitPivot(unit, 10, [1.5, 3]));
      const all = units.of(OWNER).map((unit) => pivots.get(unit)!);
      models.forEach((model, index) => {
        model.setPivots(views[index]![0]!, all);
        model.setPivots(views[index]![1]!, [{ point: [100, 0] }, ...all]);
      });
    }
    if (hasOthers || looks) {
      const { x, y, width, height, rotation } = camera;
      const shown: Pivot = { camera: [x, y], size: [width, height], rotation, coefficients: [2, 4] };
      const all = units.of(OWNER).map((unit) => pivots.get(unit)!);
      models.forEach((model, index) => {
        model.setPivots(views[index]![2]!, [shown, ...all]);
        model.setPivots(views[index]![3]!, [{ point: [x, y] }, ...all]);
      });
    }
    for (const model of models) model.round(round);
    for (let which = 0; which < views[0]!.length; which++) {
      const [oracle, engine] = models.map((model, index) => inWords(model.decisions(views[index]![which]!)));
      expect(engine).toEqual(oracle);
      sends += oracle!.length;
      models.forEach((model, index) => {
        const view = views[index]![which]!;
        const { ids, count } = model.decisions(view);
        for (const id of [...ids.subarray(0, count)]) model.acknowledge(view, id as ObjectId, round);
      });
    }
  }
  return { sends, editions };
}

/** Glides on, or jumps, zooms or turns; whether it did anything. */
function moveCamera(
  camera: { x: number; y: number; width: number; height: number; rotation: number },
  dice: () => number,
): boolean {
  const what = dice();
  if (what < 0.1) [camera.x, camera.y] = [dice() * 400 - 50, dice() * 200 - 50];
  else if (what < 0.15) [camera.width, camera.height] = [40 + dice() * 100, 30 + dice() * 60];
  else if (what < 0.2) camera.rotation = dice() * Math.PI;
  else if (what < 0.6) camera.x += dice() * 4;
  else return false;
  return true;
}

test.each([false, true])("engine and oracle decide alike; quiet: %s", (isQuiet) => {
  fc.assert(
    fc.property(fc.noBias(fc.nat()), (seed) => {
      const { sends, editions } = march(seed, isQuiet);
      expect(sends).toBeGreaterThan(100);
      expect(editions).toBeGreaterThan(0);
    }),
    { numRuns: WORLDS },
  );
});
