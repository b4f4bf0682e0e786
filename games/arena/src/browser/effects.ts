/**
 * What is seen for a moment: sparks, smoke, flashes, rings, tracers, rising words. All of one kind of record in one array of fixed length; the
 * oldest gives way when it is full. Places are in the world.
 */

import { FIRE, HURT, SHOT } from "./art/palette.ts";
import { drawParticle, type Particle, paintBeam, paintRing } from "./art/particle.ts";
import type { Pen } from "./art/pen.ts";
import { finished, glow, newPicture, type Picture } from "./art/picture.ts";
import type { Camera } from "./camera.ts";

const MOST = 420;

export class Effects {
  readonly #particles: Particle[];
  readonly #lights = new Map<string, Picture>();
  readonly #smoke: Picture = glow("#20242e", 64);
  readonly #fireSmoke: Picture = glow("#5b4436", 64);
  readonly #rings = new Map<string, Picture>();
  readonly #beam: Picture = paintBeam();
  #next = 0;
  #seed = 1;

  constructor() {
    const nothing = finished(newPicture(1));
    this.#particles = Array.from(
      { length: MOST },
      (): Particle => ({
        alive: false,
        kind: "light",
        picture: nothing,
        bornMs: 0,
        lifeMs: 0,
        x: 0,
        y: 0,
        vx: 0,
        vy: 0,
        from: 0,
        to: 0,
        strength: 1,
      }),
    );
  }

  muzzle(x: number, y: number, heading: number, nowMs: number): void {
    this.#add("light", this.#light(SHOT), nowMs, 70, x, y, 0, 0, 15, 6, 1);
    this.#add("light", this.#light(FIRE), nowMs, 90, x, y, 0, 0, 42, 30, 0.5);
    for (let spark = 0; spark < 3; spark++) {
      const way = heading + (this.#dice() - 0.5) * 0.7;
      const speed = 120 + this.#dice() * 160;
      this.#add(
        "streak",
        this.#light(SHOT),
        nowMs,
        110,
        x,
        y,
        Math.cos(way) * speed,
        Math.sin(way) * speed,
        1.4,
        0.4,
        0.9,
      );
    }
  }

  tracer(fromX: number, fromY: number, toX: number, toY: number, nowMs: number): void {
    this.#add("beam", this.#beam, nowMs, 120, fromX, fromY, toX - fromX, toY - fromY, 2.6, 0.6, 0.95);
  }

  sparks(x: number, y: number, colour: string, count: number, speed: number, nowMs: number): void {
    const picture = this.#light(colour);
    this.#add("light", picture, nowMs, 130, x, y, 0, 0, 16, 8, 0.8);
    for (let spark = 0; spark < count; spark++) {
      const way = this.#dice() * 2 * Math.PI;
      const fast = speed * (0.25 + 0.75 * this.#dice());
      this.#add(
        "streak",
        picture,
        nowMs,
        200 + this.#dice() * 220,
        x,
        y,
        Math.cos(way) * fast,
        Math.sin(way) * fast,
        1.6,
        0.2,
        1,
      );
    }
  }

  trail(x: number, y: number, nowMs: number): void {
    const [vx, vy] = [(this.#dice() - 0.5) * 12, (this.#dice() - 0.5) * 12];
    this.#add("smoke", this.#fireSmoke, nowMs, 620, x, y, vx, vy, 4, 15, 0.38);
    this.#add("light", this.#light(FIRE), nowMs, 160, x, y, 0, 0, 8, 2, 0.6);
  }

  blast(x: number, y: number, radius: number, nowMs: number): void {
    this.#add("light", this.#light("#ffffff"), nowMs, 120, x, y, 0, 0, radius * 1.5, radius * 0.8, 1);
    this.#add("light", this.#light(FIRE), nowMs, 420, x, y, 0, 0, radius * 2.6, radius * 1.4, 0.95);
    this.#add("ring", this.#ring(FIRE), nowMs, 380, x, y, 0, 0, radius * 0.4, radius * 2.4, 0.9);
    for (let puff = 0; puff < 9; puff++) {
      const way = (puff / 9) * 2 * Math.PI + this.#dice();
      const speed = radius * (0.3 + this.#dice() * 0.9);
      this.#add(
        "light",
        this.#light("#ff6a2b"),
        nowMs,
        300 + this.#dice() * 250,
        x,
        y,
        Math.cos(way) * speed,
        Math.sin(way) * speed,
        radius * 0.55,
        radius * 0.15,
        0.8,
      );
      this.#add(
        "smoke",
        this.#smoke,
        nowMs,
        900 + this.#dice() * 600,
        x,
        y,
        Math.cos(way) * speed * 0.6,
        Math.sin(way) * speed * 0.6,
        radius * 0.35,
        radius * 0.95,
        0.5,
      );
    }
    this.sparks(x, y, SHOT, 16, radius * 5, nowMs);
  }

  /** An avatar that came or went. */
  burst(x: number, y: number, colour: string, nowMs: number): void {
    this.#add("ring", this.#ring(colour), nowMs, 460, x, y, 0, 0, 6, 62, 0.9);
    this.#add("light", this.#light(colour), nowMs, 380, x, y, 0, 0, 60, 20, 0.9);
    this.sparks(x, y, colour, 14, 190, nowMs);
  }

  ring(x: number, y: number, colour: string, size: number, lifeMs: number, nowMs: number, strength = 0.8): void {
    this.#add("ring", this.#ring(colour), nowMs, lifeMs, x, y, 0, 0, size * 0.35, size, strength);
  }

  wound(x: number, y: number, nowMs: number): void {
    this.sparks(x, y, HURT, 7, 130, nowMs);
  }

  /** Smoke lies below light. What is not on the screen is not drawn. */
  draw(pen: Pen, camera: Camera, nowMs: number): void {
    const { context } = pen;
    for (const particle of this.#particles) {
      if (!particle.alive) continue;
      particle.alive = nowMs - particle.bornMs < particle.lifeMs;
      if (particle.alive && particle.kind === "smoke") drawParticle(pen, camera, particle, nowMs);
    }
    context.globalCompositeOperation = "lighter";
    for (const particle of this.#particles)
      if (particle.alive && particle.kind !== "smoke") drawParticle(pen, camera, particle, nowMs);
    pen.level();
    context.globalCompositeOperation = "source-over";
    context.globalAlpha = 1;
  }

  #add(
    kind: Particle["kind"],
    picture: Picture,
    bornMs: number,
    lifeMs: number,
    x: number,
    y: number,
    vx: number,
    vy: number,
    from: number,
    to: number,
    strength: number,
  ): void {
    const particle = this.#particles[this.#next]!;
    this.#next = (this.#next + 1) % MOST;
    particle.alive = true;
    particle.kind = kind;
    particle.picture = picture;
    particle.bornMs = bornMs;
    particle.lifeMs = lifeMs;
    particle.x = x;
    particle.y = y;
    particle.vx = vx;
    particle.vy = vy;
    particle.from = from;
    particle.to = to;
    particle.strength = strength;
  }

  /** Not for the game, only for the look of sparks. */
  #dice(): number {
    this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) >>> 0;
    return this.#seed / 4294967296;
  }

  #light(colour: string): Picture {
    const ready = this.#lights.get(colour) ?? glow(colour, 64, 0.12);
    this.#lights.set(colour, ready);
    return ready;
  }

  #ring(colour: string): Picture {
    const ready = this.#rings.get(colour) ?? paintRing(colour);
    this.#rings.set(colour, ready);
    return ready;
  }
}
