/** The command card: a fixed set of buttons that are filled anew. They are never replaced, so that a press is not lost when they change. */

import { find, make } from "@nearfield/kit/browser";
import type { CardButton } from "./card-buttons.ts";
import { type IconName, icon } from "./icons.ts";

const SLOTS = 8;
const COLUMNS = 4;

interface Slot {
  readonly element: HTMLButtonElement;
  readonly picture: HTMLElement;
  readonly name: HTMLElement;
  readonly key: HTMLElement;
  readonly cost: HTMLElement;
  button: CardButton | undefined;
  shown: string;
}

export class Card {
  readonly #root: HTMLElement;
  readonly #tip: HTMLElement;
  readonly #slots: readonly Slot[];
  #tipped: Slot | undefined;

  /** `press`: with Shift, many at once or after what is ordered already. */
  constructor(root: HTMLElement, press: (button: CardButton, many: boolean) => void) {
    this.#root = find("#card", root);
    this.#tip = find("#tip", root);
    this.#slots = Array.from({ length: SLOTS }, () => this.#makeSlot(press));
    this.#root.replaceChildren(...this.#slots.map(({ element }) => element));
  }

  show(buttons: readonly CardButton[]): void {
    this.#root.hidden = buttons.length === 0;
    this.#root.style.setProperty("--columns", String(Math.min(COLUMNS, buttons.length)));
    for (const [at, slot] of this.#slots.entries()) fill(slot, buttons[at]);
    this.#showTip();
  }

  /** The button with this key, if it can be pressed or tells why not. */
  byKey(key: string): CardButton | undefined {
    return this.#slots.find(({ button }) => button?.key === key)?.button;
  }

  #makeSlot(press: (button: CardButton, many: boolean) => void): Slot {
    const [picture, name, key, cost] = [make("i"), make("span"), make("kbd"), make("b")];
    const element = make("button", { type: "button" }, picture, name, key, cost);
    const slot: Slot = { element, picture, name, key, cost, button: undefined, shown: "" };
    element.addEventListener("click", (event) => {
      if (slot.button) press(slot.button, event.shiftKey);
      element.blur();
    });
    const point = (is: boolean): void => {
      this.#tipped = is ? slot : undefined;
      this.#showTip();
    };
    element.addEventListener("pointerenter", ({ pointerType }) => point(pointerType !== "touch"));
    element.addEventListener("pointerleave", () => point(false));
    element.addEventListener("focus", () => point(element.matches(":focus-visible")));
    element.addEventListener("blur", () => point(false));
    return slot;
  }

  #showTip(): void {
    const button = this.#tipped?.button;
    this.#tip.hidden = button === undefined;
    if (button === undefined) return;
    const cost = button.cost > 0 ? `<em>${button.cost} ore</em>` : "";
    const why = button.disabled ? `<u>${button.disabled}</u>` : "";
    const markup = `<strong>${button.name}</strong><kbd>${button.key}</kbd>${cost}<p>${button.words}</p>${why}`;
    if (this.#tip.dataset["shown"] === markup) return;
    this.#tip.dataset["shown"] = markup;
    this.#tip.innerHTML = markup;
  }
}

function fill(slot: Slot, button: CardButton | undefined): void {
  slot.button = button;
  const shown = button ? `${button.name}|${button.key}|${button.cost}|${button.disabled}|${button.isOn}` : "";
  if (slot.shown === shown && shown !== "") return;
  slot.shown = shown;
  const { element } = slot;
  element.hidden = button === undefined;
  if (button === undefined) return;
  setPicture(slot.picture, button.icon);
  slot.name.textContent = button.name;
  slot.key.textContent = button.key;
  slot.cost.textContent = button.cost > 0 ? String(button.cost) : "";
  element.dataset["name"] = button.name.toLowerCase();
  element.dataset["off"] = String(button.disabled !== "");
  element.setAttribute("aria-disabled", String(button.disabled !== ""));
  element.setAttribute("aria-pressed", String(button.isOn));
  element.setAttribute("aria-label", `${button.name} (${button.key})${button.disabled && `: ${button.disabled}`}`);
}

function setPicture(element: HTMLElement, name: IconName): void {
  if (element.dataset["icon"] === name) return;
  element.dataset["icon"] = name;
  element.innerHTML = icon(name);
}
