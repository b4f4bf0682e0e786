/** The log of what was said, the line to say something, and who says what right now. */

import { find, make } from "@nearfield/kit/browser";

export interface Said {
  readonly channel: string;
  readonly account: string;
  readonly name: string;
  readonly words: string;
  readonly colour?: string;
}

const MOST_LINES = 40;
/** How long words stay over a head: this, and more for longer ones, ms. */
const BUBBLE_MS = 3500;
const BUBBLE_MS_PER_LETTER = 45;

export class Chat {
  readonly #log: HTMLElement;
  readonly #line: HTMLInputElement;
  readonly #bubbles = new Map<string, { readonly words: string; readonly untilMs: number }>();

  /** `say`: the player has said something. */
  constructor(root: HTMLElement, say: (words: string) => void) {
    this.#log = find("#chat-log", root);
    this.#line = find<HTMLInputElement>("#chat-line", root);
    find<HTMLFormElement>("#chat-form", root).addEventListener("submit", (event) => {
      event.preventDefault();
      const words = this.#line.value.trim();
      this.#line.value = "";
      this.#line.blur();
      if (words) say(words);
    });
  }

  focus(): void {
    this.#line.focus();
  }

  add({ channel, account, name, words, colour }: Said, nowMs: number): void {
    const who = make("b", {}, `${name}: `);
    if (colour !== undefined) who.style.setProperty("--colour", colour);
    this.#append(make("li", { "data-channel": channel }, who, words));
    this.#bubbles.set(account, { words, untilMs: nowMs + BUBBLE_MS + words.length * BUBBLE_MS_PER_LETTER });
  }

  /** Something that nobody said. */
  note(words: string): void {
    this.#append(make("li", { "data-channel": "notice" }, words));
  }

  wordsOf(account: string, nowMs: number): string {
    const bubble = this.#bubbles.get(account);
    if (bubble === undefined) return "";
    if (bubble.untilMs > nowMs) return bubble.words;
    this.#bubbles.delete(account);
    return "";
  }

  get lines(): readonly string[] {
    return [...this.#log.children].map((line) => line.textContent ?? "");
  }

  clear(): void {
    this.#log.replaceChildren();
    this.#bubbles.clear();
  }

  #append(line: HTMLElement): void {
    this.#log.append(line);
    while (this.#log.children.length > MOST_LINES) this.#log.firstElementChild!.remove();
  }
}
