/**
 * The first gamepad: left stick runs, right stick looks, the right trigger fires; the game names its other buttons. Gamepads raise no events for their
 * sticks, so the page asks once a frame. While there is no gamepad it asks rarely, because the browser is slow to answer.
 */

const REST = 0.2;
/** Frames between two looks for a gamepad where there is none. */
const LOOK_EVERY = 30;
const FIRE = 7;

/** What a player wants, as sticks of any kind say it. */
export interface StickIntent {
  /** Direction to run, each −1 to 1. */
  moveX: number;
  moveY: number;
  /** Where to look: at a point of the screen (CSS pixels), or along a direction. */
  aim: "pointer" | "stick";
  aimX: number;
  aimY: number;
  fires: boolean;
}

export interface PadOptions<Action extends string> {
  /** Called once when a button goes down. */
  readonly act: (action: Action) => void;
  /** Which button does what. */
  readonly moments: readonly (readonly [Action, button: number])[];
}

export class Pad<Action extends string> {
  readonly #options: PadOptions<Action>;
  readonly #down = new Set<number>();
  #pad: Gamepad | undefined;
  #framesToLook = 0;

  constructor(options: PadOptions<Action>) {
    this.#options = options;
  }

  /** Whether a button is down, as of the last read. */
  isHeld(button: number): boolean {
    return this.#pad?.buttons[button]?.pressed ?? false;
  }

  /** Writes what the gamepad says into an intent; true if its sticks or its trigger are in use. */
  read(intent: StickIntent): boolean {
    this.#pad = undefined;
    if (this.#framesToLook > 0) {
      this.#framesToLook--;
      return false;
    }
    const pad = navigator.getGamepads().find((candidate) => candidate !== null);
    if (!pad) {
      this.#framesToLook = LOOK_EVERY;
      return false;
    }
    this.#pad = pad;
    for (const [action, button] of this.#options.moments) {
      if (this.isHeld(button) && !this.#down.has(button)) this.#options.act(action);
      if (this.isHeld(button)) this.#down.add(button);
      else this.#down.delete(button);
    }
    const [moveX, moveY] = stick(pad, 0);
    const [lookX, lookY] = stick(pad, 2);
    intent.moveX += moveX;
    intent.moveY += moveY;
    intent.fires ||= this.isHeld(FIRE);
    if (lookX !== 0 || lookY !== 0) {
      intent.aim = "stick";
      intent.aimX = lookX;
      intent.aimY = lookY;
    }
    return moveX !== 0 || moveY !== 0 || lookX !== 0 || lookY !== 0 || this.isHeld(FIRE);
  }
}

/** Around the middle a stick says nothing. */
function stick(pad: Gamepad, first: number): [number, number] {
  const [x, y] = [pad.axes[first] ?? 0, pad.axes[first + 1] ?? 0];
  return Math.hypot(x, y) < REST ? [0, 0] : [x, y];
}
