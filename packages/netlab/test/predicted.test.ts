/**
 * The metric `predicted`, end to end: what a player would see, drawn by the first-order model from what its client decoded, is never
 * farther from the primary than the bound of its zone. Ships that fly straight on and turn now and then; the check knows no engine.
 */

import { type ObjectId, zones } from "@nearfield/core";
import { hold, linear, MOTION_SIZE, type MotionModel, PLACE_SIZE } from "@nearfield/presentation";
import { object, Protocol, quantized } from "@nearfield/schema";
import { expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";

const ROUND_MS = 50;
const FRAME_MS = 5;
const LATENCY_MS = 20;
const SIZE = 1000;
const SHIPS = 200;
const RADII = [100, 300];
const VALUES = [1, 10, 50];

const place = quantized(0, SIZE, 0.1);
const speed = quantized(-200, 200, 0.1);
const Ship = object(
  "ship",
  { x: place, y: place, vx: speed, vy: speed },
  { position: ["x", "y"], velocity: ["vx", "vy"] },
);
const protocol = new Protocol({ objects: [Ship] });

type Moving = Record<"x" | "y" | "vx" | "vy", number>;

/** Where the model shows a replica that was sent so many rounds ago. */
function shown(model: MotionModel, { x, y, vx, vy }: Moving, rounds: number): Float64Array {
  const [state, out] = [new Float64Array(MOTION_SIZE), new Float64Array(PLACE_SIZE)];
  model.receive(state, 0, Float64Array.of(x, y, 0, vx, vy, 0), 0, 0, false);
  model.place(state, 0, rounds * ROUND_MS, out, 0);
  return out;
}

function fly(metric: string, model: MotionModel): { updates: number; worst: number[]; checked: number } {
  const view = zones(Ship, { radii: RADII, bounds: VALUES.map((value) => ({ time: 2000, value })), metric });
  const lab = new Lab({ protocol, view, roundMs: ROUND_MS, frameMs: FRAME_MS, seed: 7 });
  const dice = lab.dice.fork("game");
  const turn = (ship: Moving): void => {
    const heading = dice.range(-Math.PI, Math.PI);
    Object.assign(ship, { vx: 100 * Math.cos(heading), vy: 100 * Math.sin(heading) });
  };
  const launch = (owner: number) => {
    const ship = lab.world.spawn(Ship, { x: dice.range(0, SIZE), y: dice.range(0, SIZE) }, { owner });
    turn(ship);
    return ship;
  };
  for (let i = 0; i < SHIPS; i++) launch(0);
  lab.server.onJoin((player) => player.pivotOn(launch(player.id)));
  lab.server.onRound((world, dtMs) => {
    for (const ship of world.all(Ship)) {
      if (dice.chance(0.025)) turn(ship);
      ship.x = (ship.x + (ship.vx * dtMs) / 1000 + SIZE) % SIZE;
      ship.y = (ship.y + (ship.vy * dtMs) / 1000 + SIZE) % SIZE;
    }
  });
  const ann = lab.join("ann", { latencyMs: LATENCY_MS });
  lab.run(2000);
  const [player] = lab.server.main.players.values();
  const { recordsChanged } = player!.telemetry;
  const result = { updates: 0, worst: [0, 0, 0], checked: 0 };
  lab.clock.every(ROUND_MS, () => {
    const round = lab.server.roundNumber;
    const truth = new Map([...lab.world.all(Ship)].map(({ id, x, y }) => [id, { x, y }]));
    lab.clock.after(LATENCY_MS + FRAME_MS, () => examine(ann, round, truth));
  });
  function examine({ world }: LabClient, round: number, truth: ReadonlyMap<ObjectId, { x: number; y: number }>): void {
    const pivot = truth.get((player!.settings.pivots[0] as { object: ObjectId }).object)!;
    for (const replica of world.all(Ship)) {
      if (replica.owner === player!.id) continue;
      const { x, y } = truth.get(replica.id)!;
      const picture = shown(model, replica, round - world.roundOf(replica.id));
      const distance = Math.hypot(x - pivot.x, y - pivot.y);
      const zone = distance <= RADII[0]! ? 0 : distance <= RADII[1]! ? 1 : 2;
      result.worst[zone] = Math.max(result.worst[zone]!, Math.hypot(x - picture[0]!, y - picture[1]!));
      result.checked += 1;
    }
  }
  lab.run(20_000);
  expect(lab.server.main.audit.decided).toBe(0);
  result.updates = player!.telemetry.recordsChanged - recordsChanged;
  return result;
}

it("keeps the player's picture within its bounds, with a quarter of the updates that displacement takes", () => {
  const [moved, pictured] = [fly("displacement", hold), fly("predicted", linear)];
  for (const { worst, checked } of [moved, pictured]) {
    expect(checked).toBeGreaterThan(300 * SHIPS);
    VALUES.forEach((value, zone) => {
      expect(worst[zone]).toBeLessThan(value);
    });
  }
  expect(pictured.updates).toBeLessThan(moved.updates / 4);
});
