/** The mouse on the stage: left selects and draws boxes, right orders, the middle button drags the ground, the wheel zooms. */

import type { StageHandlers } from "./intent.ts";

/** A press that moves farther than this is a drag, CSS pixels. */
const STILL = 5;
const DOUBLE_MS = 350;
/** Factor of zoom for a step of a wheel. */
const WHEEL = 1.0015;
const LEFT = 0;
const MIDDLE = 1;
const RIGHT = 2;

export class Mouse {
  readonly #stage: HTMLElement;
  readonly #handlers: StageHandlers;
  #button = -1;
  #fromX = 0;
  #fromY = 0;
  #x = 0;
  #y = 0;
  #isBox = false;
  #clickedMs = Number.NEGATIVE_INFINITY;
  #clickedX = 0;
  #clickedY = 0;

  constructor(handlers: StageHandlers, stage: HTMLElement) {
    this.#handlers = handlers;
    this.#stage = stage;
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointermove", (event) => this.#move(event));
    stage.addEventListener("pointerup", (event) => this.#up(event));
    stage.addEventListener("pointercancel", () => this.#letGo());
    stage.addEventListener("pointerleave", () => handlers.leave());
    stage.addEventListener("contextmenu", (event) => event.preventDefault());
    stage.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        handlers.zoom(event.clientX, event.clientY, WHEEL ** -lines(event));
      },
      { passive: false },
    );
  }

  #down(event: PointerEvent): void {
    if (event.pointerType === "touch") return;
    event.preventDefault();
    this.#handlers.wake();
    if (this.#button >= 0) return;
    this.#stage.setPointerCapture(event.pointerId);
    this.#button = event.button;
    this.#fromX = this.#x = event.clientX;
    this.#fromY = this.#y = event.clientY;
    this.#isBox = false;
    this.#handlers.point(this.#x, this.#y);
    if (event.button === RIGHT) this.#handlers.order(this.#x, this.#y, event.shiftKey);
  }

  #move(event: PointerEvent): void {
    if (event.pointerType === "touch") return;
    const [dx, dy] = [event.clientX - this.#x, event.clientY - this.#y];
    this.#x = event.clientX;
    this.#y = event.clientY;
    this.#handlers.point(this.#x, this.#y);
    if (this.#button === MIDDLE) return this.#handlers.drag(dx, dy);
    if (this.#button !== LEFT) return;
    this.#isBox ||= Math.hypot(this.#x - this.#fromX, this.#y - this.#fromY) > STILL;
    if (this.#isBox) this.#handlers.drawBox(this.#box());
  }

  #up(event: PointerEvent): void {
    if (event.pointerType === "touch" || event.button !== this.#button) return;
    if (this.#button === LEFT && this.#isBox) this.#handlers.takeBox(this.#box(), event.shiftKey);
    else if (this.#button === LEFT) this.#click(event);
    this.#letGo();
  }

  #click({ clientX: x, clientY: y, shiftKey, ctrlKey, timeStamp }: PointerEvent): void {
    const isNear = Math.hypot(x - this.#clickedX, y - this.#clickedY) < 2 * STILL;
    const isDouble = ctrlKey || (isNear && timeStamp - this.#clickedMs < DOUBLE_MS);
    this.#clickedMs = isDouble ? Number.NEGATIVE_INFINITY : timeStamp;
    this.#clickedX = x;
    this.#clickedY = y;
    this.#handlers.click(x, y, shiftKey, isDouble);
  }

  #letGo(): void {
    this.#button = -1;
    this.#isBox = false;
    this.#handlers.drawBox(undefined);
  }

  #box() {
    return { x0: this.#fromX, y0: this.#fromY, x1: this.#x, y1: this.#y };
  }
}

/** How far a wheel was turned, in CSS pixels, whatever unit it speaks in. */
function lines({ deltaY, deltaMode }: WheelEvent): number {
  return deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : deltaY * 33;
}
