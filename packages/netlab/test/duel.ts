/**
 * A duel on virtual time: a shooter behind a bad path, a target that turns and stops and starts among others, and zones in which it is
 * seldom sent. Everything is what a game would use: the shooter sees `ship.shown`, by its own estimate of the server's clock, aims in one
 * frame at what it saw, and its shot goes to the server with its next command.
 */

import { predict, present, zoneTimeMs } from "@nearfield/client";
import { type Entity, zones } from "@nearfield/core";
import type { PresenterSettings } from "@nearfield/presentation";
import {
  bool,
  command,
  float64,
  type ObjectId,
  object,
  Protocol,
  quantized,
  uint,
  type Values,
} from "@nearfield/schema";
import type { Sighting } from "@nearfield/server/internal";
import { Dice, Lab } from "../src/index.ts";
import type { PathConditions } from "../src/internal/index.ts";

export const ROUND_MS = 50;
export const CAP_MS = 500;
const FRAME_MS = 16;
const SIZE = 2000;
const MIDDLE: number = SIZE / 2;
const RADIUS = 8;
/** World units per second. */
export const STRAIGHT_SPEED = 15;

const place = quantized(0, SIZE, 0.05);
const speed = quantized(-300, 300, 0.1);
const Ship = object(
  "ship",
  { x: place, y: place, vx: speed, vy: speed },
  { position: ["x", "y"], velocity: ["vx", "vy"] },
);
/** What a player does in a frame: nothing, or a shot at a point, with what it saw it by. */
const Act = command("act", {
  fires: bool(),
  number: uint(16),
  renderMs: float64(),
  round: uint(32),
  appliedMs: float64(),
  momentMs: float64(),
  aimX: float64(),
  aimY: float64(),
});
const protocol = new Protocol({ objects: [Ship], commands: [Act] });
const IDLE: Values<typeof Act.shape> = {
  fires: false,
  number: 0,
  renderMs: 0,
  round: 0,
  appliedMs: 0,
  momentMs: 0,
  aimX: 0,
  aimY: 0,
};

type Moving = Pick<Values<typeof Ship.shape>, "x" | "y" | "vx" | "vy">;

/** What the shooter says of its picture. */
interface Said {
  readonly renderMs: number;
  readonly round: number;
  readonly appliedMs: number;
  readonly momentMs: number;
}

/** A shot that was on target on the shooter's screen, and what the server made of it. */
export interface DuelShot {
  /** Render time of the screen. */
  readonly renderMs: number;
  /** Where the target stood on it. */
  readonly x: number;
  readonly y: number;
  /** Undefined if the shot never arrived. */
  sighting?: Sighting;
  isHit: boolean;
}

export interface DuelSettings {
  readonly seed: number;
  readonly path: PathConditions;
  readonly presentation: PresenterSettings;
  readonly shots: number;
  /** Ms before the first shot. */
  readonly warmUpMs?: number;
  /** Interpolation's delay follows the zones' time bounds, on both sides. Default false. */
  readonly followsZones?: boolean;
  /** The target goes straight on in one zone at `STRAIGHT_SPEED`, so that where it is seen says when. Default false. */
  readonly straight?: boolean;
  /** What it says instead of the truth. */
  readonly lie?: (truth: Said) => Said;
}

const view = zones(Ship, {
  radii: [100, 250, 500],
  metric: "predicted",
  bounds: [
    { time: 100, value: 0.5 },
    { time: 250, value: 2 },
    { time: 1000, value: 6 },
    { time: 3000, value: 20 },
  ],
});

/** Time bound of the zone of a ship; the shooter stands in the middle. */
function timeBound({ x, y }: Pick<Moving, "x" | "y">): number {
  return zoneTimeMs(view, Ship, Math.hypot(x - MIDDLE, y - MIDDLE));
}

export function duel(settings: DuelSettings): DuelShot[] {
  const { seed, path, presentation, shots, warmUpMs = 3000, followsZones = false, straight = false, lie } = settings;
  const fired: DuelShot[] = [];
  const dice = new Dice(`duel ${seed}`);
  const lab = new Lab({
    protocol,
    roundMs: ROUND_MS,
    frameMs: FRAME_MS,
    seed,
    view,
    lagCompensation: {
      targets: [Ship],
      presentation,
      capMs: CAP_MS,
      ...(followsZones && { timeBound: (ship) => timeBound(ship as unknown as Moving) }),
    },
  });
  const ships = Array.from({ length: 9 }, () => lab.world.spawn(Ship, around(dice)));
  const target = ships[0]!;
  if (straight) Object.assign(target, { x: MIDDLE + 110, y: MIDDLE, vx: STRAIGHT_SPEED, vy: 0 });
  lab.server.onJoin((player) => {
    player.pivotOn(lab.world.spawn(Ship, { x: MIDDLE, y: MIDDLE }, { owner: player.id }));
  });
  lab.server.onRound((_, dtMs) => {
    for (const ship of ships) {
      if (!straight || ship !== target) turn(ship, dice);
      ship.x += (ship.vx * dtMs) / 1000;
      ship.y += (ship.vy * dtMs) / 1000;
    }
  });
  lab.server.steps(Ship, Act, () => {});
  lab.server.onStep(Ship, Act, (player, own, { fires, number, aimX, aimY, ...said }) => {
    if (!fires) return;
    const claim = { ...said, target: target.id };
    const hit = lab.server.main.hitscan(
      player,
      { from: [own.x, own.y], direction: [aimX - own.x, aimY - own.y], targets: [target], radius: RADIUS },
      claim,
    );
    const shot = fired[number]!;
    shot.isHit = hit !== undefined;
    shot.sighting = lab.server.main.seenBy(player, target, claim);
  });

  const ann = lab.join("ann", path);
  const { client } = ann;
  present(client, Ship, followsZones ? { ...presentation, timeBound } : presentation);
  lab.until(() => ann.world.count > ships.length);
  const own = [...ann.world.all(Ship)].find((ship) => ann.world.isMine(ship))!;
  const me = predict(client, own, Act, () => {});
  let wait = Math.ceil(warmUpMs / FRAME_MS);
  client.activity((world) => {
    const seen = world.get(target.id) as unknown as Seen | undefined;
    wait -= 1;
    if (wait > 0 || fired.length === shots || seen === undefined) return void me.command(IDLE);
    const { x, y } = seen.shown;
    const [dx, dy] = [x - MIDDLE, y - MIDDLE];
    const distance = Math.hypot(dx, dy);
    if (distance < 2 * RADIUS) return void me.command(IDLE);
    wait = 1 + dice.int(12);
    const number = fired.push({ renderMs: world.renderMs, x, y, isHit: false }) - 1;
    const { target: _, ...truth } = world.sightOf(target.id);
    // A way that passes the target's middle by less than its radius goes through it.
    const aside = dice.range(-1, 1) * RADIUS;
    const [aimX, aimY] = [x - (dy / distance) * aside, y + (dx / distance) * aside];
    me.command({ fires: true, number, ...(lie?.(truth) ?? truth), aimX, aimY });
  });
  lab.run(warmUpMs);
  lab.until(() => fired.length === shots, 60_000);
  lab.run(2000);
  return fired;
}

interface Seen {
  readonly id: ObjectId;
  readonly shown: { readonly x: number; readonly y: number };
}

function around(dice: Dice): Moving {
  const [angle, distance] = [dice.range(-Math.PI, Math.PI), dice.range(20, 800)];
  return { x: MIDDLE + distance * Math.cos(angle), y: MIDDLE + distance * Math.sin(angle), vx: 0, vy: 0 };
}

/** Turns or stops now and then, and turns back at the world's edge. */
function turn(ship: Entity<typeof Ship.shape>, dice: Dice): void {
  if (dice.chance(0.06)) {
    const [heading, fast] = [dice.range(-Math.PI, Math.PI), dice.chance(0.2) ? 0 : dice.range(60, 220)];
    ship.vx = fast * Math.cos(heading);
    ship.vy = fast * Math.sin(heading);
  }
  if (ship.x + ship.vx / 10 < 0 || ship.x + ship.vx / 10 > SIZE) ship.vx = -ship.vx;
  if (ship.y + ship.vy / 10 < 0 || ship.y + ship.vy / 10 > SIZE) ship.vy = -ship.vy;
}
