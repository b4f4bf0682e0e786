/** The whole board in the corner: things as specks, people as dots, the screen as a frame. A press goes there. */

import { playerColour } from "@nearfield/kit";
import { BOARD_SIDE } from "../../shared.ts";
import type { Camera } from "../camera.ts";
import type { SeenPerson } from "../network.ts";
import { ACCENT, INK, PAPER } from "../palette.ts";
import type { Paper } from "../paper.ts";

/** It need not follow each frame. */
const EVERY_MS = 100;

export class Minimap {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #drawnMs = 0;

  constructor(canvas: HTMLCanvasElement, camera: Camera) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d")!;
    const go = (event: PointerEvent): void => {
      if (event.buttons === 0) return;
      const scale = BOARD_SIDE / canvas.clientWidth;
      camera.glideTo({ x: event.offsetX * scale, y: event.offsetY * scale });
    };
    canvas.addEventListener("pointerdown", go);
    canvas.addEventListener("pointermove", go);
  }

  draw(paper: Paper, people: readonly SeenPerson[], camera: Camera, nowMs: number): void {
    if (nowMs - this.#drawnMs < EVERY_MS || this.#canvas.clientWidth === 0) return;
    this.#drawnMs = nowMs;
    const ratio = Math.min(2, devicePixelRatio);
    const side = Math.round(this.#canvas.clientWidth * ratio);
    if (this.#canvas.width !== side) {
      this.#canvas.width = side;
      this.#canvas.height = side;
    }
    const context = this.#context;
    const scale = side / BOARD_SIDE;
    context.clearRect(0, 0, side, side);
    const speck = (left: number, top: number, right: number, bottom: number, colour: string): void => {
      context.fillStyle = colour;
      context.fillRect(
        left * scale,
        top * scale,
        Math.max(ratio, (right - left) * scale),
        Math.max(ratio, (bottom - top) * scale),
      );
    };
    for (const { box, colour, erased } of paper.strokes)
      if (!erased) speck(box.left, box.top, box.right, box.bottom, `${INK[colour] ?? INK[0]}99`);
    for (const { box, colour, plain, erased } of paper.notes)
      if (!erased) speck(box.left, box.top, box.right, box.bottom, (plain ? INK : PAPER)[colour] ?? INK[0]);
    for (const { cursor, colour } of people) {
      if (cursor === undefined) continue;
      context.fillStyle = playerColour(colour);
      context.beginPath();
      context.arc(cursor.x * scale, cursor.y * scale, 2.5 * ratio, 0, 2 * Math.PI);
      context.fill();
    }
    const { x, y, width, height } = camera.rectangle;
    context.strokeStyle = ACCENT;
    context.lineWidth = 1.5 * ratio;
    context.strokeRect((x - width / 2) * scale, (y - height / 2) * scale, width * scale, height * scale);
  }
}
