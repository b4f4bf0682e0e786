/**
 * The player's own view, drawn on the floor: zones as rings, sectors as slices, each cell in the colour of its bound. What lies in a bright cell is
 * exact to a round; what lies in a dim one may be a third of a second old. With the scope the slices narrow and the rings grow.
 */

import { PAPER_VIEWS, type PaperView } from "../../views.ts";
import { boundColour, fade } from "./palette.ts";
import { newPicture, type Picture } from "./picture.ts";

const DEGREE: number = Math.PI / 180;

/** Where something lies in a view, and how exact it is there. */
export interface Cell {
  readonly zone: number;
  readonly sector: number;
  readonly timeMs: number;
  readonly colour: string;
}

export interface Pivot {
  readonly x: number;
  readonly y: number;
  readonly heading: number;
  readonly zoomed: boolean;
}

const STRICTEST = 30;
const LOOSEST = 300;

/** 0 for the strictest bound, 1 for the loosest, even steps for even factors. */
function looseness(timeMs: number): number {
  return Math.log(timeMs / STRICTEST) / Math.log(LOOSEST / STRICTEST);
}

const CELLS: Readonly<Record<"normal" | "zoom", readonly (readonly Cell[])[]>> = {
  normal: cellsOf(PAPER_VIEWS.normal),
  zoom: cellsOf(PAPER_VIEWS.zoom),
};

/** `[sector][zone]`, as in the views. */
export function cellsOf(view: PaperView): readonly (readonly Cell[])[] {
  return view.bounds.map((row, sector) =>
    row.map(([timeMs], zone) => ({ zone, sector, timeMs, colour: boundColour(looseness(timeMs)) })),
  );
}

/** The cell in which a point lies. */
export function cellAt(pivot: Pivot, x: number, y: number): Cell {
  const name = pivot.zoomed ? "zoom" : "normal";
  const { radii, sectors } = PAPER_VIEWS[name];
  const [dx, dy] = [x - pivot.x, y - pivot.y];
  const distance = Math.hypot(dx, dy);
  const zone = distance <= radii[0] ? 0 : distance <= radii[1] ? 1 : 2;
  const turn = distance === 0 ? 0 : Math.abs(around(Math.atan2(dy, dx) - pivot.heading)) / DEGREE;
  const found = sectors.findIndex((angle) => turn <= angle / 2);
  return CELLS[name][found < 0 ? sectors.length : found]![zone]!;
}

/** An angle between −π and π. */
export function around(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

export class ViewArt {
  readonly #labels = new Map<string, Picture>();

  /** The context has world units. `zoom` goes from 0 to 1 while the scope is raised; `strength` while the overlay opens. */
  draw(
    context: CanvasRenderingContext2D,
    pivot: Pivot,
    zoom: number,
    strength: number,
    level: { readonly width: number; readonly height: number },
    unit: number,
  ): void {
    const { x, y, heading } = pivot;
    const { normal, zoom: scope } = PAPER_VIEWS;
    const between = (from: number, to: number): number => from + (to - from) * zoom;
    const radii = [
      0,
      between(normal.radii[0], scope.radii[0]),
      between(normal.radii[1], scope.radii[1]),
      Math.hypot(level.width, level.height) + 400,
    ];
    const angles = [
      0,
      (between(normal.sectors[0]!, scope.sectors[0]!) * DEGREE) / 2,
      (between(normal.sectors[1]!, scope.sectors[1]!) * DEGREE) / 2,
      Math.PI,
    ];
    context.save();
    context.beginPath();
    context.rect(0, 0, level.width, level.height);
    context.clip();
    for (const cell of CELLS.normal.flat()) {
      const opacity = 0.2 * (1 - looseness(cell.timeMs)) + 0.055;
      context.fillStyle = fade(cell.colour, opacity * strength);
      const [inner, outer] = [radii[cell.zone]!, radii[cell.zone + 1]!];
      const [from, to] = [angles[cell.sector]!, angles[cell.sector + 1]!];
      for (const side of [-1, 1]) {
        context.beginPath();
        context.arc(x, y, outer, heading + side * from, heading + side * to, side < 0);
        context.arc(x, y, inner, heading + side * to, heading + side * from, side > 0);
        context.fill();
      }
    }
    context.restore();
    this.#drawLines(context, pivot, radii, angles, strength, unit);
  }

  #drawLines(
    context: CanvasRenderingContext2D,
    { x, y, heading }: Pivot,
    radii: readonly number[],
    angles: readonly number[],
    strength: number,
    unit: number,
  ): void {
    context.lineWidth = 1.6 * unit;
    for (const zone of [0, 1]) {
      context.strokeStyle = fade(CELLS.normal[0]![zone]!.colour, 0.85 * strength);
      context.setLineDash(zone === 0 ? [] : [9 * unit, 7 * unit]);
      context.beginPath();
      context.arc(x, y, radii[zone + 1]!, 0, 2 * Math.PI);
      context.stroke();
    }
    context.setLineDash([]);
    for (const sector of [1, 2]) {
      context.strokeStyle = fade(CELLS.normal[sector]![0]!.colour, (sector === 1 ? 0.75 : 0.4) * strength);
      context.lineWidth = (sector === 1 ? 1.6 : 1) * unit;
      context.beginPath();
      for (const side of [-1, 1]) {
        const way = heading + side * angles[sector]!;
        context.moveTo(x + Math.cos(way) * 14, y + Math.sin(way) * 14);
        context.lineTo(x + Math.cos(way) * radii[2]! * 1.15, y + Math.sin(way) * radii[2]! * 1.15);
      }
      context.stroke();
    }
    context.globalAlpha = strength;
    for (const zone of [0, 1]) {
      const words = this.#label(`zone ${zone} · ${Math.round(radii[zone + 1]!)} units`, CELLS.normal[0]![zone]!.colour);
      const [width, height] = [(words.width / 2) * unit, (words.height / 2) * unit];
      context.drawImage(words, x - width / 2, y + radii[zone + 1]! - height * 1.3, width, height);
    }
    context.globalAlpha = 1;
  }

  #label(text: string, colour: string): Picture {
    const ready = this.#labels.get(text);
    if (ready) return ready;
    if (this.#labels.size > 64) this.#labels.clear();
    const context = newPicture(420, 48);
    context.font = "600 26px ui-sans-serif, system-ui, 'DejaVu Sans', sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = "rgb(5 8 16 / 0.8)";
    const half = context.measureText(text).width / 2 + 16;
    context.beginPath();
    context.roundRect(210 - half, 4, 2 * half, 40, 20);
    context.fill();
    context.fillStyle = colour;
    context.fillText(text, 210, 25);
    this.#labels.set(text, context.canvas);
    return context.canvas;
  }
}
