/**
 * Puts pairs in the order of their views, so that what is checked together lies together: the zones, bounds and pivots of one view are
 * read once from memory instead of once per pair. A counting sort; pairs of one view keep their order.
 */

export class ByView {
  #sorted: Int32Array = new Int32Array(64);
  #starts: Int32Array = new Int32Array(64);

  /** The pairs sorted by `viewOf[pair]`; those without a view (−1) are left out. Valid until the next call. */
  sort(pairs: Int32Array, viewOf: Int32Array, viewCount: number): Int32Array {
    const count = pairs.length;
    if (this.#sorted.length < count) this.#sorted = new Int32Array(count * 2);
    if (this.#starts.length <= viewCount) this.#starts = new Int32Array(viewCount * 2 + 1);
    const starts = this.#starts.fill(0);
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const view = viewOf[pairs[i]!]!;
      if (view < 0) continue;
      starts[view + 1] = starts[view + 1]! + 1;
      kept++;
    }
    for (let view = 0; view < viewCount; view++) starts[view + 1] = starts[view + 1]! + starts[view]!;
    for (let i = 0; i < count; i++) {
      const pair = pairs[i]!;
      const view = viewOf[pair]!;
      if (view < 0) continue;
      this.#sorted[starts[view]!] = pair;
      starts[view] = starts[view]! + 1;
    }
    return this.#sorted.subarray(0, kept);
  }
}
