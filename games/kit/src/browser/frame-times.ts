/** How long the page's own code took in each of the last frames. */

const KEPT = 600;

export class FrameTimes {
  readonly #times = new Float64Array(KEPT);
  #count = 0;

  add(ms: number): void {
    this.#times[this.#count % KEPT] = ms;
    this.#count++;
  }

  /** The time that a share of the frames did not exceed, ms; 0 before the first. */
  percentile(share: number): number {
    const sorted = this.#times.slice(0, Math.min(this.#count, KEPT)).sort();
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }
}
