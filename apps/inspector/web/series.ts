/** Figures over time: a window of the newest samples for the charts. */

/** Samples of several figures at the same times; the oldest fall out. */
export class Series<Name extends string> {
  readonly #names: readonly Name[];
  readonly #most: number;
  #times: number[] = [];
  #columns: (number | null)[][];

  /** @param most samples that are kept */
  constructor(names: readonly Name[], most: number) {
    this.#names = names;
    this.#most = most;
    this.#columns = names.map(() => []);
  }

  get length(): number {
    return this.#times.length;
  }

  push(timeMs: number, values: Readonly<Partial<Record<Name, number | null>>>): void {
    // Time that goes back belongs to another run.
    if (timeMs <= (this.#times.at(-1) ?? Number.NEGATIVE_INFINITY)) this.clear();
    this.#times.push(timeMs);
    for (const [index, name] of this.#names.entries()) this.#columns[index]!.push(values[name] ?? null);
    if (this.#times.length > this.#most * 1.25) this.#trim();
  }

  clear(): void {
    this.#times = [];
    this.#columns = this.#names.map(() => []);
  }

  #trim(): void {
    const from = this.#times.length - this.#most;
    this.#times = this.#times.slice(from);
    this.#columns = this.#columns.map((column) => column.slice(from));
  }

  /**
   * Times in seconds before the end (0 or less), and the wanted columns, over the last `windowMs` before it.
   *
   * @param endMs default: the newest sample
   */
  window(
    windowMs: number,
    names: readonly Name[],
    endMs: number = this.#times.at(-1) ?? 0,
  ): { times: number[]; columns: (number | null)[][] } {
    let end = this.#times.length;
    while (end > 0 && this.#times[end - 1]! > endMs) end -= 1;
    let from = end;
    while (from > 0 && endMs - this.#times[from - 1]! <= windowMs) from -= 1;
    return {
      times: this.#times.slice(from, end).map((timeMs) => (timeMs - endMs) / 1000),
      columns: names.map((name) => this.#columns[this.#names.indexOf(name)]!.slice(from, end)),
    };
  }
}
