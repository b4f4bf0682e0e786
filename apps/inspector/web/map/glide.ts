/**
 * Objects between two samples of the map: they glide from where they are drawn to where the newest sample has them, over the time between
 * two samples. One that moved very far (it was put elsewhere) jumps, and one that is new appears where it is.
 */

export interface Sample {
  readonly ids: readonly number[];
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** Longer than the time between two samples, which is half a second. */
const MOST_MS = 600;
/** More than this share of the world between two samples is a jump. */
const JUMP_SHARE = 0.1;

export class Glide {
  #fromX: number[] = [];
  #fromY: number[] = [];
  #to: Sample = { ids: [], x: [], y: [] };
  #sinceMs = 0;
  #lengthMs = 1;

  /**
   * @param world size of the world, units
   * @param isStill nothing moves by itself: everything stands where the sample has it
   */
  take(sample: Sample, nowMs: number, world: number, isStill: boolean): void {
    const share = this.#share(nowMs);
    const before = new Map(this.#to.ids.map((id, index) => [id, index]));
    const place = (index: number, from: readonly number[], to: readonly number[]): number =>
      from[index]! + (to[index]! - from[index]!) * share;
    const [fromX, fromY]: [number[], number[]] = [[], []];
    for (const [index, id] of sample.ids.entries()) {
      const [x, y] = [sample.x[index]!, sample.y[index]!];
      const old = before.get(id);
      const [oldX, oldY] =
        old === undefined || isStill
          ? [x, y]
          : [place(old, this.#fromX, this.#to.x), place(old, this.#fromY, this.#to.y)];
      const jumps = Math.hypot(x - oldX, y - oldY) > world * JUMP_SHARE;
      fromX.push(jumps ? x : oldX);
      fromY.push(jumps ? y : oldY);
    }
    this.#fromX = fromX;
    this.#fromY = fromY;
    this.#to = sample;
    // A tab that slept gets its next sample late; what is drawn then must not crawl.
    this.#lengthMs = Math.min(MOST_MS, Math.max(16, nowMs - this.#sinceMs));
    this.#sinceMs = nowMs;
  }

  #share(nowMs: number): number {
    return Math.min(1, Math.max(0, (nowMs - this.#sinceMs) / this.#lengthMs));
  }

  /** Whether everything stands where it belongs. */
  isAtRest(nowMs: number): boolean {
    return this.#share(nowMs) >= 1;
  }

  /** Where the objects of the newest sample are drawn now, in its order. */
  places(nowMs: number): { x: number[]; y: number[] } {
    const share = this.#share(nowMs);
    const between = (from: readonly number[], to: readonly number[]): number[] =>
      from.map((value, index) => value + (to[index]! - value) * share);
    return { x: between(this.#fromX, this.#to.x), y: between(this.#fromY, this.#to.y) };
  }
}
