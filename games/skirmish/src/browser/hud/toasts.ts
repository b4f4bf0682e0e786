/** Short words for what has just happened, at the top of the stage; and refusals, beside the place where something was asked for. */

import { find, make } from "@nearfield/kit/browser";

const LIFE_MS = 3200;
const HERE_MS = 1400;
const MOST = 3;

export type Tone = "plain" | "good" | "bad";

export class Toasts {
  readonly #list: HTMLElement;
  readonly #here: HTMLElement;
  readonly #lines: { readonly element: HTMLElement; readonly words: string; untilMs: number }[] = [];
  #hereUntilMs = 0;

  constructor(root: HTMLElement) {
    this.#list = find("#toasts", root);
    this.#here = find("#here", root);
  }

  say(words: string, tone: Tone, nowMs: number): void {
    const known = this.#lines.find((line) => line.words === words);
    if (known !== undefined) {
      known.untilMs = nowMs + LIFE_MS;
      return;
    }
    const element = make("li", { "data-tone": tone }, words);
    this.#list.append(element);
    this.#lines.push({ element, words, untilMs: nowMs + LIFE_MS });
    if (this.#lines.length > MOST) this.#lines.shift()?.element.remove();
  }

  /** At a point of the stage, CSS pixels. */
  sayHere(words: string, x: number, y: number, nowMs: number): void {
    this.#here.textContent = words;
    this.#here.style.left = `${Math.round(Math.min(innerWidth - 90, Math.max(90, x)))}px`;
    this.#here.style.top = `${Math.round(Math.max(70, y))}px`;
    this.#here.hidden = false;
    this.#hereUntilMs = nowMs + HERE_MS;
  }

  update(nowMs: number): void {
    while (this.#lines[0] !== undefined && this.#lines[0].untilMs < nowMs) this.#lines.shift()?.element.remove();
    if (this.#hereUntilMs !== 0 && this.#hereUntilMs < nowMs) {
      this.#here.hidden = true;
      this.#hereUntilMs = 0;
    }
  }

  clear(): void {
    for (const { element } of this.#lines.splice(0)) element.remove();
    this.#here.hidden = true;
  }
}
