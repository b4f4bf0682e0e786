/** What one has, as small coins with numbers: in the town what is owned, in a dungeon what is carried. */

import { make } from "@nearfield/kit/browser";
import { LOOT_KINDS } from "../../dungeon/numbers.ts";
import { GOODS, type Good } from "../../goods.ts";
import { css, LOOT_TINTS } from "../art/palette.ts";

export type Counts = Readonly<Partial<Record<Good, number>>>;

export function coin(good: Good): HTMLElement {
  const element = make("i", { class: "coin", "data-good": good, title: good });
  element.style.setProperty("--colour", css(LOOT_TINTS[good]!));
  return element;
}

/** One entry for each good that there is some of; with `LOOT_KINDS`: for each of these, also where there is none. */
export function coins(counts: Counts, kinds: readonly Good[] = GOODS.filter((good) => counts[good])): HTMLElement[] {
  return kinds.map((good) => make("li", { "data-good": good }, coin(good), make("b", {}, String(counts[good] ?? 0))));
}

export class Purse {
  readonly #root: HTMLElement;
  #told = "";

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  show(counts: Counts): void {
    const told = LOOT_KINDS.map((good) => counts[good] ?? 0).join();
    if (told === this.#told) return;
    this.#told = told;
    this.#root.replaceChildren(...coins(counts, LOOT_KINDS));
  }
}
