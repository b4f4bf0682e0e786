/**
 * The six kinds of buildings from above; 1 is half of a building's edge. They do not turn, so the light falls on them from the upper left, and their shadow to the
 * lower right is part of the picture.
 */

import { BUILDING_KINDS, type BuildingKind } from "../../state.ts";
import { type Context, disc, dome, fill, line, shape, slab } from "./brush.ts";
import { DARK, type Frame, type Painter, type Sheet, stuff } from "./sheet.ts";

export interface BuildingFrames {
  readonly whole: Frame;
  /** A part that turns: a dish, a turret. */
  readonly turning: Frame | undefined;
}

const METAL = stuff(0.78);
const STEEL = stuff(0.5);
const IRON = stuff(0.34);
const SLATE = stuff(0.24);
const SOOT = stuff(0.12);
const PAINT = stuff(0, 1);
const PAINT_DIM = stuff(0, 0.68);
const PAINT_DEEP = stuff(0, 0.42);
const LAMP = stuff(0.2, 0.3, 0.9);

/** A slab with a lit upper left edge and a dark lower right one. */
function block(
  context: Context,
  x: number,
  y: number,
  width: number,
  height: number,
  colour: string,
  corner = 0.06,
): void {
  slab(context, x, y, width, height, corner);
  fill(context, colour, 0.035);
  const [right, bottom] = [x + width - 0.03, y + height - 0.03];
  line(context, stuff(0.95, 0, 0.1), 0.03, x + 0.04, bottom, x + 0.03, y + 0.03, right, y + 0.03);
  line(context, "rgb(0 0 0 / 0.55)", 0.05, x + 0.06, bottom, right, bottom, right, y + 0.06);
}

/** What every building stands on: a plate with cut corners and the side's colour along its edge. */
function plate(context: Context): void {
  context.save();
  context.shadowColor = "rgb(0 0 0 / 0.7)";
  context.shadowBlur = 12;
  context.shadowOffsetX = 9;
  context.shadowOffsetY = 11;
  const cut = (edge: number, corner: number): void =>
    shape(
      context,
      ...[-edge, -edge + corner, -edge + corner, -edge, edge - corner, -edge, edge, -edge + corner],
      ...[edge, edge - corner, edge - corner, edge, -edge + corner, edge, -edge, edge - corner],
    );
  cut(0.95, 0.2);
  fill(context, SOOT, 0.03);
  context.restore();
  cut(0.9, 0.19);
  fill(context, PAINT_DIM, 0);
  cut(0.84, 0.17);
  fill(context, SLATE, 0.02);
  line(context, IRON, 0.025, -0.84, 0, 0.84, 0);
  line(context, IRON, 0.025, 0, -0.84, 0, 0.84);
}

function base(context: Context): void {
  plate(context);
  for (const [x, y] of [
    [-0.6, -0.6],
    [0.6, -0.6],
    [-0.6, 0.6],
    [0.6, 0.6],
  ] as const) {
    line(context, IRON, 0.13, x, y, x * 0.5, y * 0.5);
    disc(context, x, y, 0.17);
    fill(context, dome(context, x, y, 0.17, METAL, IRON), 0.04);
    disc(context, x, y, 0.07);
    fill(context, PAINT, 0.02);
  }
  const octagon = (radius: number): void => {
    const points: number[] = [];
    for (let corner = 0; corner < 8; corner++) {
      const angle = ((corner + 0.5) * Math.PI) / 4;
      points.push(Math.cos(angle) * radius, Math.sin(angle) * radius);
    }
    shape(context, ...points);
  };
  octagon(0.62);
  fill(context, dome(context, 0, 0, 0.62, METAL, STEEL), 0.045);
  octagon(0.5);
  fill(context, dome(context, 0, 0, 0.5, PAINT, PAINT_DEEP), 0.02);
  octagon(0.3);
  fill(context, dome(context, 0, 0, 0.3, STEEL, SLATE), 0.035);
}

/** The dish of the base. */
function dish(context: Context): void {
  context.beginPath();
  context.arc(0, 0, 0.24, -1.9, 1.9);
  context.closePath();
  fill(context, dome(context, 0.05, 0, 0.26, METAL, STEEL), 0.03);
  line(context, DARK, 0.05, 0, 0, 0.3, 0);
  disc(context, 0.3, 0, 0.05);
  fill(context, LAMP, 0.02);
}

function refinery(context: Context): void {
  plate(context);
  block(context, -0.78, 0.16, 1.56, 0.6, STEEL);
  for (let belt = -0.6; belt < 0.7; belt += 0.2) line(context, SOOT, 0.06, belt, 0.24, belt + 0.1, 0.68);
  line(context, IRON, 0.12, -0.42, -0.3, -0.42, 0.3);
  line(context, IRON, 0.12, 0.36, -0.3, 0.36, 0.3);
  for (const [x, y, radius] of [
    [-0.42, -0.36, 0.4],
    [0.42, -0.4, 0.36],
  ] as const) {
    disc(context, x, y, radius);
    fill(context, dome(context, x, y, radius, METAL, IRON), 0.045);
    disc(context, x, y, radius * 0.7);
    fill(context, dome(context, x, y, radius * 0.7, PAINT, PAINT_DEEP), 0.02);
    disc(context, x, y, radius * 0.24);
    fill(context, SOOT, 0.02);
  }
}

function barracks(context: Context): void {
  plate(context);
  for (const y of [-0.72, 0.06]) {
    block(context, -0.76, y, 1.52, 0.64, STEEL);
    slab(context, -0.74, y + 0.02, 1.48, 0.29);
    fill(context, PAINT, 0);
    slab(context, -0.74, y + 0.31, 1.48, 0.29);
    fill(context, PAINT_DEEP, 0);
    line(context, METAL, 0.05, -0.74, y + 0.31, 0.74, y + 0.31);
    for (let rib = -0.5; rib < 0.7; rib += 0.25) line(context, "rgb(0 0 0 / 0.4)", 0.03, rib, y + 0.04, rib, y + 0.6);
  }
  // Two chevrons, as on a sleeve.
  for (const x of [-0.14, 0.1])
    line(context, stuff(0.2, 0, 0.85), 0.09, x - 0.12, -0.2, x + 0.06, -0.01, x - 0.12, 0.18);
}

function factory(context: Context): void {
  plate(context);
  // Saw teeth: lit glass on one slope, paint on the other.
  for (let tooth = 0; tooth < 4; tooth++) {
    const y = -0.76 + tooth * 0.31;
    block(context, -0.76, y, 1.14, 0.3, PAINT_DIM, 0.02);
    slab(context, -0.74, y + 0.02, 1.1, 0.09);
    fill(context, stuff(0.5, 0.1, 0.4), 0);
  }
  block(context, 0.44, -0.76, 0.34, 0.86, IRON);
  for (const y of [-0.55, -0.14]) {
    disc(context, 0.61, y, 0.14);
    fill(context, METAL, 0.04);
    disc(context, 0.61, y, 0.08);
    fill(context, DARK, 0);
  }
  block(context, -0.6, 0.48, 1.3, 0.32, STEEL, 0.03);
  for (let stripe = -0.5; stripe < 0.6; stripe += 0.24) line(context, PAINT, 0.09, stripe, 0.74, stripe + 0.14, 0.54);
}

function pad(context: Context): void {
  plate(context);
  disc(context, 0, 0, 0.74);
  fill(context, SOOT, 0.03);
  context.lineWidth = 0.09;
  context.strokeStyle = PAINT;
  disc(context, 0, 0, 0.66);
  context.stroke();
  context.lineWidth = 0.03;
  context.strokeStyle = STEEL;
  disc(context, 0, 0, 0.5);
  context.stroke();
  // Wings, as the machine that lands here has them.
  shape(context, 0, -0.36, 0.42, 0.26, 0, 0.12, -0.42, 0.26);
  fill(context, METAL, 0.02);
  for (let lamp = 0; lamp < 8; lamp++) {
    const angle = (lamp * Math.PI) / 4 + Math.PI / 8;
    disc(context, Math.cos(angle) * 0.8, Math.sin(angle) * 0.8, 0.045);
    fill(context, LAMP, 0.02);
  }
}

function tower(context: Context): void {
  plate(context);
  disc(context, 0, 0, 0.72);
  fill(context, dome(context, 0, 0, 0.72, STEEL, SLATE), 0.05);
  disc(context, 0, 0, 0.56);
  fill(context, dome(context, 0, 0, 0.56, PAINT_DIM, PAINT_DEEP), 0.02);
}

function towerTurret(context: Context): void {
  for (const y of [-0.18, 0.18]) {
    slab(context, 0.1, y - 0.09, 1, 0.18, 0.03);
    fill(context, STEEL, 0.05);
    slab(context, 0.94, y - 0.12, 0.2, 0.24, 0.03);
    fill(context, METAL, 0.05);
  }
  shape(context, 0.36, 0.34, 0.36, -0.34, -0.1, -0.46, -0.44, -0.28, -0.44, 0.28, -0.1, 0.46);
  fill(context, dome(context, 0, 0, 0.5, PAINT, PAINT_DIM), 0.06);
  disc(context, -0.08, 0, 0.13);
  fill(context, LAMP, 0.03);
}

/** Where a building will stand: its plate, marked out. */
function site(context: Context): void {
  slab(context, -0.92, -0.92, 1.84, 1.84, 0.08);
  fill(context, stuff(0.14), 0.02);
  context.setLineDash([0.16, 0.12]);
  context.lineWidth = 0.06;
  context.strokeStyle = PAINT_DIM;
  context.strokeRect(-0.84, -0.84, 1.68, 1.68);
  context.setLineDash([]);
  line(context, IRON, 0.04, -0.8, -0.8, 0.8, 0.8);
  line(context, IRON, 0.04, -0.8, 0.8, 0.8, -0.8);
}

/** The frame around what is being built. */
function scaffold(context: Context): void {
  for (const at of [-0.78, -0.26, 0.26, 0.78]) {
    line(context, DARK, 0.1, -0.9, at, 0.9, at);
    line(context, DARK, 0.1, at, -0.9, at, 0.9);
  }
  for (const at of [-0.78, -0.26, 0.26, 0.78]) {
    line(context, STEEL, 0.045, -0.9, at, 0.9, at);
    line(context, STEEL, 0.045, at, -0.9, at, 0.9);
  }
  for (const x of [-0.78, 0.78]) {
    for (const y of [-0.78, 0.78]) {
      disc(context, x, y, 0.09);
      fill(context, PAINT, 0.03);
    }
  }
}

const WHOLE: Readonly<Record<BuildingKind, Painter>> = { base, refinery, barracks, factory, pad, tower };
const TURNING: Partial<Readonly<Record<BuildingKind, Painter>>> = { base: dish, tower: towerTurret };
const REACH = 1.2;

export interface BuildingSheet {
  /** By the number of the kind. */
  readonly kinds: readonly BuildingFrames[];
  readonly site: Frame;
  readonly scaffold: Frame;
}

export function paintBuildings(sheet: Sheet): BuildingSheet {
  return {
    kinds: BUILDING_KINDS.map((kind) => {
      const turning = TURNING[kind];
      return { whole: sheet.add(288, REACH, WHOLE[kind]), turning: turning && sheet.add(144, REACH, turning) };
    }),
    site: sheet.add(128, 1, site),
    scaffold: sheet.add(160, 1, scaffold),
  };
}
