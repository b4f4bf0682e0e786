/**
 * Where the screen looks. It follows the player a little ahead of the aim; with the scope it goes far ahead, with the network overlay it
 * rises, so that the zones fit on the screen. Every change is approached smoothly, and none depends on the frame rate.
 */

/** Units that the geometric mean of the screen's sides shows. */
const SPAN = 430;
/** From above: enough for the level, but no less than the first zone needs and no more than can be made out. */
const LEAST_OVERVIEW = 880;
const MOST_OVERVIEW = 1150;
const SCOPE_SPAN = 560;
/** How far ahead of the player the camera looks, as a share of the pointer's distance from the middle of the screen. */
const LEAD = 0.2;
/** With the scope it looks this far ahead, world units. */
const SCOPE_LEAD = 250;
/** And never further than this share of the screen's size. */
const MOST_LEAD = 0.4;
/** Ms in which about two thirds of a change are made. */
const PAN_MS = 90;
const SCOPE_MS = 170;
/** Units of void that may be seen beyond the level. */
const MARGIN = 70;
const SHAKE_MS = 420;

export interface Following {
  readonly x: number;
  readonly y: number;
  /** Where the player aims: a vector in CSS pixels from the middle of the screen. */
  readonly aimX: number;
  readonly aimY: number;
  /** Unit vector of the player's view. */
  readonly faceX: number;
  readonly faceY: number;
  readonly scoped: boolean;
  readonly overview: boolean;
}

export class Camera {
  /** Size of the screen, CSS pixels. */
  width = 1;
  height = 1;
  /** Middle of the screen, in the world. */
  x = 0;
  y = 0;
  /** CSS pixels per world unit. */
  scale = 1;
  /** 0: plain, 1: through the scope. */
  scope = 0;
  /** 0: the plain view is in force, 1: that of the scope, wherever the camera looks from. */
  zoom = 0;
  /** 0: plain, 1: from above, for the overlay. */
  rise = 0;
  shakeX = 0;
  shakeY = 0;
  #leadX = 0;
  #leadY = 0;
  #placed = false;
  #shake = 0;
  #shakenAt = Number.NEGATIVE_INFINITY;

  /** Jumps to the next followed place instead of flying there. */
  cut(): void {
    this.#placed = false;
  }

  follow(to: Following, elapsedMs: number, level: { readonly width: number; readonly height: number }): void {
    const pan = this.#placed ? 1 - Math.exp(-elapsedMs / PAN_MS) : 1;
    const change = this.#placed ? 1 - Math.exp(-elapsedMs / SCOPE_MS) : 1;
    this.scope = approach(this.scope, to.scoped && !to.overview ? 1 : 0, change);
    this.zoom = approach(this.zoom, to.scoped ? 1 : 0, change);
    this.rise = approach(this.rise, to.overview ? 1 : 0, change);
    const overview = Math.min(MOST_OVERVIEW, Math.max(LEAST_OVERVIEW, 1.3 * Math.max(level.width, level.height)));
    const span = SPAN + (SCOPE_SPAN - SPAN) * this.scope + (overview - SPAN) * this.rise;
    this.scale = Math.sqrt(this.width * this.height) / span;
    const lead = (LEAD * (1 - this.rise)) / this.scale;
    const far = SCOPE_LEAD * this.scope;
    this.#leadX = approach(this.#leadX, held(to.aimX * lead + to.faceX * far, this.width / this.scale), pan);
    this.#leadY = approach(this.#leadY, held(to.aimY * lead + to.faceY * far, this.height / this.scale), pan);
    this.x = inside(to.x + this.#leadX, this.width / this.scale / 2, level.width, to.overview);
    this.y = inside(to.y + this.#leadY, this.height / this.scale / 2, level.height, to.overview);
    this.#placed = true;
  }

  /** A blow of so many CSS pixels; the strongest of late counts. */
  shake(strength: number, nowMs: number): void {
    if (strength < this.#shake * this.#left(nowMs)) return;
    this.#shake = Math.min(22, strength);
    this.#shakenAt = nowMs;
  }

  /** Where the blow has pushed the picture by now. */
  tremble(nowMs: number): void {
    const left = this.#left(nowMs);
    this.shakeX = left > 0 ? Math.sin(nowMs / 13) * this.#shake * left * left : 0;
    this.shakeY = left > 0 ? Math.cos(nowMs / 17) * this.#shake * left * left : 0;
  }

  screenX(x: number): number {
    return this.width / 2 + (x - this.x) * this.scale + this.shakeX;
  }

  screenY(y: number): number {
    return this.height / 2 + (y - this.y) * this.scale + this.shakeY;
  }

  worldX(screenX: number): number {
    return this.x + (screenX - this.width / 2) / this.scale;
  }

  worldY(screenY: number): number {
    return this.y + (screenY - this.height / 2) / this.scale;
  }

  /** Whether a circle in the world touches the screen. */
  sees(x: number, y: number, radius: number): boolean {
    return (
      Math.abs(x - this.x) < this.width / this.scale / 2 + radius &&
      Math.abs(y - this.y) < this.height / this.scale / 2 + radius
    );
  }

  #left(nowMs: number): number {
    return Math.max(0, 1 - (nowMs - this.#shakenAt) / SHAKE_MS);
  }
}

/** Goes a share of the way; arrives when what is left cannot be seen. */
function approach(from: number, to: number, share: number): number {
  return Math.abs(to - from) < 0.001 ? to : from + (to - from) * share;
}

/** However far the camera looks ahead, the player stays on the screen. */
function held(lead: number, size: number): number {
  return Math.min(MOST_LEAD * size, Math.max(-MOST_LEAD * size, lead));
}

/** Keeps the void beyond the level off the screen, where the level is larger than the screen. From above the player stays in the middle. */
function inside(middle: number, half: number, size: number, free: boolean): number {
  if (free) return middle;
  const least = half - MARGIN;
  return least * 2 > size ? size / 2 : Math.min(size - least, Math.max(least, middle));
}
