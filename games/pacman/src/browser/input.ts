/** Keys, swipes, the pad on the screen and gamepads, all turned into one of four headings or one of a few actions. */

import type { Heading } from "../maze.ts";

export type Action = "mute" | "overlay" | "confirm" | "help";

export interface InputHandlers {
  turn(want: Heading): void;
  act(action: Action): void;
  /** Any sign of life, for what browsers allow only then (sound). */
  wake(): void;
}

const KEYS: Readonly<Record<string, Heading>> = {
  ArrowUp: 0,
  KeyW: 0,
  ArrowRight: 1,
  KeyD: 1,
  ArrowDown: 2,
  KeyS: 2,
  ArrowLeft: 3,
  KeyA: 3,
};
const ACTIONS: Readonly<Record<string, Action>> = {
  KeyM: "mute",
  KeyV: "overlay",
  Enter: "confirm",
  Space: "confirm",
  Escape: "help",
  KeyH: "help",
};
/** Pixels a finger must travel before it is a swipe; then each such distance may turn again without lifting. */
const SWIPE = 22;
const STICK = 0.5;

export class Input {
  readonly #handlers: InputHandlers;
  #touch: { id: number; x: number; y: number } | undefined;
  #padHeading: Heading | undefined;

  constructor(handlers: InputHandlers, surface: HTMLElement, pad: HTMLElement) {
    this.#handlers = handlers;
    addEventListener("keydown", (event) => this.#key(event));
    surface.addEventListener("pointerdown", (event) => this.#touchStart(event));
    surface.addEventListener("pointermove", (event) => this.#touchMove(event));
    for (const name of ["pointerup", "pointercancel"] as const) {
      surface.addEventListener(name, () => {
        this.#touch = undefined;
      });
    }
    for (const button of pad.querySelectorAll<HTMLElement>("[data-way]")) {
      button.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        handlers.wake();
        handlers.turn(Number(button.dataset["way"]) as Heading);
      });
    }
  }

  /** Gamepads tell nothing by themselves; ask once a frame. */
  pollGamepads(): void {
    for (const gamepad of navigator.getGamepads()) {
      if (!gamepad) continue;
      const heading = headingOf(gamepad);
      if (heading !== undefined && heading !== this.#padHeading) this.#handlers.turn(heading);
      this.#padHeading = heading;
      return;
    }
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target instanceof HTMLInputElement;
    const heading = KEYS[event.code];
    const action = ACTIONS[event.code];
    if (typing || (heading === undefined && action === undefined)) return;
    // A focused button takes Enter and Space itself.
    if (action === "confirm" && event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    this.#handlers.wake();
    if (event.repeat) return;
    if (heading !== undefined) this.#handlers.turn(heading);
    else if (action !== undefined) this.#handlers.act(action);
  }

  #touchStart(event: PointerEvent): void {
    this.#handlers.wake();
    this.#touch = { id: event.pointerId, x: event.clientX, y: event.clientY };
  }

  #touchMove(event: PointerEvent): void {
    if (this.#touch?.id !== event.pointerId) return;
    const [dx, dy] = [event.clientX - this.#touch.x, event.clientY - this.#touch.y];
    if (Math.max(Math.abs(dx), Math.abs(dy)) < SWIPE) return;
    this.#handlers.turn(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 1 : 3) : dy > 0 ? 2 : 0);
    this.#touch.x = event.clientX;
    this.#touch.y = event.clientY;
  }
}

function headingOf(gamepad: Gamepad): Heading | undefined {
  const pressed = (button: number): boolean => gamepad.buttons[button]?.pressed ?? false;
  const [x, y] = [gamepad.axes[0] ?? 0, gamepad.axes[1] ?? 0];
  if (pressed(12) || (y < -STICK && Math.abs(y) > Math.abs(x))) return 0;
  if (pressed(15) || (x > STICK && Math.abs(x) > Math.abs(y))) return 1;
  if (pressed(13) || (y > STICK && Math.abs(y) > Math.abs(x))) return 2;
  if (pressed(14) || (x < -STICK && Math.abs(x) > Math.abs(y))) return 3;
  return undefined;
}
