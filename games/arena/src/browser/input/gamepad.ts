/**
 * The first gamepad: left stick runs, right stick looks, triggers fire and raise the scope. Gamepads raise no events for their sticks, so the page asks
 * once a frame. While there is no gamepad it asks rarely, because the browser is slow to answer.
 */

import type { Action, Intent } from "./intent.ts";

const REST = 0.2;
/** Frames between two looks for a gamepad where there is none. */
const LOOK_EVERY = 30;
const BUTTONS = {
  confirm: 0,
  swap: 3,
  previous: 4,
  next: 5,
  scope: 6,
  fire: 7,
  board: 8,
  help: 9,
  net: 12,
  mute: 13,
} as const;
const MOMENTS: readonly (readonly [Action, number])[] = [
  ["confirm", BUTTONS.confirm],
  ["swap", BUTTONS.swap],
  ["previous", BUTTONS.previous],
  ["next", BUTTONS.next],
  ["help", BUTTONS.help],
  ["net", BUTTONS.net],
  ["mute", BUTTONS.mute],
];

export class Pad {
  readonly #act: (action: Action) => void;
  readonly #down = new Set<number>();
  #framesToLook = 0;

  constructor(act: (action: Action) => void) {
    this.#act = act;
  }

  /** Writes what the gamepad says into an intent; true if it is in use. */
  read(intent: Intent): boolean {
    if (this.#framesToLook > 0) {
      this.#framesToLook--;
      return false;
    }
    const pad = navigator.getGamepads().find((candidate) => candidate !== null);
    if (!pad) {
      this.#framesToLook = LOOK_EVERY;
      return false;
    }
    const held = (button: number): boolean => pad.buttons[button]?.pressed ?? false;
    for (const [action, button] of MOMENTS) {
      if (held(button) && !this.#down.has(button)) this.#act(action);
      if (held(button)) this.#down.add(button);
      else this.#down.delete(button);
    }
    const [moveX, moveY] = stick(pad, 0);
    const [lookX, lookY] = stick(pad, 2);
    intent.moveX += moveX;
    intent.moveY += moveY;
    intent.fires ||= held(BUTTONS.fire);
    intent.zooms ||= held(BUTTONS.scope);
    intent.board ||= held(BUTTONS.board);
    if (lookX !== 0 || lookY !== 0) {
      intent.aim = "stick";
      intent.aimX = lookX;
      intent.aimY = lookY;
    }
    return moveX !== 0 || moveY !== 0 || lookX !== 0 || lookY !== 0 || held(BUTTONS.fire) || held(BUTTONS.scope);
  }
}

/** Around the middle a stick says nothing. */
function stick(pad: Gamepad, first: number): [number, number] {
  const [x, y] = [pad.axes[first] ?? 0, pad.axes[first + 1] ?? 0];
  return Math.hypot(x, y) < REST ? [0, 0] : [x, y];
}
