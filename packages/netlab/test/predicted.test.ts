/**
 * The metric `predicted`, end to end: what a player would see, drawn by the model from what its client decoded, is never farther from the
 * primary than the bound of its zone. Ships that fly straight on, or in circles, and turn now and then; the check knows no engine.
 */

import { zones } from "@nearfield/core";
import { hold, linear, MOTION_MODELS } from "@nearfield/presentation";
import { FULL_MOTION_SIZE, type MotionModel, PLACE_SIZE } from "@nearfield/presentation/internal";
import { type ObjectId, object, Protocol, quantized } from "@nearfield/schema";
import { expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";

const ROUND_MS = 50;
const FRAME_MS = 5;
const LATENCY_MS = 20;
const SIZE = 1000;
const SHIPS = 200;
const RADII = [100, 300];
const VALUES = [1, 10, 50];
/** How fast ships on circles turn, radians per second. */
const BEND = 0.8;

const place = quantized(0, SIZE, 0.1);
const speed = quantized(-200, 200, 0.1);
const Ship = object(
  "ship",
  { x: place, y: place, vx: speed, vy: speed, ax: speed, ay: speed },
  { position: ["x", "y"], velocity: ["vx", "vy"], acceleration: ["ax", "ay"] },
);
const protocol = new Protocol({ objects: [Ship] });

type Moving = Record<"x" | "y" | "vx" | "vy" | "ax" | "ay", number>;

/** One replica's picture: what the model makes of its sends, one after the other. */
class Picture {
  readonly #model: MotionModel;
  readonly #state: Float64Array;
  readonly #out = new Float64Array(PLACE_SIZE);
  #round = -1;

  constructor(model: MotionModel) {
    this.#model = model;
    this.#state = new Float64Array(model.stateSize);
  }

  /** The replica as of that round; nothing, if that is known already. */
  receive({ x, y, vx, vy, ax, ay }: Moving, round: number): void {
    if (round === this.#round) return;
    const motion = Float64Array.of(x, y, 0, vx, vy, 0, ax, ay, 0);
    expect(motion).toHaveLength(FULL_MOTION_SIZE);
    const sinceMs = this.#round < 0 ? 0 : (round - this.#round) * ROUND_MS;
    this.#model.receive(this.#state, 0, motion, 0, sinceMs, false);
    this.#round = round;
  }

  at(round: number): Float64Array {
    this.#model.place(this.#state, 0, (round - this.#round) * ROUND_MS, this.#out, 0);
    return this.#out;
  }
}

/** @param bend radians per second by which every other ship flies a circle. */
function fly(metric: string, model: MotionModel, bend = 0): { updates: number; worst: number[]; checked: number } {
  const view = zones(Ship, { radii: RADII, bounds: VALUES.map((value) => ({ time: 2000, value })), metric });
  const lab = new Lab({ protocol, view, roundMs: ROUND_MS, frameMs: FRAME_MS, seed: 7 });
  const dice = lab.dice.fork("game");
  const turn = (ship: Moving): void => {
    const heading = dice.range(-Math.PI, Math.PI);
    Object.assign(ship, { vx: 100 * Math.cos(heading), vy: 100 * Math.sin(heading) });
  };
  const bow = (ship: Moving, seconds: number): void => {
    const [c, s] = [Math.cos(bend * seconds), Math.sin(bend * seconds)];
    Object.assign(ship, { vx: ship.vx * c - ship.vy * s, vy: ship.vx * s + ship.vy * c });
    Object.assign(ship, { ax: -bend * ship.vy, ay: bend * ship.vx });
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
      if (bend !== 0 && ship.id % 2 === 0) bow(ship, dtMs / 1000);
      ship.x = (ship.x + (ship.vx * dtMs) / 1000 + SIZE) % SIZE;
      ship.y = (ship.y + (ship.vy * dtMs) / 1000 + SIZE) % SIZE;
    }
  });
  const ann = lab.join("ann", { latencyMs: LATENCY_MS });
  const pictures = new Map<ObjectId, Picture>();
  const look = (): void => {
    for (const replica of ann.world.all(Ship)) {
      const picture = pictures.get(replica.id) ?? new Picture(model);
      pictures.set(replica.id, picture);
      picture.receive(replica, ann.world.roundOf(replica.id));
    }
  };
  ann.client.activity(look);
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
    look();
    const pivot = truth.get((player!.settings.pivots[0] as { object: ObjectId }).object)!;
    for (const replica of world.all(Ship)) {
      if (replica.owner === player!.id) continue;
      const { x, y } = truth.get(replica.id)!;
      const picture = pictures.get(replica.id)!.at(round);
      const distance = Math.hypot(x - pivot.x, y - pivot.y);
      const zone = distance <= RADII[0]! ? 0 : distance <= RADII[1]! ? 1 : 2;
      result.worst[zone] = Math.max(result.worst[zone]!, Math.hypot(x - picture[0]!, y - picture[1]!));
      result.checked += 1;
    }
  }
  lab.run(bend === 0 ? 20_000 : 5000);
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

it.each(["quadratic", "accelerated", "historyLine", "historyCurve", "history"] as const)(
  "also by the model %s, and also of what flies circles",
  (name) => {
    const { worst, checked } = fly(`predicted:${name}`, MOTION_MODELS[name], BEND);
    expect(checked).toBeGreaterThan(80 * SHIPS);
    VALUES.forEach((value, zone) => {
      expect(worst[zone]).toBeLessThan(value);
    });
  },
);

it("takes fewer updates by a model that knows what bends a course", () => {
  const [straight, bent] = [
    fly("predicted", linear, BEND),
    fly("predicted:accelerated", MOTION_MODELS.accelerated, BEND),
  ];
  expect(bent.updates).toBeLessThan(0.9 * straight.updates);
});
