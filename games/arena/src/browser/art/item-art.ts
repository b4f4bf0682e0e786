/** Things to pick up, and rockets in flight. Each kind is one picture; a glow breathes beneath what is ready. */

import type { ItemKind } from "../../state.ts";
import { FIRE, ITEM_COLOURS, mix } from "./palette.ts";
import type { Pen } from "./pen.ts";
import { finished, glow, newPicture, type Picture } from "./picture.ts";

const SIZE = 96;
/** World units that a picture of an item covers. */
const COVERS = 17;

export class ItemArt {
  readonly #pictures = new Map<ItemKind, Picture>();
  readonly #glows = new Map<ItemKind, Picture>();
  readonly #rocket: Picture = paintRocket();
  readonly #flame: Picture = glow(FIRE, 64, 0.18);
  readonly #shadow: Picture = glow("#000000", 48);

  constructor() {
    for (const kind of Object.keys(ITEM_COLOURS) as ItemKind[]) {
      this.#pictures.set(kind, paintItem(kind));
      this.#glows.set(kind, glow(ITEM_COLOURS[kind], 96));
    }
  }

  /** The context has world units. */
  drawItem(
    context: CanvasRenderingContext2D,
    kind: ItemKind,
    x: number,
    y: number,
    ready: boolean,
    nowMs: number,
  ): void {
    if (!ready) {
      context.strokeStyle = ITEM_COLOURS[kind];
      context.globalAlpha = 0.22;
      context.lineWidth = 0.8;
      context.beginPath();
      context.arc(x, y, 7, 0, 2 * Math.PI);
      context.stroke();
      context.globalAlpha = 1;
      return;
    }
    const beat = Math.sin(nowMs / 420 + x);
    const radius = 21 + beat * 3;
    context.globalCompositeOperation = "lighter";
    context.globalAlpha = 0.55 + 0.2 * beat;
    context.drawImage(this.#glows.get(kind)!, x - radius, y - radius, 2 * radius, 2 * radius);
    context.globalCompositeOperation = "source-over";
    context.globalAlpha = 0.6;
    context.drawImage(this.#shadow, x - 8, y - 4, 18, 16);
    context.globalAlpha = 1;
    const half = COVERS / 2 + beat * 0.5;
    context.drawImage(this.#pictures.get(kind)!, x - half, y - half - 1.5 - beat, 2 * half, 2 * half);
  }

  drawRocket(pen: Pen, x: number, y: number, vx: number, vy: number, nowMs: number): void {
    const { context } = pen;
    const speed = Math.hypot(vx, vy) || 1;
    const [cos, sin] = [vx / speed, vy / speed];
    const flame = 11 + 2.5 * Math.sin(nowMs / 23 + x);
    context.globalCompositeOperation = "lighter";
    context.drawImage(this.#flame, x - cos * 9 - flame, y - sin * 9 - flame, 2 * flame, 2 * flame);
    context.globalCompositeOperation = "source-over";
    pen.turn(x, y, cos, sin);
    context.drawImage(this.#rocket, -8, -4, 16, 8);
    pen.level();
  }
}

function paintItem(kind: ItemKind): Picture {
  const context = newPicture(SIZE);
  context.scale(SIZE / 20, SIZE / 20);
  context.translate(10, 10);
  const colour = ITEM_COLOURS[kind];
  context.lineJoin = "round";
  context.lineCap = "round";
  const plate = context.createLinearGradient(0, -8, 0, 8);
  plate.addColorStop(0, mix(colour, "#ffffff", 0.25));
  plate.addColorStop(1, mix(colour, "#0a0f1c", 0.35));
  context.fillStyle = "#0a0f1c";
  context.strokeStyle = plate;
  context.lineWidth = 1.5;
  context.beginPath();
  if (kind === "armour") {
    context.moveTo(0, -8.4);
    context.lineTo(7.4, -5.4);
    context.quadraticCurveTo(7.4, 4.4, 0, 8.4);
    context.quadraticCurveTo(-7.4, 4.4, -7.4, -5.4);
    context.closePath();
  } else context.roundRect(-7.6, -7.6, 15.2, 15.2, 3);
  context.fill();
  context.stroke();
  context.fillStyle = plate;
  symbols[kind](context);
  return finished(context);
}

const symbols: Readonly<Record<ItemKind, (context: CanvasRenderingContext2D) => void>> = {
  health: (context) => {
    context.fillRect(-1.7, -5, 3.4, 10);
    context.fillRect(-5, -1.7, 10, 3.4);
  },
  armour: (context) => {
    context.beginPath();
    context.moveTo(0, -5.6);
    context.lineTo(4.6, -3.6);
    context.quadraticCurveTo(4.6, 2.8, 0, 5.6);
    context.fill();
  },
  ammo: (context) => {
    for (const x of [-4.2, -1.1, 2]) {
      context.beginPath();
      context.roundRect(x, -2, 2.2, 6.6, 0.4);
      context.fill();
      context.beginPath();
      context.ellipse(x + 1.1, -2.6, 1.1, 2.4, 0, Math.PI, 2 * Math.PI);
      context.fill();
    }
  },
  launcher: (context) => {
    context.rotate(-Math.PI / 4);
    context.fillRect(-5, -1.5, 7, 3);
    context.beginPath();
    context.moveTo(2, -1.5);
    context.quadraticCurveTo(6, -1, 6, 0);
    context.quadraticCurveTo(6, 1, 2, 1.5);
    context.fill();
    context.beginPath();
    context.moveTo(-3, 0);
    context.lineTo(-6, -3.4);
    context.lineTo(-6, 3.4);
    context.fill();
  },
};

function paintRocket(): Picture {
  const context = newPicture(96, 48);
  context.scale(6, 6);
  context.translate(8, 4);
  context.strokeStyle = "#05070d";
  context.lineWidth = 0.6;
  for (const [fill, path] of [
    ["#7d3a1d", [-6, -3.2, -2.4, -1.4, -2.4, 1.4, -6, 3.2]],
    ["#c9d2e4", [-6, -1.6, 3, -1.6, 3, 1.6, -6, 1.6]],
    ["#ff5b3a", [3, -1.6, 7.4, 0, 3, 1.6]],
  ] as const) {
    context.fillStyle = fill;
    context.beginPath();
    for (let at = 0; at < path.length; at += 2) context.lineTo(path[at]!, path[at + 1]!);
    context.closePath();
    context.fill();
    context.stroke();
  }
  return finished(context);
}
