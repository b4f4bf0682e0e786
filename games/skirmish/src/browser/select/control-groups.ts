/** Control groups 0 to 9: Ctrl and a digit set one, the digit selects it, the digit twice goes there. */

/** Twice within this time is a double press, ms. */
const DOUBLE_MS = 350;

export class ControlGroups {
  readonly #groups: (readonly number[])[] = Array.from({ length: 10 }, () => []);
  #lastDigit = -1;
  #lastMs = Number.NEGATIVE_INFINITY;

  set(digit: number, ids: Iterable<number>): void {
    this.#groups[digit] = [...ids];
  }

  add(digit: number, ids: Iterable<number>): void {
    this.#groups[digit] = [...new Set([...this.#groups[digit]!, ...ids])];
  }

  /** The members, and whether the digit was pressed twice. */
  recall(digit: number, nowMs: number): { readonly ids: readonly number[]; readonly isDouble: boolean } {
    const isDouble = digit === this.#lastDigit && nowMs - this.#lastMs < DOUBLE_MS;
    this.#lastDigit = digit;
    this.#lastMs = nowMs;
    return { ids: this.#groups[digit]!, isDouble };
  }

  /** How many of a group's members are still there. */
  sizeOf(digit: number): number {
    return this.#groups[digit]!.length;
  }

  prune(isThere: (id: number) => boolean): void {
    for (const [digit, ids] of this.#groups.entries())
      if (!ids.every(isThere)) this.#groups[digit] = ids.filter(isThere);
  }

  clear(): void {
    this.#groups.fill([]);
  }
}
