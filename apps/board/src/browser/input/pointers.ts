/**
 * Mouse, pen and fingers over the board. One finger or the left button works with the tool; two fingers, the middle or right button, or the left one with
 * Space move the board, and two fingers zoom it. The wheel zooms; with Shift it moves the board.
 */

import type { Camera, Point } from "../camera.ts";
import type { Press, Tool } from "../desk.ts";

/** A turn of the wheel by one pixel zooms by this much. */
const WHEEL = 0.0016;
/** A wheel that counts in lines: pixels in one. */
const LINE_PIXELS = 24;

export interface PointersOptions {
  readonly canvas: HTMLCanvasElement;
  readonly camera: Camera;
  readonly tool: () => Tool;
  /** Whether one finger on this place moves the board instead of using the tool. */
  readonly pans: (press: Press) => boolean;
  /** Something else was pressed than the field that is written in. */
  readonly pressed: () => void;
}

export class Pointers {
  readonly #options: PointersOptions;
  /** Where each is, CSS pixels. */
  readonly #fingers = new Map<number, Point>();
  #working: number | undefined;
  #panning: number | undefined;
  #pinch: { distance: number; x: number; y: number } | undefined;
  /** Space is held. */
  holdsSpace = false;
  /** Over the board, in units; undefined: not there. */
  #over: Point | undefined;

  constructor(options: PointersOptions) {
    this.#options = options;
    const { canvas } = options;
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", (event) => this.#gone(event));
    canvas.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse" && this.#fingers.size === 0) this.#over = undefined;
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** Where the pointer is on the board; undefined: it is not over it. */
  get over(): Point | undefined {
    return this.#over;
  }

  get isPanning(): boolean {
    return this.#panning !== undefined || this.#pinch !== undefined;
  }

  #press(event: PointerEvent): Press {
    const { offsetX: screenX, offsetY: screenY } = event;
    const { x, y } = this.#options.camera.toBoard(screenX, screenY);
    return { x, y, screenX, screenY, adds: event.shiftKey, isTouch: event.pointerType === "touch" };
  }

  #down(event: PointerEvent): void {
    const { canvas, tool, pans, pressed } = this.#options;
    pressed();
    canvas.setPointerCapture(event.pointerId);
    const press = this.#press(event);
    this.#over = press;
    this.#fingers.set(event.pointerId, { x: press.screenX, y: press.screenY });
    if (this.#fingers.size > 1) {
      this.#beginPinch();
      return;
    }
    if (event.button !== 0 || this.holdsSpace || pans(press)) {
      this.#panning = event.pointerId;
      return;
    }
    this.#working = event.pointerId;
    tool().down(press);
  }

  #beginPinch(): void {
    if (this.#working !== undefined) this.#options.tool().cancel();
    this.#working = undefined;
    this.#panning = undefined;
    this.#pinch = this.#span();
  }

  /** Of the first two fingers: how far apart, and their middle. */
  #span(): { distance: number; x: number; y: number } | undefined {
    const [a, b] = this.#fingers.values();
    if (a === undefined || b === undefined) return undefined;
    return { distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  }

  #move(event: PointerEvent): void {
    const { camera, tool } = this.#options;
    const press = this.#press(event);
    this.#over = press;
    const before = this.#fingers.get(event.pointerId);
    if (before === undefined) return;
    this.#fingers.set(event.pointerId, { x: press.screenX, y: press.screenY });
    if (this.#pinch !== undefined) {
      const span = this.#span() ?? this.#pinch;
      camera.panBy(span.x - this.#pinch.x, span.y - this.#pinch.y);
      camera.zoomAt(span.x, span.y, span.distance / this.#pinch.distance);
      this.#pinch = span;
    } else if (this.#panning === event.pointerId) camera.panBy(press.screenX - before.x, press.screenY - before.y);
    else if (this.#working === event.pointerId) {
      // All that the hand did since the last frame, for a smooth stroke.
      const steps = event.getCoalescedEvents();
      for (const step of steps.length > 0 ? steps : [event]) tool().move(this.#press(step));
    }
  }

  #up(event: PointerEvent): void {
    const press = this.#press(event);
    if (this.#working === event.pointerId) this.#options.tool().up(press);
    this.#forget(event);
  }

  #gone(event: PointerEvent): void {
    if (this.#working === event.pointerId) this.#options.tool().cancel();
    this.#forget(event);
  }

  #forget({ pointerId, pointerType }: PointerEvent): void {
    this.#fingers.delete(pointerId);
    if (this.#working === pointerId) this.#working = undefined;
    if (this.#panning === pointerId) this.#panning = undefined;
    // The finger that is left goes on moving the board.
    if (this.#pinch !== undefined && this.#fingers.size === 1) this.#panning = [...this.#fingers.keys()][0];
    if (this.#fingers.size < 2) this.#pinch = undefined;
    if (pointerType !== "mouse" && this.#fingers.size === 0) this.#over = undefined;
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const { camera } = this.#options;
    const scale = event.deltaMode === 1 ? LINE_PIXELS : 1;
    if (event.shiftKey) camera.panBy(-(event.deltaX + event.deltaY) * scale, 0);
    // A pinch on a touchpad comes as a small turn with Control.
    else camera.zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY * scale * (event.ctrlKey ? 5 : 1) * WHEEL));
  }
}
