/** The party at the screen's edge: who belongs to it, and in a dungeon how each is. */

import { make } from "@nearfield/kit/browser";

export interface PartyMember {
  readonly name: string;
  readonly colour: string;
  /** A few words: "leads", "down", "out". */
  readonly words: string;
  /** Share of its health; undefined: not told. */
  readonly health?: number;
}

export class PartyList {
  readonly #root: HTMLElement;
  #told = "";

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  show(members: readonly PartyMember[]): void {
    const told = JSON.stringify(members);
    if (told === this.#told) return;
    this.#told = told;
    this.#root.replaceChildren(...members.map(line));
  }
}

function line({ name, colour, words, health }: PartyMember): HTMLElement {
  const element = make("li", {}, make("span", {}, name), make("small", {}, words));
  element.style.setProperty("--colour", colour);
  if (health !== undefined) {
    const state = health > 0.5 ? "good" : health > 0.25 ? "hurt" : "bad";
    const meter = make("i", { class: "meter", "data-state": state });
    meter.style.setProperty("--share", String(health));
    element.append(meter);
  }
  return element;
}
