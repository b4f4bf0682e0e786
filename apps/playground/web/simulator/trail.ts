/** The last places of something that moves, oldest first, and the last values of something that is measured: rings of fixed length. */

export class Trail {
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  #count = 0;

  constructor(longest: number) {
    this.#x = new Float64Array(longest);
    this.#y = new Float64Array(longest);
  }

  get length(): number {
    return Math.min(this.#count, this.#x.length);
  }

  push(x: number, y: number): void {
    const at = this.#count % this.#x.length;
    this.#x[at] = x;
    this.#y[at] = y;
    this.#count += 1;
  }

  clear(): void {
    this.#count = 0;
  }

  x(index: number): number {
    return this.#x[this.#slot(index)]!;
  }

  y(index: number): number {
    return this.#y[this.#slot(index)]!;
  }

  #slot(index: number): number {
    return (this.#count - this.length + index) % this.#x.length;
  }
}

/** What the live charts draw: time in seconds, error in px, data in kB/s. */
export class LiveSeries {
  readonly #longest: number;
  readonly #rows: [seconds: number, error: number | null, rate: number][] = [];

  constructor(longest: number) {
    this.#longest = longest;
  }

  push(seconds: number, error: number | null, rate: number): void {
    this.#rows.push([seconds, error, rate]);
    if (this.#rows.length > this.#longest) this.#rows.shift();
  }

  clear(): void {
    this.#rows.length = 0;
  }

  /** Columns for a chart: time, and one of the two values. */
  columns(value: "error" | "rate"): [number[], (number | null)[]] {
    const index = value === "error" ? 1 : 2;
    return [this.#rows.map(([seconds]) => seconds), this.#rows.map((row) => row[index])];
  }
}
