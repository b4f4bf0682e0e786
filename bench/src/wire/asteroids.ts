/**
 * 250 rigid bodies that tumble through a sphere, 30 times a second: they chase changing speeds, bounce off each other, off a planetoid in the
 * middle and off the sphere. Position to 0.01, rotation to 0.001 of its range: three parts of a unit quaternion whose fourth is never
 * negative. Every body moves in every round. Only + − × ÷ and roots, so that every machine sees the same bits.
 */

import type { World } from "@nearfield/core";
import { Dice } from "@nearfield/netlab";
import { object, Protocol, quantized } from "@nearfield/schema";
import type { Scene } from "./scene.ts";

const BODIES = 250;
const ROUND_S = 1 / 30;
const SPHERE = 60;
const PLANETOID = 8;
const BODY = 1;
/** World units per second, and per second squared. */
const SLOWEST = 1;
const FASTEST = 10;
const ACCELERATION = 3;
/** Radians per second. */
const TUMBLE = 1.5;
/** Chance in a round to be given another speed. */
const WHIM = 0.01;

const place = quantized(-64, 64, 0.01);
const part = quantized(-1, 1, 0.002);
const Asteroid = object(
  "asteroid",
  { x: place, y: place, z: place, qx: part, qy: part, qz: part },
  { position: ["x", "y", "z"] },
);

export const asteroids: Scene = {
  name: "asteroids",
  protocol: new Protocol({ objects: [Asteroid] }),
  roundMs: ROUND_S * 1000,
  objects: BODIES,
  begin(world: World) {
    const swarm = new Swarm(new Dice("asteroids"));
    const entities = swarm.bodies.map(() => world.spawn(Asteroid, {}));
    const show = (): void => {
      for (const [index, entity] of entities.entries()) Object.assign(entity, swarm.bodies[index]!.shown);
    };
    show();
    return () => {
      swarm.step();
      show();
    };
  },
};

type Vector = [x: number, y: number, z: number];

class Body {
  at: Vector;
  velocity: Vector;
  spin: Vector;
  wantedSpeed: number;
  /** x, y, z, w. */
  rotation: [number, number, number, number] = [0, 0, 0, 1];

  constructor(dice: Dice) {
    this.at = scaled(direction(dice), dice.range(PLANETOID + 2 * BODY, SPHERE - BODY));
    this.wantedSpeed = dice.range(SLOWEST, FASTEST);
    this.velocity = scaled(direction(dice), this.wantedSpeed);
    this.spin = scaled(direction(dice), dice.range(0.2, TUMBLE));
  }

  get shown(): { x: number; y: number; z: number; qx: number; qy: number; qz: number } {
    const [x, y, z] = this.at;
    const sign = this.rotation[3] < 0 ? -1 : 1;
    return { x, y, z, qx: sign * this.rotation[0], qy: sign * this.rotation[1], qz: sign * this.rotation[2] };
  }

  move(): void {
    const speed = length(this.velocity);
    const change = Math.max(-ACCELERATION * ROUND_S, Math.min(ACCELERATION * ROUND_S, this.wantedSpeed - speed));
    this.velocity = scaled(this.velocity, (speed + change) / speed);
    this.at = added(this.at, scaled(this.velocity, ROUND_S));
    this.#tumble();
  }

  /** Turns back what moves along `outward`, and gives the spin a knock. */
  bounce(outward: Vector, dice: Dice): void {
    const along = dot(this.velocity, outward);
    if (along <= 0) return;
    this.velocity = added(this.velocity, scaled(outward, -2 * along));
    this.spin = scaled(direction(dice), dice.range(0.2, TUMBLE));
  }

  #tumble(): void {
    const [x, y, z, w] = this.rotation;
    const [a, b, c] = scaled(this.spin, ROUND_S / 2);
    const turned = [
      x + a * w + b * z - c * y,
      y + b * w + c * x - a * z,
      z + c * w + a * y - b * x,
      w - a * x - b * y - c * z,
    ];
    const size = Math.sqrt(turned.reduce((sum, value) => sum + value * value, 0));
    this.rotation = turned.map((value) => value / size) as Body["rotation"];
  }
}

class Swarm {
  readonly bodies: readonly Body[];
  readonly #dice: Dice;

  constructor(dice: Dice) {
    this.#dice = dice;
    this.bodies = Array.from({ length: BODIES }, () => new Body(dice));
  }

  step(): void {
    for (const body of this.bodies) {
      if (this.#dice.chance(WHIM)) body.wantedSpeed = this.#dice.range(SLOWEST, FASTEST);
      body.move();
      const away = length(body.at);
      if (away > SPHERE) body.bounce(scaled(body.at, 1 / away), this.#dice);
      else if (away < PLANETOID + BODY) body.bounce(scaled(body.at, -1 / away), this.#dice);
    }
    for (const [index, body] of this.bodies.entries()) {
      for (const other of this.bodies.slice(index + 1)) this.#collide(body, other);
    }
  }

  /** Equal masses trade what they have along the line between them. */
  #collide(body: Body, other: Body): void {
    const between = added(other.at, scaled(body.at, -1));
    const distance = length(between);
    if (distance >= 2 * BODY || distance === 0) return;
    const normal = scaled(between, 1 / distance);
    const closing = dot(body.velocity, normal) - dot(other.velocity, normal);
    if (closing <= 0) return;
    body.velocity = added(body.velocity, scaled(normal, -closing));
    other.velocity = added(other.velocity, scaled(normal, closing));
    for (const hit of [body, other]) hit.spin = scaled(direction(this.#dice), this.#dice.range(0.2, TUMBLE));
  }
}

function direction(dice: Dice): Vector {
  for (;;) {
    const vector: Vector = [dice.range(-1, 1), dice.range(-1, 1), dice.range(-1, 1)];
    const size = length(vector);
    if (size > 0.01 && size <= 1) return scaled(vector, 1 / size);
  }
}

function added(a: Vector, b: Vector): Vector {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function scaled([x, y, z]: Vector, factor: number): Vector {
  return [x * factor, y * factor, z * factor];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function length(vector: Vector): number {
  return Math.sqrt(dot(vector, vector));
}
