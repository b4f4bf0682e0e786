/** What is drawn, from server to client, over a link with latency, jitter and loss: it stays near the truth and moves evenly. */

import { predicted, zones } from "@nearfield/core";
import { Lab } from "@nearfield/netlab";
import { historyLine, type PresenterSettings } from "@nearfield/presentation";
import { object, Protocol, quantized } from "@nearfield/schema";
import { expect, test } from "vitest";
import { present } from "./present.ts";

const SIZE = 2000;
const SPEED = 100;
const ROUND_MS = 50;
const FRAME_MS = 16;
const place = quantized(0, SIZE, 0.1);
const speed = quantized(-200, 200, 0.1);
const Ship = object(
  "ship",
  { x: place, y: place, vx: speed, vy: speed },
  { position: ["x", "y"], velocity: ["vx", "vy"] },
);
const protocol = new Protocol({ objects: [Ship] });

/** Ships that fly straight on and turn every two seconds or so, seen by one client; mean error and longest step in a frame. */
function fly(settings: PresenterSettings, metric: string) {
  const bounds = [
    { time: 200, value: 5 },
    { time: 1000, value: 20 },
  ];
  const view = zones(Ship, { radii: [400], bounds, metric });
  const lab = new Lab({
    protocol,
    view,
    metrics: [predicted(historyLine)],
    roundMs: ROUND_MS,
    frameMs: FRAME_MS,
    seed: 3,
  });
  const dice = lab.dice.fork("game");
  const turn = (ship: { vx: number; vy: number }): void => {
    const heading = dice.range(-Math.PI, Math.PI);
    Object.assign(ship, { vx: SPEED * Math.cos(heading), vy: SPEED * Math.sin(heading) });
  };
  for (let i = 0; i < 40; i++) turn(lab.world.spawn(Ship, { x: dice.range(800, 1200), y: dice.range(800, 1200) }));
  lab.server.onJoin((player) => player.setPivots([{ point: [1000, 1000] }]));
  lab.server.onRound((world, dtMs) => {
    for (const ship of world.all(Ship)) {
      if (dice.chance(0.025)) turn(ship);
      ship.x = Math.max(0, Math.min(SIZE, ship.x + (ship.vx * dtMs) / 1000));
      ship.y = Math.max(0, Math.min(SIZE, ship.y + (ship.vy * dtMs) / 1000));
    }
  });
  const { client, world } = lab.join("ann", { latencyMs: 80, jitterMs: 12, loss: 0.05 });
  present(client, Ship, settings);
  lab.run(3000);
  const [{ telemetry }] = lab.server.main.players.values() as unknown as [{ telemetry: { recordsChanged: number } }];
  const figures = { shown: 0, replica: 0, longestStep: 0, frames: 0, updates: -telemetry.recordsChanged };
  const before = new Map<number, { x: number; y: number }>();
  client.activity(() => {
    for (const ship of world.all(Ship)) {
      const { x, y } = ship.shown;
      const truth = lab.world.get(ship.id) as unknown as { x: number; y: number };
      figures.shown += Math.hypot(x - truth.x, y - truth.y);
      figures.replica += Math.hypot(ship.x - truth.x, ship.y - truth.y);
      const last = before.get(ship.id) ?? { x, y };
      figures.longestStep = Math.max(figures.longestStep, Math.hypot(x - last.x, y - last.y));
      before.set(ship.id, { x, y });
      figures.frames += 1;
    }
  });
  lab.run(6000);
  figures.updates += telemetry.recordsChanged;
  return { ...figures, shown: figures.shown / figures.frames, replica: figures.replica / figures.frames };
}

test("carried on by its velocity, with its age made up for, it is much nearer to the truth than what was received", () => {
  const { shown, replica } = fly({ model: "linear" }, "predicted");
  expect(shown).toBeLessThan(replica / 5);
});

test("corrections are spread over the time of convergence", () => {
  const [snap, linear] = (["snap", "linear"] as const).map((convergence) => fly({ convergence }, "predicted"));
  expect(linear!.longestStep).toBeLessThan(snap!.longestStep / 4);
  expect(linear!.shown).toBeLessThan(snap!.shown * 1.3);
});

test("interpolated, it moves evenly where the replica steps, at any rate of sends", () => {
  const raw = fly({ model: "hold", convergence: "snap" }, "displacement");
  const interpolated = fly({ model: "interpolation" }, "displacement");
  expect(interpolated.longestStep).toBeLessThan(raw.longestStep / 4);
});

test("the server judges by a model that needs no velocity, and the client shows by it: fewer updates, and nearer to the truth", () => {
  const raw = fly({ model: "hold", convergence: "snap" }, "displacement");
  const judged = fly({ model: "historyLine" }, "predicted:historyLine");
  expect(judged.updates).toBeLessThan(raw.updates / 2);
  expect(judged.shown).toBeLessThan(raw.shown);
});
