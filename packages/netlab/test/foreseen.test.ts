/**
 * A player who predicts its own ship is sent no state of it while the prediction is right. It is sent the state at once when the prediction
 * is wrong, whatever made it wrong, and a client that lies about its prediction gains nothing.
 */

import { predict } from "@nearfield/client";
import { type Entity, type ViewSettings, zones } from "@nearfield/core";
import { angle, bool, command, int, object, Protocol, quantized, uint, type Values } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import type { PathConditions } from "../src/internal/index.ts";
import { ROUGH } from "./conditions.ts";
import { seeds } from "./seeds.ts";

const SIZE = 4000;
const Ship = object(
  "ship",
  {
    x: quantized(0, SIZE, 0.01),
    y: quantized(0, SIZE, 0.01),
    heading: angle(12),
    speed: quantized(0, 1, 0.01),
    ammo: uint(8),
  },
  { position: ["x", "y"], orientation: "heading" },
);
const Steer = command("steer", { turn: int(2), go: bool(), fires: bool() });
const protocol = new Protocol({ objects: [Ship], commands: [Steer] });
type Steering = Values<typeof Steer.shape>;

/** Speeds up and down, turns, and shoots; the arithmetic is the same on both sides. */
function fly(ship: Values<typeof Ship.shape>, { turn, go, fires }: Steering, dtMs: number): void {
  ship.heading += turn * 0.002 * dtMs;
  ship.speed = Math.min(0.3, Math.max(0, ship.speed + (go ? 0.001 : -0.001) * dtMs));
  ship.x = within(ship.x + Math.cos(ship.heading) * ship.speed * dtMs);
  ship.y = within(ship.y + Math.sin(ship.heading) * ship.speed * dtMs);
  if (fires && ship.ammo > 0) ship.ammo -= 1;
}

function within(place: number): number {
  return Math.min(SIZE, Math.max(0, place));
}

const view: ViewSettings = zones(Ship, { radii: [500], bounds: [{ time: 0, value: 0 }, { time: 500 }] });
const GO: Steering = { turn: 0, go: true, fires: false };

function play(seed: number, conditions: PathConditions, predicted = fly) {
  const lab = new Lab({ protocol, view, roundMs: 50, seed });
  lab.server.steps(Ship, Steer, fly);
  lab.server.onJoin((player) =>
    player.pivotOn(lab.world.spawn(Ship, { x: 2000, y: 2000, ammo: 200 }, { owner: player.id })),
  );
  const ann = lab.join("ann", conditions);
  lab.until(() => ann.world.count > 0);
  lab.run(2000);
  const own = ann.client.mine(Ship)!;
  const ship = lab.world.get(Ship, own.id) as Entity<typeof Ship.shape>;
  const me = predict(ann.client, own, Steer, predicted);
  const [player] = lab.server.main.players.values();
  const told = (): number => player!.telemetry.recordsChanged;
  const steer = (ms: number, how: (frame: number) => Steering, look?: () => void): void => {
    for (let frame = 0; frame * 16 < ms; frame++) {
      me.command(how(frame));
      lab.run(16);
      look?.();
    }
  };
  const restless = (): ((frame: number) => Steering) => {
    const dice = lab.dice.fork("player");
    let wanted = GO;
    return () => {
      if (dice.chance(0.05)) wanted = { turn: dice.int(3) - 1, go: dice.chance(0.8), fires: dice.chance(0.3) };
      return wanted;
    };
  };
  return { lab, ann, own, ship, me, told, steer, restless };
}

const apart = (a: { x: number; y: number }, b: { x: number; y: number }): number => Math.hypot(a.x - b.x, a.y - b.y);

describe("while the prediction is right", () => {
  it("a player who runs straight for ten seconds is sent no state of its ship", () => {
    const { steer, told, lab, ship, me } = play(1, {});
    steer(500, () => GO);
    const before = told();
    steer(10_000, () => GO);
    expect(told() - before).toBe(0);
    expect(lab.server.main.audit.faults).toBe(0);
    lab.run(200);
    expect(apart(me.state, ship)).toBeLessThan(0.02);
  });

  it.each(seeds(8101, 4))(
    "nor one who turns, stops and shoots, over a slow link that loses nothing, seed %i",
    (seed) => {
      const { steer, told, restless } = play(seed, { latencyMs: 100, jitterShare: 0.15 });
      steer(1000, restless());
      const before = told();
      steer(10_000, restless());
      expect(told() - before).toBe(0);
    },
  );

  it.each(seeds(8151, 4))("and its replica goes along, one trip behind, seed %i", (seed) => {
    const { steer, own, ship, lab, restless } = play(seed, { latencyMs: 40 });
    let worst = 0;
    let looks = 0;
    steer(6000, restless(), () => {
      // Between two frames the replica stays where it was; it is never more than the way of half a second behind.
      worst = Math.max(worst, apart(own, ship));
      looks += 1;
    });
    expect(looks).toBeGreaterThan(300);
    expect(worst).toBeLessThan(0.3 * 700);
    lab.run(1500);
    expect(apart(own, ship)).toBeLessThan(0.03);
  });
});

describe.each(seeds(8201, 4))("when the prediction is wrong, seed %i", (seed) => {
  it("the ship that the server pushed is shown there within a round trip and two rounds", () => {
    const { steer, lab, ship, me, restless } = play(seed, { latencyMs: 50 });
    steer(2000, restless());
    ship.x = within(ship.x + 40);
    const at = lab.clock.nowMs;
    let shownMs = Number.POSITIVE_INFINITY;
    steer(
      1000,
      () => ({ ...GO, go: false }),
      () => {
        if (me.correction > 1 && shownMs === Number.POSITIVE_INFINITY) shownMs = lab.clock.nowMs - at;
      },
    );
    expect(shownMs).toBeLessThanOrEqual(100 + 2 * 50 + 16);
    expect(apart(me.state, ship)).toBeLessThan(0.05);
  });

  it("a field that only the server changes comes at once, and nothing else is disturbed", () => {
    const { steer, lab, ship, me, own, restless, ann } = play(seed, { latencyMs: 50 });
    steer(2000, restless());
    steer(300, () => GO);
    ship.ammo = 77;
    steer(200, () => GO);
    expect([me.state.ammo, own.ammo]).toEqual([77, 77]);
    steer(2000, restless());
    lab.run(500);
    expect(apart(me.state, ship)).toBeLessThan(0.05);
    expect(ann.client.state).toBe("active");
  });

  it("a client that steps otherwise than the server is corrected again and again", () => {
    const slow: typeof fly = (ship, steering, dtMs) => fly(ship, steering, dtMs * 0.8);
    const { steer, told, ship, me } = play(seed, { latencyMs: 50 }, slow);
    const before = told();
    steer(5000, () => GO);
    expect(told() - before).toBeGreaterThan(60);
    expect(apart(me.state, ship)).toBeLessThan(60);
  });

  it("and so it is over a link that loses a fifth in bursts, where it ends right after the last push", () => {
    const { steer, lab, ship, me, restless, ann } = play(seed, ROUGH);
    const dice = lab.dice.fork("wind");
    for (let push = 0; push < 6; push++) {
      steer(700, restless());
      ship.x = within(ship.x + dice.range(-30, 30));
    }
    steer(2500, () => ({ ...GO, go: false }));
    expect(ann.client.state).toBe("active");
    expect(apart(me.state, ship)).toBeLessThan(0.05);
    expect(me.state.ammo).toBe(ship.ammo);
    expect(lab.server.main.audit.faults).toBe(0);
  });
});
