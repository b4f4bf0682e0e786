/** What the screen shows of the world: it follows somebody softly, leans towards where one aims, and shakes. */

/** World units that should fit on the shorter side of the screen. */
const SHORT_SIDE = 380;
const SLOWEST_ZOOM = 1.1;
const FASTEST_ZOOM = 3.2;
/** Time in which half of the way to the goal is made, ms. */
const HALF_MS = 70;
const LEAN = 34;

export class Camera {
  x = 0;
  y = 0;
  zoom = 2;
  #shake = 0;
  #isCut = true;

  /** The next place is taken at once. */
  cut(): void {
    this.#isCut = true;
  }

  shake(strength: number): void {
    this.#shake = Math.min(9, this.#shake + strength);
  }

  /** `aimX` and `aimY`: from −1 to 1, where on the screen one aims. */
  follow(
    x: number,
    y: number,
    aimX: number,
    aimY: number,
    size: { width: number; height: number },
    elapsedMs: number,
  ): void {
    this.zoom = Math.max(SLOWEST_ZOOM, Math.min(FASTEST_ZOOM, Math.min(size.width, size.height) / SHORT_SIDE));
    const goalX = x + aimX * LEAN;
    const goalY = y + aimY * LEAN;
    const share = this.#isCut ? 1 : 1 - 0.5 ** (elapsedMs / HALF_MS);
    this.#isCut = false;
    this.x += (goalX - this.x) * share;
    this.y += (goalY - this.y) * share;
    this.#shake *= 0.5 ** (elapsedMs / 80);
  }

  /** Keeps the edges of a world out of sight, where it is larger than the screen. */
  keepWithin(width: number, height: number, size: { width: number; height: number }): void {
    this.x = within(this.x, width, size.width / this.zoom);
    this.y = within(this.y, height, size.height / this.zoom);
  }

  view(): { x: number; y: number; zoom: number } {
    const off = (): number => (Math.random() - 0.5) * this.#shake;
    return this.#shake < 0.1
      ? { x: this.x, y: this.y, zoom: this.zoom }
      : { x: this.x + off(), y: this.y + off(), zoom: this.zoom };
  }
}

function within(at: number, world: number, shown: number): number {
  if (shown >= world) return world / 2;
  return Math.max(shown / 2, Math.min(world - shown / 2, at));
}
