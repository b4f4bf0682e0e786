/** Keyboard and mouse: run with WASD or arrows, look at the pointer, fire with the left button, use with E, dash with Space or the right button. */

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
const ACTIONS: Readonly<Record<string, Action>> = {
  KeyE: "use",
  KeyI: "stash",
  KeyB: "board",
  KeyT: "trade",
  KeyV: "net",
  KeyM: "mute",
  KeyH: "help",
  F1: "help",
  Enter: "chat",
  Escape: "escape",
};
const HELD: ReadonlySet<string> = new Set([...Object.keys(MOVES), "KeyE", "Space"]);

export interface DeskHandlers {
  act(action: Action): void;
  wake(): void;
  /** Whether keys are for the game now. */
  isPlaying(): boolean;
}

export class Desk {
  readonly #handlers: DeskHandlers;
  readonly #held = new Set<string>();
  /** Until the pointer moves: to the right. */
  #x: number = innerWidth * 0.75;
  #y: number = innerHeight / 2;
  #buttons = 0;
  #hasMoved = false;

  constructor(handlers: DeskHandlers, surface: HTMLElement) {
    this.#handlers = handlers;
    addEventListener("keydown", (event) => this.#press(event));
    addEventListener("keyup", ({ code }) => this.#held.delete(code));
    addEventListener("blur", () => this.letGo());
    addEventListener("pointermove", (event) => this.#point(event));
    addEventListener("pointerup", (event) => this.#point(event));
    surface.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") return;
      handlers.wake();
      this.#point(event);
      this.#buttons = event.buttons;
    });
    surface.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Writes what is held into an intent; true if keys or mouse said anything since the last time. */
  read(intent: Intent): boolean {
    const spoke = this.#hasMoved || this.#held.size > 0 || this.#buttons > 0;
    this.#hasMoved = false;
    for (const key of this.#held) {
      const move = MOVES[key];
      intent.moveX += move?.[0] ?? 0;
      intent.moveY += move?.[1] ?? 0;
    }
    intent.aimX = this.#x;
    intent.aimY = this.#y;
    intent.fires ||= (this.#buttons & 1) !== 0;
    intent.uses ||= this.#held.has("KeyE");
    intent.dashes ||= this.#held.has("Space") || (this.#buttons & 2) !== 0;
    return spoke;
  }

  letGo(): void {
    this.#held.clear();
    this.#buttons = 0;
  }

  #press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.code === "Escape" && isTyping) event.target.blur();
    else if (isTyping || (!this.#handlers.isPlaying() && event.code !== "Escape")) return;
    const isOnButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
    // A focused button takes Enter and Space itself.
    if (isOnButton && (event.code === "Enter" || event.code === "Space")) return;
    const action = event.key === "?" ? "help" : ACTIONS[event.code];
    if (!HELD.has(event.code) && action === undefined) return;
    event.preventDefault();
    this.#handlers.wake();
    if (event.repeat) return;
    if (HELD.has(event.code)) this.#held.add(event.code);
    if (action !== undefined) this.#handlers.act(action);
  }

  #point(event: PointerEvent): void {
    if (event.pointerType === "touch") return;
    this.#x = event.clientX;
    this.#y = event.clientY;
    this.#hasMoved = true;
    if (this.#buttons > 0) this.#buttons = event.buttons;
  }
}
