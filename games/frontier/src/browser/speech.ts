/** What heroes near by say: shown for a while after their count of words has risen. */

import type { HeroReplica } from "./network.ts";

const SHOWN_MS = 6000;
const MOST_LINES = 5;

export interface Line {
  readonly name: string;
  readonly words: string;
}

export class Speech {
  readonly #said = new Map<number, { readonly count: number; readonly atMs: number; readonly words: string }>();
  /** The last things that were said, oldest first. */
  readonly lines: Line[] = [];

  /** To be called once a frame. */
  listen(heroes: Iterable<HeroReplica>, nowMs: number): void {
    for (const { id, name, says, said } of heroes) {
      const before = this.#said.get(id);
      if (before?.count === said) continue;
      // Of somebody who has just come into sight it is not known when it spoke.
      const isNew = before !== undefined;
      this.#said.set(id, { count: said, atMs: isNew ? nowMs : Number.NEGATIVE_INFINITY, words: says });
      if (!isNew || says === "") continue;
      this.lines.push({ name, words: says });
      if (this.lines.length > MOST_LINES) this.lines.shift();
    }
    if (this.#said.size > 1000) this.#said.clear();
  }

  words(id: number, nowMs: number): string | undefined {
    const said = this.#said.get(id);
    return said === undefined || said.words === "" || nowMs - said.atMs > SHOWN_MS ? undefined : said.words;
  }
}
