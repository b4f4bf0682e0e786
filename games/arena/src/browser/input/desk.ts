/** Keyboard and mouse: run with WASD or arrows, look at the pointer, fire with the left button, raise the scope with the right one. */

import type { Action, Intent } from "./intent.ts";

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  KeyW: [0, -1],
  ArrowUp: [0, -1],
  KeyS: [0, 1],
  ArrowDown: [0, 1],
  KeyA: [-1, 0],
  ArrowLeft: [-1, 0],
  KeyD: [1, 0],
  ArrowRight: [1, 0],
};
const ACTIONS: Readonly<Record<string, readonly Action[]>> = {
  KeyQ: ["swap"],
  Digit1: ["rifle"],
  Digit2: ["rocket"],
  KeyM: ["mute"],
  KeyV: ["net"],
  KeyH: ["help"],
  F1: ["help"],
  Escape: ["help"],
  Enter: ["confirm"],
  KeyE: ["next"],
  ArrowRight: ["next"],
  ArrowLeft: ["previous"],
};
const HELD: ReadonlySet<string> = new Set([...Object.keys(MOVES), "Space", "ShiftLeft", "ShiftRight", "Tab"]);

/** One turn of a wheel comes as many events, ms. */
const WHEEL_MS = 180;

export interface DeskHandlers {
  act(action: Action): void;
  wake(): void;
  /** Whether keys are for the game now, and not for a form. */
  isPlaying(): boolean;
}

export class Desk {
  readonly #handlers: DeskHandlers;
  readonly #held = new Set<string>();
  /** Until the pointer moves: to the right. */
  #x: number = innerWidth * 0.75;
  #y: number = innerHeight / 2;
  #left = false;
  #right = false;
  #moved = false;
  #turnedMs = 0;

  constructor(handlers: DeskHandlers, surface: HTMLElement) {
    this.#handlers = handlers;
    addEventListener("keydown", (event) => this.#press(event));
    addEventListener("keyup", ({ code }) => this.#held.delete(code));
    addEventListener("blur", () => this.letGo());
    addEventListener("pointermove", (event) => this.#point(event));
    addEventListener("pointerup", (event) => this.#click(event, false));
    surface.addEventListener("pointerdown", (event) => this.#click(event, true));
    surface.addEventListener("contextmenu", (event) => event.preventDefault());
    surface.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        if (Math.abs(event.deltaY) < 2 || event.timeStamp - this.#turnedMs < WHEEL_MS) return;
        this.#turnedMs = event.timeStamp;
        handlers.act("swap");
      },
      { passive: false },
    );
  }

  /** Writes what is held into an intent; true if keys or mouse said anything since the last time. */
  read(intent: Intent): boolean {
    const spoke = this.#moved || this.#held.size > 0 || this.#left || this.#right;
    this.#moved = false;
    for (const key of this.#held) {
      const move = MOVES[key];
      intent.moveX += move?.[0] ?? 0;
      intent.moveY += move?.[1] ?? 0;
    }
    intent.aimX = this.#x;
    intent.aimY = this.#y;
    intent.fires ||= this.#left || this.#held.has("Space");
    intent.zooms ||= this.#right || this.#held.has("ShiftLeft") || this.#held.has("ShiftRight");
    intent.board ||= this.#held.has("Tab");
    return spoke;
  }

  letGo(): void {
    this.#held.clear();
    this.#left = this.#right = false;
  }

  #press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target instanceof HTMLInputElement;
    const onButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
    if (typing || (!this.#handlers.isPlaying() && event.code !== "Escape")) return;
    // A focused button takes Enter and Space itself.
    if (onButton && (event.code === "Enter" || event.code === "Space")) return;
    const actions = ACTIONS[event.code] ?? [];
    if (!HELD.has(event.code) && actions.length === 0) return;
    event.preventDefault();
    this.#handlers.wake();
    if (event.repeat) return;
    if (HELD.has(event.code)) this.#held.add(event.code);
    for (const action of actions) this.#handlers.act(action);
  }

  #point(event: PointerEvent): void {
    if (event.pointerType === "touch") return;
    this.#x = event.clientX;
    this.#y = event.clientY;
    this.#moved = true;
    // A second button that is pressed or let go while another is held comes as a move.
    if (this.#left || this.#right) this.#hold(event.buttons);
  }

  #hold(buttons: number): void {
    this.#left = (buttons & 1) !== 0;
    this.#right = (buttons & 2) !== 0;
  }

  #click(event: PointerEvent, down: boolean): void {
    if (event.pointerType === "touch") return;
    this.#point(event);
    this.#handlers.wake();
    if (down || this.#left || this.#right) this.#hold(event.buttons);
  }
}
