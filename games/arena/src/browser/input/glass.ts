/**
 * Two sticks on a touch screen. The left half of the screen is for running: the stick appears where the thumb comes down. The right half is for
 * looking, and fires when pushed far. Buttons beside them change the weapon and raise the scope.
 */

import type { Action, Intent } from "./intent.ts";

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

export interface GlassHandlers {
  act(action: Action): void;
  wake(): void;
}

export class Glass {
  readonly #root: HTMLElement;
  readonly #handlers: GlassHandlers;
  readonly #move: Stick;
  readonly #look: Stick;
  #zooms = false;
  #isUsed = false;

  constructor(handlers: GlassHandlers, root: HTMLElement, surface: HTMLElement) {
    this.#root = root;
    this.#handlers = handlers;
    this.#move = stickOf(root, "#stick-move");
    this.#look = stickOf(root, "#stick-look");
    surface.addEventListener("pointerdown", (event) => this.#down(event, surface));
    surface.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"] as const)
      surface.addEventListener(end, (event) => this.#up(event));
    for (const button of root.querySelectorAll<HTMLElement>("[data-touch]")) {
      button.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        this.#tap(button.dataset["touch"] as Action | "zoom");
      });
    }
  }

  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Writes what the thumbs do into an intent; true if one is down. */
  read(intent: Intent): boolean {
    intent.zooms ||= this.#zooms && this.#isUsed;
    if (this.#move.pointer !== undefined) {
      intent.moveX += this.#move.x;
      intent.moveY += this.#move.y;
    }
    if (this.#look.pointer !== undefined && Math.hypot(this.#look.x, this.#look.y) > REST) {
      intent.aim = "stick";
      intent.aimX = this.#look.x;
      intent.aimY = this.#look.y;
      intent.fires ||= Math.hypot(this.#look.x, this.#look.y) > FIRES;
    }
    return this.#move.pointer !== undefined || this.#look.pointer !== undefined;
  }

  /** The scope goes down with a new life. */
  lowerScope(): void {
    if (this.#zooms) this.#setZoom(false);
  }

  #tap(action: Action | "zoom"): void {
    this.#use();
    this.#handlers.wake();
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
  }

  #down(event: PointerEvent, surface: HTMLElement): void {
    if (event.pointerType !== "touch") return;
    event.preventDefault();
    this.#use();
    this.#handlers.wake();
    const stick = event.clientX < surface.clientWidth / 2 ? this.#move : this.#look;
    if (stick.pointer !== undefined) return;
    surface.setPointerCapture(event.pointerId);
    stick.pointer = event.pointerId;
    stick.centreX = event.clientX;
    stick.centreY = event.clientY;
    stick.element.style.left = `${event.clientX}px`;
    stick.element.style.top = `${event.clientY}px`;
    this.#push(stick, event);
  }

  #drag(event: PointerEvent): void {
    for (const stick of [this.#move, this.#look]) if (stick.pointer === event.pointerId) this.#push(stick, event);
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

  #push(stick: Stick, event: PointerEvent): void {
    const [dx, dy] = [(event.clientX - stick.centreX) / REACH, (event.clientY - stick.centreY) / REACH];
    const length = Math.max(1, Math.hypot(dx, dy));
    stick.x = Math.hypot(dx, dy) < REST ? 0 : dx / length;
    stick.y = Math.hypot(dx, dy) < REST ? 0 : dy / length;
    stick.element.dataset["held"] = Math.hypot(dx, dy) > FIRES ? "far" : "near";
    stick.knob.style.translate = `${(dx / length) * REACH}px ${(dy / length) * REACH}px`;
  }
}

function stickOf(root: HTMLElement, selector: string): Stick {
  const element = root.querySelector<HTMLElement>(selector)!;
  const knob = element.querySelector<HTMLElement>("i")!;
  return { element, knob, pointer: undefined, centreX: 0, centreY: 0, x: 0, y: 0 };
}
