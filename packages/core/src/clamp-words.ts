/**
 * Tells the client in sentences what was changed about its proposal. A proposal has up to 6,144 bounds, and each could need a sentence. The list ends
 * after `MOST_WORDS` sentences and says how many more there are, so the answer stays short.
 */

export const MOST_WORDS = 32;

export class ClampWords {
  readonly #told: string[] = [];
  #count = 0;

  /** @param at where in the settings, e.g. `sets[0].radii`. */
  say(at: string, sentence: string): void {
    this.#count += 1;
    if (!this.isFull) this.#told.push(`${at}: ${sentence}`);
  }

  /** Counts a sentence that there is no room for: whoever has thousands to say need not put them in words. */
  saySilently(): void {
    this.#count += 1;
  }

  get isFull(): boolean {
    return this.#told.length === MOST_WORDS;
  }

  get all(): readonly string[] {
    const more = this.#count - this.#told.length;
    return more === 0 ? this.#told : [...this.#told, `and ${more} more`];
  }
}
