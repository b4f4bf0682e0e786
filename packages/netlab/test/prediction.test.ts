/**
 * A player's own ship, steered over links that are slow and lossy: it answers in the same frame, the server comes to the same place, each
 * command counts once and in order, and what the server knows better is taken over without a jump.
 */

import { type Prediction, predict } from "@nearfield/client";
import { type Entity, type ViewSettings, zones } from "@nearfield/core";
import { angle, bool, command, int, object, Protocol, quantized, uint, type Values } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";
import type { Conditions, PathConditions } from "../src/internal/index.ts";
import { ROUGH } from "./conditions.ts";
import { seeds } from "./seeds.ts";

const SIZE = 4000;
const SPEED = 0.2;

const Ship = object(
  "ship",
  { x: quantized(0, SIZE, 0.01), y: quantized(0, SIZE, 0.01), heading: angle(12), steps: uint(24) },
  { position: ["x", "y"], orientation: "heading" },
);
/** `number` counts the commands, so that the server's side can be held against the client's. */
const Steer = command("steer", { turn: int(2), go: bool(), number: uint(24) });
const protocol = new Protocol({ objects: [Ship], commands: [Steer] });

type Steering = Values<typeof Steer.shape>;

/** Moves while `go`, and stands still otherwise: 200 px/s, 2 radians/s. */
function fly(ship: Values<typeof Ship.shape>, { turn, go }: Steering, dtMs: number): void {
  ship.heading += turn * 0.002 * dtMs;
  ship.steps += 1;
  if (!go) return;
  ship.x = Math.min(SIZE, Math.max(0, ship.x + Math.cos(ship.heading) * SPEED * dtMs));
  ship.y = Math.min(SIZE, Math.max(0, ship.y + Math.sin(ship.heading) * SPEED * dtMs));
}

const view: ViewSettings = zones(Ship, { radii: [500], bounds: [{ time: 0, value: 0 }, { time: 500 }] });

const SLOW: Conditions = { latencyMs: 100, jitterShare: 0.15, loss: 0.05 };

interface Game {
  readonly lab: Lab;
  readonly ann: LabClient;
  readonly ship: Entity<typeof Ship.shape>;
  readonly me: Prediction<typeof Ship.shape, typeof Steer.shape>;
  /** Numbers of the commands, as they were given here and as the server ran them. */
  readonly given: number[];
  readonly ran: number[];
  /** Steers once per frame, 60 times a second, for so long. */
  steer(ms: number, how: (frame: number) => Omit<Steering, "number">, look?: () => void): void;
}

function play(seed: number, conditions: PathConditions = SLOW): Game {
  const lab = new Lab({ protocol, view, roundMs: 50, seed });
  const given: number[] = [];
  const ran: number[] = [];
  lab.server.steps(Ship, Steer, (ship, steering, dtMs) => {
    ran.push(steering.number);
    fly(ship, steering, dtMs);
  });
  lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 2000, y: 2000 }, { owner: player.id })));
  const ann = lab.join("ann", conditions);
  lab.until(() => ann.world.count > 0);
  lab.run(2000);
  const [own] = [...ann.world.all(Ship)];
  const ship = lab.world.get(own!.id) as unknown as Entity<typeof Ship.shape>;
  const me = predict(ann.client, own!, Steer, fly);
  const steer: Game["steer"] = (ms, how, look) => {
    for (let frame = 0; frame * 16 < ms; frame++) {
      const number = given.length + 1;
      if (me.command({ ...how(frame), number })) given.push(number);
      look?.();
      lab.run(16);
    }
  };
  return { lab, ann, ship, me, given, ran, steer };
}

/** A player who turns and stops by dice. */
function restless({ lab }: Game): (frame: number) => Omit<Steering, "number"> {
  const dice = lab.dice.fork("player");
  let wanted = { turn: 0, go: true };
  return () => {
    if (dice.chance(0.05)) wanted = { turn: dice.int(3) - 1, go: dice.chance(0.8) };
    return wanted;
  };
}

const STILL = { turn: 0, go: false };

function apart(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

describe.each(seeds(7001, 8))("at 200 ms and a loss of 1 in 20, seed %i", (seed) => {
  it("the own ship answers in the same frame, and is where the server has it within 500 ms after the input stops", () => {
    const game = play(seed);
    const { lab, me, ship, steer, ann } = game;
    for (let time = 0; time < 4; time++) {
      const before = { ...me.shown };
      me.command({ turn: 0, go: true, number: 0 });
      expect(apart(me.shown, before)).toBeGreaterThan(0.5);
      expect(apart(ann.world.get(ship.id)!.shown as unknown as typeof before, me.shown)).toBe(0);
      steer(1500, restless(game));
      const heldMs = lab.clock.nowMs;
      steer(480, () => STILL);
      expect(lab.clock.nowMs - heldMs).toBeLessThanOrEqual(500);
      expect(me.correction).toBeLessThan(1);
      expect(apart(me.shown, ship)).toBeLessThan(1);
      steer(400, () => STILL);
      expect(apart(me.shown, ship)).toBeLessThan(0.02);
    }
  });

  it("and so it is where the server pushes it about while it is steered", () => {
    const game = play(seed);
    const { lab, me, ship, steer } = game;
    const dice = lab.dice.fork("wind");
    let pushes = 0;
    let isWindy = false;
    lab.server.onRound(() => {
      if (!isWindy || !dice.chance(0.2)) return;
      ship.x += dice.range(-15, 15);
      pushes += 1;
    });
    const jumps: number[] = [];
    for (let time = 0; time < 4; time++) {
      isWindy = true;
      let [last, left] = [{ ...me.shown }, me.correction];
      steer(1500, restless(game), () => {
        // A frame is 4 px of flight at most, and of a correction it shows less than two fifths.
        jumps.push(apart(me.shown, last) - 4 - 0.65 * Math.max(left, me.correction));
        [last, left] = [{ ...me.shown }, me.correction];
      });
      isWindy = false;
      steer(496, () => STILL);
      expect(me.correction).toBeLessThan(1);
      expect(apart(me.shown, ship)).toBeLessThan(1);
    }
    expect(pushes).toBeGreaterThan(10);
    expect(Math.max(...jumps)).toBeLessThan(0);
  });
});

describe.each(seeds(7101, 4))("every command counts once and in order, seed %i", (seed) => {
  it.each([
    ["a slow link", SLOW],
    ["bursts of loss, packets twice and out of order", ROUGH],
    ["a link that loses a third", { latencyMs: 50, jitterShare: 0.3, loss: 0.33 }],
    ["a perfect link", {}],
  ])("over %s", (_, conditions) => {
    const game = play(seed, conditions);
    game.steer(4000, restless(game));
    game.steer(2000, () => STILL);
    game.lab.run(3000);
    expect(game.ran).toEqual(game.given);
    expect(game.ann.client.state).toBe("active");
    expect(game.me.state.steps).toBe(game.ship.steps);
    expect(apart(game.me.state, game.ship)).toBeLessThan(0.02);
  });

  it("and over a link that breaks and comes back", () => {
    const game = play(seed);
    for (let i = 0; i < 3; i++) {
      game.steer(1200, restless(game));
      game.ann.breakLink();
      game.steer(600, restless(game));
    }
    game.steer(2500, () => STILL);
    game.lab.run(3000);
    expect(game.ran).toEqual(game.given);
    expect(apart(game.me.state, game.ship)).toBeLessThan(0.02);
  });
});

describe("seldom confirmed", () => {
  it.each(seeds(7201, 4))("the ship is right although nine frames in ten are lost, seed %i", (seed) => {
    const game = play(seed);
    const { lab, ann, me, ship, steer } = game;
    ann.change({ up: SLOW, down: { latencyMs: 100, jitterShare: 0.15, loss: 0.9 } });
    const rounds = new Set<number>();
    const corrections: number[] = [];
    steer(8000, restless(game), () => {
      rounds.add(ann.world.roundOf(ship.id));
      corrections.push(me.correction);
    });
    expect(rounds.size).toBeLessThan(40);
    expect(Math.max(...corrections)).toBeLessThan(1);
    steer(496, () => STILL);
    expect(apart(me.shown, ship)).toBeLessThan(1);
    ann.change(SLOW);
    lab.run(3000);
    expect(game.ran).toEqual(game.given);
  });
});

describe("when nothing comes back", () => {
  it("the ship stands still after two seconds, and goes on when the server is there again", () => {
    const game = play(7301);
    const { lab, ann, me, ship, steer, given, ran } = game;
    ann.setReachable(false);
    ann.breakLink();
    steer(3000, () => ({ turn: 0, go: true }));
    const stood = { ...me.shown };
    expect(me.command({ turn: 0, go: true, number: 0 })).toBe(false);
    expect(given.length).toBeLessThan(130);
    steer(2000, () => ({ turn: 0, go: true }));
    expect(apart(me.shown, stood)).toBe(0);
    ann.setReachable(true);
    lab.until(() => ann.client.state === "active");
    steer(2000, restless(game));
    steer(1000, () => STILL);
    expect(ann.client.state).toBe("active");
    expect(apart(me.shown, ship)).toBeLessThan(1);
    // Nothing is left behind that would make every later command late.
    expect(me.pending).toBeLessThan(30);
    lab.run(1000);
    expect(ran).toEqual(given);
  });

  it("nor does it move in a room that is not active", () => {
    const { lab, me, steer, ship } = play(7303);
    lab.server.main.disable();
    lab.run(500);
    const before = { ...me.shown };
    steer(500, () => ({ turn: 1, go: true }));
    expect(apart(me.shown, before)).toBe(0);
    lab.server.main.enable();
    lab.run(500);
    steer(500, () => ({ turn: 1, go: true }));
    steer(496, () => STILL);
    expect(apart(me.shown, before)).toBeGreaterThan(50);
    expect(apart(me.shown, ship)).toBeLessThan(1);
  });

  it("a page that was hidden does not make up for the time", () => {
    const { lab, me, steer, ship, ann } = play(7302);
    steer(500, () => ({ turn: 0, go: true }));
    ann.hide();
    lab.run(20_000);
    ann.show();
    const before = { ...me.shown };
    steer(16, () => ({ turn: 0, go: true }));
    expect(apart(me.shown, before)).toBeLessThan(60);
    steer(1000, () => STILL);
    expect(apart(me.shown, ship)).toBeLessThan(1);
  });
});

describe("what a correction looks like", () => {
  it("a respawn beyond the snap distance is shown at once, a nudge is not", () => {
    const { lab, ann, me, ship } = play(7401);
    me.end();
    const sharp = predict(ann.client, [...ann.world.all(Ship)][0]!, Steer, fly, {
      snapDistance: 100,
      correctionMs: 300,
    });
    ship.x += 50;
    lab.until(() => ann.world.get(ship.id)!["x"] === ship.x);
    expect(sharp.shown.x).toBeLessThan(ship.x - 20);
    ship.x += 500;
    lab.until(() => ann.world.get(ship.id)!["x"] === ship.x);
    expect(sharp.shown.x).toBe(ship.x);
  });

  it("an orientation is corrected the shorter way round", () => {
    const { lab, me, ship, ann } = play(7402);
    ship.heading = 0.2;
    lab.run(1500);
    ship.heading = 2 * Math.PI - 0.2;
    const before = me.shown.heading;
    lab.until(() => Math.sin(ann.world.get(ship.id)!["heading"] as number) < 0);
    expect(Math.abs(Math.sin(me.shown.heading - before))).toBeLessThan(0.41);
    expect(Math.cos(me.shown.heading)).toBeGreaterThan(0.9);
  });

  it("ends with the object, and with the prediction", () => {
    const { lab, me, ship, ann } = play(7403);
    lab.world.destroy(ship);
    lab.until(() => ann.world.count === 0);
    expect([me.isActive, me.command({ turn: 0, go: true, number: 1 })]).toEqual([false, false]);
    expect(ann.client.state).toBe("active");
  });
});

describe("mistakes of the game", () => {
  it("are told at once", () => {
    const { lab, ann, me } = play(7501);
    const [own] = [...ann.world.all(Ship)];
    expect(() => predict(ann.client, own!, Steer, fly)).toThrow(/predicted already/);
    expect(() => lab.server.steps(Ship, Steer, fly)).toThrow(/has a step function already/);
    expect(() => me.command({ turn: 5, go: true, number: 1 })).toThrow(/steer.turn/);
    me.end();
    expect(() => predict(ann.client, own!, Steer, fly, { correctionMs: -1 })).toThrow(/correctionMs/);
    const foreign = lab.world.spawn(Ship, { x: 2000, y: 2000 });
    lab.until(() => ann.world.get(foreign.id) !== undefined);
    const theirs = [...ann.world.where(Ship, ({ id }) => id === foreign.id)][0]!;
    expect(() => predict(ann.client, theirs, Steer, fly)).toThrow(/belongs to somebody else/);
    const looker = lab.join("looker");
    expect(() => predict(looker.client, looker.client.mine(Ship)!, Steer, fly)).toThrow(/predict: there is no object/);
  });

  it("a stepped command that is sent without a prediction ends the connection, and the reason says what to call", () => {
    const { lab, ann } = play(7502);
    ann.client.send(Steer, { turn: 0, go: true, number: 1 });
    lab.run(500);
    const detail = "command steer steps ship: it comes by predict, not by client.send";
    expect(ann.client.reason).toMatchObject({ code: "unknown-command", detail });
  });
});
