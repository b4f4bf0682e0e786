/**
 * Measures how late something usually is, and how much that varies: the median of the last samples, and the median of their distances from it. A
 * single sample that is a second late, because a page was hidden, changes neither.
 *
 * A client's samples are the ages of frames; a server's are the round trips of its frames. Only the last `kept` samples count, and of
 * those only the ones of the last `keptMs`, since frames may be far apart; but always the last `least`.
 */

export class Lateness {
  readonly #samples: Float64Array;
  readonly #times: Float64Array;
  readonly #keptMs: number;
  readonly #least: number;
  readonly #sorted: Float64Array;
  #count = 0;
  #next = 0;
  #noted = 0;
  #middleMs = 0;
  #spreadMs = 0;

  /** @param kept samples that count. More are steadier, and follow a change of the way more slowly. */
  constructor(kept: number, keptMs: number = Number.POSITIVE_INFINITY, least: number = kept) {
    this.#samples = new Float64Array(kept);
    this.#times = new Float64Array(kept);
    this.#keptMs = keptMs;
    this.#least = least;
    this.#sorted = new Float64Array(kept);
  }

  /** Samples that the figures stand on. */
  get count(): number {
    return this.#count;
  }

  /** The median of the samples, ms; 0 before the first. */
  get middleMs(): number {
    return this.#middleMs;
  }

  /** Half of the samples are no further than this from the middle, ms. */
  get spreadMs(): number {
    return this.#spreadMs;
  }

  /** What is seldom exceeded, ms: of delays that are spread evenly, none is longer. */
  get usualMs(): number {
    return this.#middleMs + 2 * this.#spreadMs;
  }

  /** @param atMs when the sample was taken; must not go back. Default: with the last one. */
  note(ms: number, atMs: number = this.#timeAt(1)): void {
    const { length } = this.#samples;
    this.#samples[this.#next] = ms;
    this.#times[this.#next] = atMs;
    this.#next = (this.#next + 1) % length;
    this.#noted = Math.min(this.#noted + 1, length);
    this.#count = 0;
    while (
      this.#count < this.#noted &&
      (this.#count < this.#least || atMs - this.#timeAt(this.#count + 1) < this.#keptMs)
    )
      this.#count += 1;
    for (let i = 0; i < this.#count; i++) this.#sorted[i] = this.#samples[(this.#next - 1 - i + length) % length]!;
    this.#middleMs = this.#median();
    for (let i = 0; i < this.#count; i++)
      this.#sorted[i] = Math.abs(this.#samples[(this.#next - 1 - i + length) % length]! - this.#middleMs);
    this.#spreadMs = this.#median();
  }

  /** When the sample was taken that is so many before the next one. */
  #timeAt(back: number): number {
    const { length } = this.#times;
    return this.#times[(this.#next - back + length) % length]!;
  }

  /** The way is another one from now on. */
  forget(): void {
    this.#count = 0;
    this.#noted = 0;
    this.#next = 0;
    this.#middleMs = 0;
    this.#spreadMs = 0;
  }

  #median(): number {
    const sorted = this.#sorted.subarray(0, this.#count).sort();
    const half = this.#count >> 1;
    return this.#count % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
  }
}
