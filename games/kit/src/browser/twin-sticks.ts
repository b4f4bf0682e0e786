/**
 * Two sticks on a touch screen. The left half of the screen is for running: the stick appears where the thumb comes down. The right half is for looking, and
 * fires when pushed far. The page has an element for each, `#stick-move` and `#stick-look`, with an `<i>` for its knob.
 */

import { find } from "./dom.ts";
import type { StickIntent } from "./pad.ts";

/** CSS pixels from the middle of a stick to its rim. */
const REACH = 52;
/** Share of it that is rest. */
const REST = 0.16;
/** Share from which the right stick fires. */
const FIRES = 0.62;

interface Stick {
  readonly element: HTMLElement;
  readonly knob: HTMLElement;
  pointer: number | undefined;
  centreX: number;
  centreY: number;
  x: number;
  y: number;
}

export interface TwinSticksHandlers {
  /** Somebody touched the screen: show what is there for fingers. */
  use(): void;
}

export class TwinSticks {
  readonly #handlers: TwinSticksHandlers;
  readonly #move: Stick;
  readonly #look: Stick;

  constructor(handlers: TwinSticksHandlers, root: HTMLElement, surface: HTMLElement) {
    this.#handlers = handlers;
    this.#move = stickOf(root, "#stick-move");
    this.#look = stickOf(root, "#stick-look");
    surface.addEventListener("pointerdown", (event) => this.#down(event, surface));
    surface.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"] as const)
      surface.addEventListener(end, (event) => this.#up(event));
  }

  /** Writes what the thumbs do into an intent; true if one is down. */
  read(intent: StickIntent): boolean {
    if (this.#move.pointer !== undefined) {
      intent.moveX += this.#move.x;
      intent.moveY += this.#move.y;
    }
    const far = Math.hypot(this.#look.x, this.#look.y);
    if (this.#look.pointer !== undefined && far > REST) {
      intent.aim = "stick";
      intent.aimX = this.#look.x;
      intent.aimY = this.#look.y;
      intent.fires ||= far > FIRES;
    }
    return this.#move.pointer !== undefined || this.#look.pointer !== undefined;
  }

  #down(event: PointerEvent, surface: HTMLElement): void {
    if (event.pointerType !== "touch") return;
    event.preventDefault();
    this.#handlers.use();
    const stick = event.clientX < surface.clientWidth / 2 ? this.#move : this.#look;
    if (stick.pointer !== undefined) return;
    surface.setPointerCapture(event.pointerId);
    stick.pointer = event.pointerId;
    stick.centreX = event.clientX;
    stick.centreY = event.clientY;
    stick.element.style.left = `${event.clientX}px`;
    stick.element.style.top = `${event.clientY}px`;
    push(stick, event);
  }

  #drag(event: PointerEvent): void {
    for (const stick of [this.#move, this.#look]) if (stick.pointer === event.pointerId) push(stick, event);
  }

  #up(event: PointerEvent): void {
    for (const stick of [this.#move, this.#look]) {
      if (stick.pointer !== event.pointerId) continue;
      stick.pointer = undefined;
      stick.x = stick.y = 0;
      stick.element.dataset["held"] = "false";
      stick.element.style.left = stick.element.style.top = "";
      stick.knob.style.translate = "";
    }
  }
}

function push(stick: Stick, event: PointerEvent): void {
  const [dx, dy] = [(event.clientX - stick.centreX) / REACH, (event.clientY - stick.centreY) / REACH];
  const length = Math.max(1, Math.hypot(dx, dy));
  stick.x = Math.hypot(dx, dy) < REST ? 0 : dx / length;
  stick.y = Math.hypot(dx, dy) < REST ? 0 : dy / length;
  stick.element.dataset["held"] = Math.hypot(dx, dy) > FIRES ? "far" : "near";
  stick.knob.style.translate = `${(dx / length) * REACH}px ${(dy / length) * REACH}px`;
}

function stickOf(root: HTMLElement, selector: string): Stick {
  const element = find(selector, root);
  return { element, knob: find("i", element), pointer: undefined, centreX: 0, centreY: 0, x: 0, y: 0 };
}
