/**
 * Avatars from above: boots that walk, a body in the player's colour with the weapon in its hands, a ring around those who have just spawned. Body
 * and weapon are one picture per colour and weapon, painted once; drawing an avatar is two copies.
 */

import { playerColour } from "@nearfield/kit";
import type { Weapon } from "../../state.ts";
import { fade, mix } from "./palette.ts";
import type { Pen } from "./pen.ts";
import { finished, glow, newPicture, type Picture } from "./picture.ts";

/** Half the side of a picture, world units; an avatar is drawn a little larger than it is hit. */
const HALF = 20;
/** Pixels of a picture per world unit. */
const FINENESS = 5;
/** Where the muzzle is: ahead of the middle, and to the right. */
export const MUZZLE: Readonly<Record<Weapon, readonly [number, number]>> = { rifle: [16, 3], rocket: [14, 4] };

export interface AvatarLook {
  readonly x: number;
  readonly y: number;
  readonly heading: number;
  /** Direction and speed of walking, for the boots. */
  readonly vx: number;
  readonly vy: number;
  /** Units walked. */
  readonly path: number;
  readonly colour: number;
  readonly weapon: Weapon;
  readonly safe: boolean;
  /** 1 right after a shot, then less: the weapon kicks. */
  readonly kick: number;
  /** 1 right after a hit, then less. */
  readonly flash: number;
}

export class AvatarArt {
  readonly #bodies = new Map<number, Picture>();
  readonly #shadow = glow("#000000", 64);
  readonly #white = glow("#ffffff", 64);
  readonly #shields = new Map<number, Picture>();

  /** All of them, from the floor up: nothing of one lies below another's shadow. `near`: whether one is close enough to see boots. */
  draw(pen: Pen, looks: readonly AvatarLook[], near: boolean, nowMs: number): void {
    const { context } = pen;
    pen.level();
    context.globalAlpha = 0.75;
    for (const { x, y } of looks) context.drawImage(this.#shadow, x - 9, y - 6, 26, 26);
    context.globalAlpha = 1;
    if (near) drawBoots(context, looks);
    for (const { x, y, heading, kick, colour, weapon } of looks) {
      const cos = Math.cos(heading);
      const sin = Math.sin(heading);
      const back = kick * 2.2;
      pen.turn(x - cos * back, y - sin * back, cos, sin);
      context.drawImage(this.#body(colour, weapon), -HALF, -HALF, 2 * HALF, 2 * HALF);
    }
    pen.level();
    for (const look of looks) this.#drawLight(context, look, nowMs);
    context.globalAlpha = 1;
  }

  /** The light on avatars that were just hit, and on those that cannot be hit yet. */
  #drawLight(context: CanvasRenderingContext2D, { x, y, flash, safe, colour }: AvatarLook, nowMs: number): void {
    if (flash > 0) {
      context.globalAlpha = flash * 0.8;
      context.drawImage(this.#white, x - 13, y - 13, 26, 26);
    }
    if (safe) {
      context.globalAlpha = 0.6 + 0.35 * Math.sin(nowMs / 90);
      context.drawImage(this.#shield(colour), x - 15, y - 15, 30, 30);
    }
  }

  #body(colour: number, weapon: Weapon): Picture {
    const key = colour * 2 + Number(weapon === "rocket");
    const ready = this.#bodies.get(key);
    if (ready) return ready;
    const context = newPicture(2 * HALF * FINENESS);
    context.scale(FINENESS, FINENESS);
    context.translate(HALF, HALF);
    paintBody(context, playerColour(colour), weapon);
    const body = finished(context);
    this.#bodies.set(key, body);
    return body;
  }

  #shield(colour: number): Picture {
    const ready = this.#shields.get(colour);
    if (ready) return ready;
    const context = newPicture(120);
    const light = context.createRadialGradient(60, 60, 30, 60, 60, 58);
    light.addColorStop(0, fade(playerColour(colour), 0));
    light.addColorStop(0.7, fade(playerColour(colour), 0.28));
    light.addColorStop(0.9, "rgb(255 255 255 / 0.85)");
    light.addColorStop(1, "rgb(255 255 255 / 0)");
    context.fillStyle = light;
    context.fillRect(0, 0, 120, 120);
    const shield = finished(context);
    this.#shields.set(colour, shield);
    return shield;
  }
}

/** Everybody's, in one path. */
function drawBoots(context: CanvasRenderingContext2D, looks: readonly AvatarLook[]): void {
  context.fillStyle = "#0b0e16";
  context.beginPath();
  for (const { x, y, heading, vx, vy, path } of looks) {
    const walks = vx * vx + vy * vy > 16;
    const way = walks ? Math.atan2(vy, vx) : heading;
    const stride = walks ? Math.sin(path / 5.5) * 5 : 0;
    const cos = Math.cos(way);
    const sin = Math.sin(way);
    for (let side = -1; side <= 1; side += 2) {
      const ahead = stride * side;
      const beside = 3.6 * side;
      context.ellipse(x + cos * ahead - sin * beside, y + sin * ahead + cos * beside, 3.6, 2.3, way, 0, 2 * Math.PI);
      context.closePath();
    }
  }
  context.fill();
}

/** Looking along +x, the middle at 0, 0. */
function paintBody(context: CanvasRenderingContext2D, colour: string, weapon: Weapon): void {
  const dark = mix(colour, "#0a0d18", 0.62);
  const deep = mix(colour, "#0a0d18", 0.8);
  outlined(context, deep, () => context.roundRect(-7.6, -4.4, 5, 8.8, 2));
  if (weapon === "rocket") paintLauncher(context);
  outlined(context, dark, () => context.ellipse(-0.6, 0, 5.2, 8.6, 0, 0, 2 * Math.PI));
  context.fillStyle = colour;
  for (const side of [-1, 1]) {
    context.beginPath();
    context.ellipse(-0.6, 6 * side, 3.5, 3, 0, 0, 2 * Math.PI);
    context.fill();
  }
  if (weapon === "rifle") paintRifle(context);
  paintArms(context, dark, weapon);
  outlined(context, mix(colour, "#ffffff", 0.1), () => context.arc(0.2, 0, 4.5, 0, 2 * Math.PI));
  const shine = context.createRadialGradient(-1.2, -1.4, 0.4, 0.2, 0, 4.6);
  shine.addColorStop(0, "rgb(255 255 255 / 0.75)");
  shine.addColorStop(0.5, "rgb(255 255 255 / 0)");
  shine.addColorStop(1, "rgb(0 0 0 / 0.35)");
  context.fillStyle = shine;
  context.beginPath();
  context.arc(0.2, 0, 4.4, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = "#081018";
  context.beginPath();
  context.ellipse(2.7, 0, 1.5, 2.9, 0, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = "rgb(160 235 255 / 0.9)";
  context.beginPath();
  context.ellipse(3, -0.9, 0.6, 1.1, 0.2, 0, 2 * Math.PI);
  context.fill();
}

function outlined(context: CanvasRenderingContext2D, fill: string, path: () => void): void {
  context.beginPath();
  path();
  context.fillStyle = fill;
  context.fill();
  context.strokeStyle = "#05070d";
  context.lineWidth = 0.9;
  context.stroke();
}

function paintRifle(context: CanvasRenderingContext2D): void {
  outlined(context, "#2a3040", () => context.roundRect(1, 1.9, 10, 2.4, 0.6));
  outlined(context, "#9aa6bd", () => context.rect(10.5, 2.5, 5, 1.2));
  context.fillStyle = "#ffd97a";
  context.fillRect(6, 2.3, 2.6, 0.7);
}

function paintLauncher(context: CanvasRenderingContext2D): void {
  outlined(context, "#39433a", () => context.roundRect(-8, 2, 21, 4.6, 1.4));
  outlined(context, "#ff8a4c", () => context.roundRect(10.6, 1.6, 3, 5.4, 1));
  context.fillStyle = "rgb(255 255 255 / 0.16)";
  context.fillRect(-7, 2.6, 17, 1);
}

function paintArms(context: CanvasRenderingContext2D, colour: string, weapon: Weapon): void {
  context.lineCap = "round";
  const reach = weapon === "rifle" ? 9 : 6;
  for (const [pass, width] of [
    ["#05070d", 4.2],
    [colour, 2.9],
  ] as const) {
    context.strokeStyle = pass;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(0.5, 6.4);
    context.lineTo(4.5, 4);
    context.moveTo(0.5, -6.2);
    context.lineTo(reach, 2.2);
    context.stroke();
  }
}
