/**
 * Keyboard and mouse of a game in which one runs and looks: WASD or arrows run, the pointer is what one looks at. The game names what its other keys do, and asks
 * which are held. While somebody types, keys are letters; Escape leaves the field.
 */

import type { StickIntent } from "./pad.ts";

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

export interface DeskHandlers<Action extends string> {
  act(action: Action): void;
  /** Somebody pressed something: sounds may begin. */
  wake(): void;
  /** Whether keys are for the game now, and not for a form. */
  isPlaying(): boolean;
}

export interface DeskKeys<Action extends string> {
  /** What keys do once when they go down, by the key's code ("KeyQ"), or by what it writes ("?"). */
  readonly actions: Readonly<Record<string, readonly Action[]>>;
  /** Codes of the keys that can be held, besides those that run. */
  readonly held: readonly string[];
}

/** Whether a press is for the element it happens on: a field takes all keys, a focused button takes Enter and Space. */
export function isForElement({ target, code }: KeyboardEvent): boolean {
  if (target instanceof HTMLInputElement) return true;
  const isOnButton = target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement;
  return isOnButton && (code === "Enter" || code === "Space");
}

export class Desk<Action extends string> {
  readonly #handlers: DeskHandlers<Action>;
  readonly #keys: DeskKeys<Action>;
  readonly #held = new Set<string>();
  /** Until the pointer moves: to the right. */
  #x: number = innerWidth * 0.75;
  #y: number = innerHeight / 2;
  #buttons = 0;
  #hasMoved = false;

  constructor(handlers: DeskHandlers<Action>, keys: DeskKeys<Action>, surface: HTMLElement) {
    this.#handlers = handlers;
    this.#keys = keys;
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

  /** Writes run and look into an intent; true if keys or mouse said anything since the last time. */
  read(intent: StickIntent): boolean {
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
    return spoke;
  }

  /** Whether one of the keys is held. */
  isHeld(...codes: readonly string[]): boolean {
    return codes.some((code) => this.#held.has(code));
  }

  /** Whether the right mouse button is held. */
  get isRightHeld(): boolean {
    return (this.#buttons & 2) !== 0;
  }

  letGo(): void {
    this.#held.clear();
    this.#buttons = 0;
  }

  #press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.code === "Escape" && event.target instanceof HTMLInputElement) event.target.blur();
    if (isForElement(event) || (!this.#handlers.isPlaying() && event.code !== "Escape")) return;
    const actions = this.#keys.actions[event.key] ?? this.#keys.actions[event.code] ?? [];
    const canHold = event.code in MOVES || this.#keys.held.includes(event.code);
    if (!canHold && actions.length === 0) return;
    event.preventDefault();
    this.#handlers.wake();
    if (event.repeat) return;
    if (canHold) this.#held.add(event.code);
    for (const action of actions) this.#handlers.act(action);
  }

  #point(event: PointerEvent): void {
    if (event.pointerType === "touch") return;
    this.#x = event.clientX;
    this.#y = event.clientY;
    this.#hasMoved = true;
    // A second button that is pressed or let go while another is held comes as a move.
    if (this.#buttons > 0) this.#buttons = event.buttons;
  }
}
