/**
 * 48 avatars of a first-person shooter, with the fields of F tab. 5.8: position, yaw and pitch, velocity, falling velocity, physics
 * state, flags, weapon; the id is the object's own. They run from place to place over hilly ground, turn, strafe, jump, fall, stop to aim,
 * and change weapons, in rounds of 33 ms. Steps are those the paper's game uses on its own wire: 1/16 of a unit for positions, a
 * degree for angles, a unit per second for velocities.
 */

import type { Entity, World } from "@nearfield/core";
import { Dice } from "@nearfield/netlab";
import { angle, enumeration, object, Protocol, quantized, uint } from "@nearfield/schema";
import type { Scene } from "./scene.ts";

const AVATARS = 48;
const SIDE = 1000;
const ROUND_MS = 33;
const ROUND_S = ROUND_MS / 1000;
/** World units per second, and per second squared. */
const RUN = 100;
const JUMP = 120;
const GRAVITY = 200;
/** Tangent of what a look turns in a round. */
const TURN = 0.15;

const place = quantized(0, SIDE, 1 / 16);
const speed = quantized(-512, 512, 1);
const Avatar = object(
  "avatar",
  {
    x: place,
    y: place,
    z: quantized(0, 512, 1 / 16),
    yaw: angle(9),
    pitch: quantized(-90, 90, 1),
    velX: speed,
    velY: speed,
    velZ: speed,
    fallX: speed,
    fallY: speed,
    fallZ: speed,
    physics: enumeration("float", "fall", "slide", "slope", "floor"),
    flags: uint(6),
    weapon: uint(3),
  },
  { position: ["x", "y", "z"], velocity: ["velX", "velY", "velZ"] },
);

export const avatars: Scene = {
  name: "avatars",
  protocol: new Protocol({ objects: [Avatar] }),
  roundMs: ROUND_MS,
  objects: AVATARS,
  begin(world: World) {
    const dice = new Dice("avatars");
    const ground = new Ground(dice);
    const bots = Array.from({ length: AVATARS }, () => new Bot(world, ground, dice));
    return () => {
      for (const bot of bots) bot.step();
    };
  },
};

/** Hills: heights on a coarse grid, level between. A third of the map is flat. */
class Ground {
  readonly #cell = 125;
  readonly #columns = SIDE / this.#cell + 2;
  readonly #heights: Float64Array;

  constructor(dice: Dice) {
    this.#heights = Float64Array.from({ length: this.#columns ** 2 }, () => Math.max(0, dice.range(-40, 80)));
  }

  at(x: number, y: number): number {
    const column = Math.floor(x / this.#cell);
    const row = Math.floor(y / this.#cell);
    const u = x / this.#cell - column;
    const v = y / this.#cell - row;
    const height = (dx: number, dy: number): number => this.#heights[(row + dy) * this.#columns + column + dx]!;
    return (height(0, 0) * (1 - u) + height(1, 0) * u) * (1 - v) + (height(0, 1) * (1 - u) + height(1, 1) * u) * v;
  }
}

class Bot {
  readonly #entity: Entity<typeof Avatar.shape>;
  readonly #ground: Ground;
  readonly #dice: Dice;
  #goalX = 0;
  #goalY = 0;
  /** Where it looks, as a unit vector: steered without sine and cosine, which differ between machines in their last bits. */
  #lookX = 1;
  #lookY = 0;
  #aimRounds = 0;
  #strafe = 0;

  constructor(world: World, ground: Ground, dice: Dice) {
    const x = dice.range(0, SIDE);
    const y = dice.range(0, SIDE);
    this.#ground = ground;
    this.#dice = dice;
    this.#entity = world.spawn(Avatar, { x, y, z: ground.at(x, y), physics: "floor" });
    this.#pickGoal();
  }

  step(): void {
    this.#decide();
    this.#look();
    this.#walk();
    this.#fall();
  }

  #decide(): void {
    const { x, y } = this.#entity;
    const dice = this.#dice;
    if ((this.#goalX - x) ** 2 + (this.#goalY - y) ** 2 < 100) this.#pickGoal();
    if (this.#aimRounds > 0) this.#aimRounds -= 1;
    else if (dice.chance(0.01)) this.#aimRounds = 10 + dice.int(50);
    if (dice.chance(0.02)) this.#strafe = dice.int(3) - 1;
    if (dice.chance(0.005)) this.#entity.weapon = dice.int(7);
    this.#entity.flags = (this.#aimRounds > 0 ? 1 : 0) | ((this.#strafe + 1) << 1);
  }

  /** Turns towards the goal; while aiming, also looks up and down. */
  #look(): void {
    const entity = this.#entity;
    const [goalX, goalY] = unit(this.#goalX - entity.x, this.#goalY - entity.y);
    const off = this.#lookX * goalY - this.#lookY * goalX;
    if (Math.abs(off) > 0.02 || this.#lookX * goalX + this.#lookY * goalY < 0) {
      const turn = TURN * (off < 0 ? -1 : 1);
      [this.#lookX, this.#lookY] = unit(this.#lookX - turn * this.#lookY, this.#lookY + turn * this.#lookX);
      entity.yaw = Math.atan2(this.#lookY, this.#lookX);
    }
    if (this.#aimRounds > 0) entity.pitch = Math.max(-60, Math.min(60, entity.pitch + this.#dice.range(-4, 4)));
    else if (Math.abs(entity.pitch) > 1) entity.pitch *= 0.8;
  }

  /** Velocity follows what is wanted with some inertia; standing still while aiming. */
  #walk(): void {
    const entity = this.#entity;
    const wantedSpeed = this.#aimRounds > 0 ? 0 : RUN;
    const wantedX = (this.#lookX - this.#strafe * this.#lookY) * wantedSpeed;
    const wantedY = (this.#lookY + this.#strafe * this.#lookX) * wantedSpeed;
    entity.velX = rest(entity.velX + (wantedX - entity.velX) * 0.3);
    entity.velY = rest(entity.velY + (wantedY - entity.velY) * 0.3);
    entity.x = Math.max(0, Math.min(SIDE, entity.x + entity.velX * ROUND_S));
    entity.y = Math.max(0, Math.min(SIDE, entity.y + entity.velY * ROUND_S));
  }

  #fall(): void {
    const entity = this.#entity;
    const ground = this.#ground.at(entity.x, entity.y);
    let { z } = entity;
    if (entity.physics === "fall") {
      entity.fallZ -= GRAVITY * ROUND_S;
      z += (entity.velZ + entity.fallZ) * ROUND_S;
      if (z > ground) {
        entity.z = z;
        return;
      }
      entity.fallZ = 0;
      entity.velZ = 0;
    } else if (this.#aimRounds === 0 && this.#dice.chance(0.01)) {
      entity.velZ = JUMP;
      entity.physics = "fall";
      return;
    }
    entity.physics = Math.abs(ground - z) > 0.5 ? "slope" : "floor";
    entity.z = ground;
  }

  #pickGoal(): void {
    this.#goalX = this.#dice.range(20, SIDE - 20);
    this.#goalY = this.#dice.range(20, SIDE - 20);
  }
}

function unit(x: number, y: number): [number, number] {
  const length = Math.sqrt(x * x + y * y);
  return length === 0 ? [1, 0] : [x / length, y / length];
}

/** Slower than half a step of the wire is standing. */
function rest(velocity: number): number {
  return Math.abs(velocity) < 0.5 ? 0 : velocity;
}
