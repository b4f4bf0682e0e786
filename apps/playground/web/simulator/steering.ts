/**
 * Which keys the player holds and where he clicked: keyboard, touch buttons and pointer in one place. Keys do not steer while somebody types in
 * a field. Under point and click, keys move the target, so that everything can be done without a mouse.
 */

import { Keys } from "@nearfield/simulation";
import type { ControlInput } from "@nearfield/simulation/internal";
import { FRAMES_PER_SECOND, roundClick } from "./recording.ts";
import type { ControlName } from "./settings.ts";

export type KeyName = keyof typeof Keys;

const KEY_CODES: Readonly<Record<string, KeyName>> = {
  ArrowUp: "forward",
  KeyW: "forward",
  ArrowDown: "back",
  KeyS: "back",
  ArrowLeft: "left",
  KeyA: "left",
  ArrowRight: "right",
  KeyD: "right",
  KeyQ: "strafeLeft",
  KeyE: "strafeRight",
};

/** px per frame that keys move a target. */
const NUDGE: number = 90 / FRAMES_PER_SECOND;

export class Steering {
  #held = 0;
  #touched = 0;
  #targetX = 0;
  #targetY = 0;

  /** Listens to the keyboard. */
  listen(page: Document, window: Window): void {
    page.addEventListener("keydown", (event) => {
      const name = KEY_CODES[event.code];
      if (name === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      // Arrow keys would scroll the page.
      event.preventDefault();
      this.#held |= Keys[name];
    });
    page.addEventListener("keyup", (event) => {
      const name = KEY_CODES[event.code];
      if (name !== undefined) this.#held &= ~Keys[name];
    });
    window.addEventListener("blur", () => this.release());
  }

  /** Lets a button hold a key for as long as it is pressed. */
  attach(button: HTMLButtonElement, name: KeyName): void {
    const press = (): void => {
      this.#touched |= Keys[name];
    };
    const release = (): void => {
      this.#touched &= ~Keys[name];
    };
    button.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      button.setPointerCapture(event.pointerId);
      press();
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur"])
      button.addEventListener(end, release);
    button.addEventListener("keydown", ({ key }) => void ((key === " " || key === "Enter") && press()));
    button.addEventListener("keyup", release);
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  get keys(): number {
    return this.#held | this.#touched;
  }

  release(): void {
    this.#held = 0;
    this.#touched = 0;
  }

  aimAt(x: number, y: number): void {
    this.#targetX = roundClick(x);
    this.#targetY = roundClick(y);
  }

  /** What steers the next frame. */
  input(control: ControlName): ControlInput {
    const { keys } = this;
    if (control !== "point") return { keys, targetX: 0, targetY: 0 };
    const right = (keys & Keys.right ? 1 : 0) - (keys & Keys.left ? 1 : 0);
    const up = (keys & Keys.forward ? 1 : 0) - (keys & Keys.back ? 1 : 0);
    this.aimAt(this.#targetX + right * NUDGE, this.#targetY + up * NUDGE);
    return { keys: 0, targetX: this.#targetX, targetY: this.#targetY };
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input:not([type="checkbox"]), select, textarea') !== null;
}
