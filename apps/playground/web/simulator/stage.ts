/**
 * Draws the two pictures: the truth as its owner sees it, and what the others see, with the updates they have and the point the picture
 * converges to (N §3.2.3): red while it is on its way, green once it is there. As sharp as the screen is.
 */

import { EntityField } from "@nearfield/simulation";
import { type Camera, FIELD_ACROSS, type View } from "./camera.ts";
import type { Trail } from "./trail.ts";
import type { Workbench } from "./workbench.ts";

/** Length of the entity, px of the field. */
const SHIP = 10;
const GRID = 20;
/** Updates older than this are not drawn, ms. */
const OLDEST_MS = 4000;

export interface Colours {
  readonly ground: string;
  readonly grid: string;
  readonly truth: string;
  readonly remote: string;
  readonly past: string;
  readonly newest: string;
  readonly quiet: string;
}

export function readColours(element: Element): Colours {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ground: colour("stage"),
    grid: colour("stage-grid"),
    truth: colour("truth"),
    remote: colour("remote"),
    past: colour("past"),
    newest: colour("newest"),
    quiet: colour("quiet"),
  };
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly #paint: CanvasRenderingContext2D;
  #scale = 1;

  constructor(canvas: HTMLCanvasElement) {
    const paint = canvas.getContext("2d");
    if (paint === null) throw new Error("This browser draws no canvas");
    this.canvas = canvas;
    this.#paint = paint;
  }

  get view(): View {
    return { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
  }

  drawTruth(bench: Workbench, camera: Camera, colours: Colours): void {
    this.#begin(camera, colours);
    const { truth, sent, nowMs } = bench.simulation;
    if (bench.settings.control === "point") this.#drawTarget(bench.input.targetX, bench.input.targetY, colours);
    this.#drawRegion(bench, colours);
    this.#drawTrail(bench.trueTrail, colours.truth);
    for (const update of sent) {
      if (nowMs - update.timeMs < OLDEST_MS) this.#drawDot(update.x, update.y, colours.quiet, 0.8);
    }
    const [x, y] = [truth[EntityField.x]!, truth[EntityField.y]!];
    this.#drawShip(x, y, truth[EntityField.heading]!, colours.truth, true);
  }

  drawRemote(bench: Workbench, camera: Camera, colours: Colours): void {
    this.#begin(camera, colours);
    const { truth, shown, received, convergencePoint, nowMs } = bench.simulation;
    const [x, y] = [truth[EntityField.x]!, truth[EntityField.y]!];
    this.#drawRegion(bench, colours);
    this.#drawTrail(bench.shownTrail, colours.remote);
    if (shown !== undefined) this.#drawError(x, y, shown.x, shown.y, colours);
    this.#drawShip(x, y, truth[EntityField.heading]!, colours.truth, false);
    for (const [index, update] of received.entries()) {
      if (nowMs - update.timeMs > OLDEST_MS) continue;
      const isNewest = index === received.length - 1;
      this.#drawDot(update.x, update.y, isNewest ? colours.newest : colours.past, isNewest ? 1.5 : 1.1);
    }
    if (shown !== undefined) this.#drawShip(shown.x, shown.y, shown.heading, colours.remote, true);
    if (convergencePoint !== undefined) {
      const colour = convergencePoint.isReached ? colours.newest : colours.past;
      this.#drawRing(convergencePoint.x, convergencePoint.y, colour);
    }
  }

  /** Makes the canvas as fine as the screen, clears it, and puts the field's coordinates in place. */
  #begin(camera: Camera, { ground, grid }: Colours): void {
    const { canvas } = this;
    const paint = this.#paint;
    const ratio = devicePixelRatio;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    this.#scale = width / FIELD_ACROSS;
    paint.setTransform(1, 0, 0, 1, 0, 0);
    paint.fillStyle = ground;
    paint.fillRect(0, 0, width, height);
    const scale = this.#scale;
    paint.setTransform(scale, 0, 0, -scale, width / 2 - camera.x * scale, height / 2 + camera.y * scale);
    this.#drawGrid(camera, height / scale, grid);
  }

  #drawGrid(camera: Camera, tall: number, colour: string): void {
    const paint = this.#paint;
    const [left, right] = [camera.x - FIELD_ACROSS / 2, camera.x + FIELD_ACROSS / 2];
    const [bottom, top] = [camera.y - tall / 2, camera.y + tall / 2];
    this.#line(colour, 1);
    for (let x = Math.ceil(left / GRID) * GRID; x <= right; x += GRID) {
      paint.moveTo(x, bottom);
      paint.lineTo(x, top);
    }
    for (let y = Math.ceil(bottom / GRID) * GRID; y <= top; y += GRID) {
      paint.moveTo(left, y);
      paint.lineTo(right, y);
    }
    paint.stroke();
  }

  /** Begins a line so many pixels of the screen wide. */
  #line(colour: string, width: number): void {
    this.#paint.beginPath();
    this.#paint.strokeStyle = colour;
    this.#paint.lineWidth = (width * devicePixelRatio) / this.#scale;
  }

  #drawTrail(trail: Trail, colour: string): void {
    const paint = this.#paint;
    const pieces = 6;
    for (let piece = 0; piece < pieces; piece++) {
      const from = Math.floor((trail.length * piece) / pieces);
      const to = Math.min(trail.length - 1, Math.floor((trail.length * (piece + 1)) / pieces));
      if (to <= from) continue;
      this.#line(colour, 1.5);
      paint.globalAlpha = (0.55 * (piece + 1)) / pieces;
      paint.moveTo(trail.x(from), trail.y(from));
      for (let index = from + 1; index <= to; index++) paint.lineTo(trail.x(index), trail.y(index));
      paint.stroke();
    }
    paint.globalAlpha = 1;
  }

  #drawShip(x: number, y: number, heading: number, colour: string, isFilled: boolean): void {
    const paint = this.#paint;
    const [cos, sin] = [Math.cos(heading) * SHIP, Math.sin(heading) * SHIP];
    const corner = (ahead: number, left: number): [number, number] => [
      x + cos * ahead - sin * left,
      y + sin * ahead + cos * left,
    ];
    this.#line(colour, 1.5);
    paint.moveTo(...corner(0.5, 0));
    paint.lineTo(...corner(-0.5, 0.36));
    paint.lineTo(...corner(-0.32, 0));
    paint.lineTo(...corner(-0.5, -0.36));
    paint.closePath();
    if (isFilled) {
      paint.fillStyle = colour;
      paint.fill();
    } else paint.stroke();
  }

  /** From where it is shown to where it is. */
  #drawError(x: number, y: number, shownX: number, shownY: number, { quiet }: Colours): void {
    this.#line(quiet, 1);
    this.#paint.setLineDash([1.5, 1.5]);
    this.#paint.moveTo(x, y);
    this.#paint.lineTo(shownX, shownY);
    this.#paint.stroke();
    this.#paint.setLineDash([]);
  }

  #drawDot(x: number, y: number, colour: string, radius: number): void {
    this.#paint.beginPath();
    this.#paint.fillStyle = colour;
    this.#paint.arc(x, y, radius, 0, 2 * Math.PI);
    this.#paint.fill();
  }

  #drawRing(x: number, y: number, colour: string): void {
    this.#line(colour, 2);
    this.#paint.arc(x, y, 3, 0, 2 * Math.PI);
    this.#paint.stroke();
  }

  #drawTarget(x: number, y: number, { quiet }: Colours): void {
    const paint = this.#paint;
    this.#line(quiet, 1.5);
    paint.moveTo(x - 4, y);
    paint.lineTo(x + 4, y);
    paint.moveTo(x, y - 4);
    paint.lineTo(x, y + 4);
    paint.stroke();
  }

  /** The watcher at the start point and the region in which he looks closely. */
  #drawRegion({ settings }: Workbench, { quiet }: Colours): void {
    if (settings.sensitiveRadius === 0 || settings.model === "interpolation") return;
    this.#line(quiet, 1);
    this.#paint.setLineDash([4, 3]);
    this.#paint.arc(0, 0, settings.sensitiveRadius, 0, 2 * Math.PI);
    this.#paint.stroke();
    this.#paint.setLineDash([]);
    this.#drawDot(0, 0, quiet, 1.5);
  }
}
