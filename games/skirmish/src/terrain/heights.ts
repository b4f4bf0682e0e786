/**
 * The height of the ground as a function of the place. Noise is averaged over the turns of the map, so that every side has the same hills; level strips are
 * blended in; plateaus have steep edges where the ground rises fast and ramps where it rises slowly.
 */

import { HIGHEST_GROUND, TILE } from "../state.ts";
import type { Layout, LevelStrip, Spot } from "./layout.ts";
import { turnOf } from "./layout.ts";
import { blend, ease, Noise } from "./noise.ts";

/** Height of level strips: on a plateau, above water. */
const LEVEL_HEIGHT = 44;
const MEAN_HEIGHT = 46;
const HILLS = { cell: 14 * TILE, height: 60 };
const BUMPS = { cell: 5 * TILE, height: 14 };
/** Plateaus lie this far apart; the middle share of the way from one to the next is the slope. */
const PLATEAU_STEP = 24;
const SLOPE_SHARE = 0.5;
/** Over how much ground a strip's border blends into the land around it. */
const STRIP_BORDER = 4 * TILE;
/** Width of the water that surrounds the land. */
const SHORE = 3 * TILE;

export class Heights {
  readonly #half: number;
  readonly #isSquare: boolean;
  readonly #strips: readonly LevelStrip[];
  readonly #turns: readonly Spot[];
  readonly #hills: Noise;
  readonly #bumps: Noise;

  constructor(seed: number, { size, strips, starts }: Layout) {
    const sides = starts.length;
    this.#half = size / 2;
    // A square turned by half or a quarter is the same square. For other numbers of sides the land is a disc.
    this.#isSquare = sides === 2 || sides === 4;
    this.#strips = strips;
    this.#turns = Array.from({ length: sides }, (_, side) => turnOf(side, sides));
    this.#hills = new Noise(seed, "hills");
    this.#bumps = new Noise(seed, "bumps");
  }

  /** `x`, `y` from the map's corner, in world units. */
  at(x: number, y: number): number {
    const dx = x - this.#half;
    const dy = y - this.#half;
    let hills = 0;
    let bumps = 0;
    let level = 0;
    for (const { x: cosine, y: sine } of this.#turns) {
      // Turned back into the part of side 0.
      const u = dx * cosine + dy * sine;
      const v = dy * cosine - dx * sine;
      hills += this.#hills.at(u / HILLS.cell + 32, v / HILLS.cell + 32);
      bumps += this.#bumps.at(u / BUMPS.cell + 32, v / BUMPS.cell + 32);
      for (const strip of this.#strips) level = Math.max(level, levelShare(strip, u, v));
    }
    // The mean of n independent values varies by √n less than one of them.
    const scale = 1 / Math.sqrt(this.#turns.length);
    const wild = terraced(MEAN_HEIGHT + scale * (hills * HILLS.height + bumps * BUMPS.height));
    const land = blend(wild, LEVEL_HEIGHT, level);
    return Math.min(HIGHEST_GROUND, Math.max(0, land * this.#shoreShare(dx, dy)));
  }

  /** 1 on land, falling to 0 at the map's edge. */
  #shoreShare(dx: number, dy: number): number {
    const out = this.#isSquare ? Math.max(Math.abs(dx), Math.abs(dy)) : Math.sqrt(dx * dx + dy * dy);
    return ease(Math.min(1, Math.max(0, (this.#half - out) / SHORE)));
  }
}

/** 1 inside the strip, 0 beyond its border. */
function levelShare({ from, to, radius }: LevelStrip, x: number, y: number): number {
  const [alongX, alongY] = [to.x - from.x, to.y - from.y];
  const square = alongX * alongX + alongY * alongY;
  const share = square === 0 ? 0 : ((x - from.x) * alongX + (y - from.y) * alongY) / square;
  const near = Math.min(1, Math.max(0, share));
  const [dx, dy] = [x - from.x - alongX * near, y - from.y - alongY * near];
  const beyond = Math.sqrt(dx * dx + dy * dy) - radius;
  return ease(Math.min(1, Math.max(0, 1 - beyond / STRIP_BORDER)));
}

function terraced(height: number): number {
  const steps = height / PLATEAU_STEP;
  const plateau = Math.floor(steps);
  const between = (steps - plateau - (1 - SLOPE_SHARE) / 2) / SLOPE_SHARE;
  return (plateau + ease(Math.min(1, Math.max(0, between)))) * PLATEAU_STEP;
}
