/**
 * What is seen for a moment: flashes, tracers, sparks, smoke, shells in flight, rings. All are rows of the same columns, a fixed number of them; when they are
 * used up the oldest gives way. Places are in the world. Nothing here changes the game.
 */

import type { Layer } from "./art/layer.ts";
import { EMBER, FIRE, SHOT, SMOKE, STEAM, tint } from "./art/palette.ts";
import type { Frame } from "./art/sheet.ts";
import type { Sight } from "./art/sight.ts";
import type { Signs } from "./art/sign-shapes.ts";

const MOST = 3000;

/** How a row is drawn. */
const LIGHT = 0;
const CLOUD = 1;
/** Lies along its way. */
const STREAK = 2;
/** From a place to another: `vx`, `vy` is the way. */
const BEAM = 3;
/** Flies in a high arc to `vx`, `vy` from its start. */
const SHELL = 4;

export class Effects {
  readonly #signs: Signs;
  readonly #kind = new Uint8Array(MOST);
  readonly #frame: Frame[];
  readonly #bornMs = new Float64Array(MOST).fill(Number.NEGATIVE_INFINITY);
  readonly #lifeMs = new Float32Array(MOST);
  readonly #x = new Float32Array(MOST);
  readonly #y = new Float32Array(MOST);
  readonly #vx = new Float32Array(MOST);
  readonly #vy = new Float32Array(MOST);
  /** Half size at birth and at death, world units. */
  readonly #from = new Float32Array(MOST);
  readonly #to = new Float32Array(MOST);
  readonly #strength = new Float32Array(MOST);
  readonly #colour = new Uint32Array(MOST);
  #next = 0;
  /** One above the highest row that was ever used. */
  #high = 0;
  #seed = 1;
  #nowMs = 0;

  constructor(signs: Signs) {
    this.#signs = signs;
    this.#frame = new Array<Frame>(MOST).fill(signs.glow);
  }

  /** Everything that is added from now on begins at this time. */
  begin(nowMs: number): void {
    this.#nowMs = nowMs;
  }

  clear(): void {
    this.#bornMs.fill(Number.NEGATIVE_INFINITY);
    this.#high = 0;
    this.#next = 0;
  }

  muzzle(x: number, y: number, heading: number, size: number, colour: number): void {
    const { glow, streak } = this.#signs;
    this.#add(LIGHT, glow, 80, x, y, 0, 0, size, size * 0.5, 1, SHOT);
    this.#add(LIGHT, glow, 130, x, y, 0, 0, size * 2.4, size * 1.8, 0.35, colour);
    const reach = size * 2.4;
    const [dx, dy] = [Math.cos(heading) * reach, Math.sin(heading) * reach];
    this.#add(BEAM, streak, 70, x, y, dx, dy, size * 0.9, size * 0.4, 0.9, colour);
  }

  tracer(x1: number, y1: number, x2: number, y2: number, width: number, colour: number, lifeMs = 110): void {
    this.#add(BEAM, this.#signs.streak, lifeMs, x1, y1, x2 - x1, y2 - y1, width, width * 0.3, 0.95, colour);
  }

  /** A shell that lands after `flightMs`. */
  shell(x1: number, y1: number, x2: number, y2: number, flightMs: number): void {
    this.#add(SHELL, this.#signs.shell, flightMs, x1, y1, x2 - x1, y2 - y1, 2, 2, 1, FIRE);
  }

  sparks(x: number, y: number, colour: number, count: number, speed: number): void {
    const { glow } = this.#signs;
    this.#add(LIGHT, glow, 140, x, y, 0, 0, speed * 0.07, speed * 0.03, 0.8, colour);
    for (let spark = 0; spark < count; spark++) {
      const way = this.#dice() * 2 * Math.PI;
      const fast = speed * (0.3 + 0.7 * this.#dice());
      const lifeMs = 160 + this.#dice() * 220;
      this.#add(STREAK, glow, lifeMs, x, y, Math.cos(way) * fast, Math.sin(way) * fast, 0.9, 0.2, 1, colour);
    }
  }

  /** Dust behind who drives. */
  dust(x: number, y: number, size: number): void {
    const [vx, vy] = [(this.#dice() - 0.5) * 6, (this.#dice() - 0.5) * 6];
    this.#add(CLOUD, this.#signs.smoke, 700, x, y, vx, vy, size * 0.5, size * 1.6, 0.16, STEAM);
  }

  /** A puff above what is damaged; `fire` from 0 to 1. */
  burn(x: number, y: number, size: number, fire: number): void {
    const [dx, dy] = [(this.#dice() - 0.5) * size, (this.#dice() - 0.5) * size];
    const { smoke, glow } = this.#signs;
    this.#add(CLOUD, smoke, 1900, x + dx, y + dy, 7, -9, size * 0.3, size * 0.95, 0.5, SMOKE);
    if (fire > 0) {
      this.#add(LIGHT, glow, 420, x + dx, y + dy, 2, -4, size * 0.42, size * 0.2, 0.75 * fire, FIRE);
      this.#add(LIGHT, glow, 700, x + dx, y + dy, 3, -7, size * 0.3, size * 0.05, 0.5 * fire, EMBER);
    }
  }

  /** Something goes off; `size`: world units of its radius. */
  blast(x: number, y: number, size: number): void {
    const { glow, wave, smoke } = this.#signs;
    this.#add(LIGHT, glow, 120, x, y, 0, 0, size * 2, size * 1.2, 1, 0xffffff);
    this.#add(LIGHT, glow, 430, x, y, 0, 0, size * 2.6, size * 1.3, 0.9, FIRE);
    this.#add(LIGHT, wave, 380, x, y, 0, 0, size * 0.5, size * 2.1, 0.8, FIRE);
    const puffs = size > 12 ? 8 : 5;
    for (let puff = 0; puff < puffs; puff++) {
      const way = (puff / puffs) * 2 * Math.PI + this.#dice();
      const speed = size * (0.4 + this.#dice());
      const [vx, vy] = [Math.cos(way) * speed, Math.sin(way) * speed];
      this.#add(LIGHT, glow, 260 + this.#dice() * 260, x, y, vx * 1.4, vy * 1.4, size * 0.8, size * 0.2, 0.8, EMBER);
      const lifeMs = 900 + this.#dice() * 800;
      this.#add(CLOUD, smoke, lifeMs, x, y, vx * 0.6, vy * 0.6, size * 0.5, size * 1.3, 0.42, SMOKE);
    }
    this.sparks(x, y, SHOT, size > 12 ? 14 : 8, 50 + size * 6);
  }

  /** A circle that opens: something was built, or an order was heard. */
  ring(x: number, y: number, size: number, lifeMs: number, colour: number): void {
    this.#add(LIGHT, this.#signs.wave, lifeMs, x, y, 0, 0, size * 0.4, size, 0.8, colour);
  }

  /** A light that stands still and fades. */
  flash(x: number, y: number, size: number, lifeMs: number, strength: number, colour: number): void {
    this.#add(LIGHT, this.#signs.glow, lifeMs, x, y, 0, 0, size, size * 0.6, strength, colour);
  }

  /** Writes clouds and shells into `clouds`, everything that shines into `lights`. */
  draw(clouds: Layer, lights: Layer, sight: Sight, nowMs: number): void {
    let high = 0;
    for (let row = 0; row < this.#high; row++) {
      const age = nowMs - this.#bornMs[row]!;
      const lifeMs = this.#lifeMs[row]!;
      if (age >= lifeMs) continue;
      high = row + 1;
      this.#drawRow(row, age / lifeMs, age / 1000, clouds, lights, sight);
    }
    this.#high = high;
    if (high < this.#next) this.#next = high;
  }

  #drawRow(row: number, share: number, seconds: number, clouds: Layer, lights: Layer, sight: Sight): void {
    const [x, y] = [this.#x[row]!, this.#y[row]!];
    const [vx, vy] = [this.#vx[row]!, this.#vy[row]!];
    const size = this.#from[row]! + (this.#to[row]! - this.#from[row]!) * share;
    const left = 1 - share;
    const frame = this.#frame[row]!;
    const opacity = (this.#strength[row]! * left * 255) | 0;
    const colour = this.#colour[row]! | (opacity << 24);
    switch (this.#kind[row]) {
      case LIGHT:
        if (sight.sees(x, y, size)) lights.stretch(frame, x + vx * seconds, y + vy * seconds, size, size, 0, colour);
        return;
      case CLOUD:
        if (sight.sees(x, y, size)) {
          // Thin at first, so that clouds do not pop up.
          const thin = Math.min(1, share * 6);
          const cloud = this.#colour[row]! | ((opacity * thin) << 24);
          clouds.stretch(frame, x + vx * seconds, y + vy * seconds, size, size, row + seconds * 0.5, cloud);
        }
        return;
      case STREAK: {
        // It slows down: what is left of its speed falls with the share of its life.
        const way = seconds * (1 - share * 0.5);
        const fast = Math.sqrt(vx * vx + vy * vy);
        if (!sight.sees(x, y, fast)) return;
        lights.stretch(frame, x + vx * way, y + vy * way, size + fast * 0.02, size, Math.atan2(vy, vx), colour);
        return;
      }
      case BEAM:
        if (sight.sees(x + vx / 2, y + vy / 2, Math.abs(vx) + Math.abs(vy)))
          lights.line(frame, x, y, x + vx, y + vy, Math.max(size, sight.pixels(1.4)), colour);
        return;
      default: {
        const height = 4 * share * left;
        const [atX, atY] = [x + vx * share, y + vy * share];
        if (!sight.sees(atX, atY, 30)) return;
        clouds.stretch(frame, atX + 14 * height, atY + 18 * height, 1.6, 1.6, 0, 0x70000000);
        const large = size * (1 + 1.3 * height);
        clouds.stretch(frame, atX, atY, large, large, 0, tint(FIRE));
        lights.stretch(this.#signs.glow, atX, atY, large * 2.2, large * 2.2, 0, tint(FIRE, 0.5));
      }
    }
  }

  #add(
    kind: number,
    frame: Frame,
    lifeMs: number,
    x: number,
    y: number,
    vx: number,
    vy: number,
    from: number,
    to: number,
    strength: number,
    colour: number,
  ): void {
    const row = this.#next;
    this.#next = (row + 1) % MOST;
    if (row >= this.#high) this.#high = row + 1;
    this.#kind[row] = kind;
    this.#frame[row] = frame;
    this.#bornMs[row] = this.#nowMs;
    this.#lifeMs[row] = lifeMs;
    this.#x[row] = x;
    this.#y[row] = y;
    this.#vx[row] = vx;
    this.#vy[row] = vy;
    this.#from[row] = from;
    this.#to[row] = to;
    this.#strength[row] = strength;
    this.#colour[row] = tint(colour, 0);
  }

  /** Only for the look of sparks. */
  #dice(): number {
    this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) >>> 0;
    return this.#seed / 4294967296;
  }
}
