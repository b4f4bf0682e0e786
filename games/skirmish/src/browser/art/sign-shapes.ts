/** Small pictures that are no unit and no building: light, smoke, rings, bars, crystals, stones, and the signs that orders leave on the ground. */

import { both, type Context, disc, fill, line, shape } from "./brush.ts";
import { grain } from "./palette.ts";
import { DARK, type Frame, type Sheet, stuff } from "./sheet.ts";

export interface Signs {
  /** Plain paint, for bars and lines. */
  readonly plain: Frame;
  /** Paint that fades along its length: the tail of a tracer. */
  readonly streak: Frame;
  readonly glow: Frame;
  readonly smoke: Frame;
  readonly wave: Frame;
  readonly star: Frame;
  readonly ring: Frame;
  readonly corners: Frame;
  readonly shell: Frame;
  readonly scorch: Frame;
  readonly rubble: Frame;
  readonly dot: Frame;
  readonly arrows: Frame;
  readonly cross: Frame;
  readonly refusal: Frame;
  readonly pick: Frame;
  readonly hammer: Frame;
  readonly flag: Frame;
  readonly square: Frame;
  readonly rotor: Frame;
  readonly crystals: readonly Frame[];
  readonly stones: readonly Frame[];
  readonly shrubs: readonly Frame[];
}

const PAINT = stuff(0, 1);
const clear = (green: number, alpha: number): string => `rgb(0 ${Math.round(green * 255)} 0 / ${alpha})`;

function radial(context: Context, stops: readonly (readonly [at: number, colour: string])[]): void {
  const gradient = context.createRadialGradient(0, 0, 0, 0, 0, 1);
  for (const [at, colour] of stops) gradient.addColorStop(at, colour);
  context.fillStyle = gradient;
  context.fillRect(-1, -1, 2, 2);
}

function smoke(context: Context): void {
  for (let puff = 0; puff < 14; puff++) {
    const angle = grain(puff, 1) * 2 * Math.PI;
    const away = grain(puff, 2) * 0.5;
    const size = 0.28 + grain(puff, 3) * 0.25;
    context.save();
    context.translate(Math.cos(angle) * away, Math.sin(angle) * away);
    context.scale(size, size);
    radial(context, [
      [0, clear(0.7 + 0.3 * grain(puff, 4), 0.4)],
      [1, clear(0.7, 0)],
    ]);
    context.restore();
  }
}

function ring(context: Context, width: number): void {
  disc(context, 0, 0, 1);
  context.lineWidth = width * 2.1;
  context.strokeStyle = "rgb(0 0 0 / 0.45)";
  context.stroke();
  context.lineWidth = width;
  context.strokeStyle = PAINT;
  context.stroke();
}

/** Brackets at the corners: around a selected building. */
function corners(context: Context): void {
  for (const [x, y] of [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const) {
    for (const [colour, width] of [
      ["rgb(0 0 0 / 0.5)", 0.14],
      [PAINT, 0.07],
    ] as const)
      line(context, colour, width, x * 0.62, y, x, y, x, y * 0.62);
  }
}

function scorch(context: Context): void {
  for (let spot = 0; spot < 26; spot++) {
    const angle = grain(spot, 5) * 2 * Math.PI;
    const away = grain(spot, 6) ** 0.7 * 0.62;
    const size = 0.14 + grain(spot, 7) * 0.34 * (1 - away * 0.7);
    context.save();
    context.translate(Math.cos(angle) * away, Math.sin(angle) * away);
    context.scale(size, size);
    radial(context, [
      [0, "rgb(0 0 0 / 0.36)"],
      [1, "rgb(0 0 0 / 0)"],
    ]);
    context.restore();
  }
}

function rubble(context: Context): void {
  for (let piece = 0; piece < 22; piece++) {
    const angle = grain(piece, 8) * 2 * Math.PI;
    const away = grain(piece, 9) * 0.78;
    const size = 0.07 + grain(piece, 10) * 0.14;
    context.save();
    context.translate(Math.cos(angle) * away, Math.sin(angle) * away);
    context.rotate(grain(piece, 11) * 3);
    shape(context, -size, -size * 0.6, size * 0.7, -size, size, size * 0.5, -size * 0.5, size * 0.8);
    fill(context, piece % 5 === 0 ? stuff(0, 0.5) : stuff(0.16 + grain(piece, 12) * 0.3), 0.03);
    context.restore();
  }
}

/** A cluster of crystals; `variant` decides how they stand. */
function crystals(context: Context, variant: number): void {
  const count = 7;
  for (let at = 0; at < count; at++) {
    const angle = (at / count) * 2 * Math.PI + grain(at, variant, 3);
    const away = at === 0 ? 0 : 0.3 + 0.28 * grain(at, variant, 4);
    const length = 0.34 + 0.26 * grain(at, variant, 5) - away * 0.14;
    const width = length * 0.5;
    context.save();
    context.translate(Math.cos(angle) * away, Math.sin(angle) * away);
    context.rotate(angle + (grain(at, variant, 6) - 0.5));
    shape(context, length, 0, length * 0.3, width, -length * 0.7, width * 0.6, -length * 0.7, -width * 0.6);
    fill(context, stuff(0, 0.5), 0.06);
    shape(context, length, 0, length * 0.3, width, -length * 0.7, width * 0.6, -length * 0.2, 0);
    fill(context, stuff(0, 0.78), 0);
    shape(context, length, 0, -length * 0.2, 0, -length * 0.7, -width * 0.6, length * 0.3, -width);
    fill(context, stuff(0, 1, 0.12), 0);
    line(context, stuff(0, 0.6, 0.6), 0.04, length * 0.9, 0, -length * 0.2, 0);
    context.restore();
  }
}

function stone(context: Context, variant: number): void {
  const points: number[] = [];
  for (let corner = 0; corner < 7; corner++) {
    const angle = (corner / 7) * 2 * Math.PI;
    const radius = 0.5 + 0.35 * grain(corner, variant, 21);
    points.push(Math.cos(angle) * radius, Math.sin(angle) * radius);
  }
  context.save();
  context.translate(0.1, 0.14);
  shape(context, ...points);
  fill(context, "rgb(0 0 0 / 0.5)", 0);
  context.restore();
  shape(context, ...points);
  fill(context, stuff(0, 0.55), 0.03);
  context.save();
  context.translate(-0.08, -0.1);
  context.scale(0.66, 0.66);
  shape(context, ...points);
  fill(context, stuff(0, 0.95), 0);
  context.restore();
}

function shrub(context: Context, variant: number): void {
  for (let leaf = 0; leaf < 9; leaf++) {
    const angle = (leaf / 9) * 2 * Math.PI + grain(leaf, variant, 31);
    const away = 0.25 + 0.35 * grain(leaf, variant, 32);
    disc(context, Math.cos(angle) * away, Math.sin(angle) * away, 0.18 + 0.16 * grain(leaf, variant, 33));
    fill(context, stuff(0, 0.35 + 0.6 * grain(leaf, variant, 34)), leaf < 5 ? 0.05 : 0);
  }
}

/** Two arrow heads from both sides: go there. */
function arrows(context: Context): void {
  for (let quarter = 0; quarter < 4; quarter++) {
    context.save();
    context.rotate((quarter * Math.PI) / 2 + Math.PI / 4);
    shape(context, 0.28, 0, 0.78, 0.3, 0.66, 0, 0.78, -0.3);
    fill(context, PAINT, 0.06);
    context.restore();
  }
}

function cross(context: Context): void {
  ring(context, 0.12);
  for (let quarter = 0; quarter < 4; quarter++) {
    context.save();
    context.rotate((quarter * Math.PI) / 2);
    line(context, DARK, 0.28, 0.5, 0, 1.22, 0);
    line(context, PAINT, 0.15, 0.5, 0, 1.22, 0);
    context.restore();
  }
}

function refusal(context: Context): void {
  ring(context, 0.16);
  line(context, DARK, 0.36, -0.42, -0.42, 0.42, 0.42);
  line(context, DARK, 0.36, 0.42, -0.42, -0.42, 0.42);
  line(context, PAINT, 0.2, -0.42, -0.42, 0.42, 0.42);
  line(context, PAINT, 0.2, 0.42, -0.42, -0.42, 0.42);
}

function tool(context: Context, head: readonly number[]): void {
  line(context, DARK, 0.3, -0.6, 0.7, 0.35, -0.35);
  line(context, PAINT, 0.15, -0.6, 0.7, 0.35, -0.35);
  shape(context, ...head);
  fill(context, PAINT, 0.08);
}

function flag(context: Context): void {
  line(context, DARK, 0.26, -0.3, 0.9, -0.3, -0.9);
  line(context, stuff(0.9), 0.13, -0.3, 0.9, -0.3, -0.9);
  shape(context, -0.25, -0.88, 0.75, -0.5, -0.25, -0.12);
  fill(context, PAINT, 0.08);
}

/** Blades too fast to see. */
function rotor(context: Context): void {
  both((side) => {
    context.beginPath();
    context.moveTo(0, 0);
    context.arc(0, 0, 1, side > 0 ? -0.35 : Math.PI - 0.35, side > 0 ? 0.35 : Math.PI + 0.35);
    context.closePath();
    context.fillStyle = `rgb(90 60 60 / 0.55)`;
    context.fill();
  });
}

export function paintSigns(sheet: Sheet): Signs {
  const plain = sheet.add(24, 1, (context) => {
    context.fillStyle = PAINT;
    context.fillRect(-1, -1, 2, 2);
  });
  return {
    // Only the inside, so that no edge of it fades.
    plain: { ...plain, from: plain.from + 0x0140_0140, to: plain.to - 0x0140_0140 },
    streak: sheet.add(64, 1, (context) => {
      const gradient = context.createLinearGradient(-1, 0, 1, 0);
      gradient.addColorStop(0, clear(1, 0));
      gradient.addColorStop(0.85, clear(1, 0.9));
      gradient.addColorStop(1, stuff(0, 1, 0.8));
      context.fillStyle = gradient;
      shape(context, -1, 0, 0.8, -0.7, 1, 0, 0.8, 0.7);
      context.fill();
    }),
    glow: sheet.add(128, 1, (context) =>
      radial(context, [
        [0, stuff(0, 1, 0.9)],
        [0.12, stuff(0, 1, 0.3)],
        [0.4, clear(1, 0.32)],
        [1, clear(1, 0)],
      ]),
    ),
    smoke: sheet.add(128, 1, smoke),
    wave: sheet.add(160, 1, (context) =>
      radial(context, [
        [0.55, clear(1, 0)],
        [0.82, clear(1, 0.4)],
        [0.93, PAINT],
        [1, clear(1, 0)],
      ]),
    ),
    star: sheet.add(64, 1, (context) => {
      radial(context, [
        [0, stuff(0, 1, 1)],
        [0.3, clear(1, 0.2)],
        [1, clear(1, 0)],
      ]);
      for (let ray = 0; ray < 4; ray++) {
        context.rotate(Math.PI / 2);
        shape(context, 0, -0.07, 0.98, 0, 0, 0.07);
        fill(context, stuff(0, 0.8, 0.6), 0);
      }
    }),
    ring: sheet.add(128, 1.12, (context) => ring(context, 0.09)),
    corners: sheet.add(128, 1.12, corners),
    shell: sheet.add(48, 1, (context) => {
      disc(context, 0, 0, 0.7);
      fill(context, stuff(0.35, 0.3), 0.2);
    }),
    scorch: sheet.add(160, 1, scorch),
    rubble: sheet.add(160, 1, rubble),
    dot: sheet.add(48, 1.1, (context) => {
      disc(context, 0, 0, 0.75);
      fill(context, PAINT, 0.2);
    }),
    arrows: sheet.add(96, 1.1, arrows),
    cross: sheet.add(112, 1.35, cross),
    refusal: sheet.add(112, 1.2, refusal),
    pick: sheet.add(96, 1.1, (context) => tool(context, [-0.2, -0.85, 0.5, -0.6, 0.9, 0.15, 0.35, -0.3])),
    hammer: sheet.add(96, 1.1, (context) => tool(context, [-0.1, -0.5, 0.35, -0.9, 0.9, -0.35, 0.45, 0.05])),
    flag: sheet.add(96, 1.1, flag),
    square: sheet.add(64, 1, (context) => {
      context.fillStyle = clear(1, 0.4);
      context.fillRect(-0.94, -0.94, 1.88, 1.88);
      context.strokeStyle = PAINT;
      context.lineWidth = 0.08;
      context.strokeRect(-0.9, -0.9, 1.8, 1.8);
    }),
    rotor: sheet.add(64, 1.05, rotor),
    crystals: [1, 2, 3].map((variant) => sheet.add(144, 1.1, (context) => crystals(context, variant))),
    stones: [1, 2, 3].map((variant) => sheet.add(48, 1, (context) => stone(context, variant))),
    shrubs: [1, 2].map((variant) => sheet.add(48, 1, (context) => shrub(context, variant))),
  };
}
