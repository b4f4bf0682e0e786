/** What is there for fingers: the kit's two sticks, and buttons beside them that change the weapon and raise the scope. */

import { TwinSticks } from "@nearfield/kit/browser";
import type { Action, Intent } from "./intent.ts";

export interface GlassHandlers {
  act(action: Action): void;
  wake(): void;
}

export class Glass {
  readonly #root: HTMLElement;
  readonly #handlers: GlassHandlers;
  readonly #sticks: TwinSticks;
  #zooms = false;
  #isUsed = false;

  constructor(handlers: GlassHandlers, root: HTMLElement, surface: HTMLElement) {
    this.#root = root;
    this.#handlers = handlers;
    this.#sticks = new TwinSticks({ use: () => this.#use() }, root, surface);
    for (const button of root.querySelectorAll<HTMLElement>("[data-touch]")) {
      button.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        this.#tap(button.dataset["touch"] as Action | "zoom");
      });
    }
  }

  /** Writes what the thumbs do into an intent; true if one is down. */
  read(intent: Intent): boolean {
    intent.zooms ||= this.#zooms && this.#isUsed;
    return this.#sticks.read(intent);
  }

  /** The scope goes down with a new life. */
  lowerScope(): void {
    if (this.#zooms) this.#setZoom(false);
  }

  #tap(action: Action | "zoom"): void {
    this.#use();
    if (action === "zoom") this.#setZoom(!this.#zooms);
    else this.#handlers.act(action);
  }

  #setZoom(on: boolean): void {
    this.#zooms = on;
    this.#root.querySelector("[data-touch=zoom]")?.setAttribute("aria-pressed", String(on));
  }

  /** From the first touch on the page shows its sticks and buttons. */
  #use(): void {
    this.#isUsed = true;
    this.#root.dataset["touch"] = "true";
    this.#handlers.wake();
  }
}
