/**
 * Fingers on the stage. One finger drags the ground; a tap selects or orders; a finger that rests first draws a box; two fingers zoom and turn. From
 * the first touch on the page shows its buttons for fingers.
 */

import type { StageHandlers } from "./intent.ts";

/** A finger that moves less than this rests, CSS pixels. */
const STILL = 10;
/** A finger that rests so long draws a box. */
const LONG_MS = 380;
const DOUBLE_MS = 320;
const DOUBLE_REACH = 34;

interface Finger {
  readonly id: number;
  x: number;
  y: number;
}

export class Touch {
  readonly #root: HTMLElement;
  readonly #handlers: StageHandlers;
  readonly #fingers: Finger[] = [];
  #mode: "tap" | "drag" | "box" | "pinch" | "done" = "done";
  #fromX = 0;
  #fromY = 0;
  #timer = 0;
  #tappedMs = Number.NEGATIVE_INFINITY;
  #tappedX = 0;
  #tappedY = 0;

  constructor(handlers: StageHandlers, root: HTMLElement, stage: HTMLElement) {
    this.#root = root;
    this.#handlers = handlers;
    stage.addEventListener("pointerdown", (event) => this.#down(event, stage));
    stage.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"] as const)
      stage.addEventListener(end, (event) => this.#up(event, end === "pointercancel"));
  }

  #down(event: PointerEvent, stage: HTMLElement): void {
    if (event.pointerType !== "touch") return;
    event.preventDefault();
    this.#root.dataset["touch"] = "true";
    this.#handlers.wake();
    stage.setPointerCapture(event.pointerId);
    this.#fingers.push({ id: event.pointerId, x: event.clientX, y: event.clientY });
    clearTimeout(this.#timer);
    if (this.#fingers.length > 1) {
      this.#handlers.drawBox(undefined);
      this.#mode = this.#fingers.length === 2 ? "pinch" : "done";
      return;
    }
    this.#mode = "tap";
    this.#fromX = event.clientX;
    this.#fromY = event.clientY;
    this.#timer = setTimeout(() => this.#rest(), LONG_MS);
  }

  /** The finger has not moved for a while: it draws a box from here. */
  #rest(): void {
    if (this.#mode !== "tap") return;
    this.#mode = "box";
    navigator.vibrate?.(12);
    this.#handlers.drawBox({ x0: this.#fromX - 1, y0: this.#fromY - 1, x1: this.#fromX + 1, y1: this.#fromY + 1 });
  }

  #move(event: PointerEvent): void {
    const finger = this.#fingers.find(({ id }) => id === event.pointerId);
    if (finger === undefined) return;
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    if (this.#mode === "pinch") return this.#pinch(finger, event.clientX, event.clientY);
    if (this.#mode === "tap") {
      if (Math.hypot(event.clientX - this.#fromX, event.clientY - this.#fromY) < STILL) return;
      clearTimeout(this.#timer);
      this.#mode = "drag";
    }
    finger.x = event.clientX;
    finger.y = event.clientY;
    if (this.#mode === "drag") this.#handlers.drag(dx, dy);
    else if (this.#mode === "box")
      this.#handlers.drawBox({ x0: this.#fromX, y0: this.#fromY, x1: finger.x, y1: finger.y });
  }

  /** Distance zooms, the angle turns, the middle drags. */
  #pinch(finger: Finger, x: number, y: number): void {
    const other = this.#fingers.find((candidate) => candidate !== finger)!;
    const before = [finger.x - other.x, finger.y - other.y] as const;
    this.#handlers.drag((x - finger.x) / 2, (y - finger.y) / 2);
    finger.x = x;
    finger.y = y;
    const after = [x - other.x, y - other.y] as const;
    const factor = Math.hypot(...after) / Math.max(1, Math.hypot(...before));
    this.#handlers.zoom((x + other.x) / 2, (y + other.y) / 2, factor);
    const turned = Math.atan2(after[1], after[0]) - Math.atan2(before[1], before[0]);
    this.#handlers.turn(-Math.atan2(Math.sin(turned), Math.cos(turned)));
  }

  #up(event: PointerEvent, isLost: boolean): void {
    const at = this.#fingers.findIndex(({ id }) => id === event.pointerId);
    if (at < 0) return;
    const [finger] = this.#fingers.splice(at, 1);
    clearTimeout(this.#timer);
    if (this.#mode === "box") {
      this.#handlers.drawBox(undefined);
      if (!isLost) this.#handlers.takeBox({ x0: this.#fromX, y0: this.#fromY, x1: finger!.x, y1: finger!.y }, false);
    } else if (this.#mode === "tap" && !isLost) this.#tap(finger!, event.timeStamp);
    // After a pinch the finger that is left does nothing.
    this.#mode = "done";
  }

  #tap({ x, y }: Finger, atMs: number): void {
    const isNear = Math.hypot(x - this.#tappedX, y - this.#tappedY) < DOUBLE_REACH;
    const isDouble = isNear && atMs - this.#tappedMs < DOUBLE_MS;
    this.#tappedMs = isDouble ? Number.NEGATIVE_INFINITY : atMs;
    this.#tappedX = x;
    this.#tappedY = y;
    this.#handlers.tap(x, y, isDouble);
  }
}
