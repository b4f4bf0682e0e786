/**
 * The seven kinds of units from above, looking along +x; 1 is a unit's radius. Each has an outline of its own: a truck with a fork, a dart on four wheels, a
 * soldier, a soldier with a long lance, a box on tracks, a wide cart with a short fat tube, a pair of swept wings. Units with a turret have a second picture
 * that turns by itself. From high up each kind is a sign of one plain shape.
 */

import { UNIT_KINDS, type UnitKind } from "../../state.ts";
import { both, type Context, disc, dome, fill, line, ridge, shape, slab } from "./brush.ts";
import { DARK, type Frame, type Painter, type Sheet, stuff } from "./sheet.ts";

export interface UnitFrames {
  readonly body: Frame;
  /** Turns with the aim while the body keeps its way. */
  readonly turret: Frame | undefined;
  /** Seen from high up. */
  readonly sign: Frame;
}

const METAL = stuff(0.8);
const STEEL = stuff(0.52);
const IRON = stuff(0.3);
const SOOT = stuff(0.13);
const PAINT = stuff(0, 1);
const PAINT_DIM = stuff(0, 0.66);
const PAINT_DEEP = stuff(0, 0.42);
const GLASS = stuff(0.1, 0.1, 0.75);

function builder(context: Context): void {
  both((side) => {
    slab(context, -0.95, side * 0.82 - 0.2, 1.5, 0.4, 0.15);
    fill(context, IRON);
    line(context, DARK, 0.34, 0.45, side * 0.42, 1.25, side * 0.5);
    line(context, METAL, 0.16, 0.45, side * 0.42, 1.25, side * 0.5);
  });
  slab(context, -1, -0.68, 1.7, 1.36, 0.25);
  fill(context, ridge(context, 0.7, PAINT, PAINT_DIM));
  slab(context, -0.85, -0.48, 0.8, 0.96, 0.12);
  fill(context, SOOT, 0.04);
  slab(context, 0.12, -0.46, 0.42, 0.92, 0.14);
  fill(context, GLASS, 0.06);
}

function scout(context: Context): void {
  both((side) => {
    slab(context, -0.95, side * 0.72 - 0.22, 0.62, 0.44, 0.16);
    fill(context, IRON);
    slab(context, 0.25, side * 0.6 - 0.18, 0.5, 0.36, 0.14);
    fill(context, IRON);
  });
  shape(context, 1.5, 0, 0.35, 0.46, -0.95, 0.5, -1.15, 0, -0.95, -0.5, 0.35, -0.46);
  fill(context, ridge(context, 0.5, PAINT, PAINT_DEEP));
  shape(context, 0.55, 0, 0, 0.26, -0.5, 0.26, -0.5, -0.26, 0, -0.26);
  fill(context, GLASS, 0.06);
  line(context, METAL, 0.12, -0.75, -0.34, -0.75, 0.34);
}

/** Shoulders, pack and head of who walks; what it carries comes on top. */
function soldier(context: Context, cloth: string, helmet: string): void {
  context.beginPath();
  context.ellipse(-0.05, 0, 0.52, 0.98, 0, 0, 2 * Math.PI);
  fill(context, cloth, 0.16);
  slab(context, -0.78, -0.5, 0.5, 1, 0.16);
  fill(context, STEEL, 0.08);
  disc(context, 0.08, 0, 0.5);
  fill(context, dome(context, 0.08, 0, 0.5, helmet, PAINT_DEEP), 0.1);
}

function trooper(context: Context): void {
  soldier(context, PAINT_DIM, PAINT);
  line(context, DARK, 0.4, 0.1, 0.72, 1.25, 0.5);
  line(context, METAL, 0.2, 0.1, 0.72, 1.25, 0.5);
}

function lancer(context: Context): void {
  // A wide shield on one arm, the lance on the other, twice as long as its bearer.
  shape(context, 0.62, -1.05, 0.95, -0.6, 0.62, -0.05, 0.34, -0.1, 0.3, -1);
  fill(context, METAL, 0.13);
  soldier(context, PAINT_DEEP, PAINT);
  line(context, DARK, 0.5, -1.05, 0.62, 1.85, 0.62);
  line(context, STEEL, 0.26, -1.05, 0.62, 1.2, 0.62);
  shape(context, 2, 0.62, 1.15, 0.9, 1.3, 0.62, 1.15, 0.34);
  fill(context, stuff(0, 0.6, 0.5), 0.1);
}

function tank(context: Context): void {
  both((side) => {
    slab(context, -1.12, side * 0.74 - 0.28, 2.24, 0.56, 0.2);
    fill(context, IRON);
    for (let link = -0.95; link < 1; link += 0.27) line(context, SOOT, 0.08, link, side * 0.5, link, side * 0.98);
  });
  shape(context, 1.02, 0.5, 1.02, -0.5, 0.7, -0.64, -0.9, -0.64, -1.05, -0.4, -1.05, 0.4, -0.9, 0.64, 0.7, 0.64);
  fill(context, ridge(context, 0.66, PAINT_DIM, PAINT_DEEP));
  slab(context, -0.92, -0.4, 0.3, 0.8, 0.08);
  fill(context, SOOT, 0.03);
}

function tankTurret(context: Context): void {
  slab(context, 0.3, -0.15, 1.35, 0.3, 0.06);
  fill(context, STEEL, 0.1);
  slab(context, 1.45, -0.21, 0.3, 0.42, 0.08);
  fill(context, METAL, 0.1);
  shape(context, 0.5, 0.38, 0.5, -0.38, 0.1, -0.58, -0.5, -0.5, -0.66, 0, -0.5, 0.5, 0.1, 0.58);
  fill(context, ridge(context, 0.58, PAINT, PAINT_DIM), 0.11);
  disc(context, -0.18, 0.12, 0.19);
  fill(context, STEEL, 0.06);
}

function mortar(context: Context): void {
  both((side) => {
    line(context, DARK, 0.36, -0.1, side * 0.4, -1.15, side * 1.15);
    line(context, STEEL, 0.18, -0.1, side * 0.4, -1.15, side * 1.15);
    disc(context, -1.12, side * 1.12, 0.18);
    fill(context, METAL, 0.08);
    disc(context, 0.35, side * 0.95, 0.38);
    fill(context, IRON, 0.12);
    disc(context, 0.35, side * 0.95, 0.14);
    fill(context, STEEL, 0);
  });
  shape(context, 0.8, 0.42, 0.8, -0.42, 0.25, -0.82, -0.6, -0.62, -0.6, 0.62, 0.25, 0.82);
  fill(context, ridge(context, 0.8, PAINT, PAINT_DEEP));
}

function mortarTurret(context: Context): void {
  slab(context, -0.55, -0.44, 1.3, 0.88, 0.28);
  fill(context, ridge(context, 0.44, METAL, IRON), 0.12);
  disc(context, 0.72, 0, 0.47);
  fill(context, STEEL, 0.12);
  disc(context, 0.76, 0, 0.29);
  fill(context, DARK, 0);
}

function wasp(context: Context): void {
  both((side) => {
    shape(context, 0.42, side * 0.18, -0.2, side * 1.62, -0.72, side * 1.5, -0.5, side * 0.16);
    fill(context, ridge(context, 1.6, PAINT, PAINT_DIM), 0.11);
    line(context, PAINT_DEEP, 0.1, 0.1, side * 0.3, -0.42, side * 1.42);
    disc(context, -0.36, side * 0.92, 0.36);
    fill(context, SOOT, 0.05);
  });
  shape(context, 1.45, 0, 0.7, 0.3, -0.7, 0.24, -1.5, 0.1, -1.5, -0.1, -0.7, -0.24, 0.7, -0.3);
  fill(context, ridge(context, 0.3, METAL, STEEL), 0.11);
  shape(context, 1.1, 0, 0.6, 0.2, 0.3, 0, 0.6, -0.2);
  fill(context, GLASS, 0.05);
  shape(context, -1.15, 0, -1.62, 0.42, -1.45, 0, -1.62, -0.42);
  fill(context, PAINT, 0.08);
}

/** Signs are seen at eight pixels: one bold shape, a dark rim, nothing else. */
const SIGNS: Readonly<Record<UnitKind, Painter>> = {
  builder: (context) => {
    slab(context, -0.75, -0.75, 1.5, 1.5, 0.1);
    fill(context, PAINT, 0.3);
    slab(context, -0.3, -0.3, 0.6, 0.6);
    fill(context, DARK, 0);
  },
  scout: (context) => {
    shape(context, 1.3, 0, -0.9, 0.62, -0.45, 0, -0.9, -0.62);
    fill(context, PAINT, 0.3);
  },
  trooper: (context) => {
    disc(context, 0, 0, 0.72);
    fill(context, PAINT, 0.3);
  },
  lancer: (context) => {
    shape(context, 1.15, 0, 0, 0.75, -1.15, 0, 0, -0.75);
    fill(context, PAINT, 0.3);
    line(context, stuff(0, 0, 0.9), 0.28, 0.1, 0, 1, 0);
  },
  tank: (context) => {
    slab(context, -1.1, -0.85, 2.05, 1.7, 0.15);
    fill(context, PAINT, 0.3);
    line(context, DARK, 0.4, 0, 0, 1.25, 0);
  },
  mortar: (context) => {
    disc(context, 0, 0, 0.95);
    fill(context, PAINT, 0.3);
    disc(context, 0, 0, 0.45);
    fill(context, DARK, 0);
  },
  wasp: (context) => {
    shape(context, 1.2, 0, -0.75, 1.25, -0.3, 0, -0.75, -1.25);
    fill(context, PAINT, 0.3);
  },
};

const BODIES: Readonly<Record<UnitKind, Painter>> = { builder, scout, trooper, lancer, tank, mortar, wasp };
const TURRETS: Partial<Readonly<Record<UnitKind, Painter>>> = { tank: tankTurret, mortar: mortarTurret };
/** How far each picture reaches: no farther than its kind needs, since empty pixels cost as much as others. */
const REACHES: Readonly<Record<UnitKind, number>> = {
  builder: 1.4,
  scout: 1.65,
  trooper: 1.45,
  lancer: 2.15,
  tank: 1.3,
  mortar: 1.45,
  wasp: 1.8,
};

/** By the number of the kind. */
export function paintUnits(sheet: Sheet): readonly UnitFrames[] {
  return UNIT_KINDS.map((kind) => {
    const turret = TURRETS[kind];
    return {
      body: sheet.add(144, REACHES[kind], BODIES[kind]),
      turret: turret && sheet.add(144, 1.9, turret),
      sign: sheet.add(48, 1.65, SIGNS[kind]),
    };
  });
}
