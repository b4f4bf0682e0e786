/**
 * The player's own view, drawn on the floor: zones as rings, sectors as slices, each cell in the colour of its bound. What lies in a bright cell is
 * exact to a round; what lies in a dim one may be a third of a second old. With the scope the slices narrow and the rings grow.
 */

import { PAPER_VIEWS, type PaperView } from "../../views.ts";
import { boundColour, fade } from "./palette.ts";
import type { Pen } from "./pen.ts";
import { finished, newPicture, type Picture } from "./picture.ts";

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
  const dx = x - pivot.x;
  const dy = y - pivot.y;
  const distance = Math.sqrt(dx * dx + dy * dy);
  const zone = distance <= radii[0] ? 0 : distance <= radii[1] ? 1 : 2;
  const turn = distance === 0 ? 0 : Math.abs(around(Math.atan2(dy, dx) - pivot.heading)) / DEGREE;
  let sector = 0;
  while (sector < sectors.length && turn > sectors[sector]! / 2) sector++;
  return CELLS[name][sector]![zone]!;
}

/** An angle between −π and π. */
export function around(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** One cell as it lies around the pivot that looks along +x, on both sides of it. */
interface CellShape {
  readonly fill: string;
  readonly path: Path2D;
}

/** A line of the view, and the words on it. */
interface Line {
  readonly stroke: string;
  readonly path: Path2D;
  /** CSS pixels. */
  readonly width: number;
  readonly isDashed: boolean;
}

/** Everything that is drawn of a view, around a pivot at 0, 0. It changes only while the scope goes up or down. */
interface Shapes {
  readonly zoom: number;
  readonly level: Level;
  readonly cells: readonly CellShape[];
  readonly rings: readonly (Line & { readonly radius: number; readonly label: Picture })[];
  readonly rays: readonly Line[];
}

interface Level {
  readonly width: number;
  readonly height: number;
}

export class ViewArt {
  readonly #labels = new Map<string, Picture>();
  #shapes: Shapes | undefined;

  /** `zoom` goes from 0 to 1 while the scope is raised; `strength` while the overlay opens. `unit` is world units per CSS pixel. */
  draw(pen: Pen, pivot: Pivot, zoom: number, strength: number, level: Level, unit: number): void {
    const shapes =
      this.#shapes?.zoom === zoom && this.#shapes.level === level ? this.#shapes : this.#shapesOf(zoom, level);
    this.#shapes = shapes;
    const { context } = pen;
    const { x, y } = pivot;
    const cos = Math.cos(pivot.heading);
    const sin = Math.sin(pivot.heading);
    pen.level();
    context.save();
    context.beginPath();
    context.rect(0, 0, level.width, level.height);
    context.clip();
    context.globalAlpha = strength;
    pen.turn(x, y, cos, sin);
    for (const { fill, path } of shapes.cells) {
      context.fillStyle = fill;
      context.fill(path);
    }
    context.restore();
    context.globalAlpha = strength;
    // Rings do not turn with the view, or their dashes would run around.
    pen.turn(x, y, 1, 0);
    for (const ring of shapes.rings) drawLine(context, ring, unit);
    pen.turn(x, y, cos, sin);
    for (const ray of shapes.rays) drawLine(context, ray, unit);
    pen.level();
    for (const { label, radius } of shapes.rings) {
      const width = (label.width / 2) * unit;
      const height = (label.height / 2) * unit;
      context.drawImage(label, x - width / 2, y + radius - height * 1.3, width, height);
    }
    context.globalAlpha = 1;
  }

  #shapesOf(zoom: number, level: Level): Shapes {
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
    return {
      zoom,
      level,
      cells: CELLS.normal.flat().map((cell) => ({
        fill: fade(cell.colour, 0.2 * (1 - looseness(cell.timeMs)) + 0.055),
        path: cellPath(radii[cell.zone]!, radii[cell.zone + 1]!, angles[cell.sector]!, angles[cell.sector + 1]!),
      })),
      rings: [0, 1].map((zone) => {
        const radius = radii[zone + 1]!;
        const path = new Path2D();
        path.arc(0, 0, radius, 0, 2 * Math.PI);
        const { colour } = CELLS.normal[0]![zone]!;
        const label = this.#label(`zone ${zone} · ${Math.round(radius)} units`, colour);
        return { stroke: fade(colour, 0.85), path, width: 1.6, isDashed: zone > 0, radius, label };
      }),
      rays: [1, 2].map((sector) => ({
        stroke: fade(CELLS.normal[sector]![0]!.colour, sector === 1 ? 0.75 : 0.4),
        path: rayPath(angles[sector]!, radii[2]! * 1.15),
        width: sector === 1 ? 1.6 : 1,
        isDashed: false,
      })),
    };
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
    const label = finished(context);
    this.#labels.set(text, label);
    return label;
  }
}

function drawLine(context: CanvasRenderingContext2D, line: Line, unit: number): void {
  context.strokeStyle = line.stroke;
  context.lineWidth = line.width * unit;
  if (line.isDashed) context.setLineDash([9 * unit, 7 * unit]);
  context.stroke(line.path);
  if (line.isDashed) context.setLineDash([]);
}

function cellPath(inner: number, outer: number, from: number, to: number): Path2D {
  const path = new Path2D();
  for (const side of [-1, 1]) {
    path.moveTo(outer * Math.cos(from), side * outer * Math.sin(from));
    path.arc(0, 0, outer, side * from, side * to, side < 0);
    path.arc(0, 0, inner, side * to, side * from, side > 0);
    path.closePath();
  }
  return path;
}

/** The border of a sector on both sides; it begins beyond the avatar. */
function rayPath(angle: number, reach: number): Path2D {
  const path = new Path2D();
  for (const side of [-1, 1]) {
    const cos = Math.cos(angle);
    const sin = side * Math.sin(angle);
    path.moveTo(cos * 14, sin * 14);
    path.lineTo(cos * reach, sin * reach);
  }
  return path;
}
