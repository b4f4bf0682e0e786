/** Who killed whom, the newest below; each line stands for a few seconds. And the large words in the middle of the screen. */

import { playerColour } from "@nearfield/kit";
import { escapeText, find } from "@nearfield/kit/browser";
import type { Weapon } from "../../state.ts";

const MOST_LINES = 5;
const LINE_MS = 6000;
const WORDS_MS = 1800;

export interface Person {
  readonly name: string;
  readonly colour: number;
}

const ICONS: Readonly<Record<Weapon, string>> = {
  rifle: '<svg viewBox="0 0 32 14" aria-label="rifle"><path d="M1 5h17V3h10v2h3v2H20l-2 2h-5l-2 4H8l1-4H1z"/></svg>',
  rocket:
    '<svg viewBox="0 0 32 14" aria-label="rocket"><path d="M2 4h18c5 0 8 1.500 10 3-2 1.500-5 3-10 3H2l3-3zM1 1l6 3H3zM1 13l6-3H3z"/></svg>',
};

export class Feed {
  readonly #list: HTMLElement;
  readonly #words: HTMLElement;
  readonly #lines: { readonly element: HTMLElement; readonly untilMs: number }[] = [];
  #wordsUntilMs = 0;

  constructor(root: HTMLElement) {
    this.#list = find("#feed", root);
    this.#words = find("#words", root);
  }

  /** `by` undefined: it was its own fault. */
  kill(by: Person | undefined, target: Person, weapon: Weapon, concerns: boolean, nowMs: number): void {
    const element = document.createElement("li");
    element.dataset["own"] = String(concerns);
    element.innerHTML = `${by ? person(by) : ""}${ICONS[weapon]}${person(target)}`;
    this.#list.append(element);
    this.#lines.push({ element, untilMs: nowMs + LINE_MS });
    if (this.#lines.length > MOST_LINES) this.#lines.shift()?.element.remove();
  }

  say(words: string, detail: string, nowMs: number): void {
    this.#words.innerHTML = `<strong>${escapeText(words)}</strong><span>${escapeText(detail)}</span>`;
    this.#words.dataset["on"] = "true";
    this.#wordsUntilMs = nowMs + WORDS_MS;
  }

  update(nowMs: number): void {
    while (this.#lines[0] && this.#lines[0].untilMs < nowMs) this.#lines.shift()?.element.remove();
    if (this.#wordsUntilMs !== 0 && this.#wordsUntilMs < nowMs) {
      this.#words.dataset["on"] = "false";
      this.#wordsUntilMs = 0;
    }
  }

  clear(): void {
    for (const { element } of this.#lines.splice(0)) element.remove();
    this.#words.dataset["on"] = "false";
  }
}

function person({ name, colour }: Person): string {
  return `<b style="--colour:${playerColour(colour)}">${escapeText(name)}</b>`;
}
