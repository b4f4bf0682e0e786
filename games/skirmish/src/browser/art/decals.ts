/** What stays on the ground for a while after something went off: scorched earth, wrecks, rubble. The oldest gives way when there are too many. */

import type { Layer } from "./layer.ts";
import { tint } from "./palette.ts";
import type { Frame } from "./sheet.ts";
import type { Sight } from "./sight.ts";
import type { Tracks } from "./tracks.ts";

const MOST = 500;
const SCORCH_MS = 40_000;
const WRECK_MS = 30_000;
/** A piece that vanished so near a blast, in space and time, was destroyed by it. */
const NEAR = 14;
const AT_ONCE_MS = 900;
const LATELY = 64;

interface Decal {
  frame: Frame;
  x: number;
  y: number;
  size: number;
  turn: number;
  colour: number;
  bornMs: number;
  lifeMs: number;
}

interface Lately {
  x: number;
  y: number;
  size: number;
  atMs: number;
}

export class Decals {
  readonly #decals: Decal[];
  readonly #blasts: Lately[];
  readonly #losses: (Lately & { frame: Frame; turn: number; colour: number })[];
  readonly #scorch: Frame;
  readonly #rubble: Frame;
  #next = 0;
  #nextBlast = 0;
  #nextLoss = 0;

  constructor(scorch: Frame, rubble: Frame) {
    this.#scorch = scorch;
    this.#rubble = rubble;
    const nothing = { x: 0, y: 0, size: 0, atMs: Number.NEGATIVE_INFINITY };
    this.#decals = Array.from({ length: MOST }, () => ({
      frame: scorch,
      x: 0,
      y: 0,
      size: 0,
      turn: 0,
      colour: 0,
      bornMs: Number.NEGATIVE_INFINITY,
      lifeMs: 0,
    }));
    this.#blasts = Array.from({ length: LATELY }, () => ({ ...nothing }));
    this.#losses = Array.from({ length: LATELY }, () => ({ ...nothing, frame: scorch, turn: 0, colour: 0 }));
  }

  blast(x: number, y: number, size: number, nowMs: number): void {
    this.#add(this.#scorch, x, y, size * 1.5, (x * 7 + y * 3) % 6.28, 0, SCORCH_MS, nowMs);
    Object.assign(this.#blasts[this.#nextBlast++ % LATELY]!, { x, y, size, atMs: nowMs });
    for (const loss of this.#losses) {
      if (nowMs - loss.atMs > AT_ONCE_MS || away(loss, x, y) > NEAR) continue;
      this.#leave(loss.frame, loss.x, loss.y, loss.size, loss.turn, loss.colour, nowMs);
      loss.atMs = Number.NEGATIVE_INFINITY;
      return;
    }
  }

  /** A piece is no longer shown: destroyed, if something went off there, or merely out of sight. */
  lose(tracks: Tracks, row: number, frame: Frame, size: number, colour: number, nowMs: number): void {
    const [x, y, turn] = [tracks.x[row]!, tracks.y[row]!, tracks.body[row]!];
    for (const blast of this.#blasts) {
      if (nowMs - blast.atMs > AT_ONCE_MS || away(blast, x, y) > NEAR) continue;
      this.#leave(frame, x, y, size, turn, colour, nowMs);
      blast.atMs = Number.NEGATIVE_INFINITY;
      return;
    }
    Object.assign(this.#losses[this.#nextLoss++ % LATELY]!, { x, y, size, atMs: nowMs, frame, turn, colour });
  }

  clear(): void {
    for (const decal of this.#decals) decal.bornMs = Number.NEGATIVE_INFINITY;
  }

  draw(layer: Layer, sight: Sight, nowMs: number): void {
    for (const decal of this.#decals) {
      const left = 1 - (nowMs - decal.bornMs) / decal.lifeMs;
      if (left <= 0 || !sight.sees(decal.x, decal.y, decal.size * 2)) continue;
      // It stays as it is for most of the time and then goes.
      const opacity = Math.min(1, left * 3);
      layer.add(decal.frame, decal.x, decal.y, decal.size, decal.turn, tint(decal.colour, opacity));
    }
  }

  /** `size`: world units of the picture's painter. Buildings leave rubble, units their hull. */
  #leave(frame: Frame, x: number, y: number, size: number, turn: number, colour: number, nowMs: number): void {
    if (size > NEAR) this.#add(this.#rubble, x, y, size * 1.05, turn, colour, WRECK_MS * 2, nowMs);
    else this.#add(frame, x, y, size, turn + 0.3, colour, WRECK_MS, nowMs);
  }

  #add(
    frame: Frame,
    x: number,
    y: number,
    size: number,
    turn: number,
    colour: number,
    lifeMs: number,
    bornMs: number,
  ): void {
    Object.assign(this.#decals[this.#next++ % MOST]!, { frame, x, y, size, turn, colour, lifeMs, bornMs });
  }
}

function away(at: { readonly x: number; readonly y: number }, x: number, y: number): number {
  return Math.hypot(at.x - x, at.y - y);
}
