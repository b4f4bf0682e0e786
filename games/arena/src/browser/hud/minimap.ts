/** The level from above: walls, items that are ready, everybody where they are shown, and the own view as a wedge. Ten times a second is enough. */

import { playerColour } from "@nearfield/kit";
import { PAPER_VIEWS } from "../../views.ts";
import type { Ground } from "../art/ground.ts";
import { ITEM_COLOURS } from "../art/palette.ts";
import { finished, newPicture, type Picture } from "../art/picture.ts";
import type { Pivot } from "../art/view-art.ts";
import type { Figure } from "../figure.ts";
import type { ItemReplica } from "../network.ts";

const EVERY_MS = 100;

export class Minimap {
  readonly #context: CanvasRenderingContext2D;
  readonly #ground: Ground;
  #walls: Picture | undefined;
  /** CSS pixels. */
  #width = 0;
  #drawnMs = Number.NEGATIVE_INFINITY;

  constructor(canvas: HTMLCanvasElement, ground: Ground) {
    this.#context = canvas.getContext("2d")!;
    this.#ground = ground;
    new ResizeObserver(() => {
      this.#width = canvas.clientWidth;
    }).observe(canvas);
  }

  draw(figures: readonly Figure[], items: readonly ItemReplica[], pivot: Pivot | undefined, nowMs: number): void {
    if (nowMs - this.#drawnMs < EVERY_MS) return;
    this.#drawnMs = nowMs;
    const { canvas } = this.#context;
    const scale = this.#fit(canvas);
    const context = this.#context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.#walls!, 0, 0);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const dot = 2.6 / (scale / devicePixelRatio);
    if (pivot) drawWedge(context, pivot);
    for (const { x, y, kind, ready } of items) {
      if (!ready) continue;
      context.fillStyle = ITEM_COLOURS[kind];
      context.globalAlpha = 0.75;
      context.fillRect(x - dot * 0.55, y - dot * 0.55, dot * 1.1, dot * 1.1);
    }
    context.globalAlpha = 1;
    for (const figure of figures) drawDot(context, figure, figure.own ? dot * 1.5 : dot);
  }

  #fit(canvas: HTMLCanvasElement): number {
    const width = Math.max(1, Math.round(this.#width * devicePixelRatio));
    const height = Math.round((width * this.#ground.height) / this.#ground.width);
    const scale = width / this.#ground.width;
    if (canvas.width === width && canvas.height === height && this.#walls) return scale;
    canvas.width = width;
    canvas.height = height;
    const walls = newPicture(width, height);
    walls.scale(scale, scale);
    walls.fillStyle = "rgb(120 150 220 / 0.5)";
    for (const { x, y, width: w, height: h } of this.#ground.walls) walls.fillRect(x, y, w, h);
    this.#walls = finished(walls);
    return scale;
  }
}

function drawDot(context: CanvasRenderingContext2D, { x, y, colour, own }: Figure, size: number): void {
  context.fillStyle = playerColour(colour);
  context.beginPath();
  context.arc(x, y, size, 0, 2 * Math.PI);
  context.fill();
  if (!own) return;
  context.strokeStyle = "#ffffff";
  context.lineWidth = size * 0.45;
  context.stroke();
}

function drawWedge(context: CanvasRenderingContext2D, { x, y, heading, zoomed }: Pivot): void {
  const { radii, sectors } = PAPER_VIEWS[zoomed ? "zoom" : "normal"];
  const half = ((sectors[0] ?? 360) * Math.PI) / 360;
  context.fillStyle = "rgb(77 240 192 / 0.16)";
  context.beginPath();
  context.moveTo(x, y);
  context.arc(x, y, radii[0], heading - half, heading + half);
  context.fill();
}
