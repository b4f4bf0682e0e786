/** Every small picture: heroes, monsters, shots, things on the ground, light and dust. All look along +x. What is white is tinted when it is drawn. */

import type { Texture } from "pixi.js";
import { Atlas, disc, shape, spot } from "./atlas.ts";
import { INK } from "./palette.ts";

type Context = CanvasRenderingContext2D;

export interface Pictures {
  readonly cloak: Texture;
  readonly hood: Texture;
  readonly fallen: Texture;
  readonly shadow: Texture;
  readonly crawler: Texture;
  readonly crawlerLegs: readonly [Texture, Texture];
  readonly spitter: Texture;
  readonly brute: Texture;
  readonly warden: Texture;
  readonly wardenRing: Texture;
  readonly bolt: Texture;
  readonly venom: Texture;
  readonly gold: Texture;
  readonly gem: Texture;
  readonly relic: Texture;
  readonly heart: Texture;
  readonly swirl: Texture;
  readonly light: Texture;
  readonly glow: Texture;
  readonly spark: Texture;
  readonly smoke: Texture;
  readonly ring: Texture;
  readonly splat: Texture;
  readonly drop: Texture;
  readonly white: Texture;
}

export function paintPictures(): Pictures {
  const atlas = new Atlas();
  return {
    cloak: atlas.add(26, cloak),
    hood: atlas.add(26, hood),
    fallen: atlas.add(28, fallen),
    shadow: atlas.add(28, (context) => spot(context, 14, "#000000aa", 0.35)),
    crawler: atlas.add(24, crawler),
    crawlerLegs: [atlas.add(28, (context) => legs(context, 0)), atlas.add(28, (context) => legs(context, 1))],
    spitter: atlas.add(26, spitter),
    brute: atlas.add(38, brute),
    warden: atlas.add(58, warden),
    wardenRing: atlas.add(66, wardenRing),
    bolt: atlas.add(22, bolt),
    venom: atlas.add(16, venom),
    gold: atlas.add(16, gold),
    gem: atlas.add(14, gem),
    relic: atlas.add(18, relic),
    heart: atlas.add(16, heart),
    swirl: atlas.add(56, swirl),
    light: atlas.add(64, (context) => lightSpot(context)),
    glow: atlas.add(32, (context) => spot(context, 16, "#ffffffff")),
    spark: atlas.add(6, (context) => spot(context, 3, "#ffffffff", 0.25)),
    smoke: atlas.add(16, (context) => spot(context, 8, "#ffffff88", 0.1)),
    ring: atlas.add(48, ring),
    splat: atlas.add(26, splat),
    drop: atlas.add(5, (context) => disc(context, 0, 0, 2, "#ffffff")),
    white: atlas.add(2, (context) => disc(context, 0, 0, 9, "#ffffff")),
  };
}

/** Falls off slowly at first and softly at the end, as lamplight does. */
function lightSpot(context: Context): void {
  const gradient = context.createRadialGradient(0, 0, 0, 0, 0, 32);
  for (let at = 0; at <= 10; at++) {
    const share = at / 10;
    gradient.addColorStop(share, `rgb(255 255 255 / ${(1 - share) ** 1.7})`);
  }
  context.fillStyle = gradient;
  context.fillRect(-32, -32, 64, 64);
}

/** White with grey folds: tinted with the player's colour. */
function cloak(context: Context): void {
  shape(context, "#bcbcbc", [
    [2, -7],
    [-6, -9],
    [-11, -5],
    [-10, 0],
    [-11, 5],
    [-6, 9],
    [2, 7],
  ]);
  disc(context, 0, 0, 8, "#d8d8d8");
  disc(context, 1, -1, 6.4, "#ffffff");
  context.strokeStyle = "#8a8a8a";
  context.lineWidth = 0.8;
  for (const y of [-5, -1.6, 1.8, 5]) {
    context.beginPath();
    context.moveTo(-2, y * 0.7);
    context.lineTo(-9.5, y * 1.1);
    context.stroke();
  }
  // Shoulders.
  disc(context, 1.5, -6.4, 2.8, "#eeeeee");
  disc(context, 1.5, 6.4, 2.8, "#d0d0d0");
}

/** Hood, face and the hand weapon; in their own colours. */
function hood(context: Context): void {
  context.strokeStyle = "#20263a";
  context.lineWidth = 2.6;
  context.beginPath();
  context.moveTo(4, 5.4);
  context.lineTo(11, 4.2);
  context.stroke();
  context.strokeStyle = "#8fa0c0";
  context.lineWidth = 1.2;
  context.beginPath();
  context.moveTo(5, 5);
  context.lineTo(11.2, 4);
  context.stroke();
  disc(context, 11, 4.1, 1.3, "#bff4ff");
  disc(context, 0.6, 0, 4.6, "#1a2033");
  disc(context, 1.5, 0, 3.4, "#3a2c2a");
  disc(context, 2.2, 0, 2.5, "#e8b48c");
  disc(context, 3.4, -1, 0.55, "#1a2033");
  disc(context, 3.4, 1, 0.55, "#1a2033");
}

function fallen(context: Context): void {
  shape(context, "#9a9a9a", [
    [-12, -3],
    [-4, -8],
    [8, -6],
    [12, 0],
    [7, 6],
    [-5, 8],
    [-11, 4],
  ]);
  disc(context, 7, 0, 4.2, "#5a5a5a");
  disc(context, 8, 0, 2.6, "#c8c8c8");
}

function legs(context: Context, pose: number): void {
  context.strokeStyle = "#3a1f3f";
  context.lineWidth = 1.5;
  for (let pair = 0; pair < 4; pair++) {
    const lean = (pair - 1.5) * 3.4 + ((pair + pose) % 2 ? 1.4 : -1.4);
    for (const side of [-1, 1]) {
      context.beginPath();
      context.moveTo((pair - 1.5) * 2, side * 3);
      context.lineTo(lean * 1.1, side * 8);
      context.lineTo(lean * 1.5, side * 12.4);
      context.stroke();
    }
  }
}

function crawler(context: Context): void {
  disc(context, -4, 0, 6.4, "#4b2752");
  disc(context, -5, -1.6, 4, "#6d3a70");
  disc(context, 3.4, 0, 4.4, "#6a3566");
  disc(context, 4, -1, 2.8, "#8a4a80");
  context.strokeStyle = "#f4d9ff";
  context.lineWidth = 0.9;
  for (const side of [-1, 1]) {
    context.beginPath();
    context.moveTo(7, side * 1.4);
    context.quadraticCurveTo(10.4, side * 2.2, 9.8, side * 0.3);
    context.stroke();
    disc(context, 5.6, side * 2, 0.95, "#ff5d7e");
    disc(context, 4.2, side * 3, 0.6, "#ff9fb0");
  }
}

function spitter(context: Context): void {
  disc(context, -2, 0, 9, "#2c4a34");
  disc(context, -3, -2, 6.6, "#47744a");
  disc(context, -5, -3, 3, "#6fa45e");
  disc(context, 4.6, 0, 5, "#35583a");
  disc(context, 7, 0, 3.2, "#14231a");
  disc(context, 7.4, 0, 1.9, "#9dff5a");
  for (const side of [-1, 1]) {
    disc(context, 2.6, side * 5.2, 2.1, "#dfeec4");
    disc(context, 3.3, side * 5.3, 1, "#182016");
    disc(context, -7, side * 6, 1.6, "#9dff5a88");
  }
}

function brute(context: Context): void {
  disc(context, -1, 0, 13.6, "#3d2a2a");
  disc(context, -2, -2, 11, "#5d3c36");
  disc(context, -4, -4, 6.5, "#7a5044");
  for (const side of [-1, 1]) {
    disc(context, 6, side * 12, 4.6, "#4b322e");
    disc(context, 8, side * 12, 2.4, "#8a6250");
    shape(context, "#efe2c4", [
      [5, side * 4],
      [16, side * 8.4],
      [9, side * 6.8],
      [5, side * 7],
    ]);
    disc(context, 8.4, side * 2.4, 1.3, "#ffb347");
  }
  disc(context, 6, 0, 5.4, "#4b322e");
  disc(context, 8.6, 2.4, 1.2, "#ffcf5a");
  disc(context, 8.6, -2.4, 1.2, "#ffcf5a");
}

function warden(context: Context): void {
  for (let plate = 0; plate < 8; plate++) {
    context.save();
    context.rotate((plate / 8) * 2 * Math.PI);
    shape(context, plate % 2 ? "#37405e" : "#2b3350", [
      [10, -9],
      [25, -7],
      [28, 0],
      [25, 7],
      [10, 9],
    ]);
    shape(context, "#5a678f", [
      [13, -6],
      [23, -5],
      [24, -2],
      [14, -2],
    ]);
    context.restore();
  }
  disc(context, 0, 0, 15, "#1d2338");
  disc(context, -1, -2, 12.6, "#333c5c");
  disc(context, 0, 0, 8.4, "#120f26");
  const core = context.createRadialGradient(0, 0, 0, 0, 0, 7.4);
  core.addColorStop(0, "#ffffff");
  core.addColorStop(0.4, "#d9b8ff");
  core.addColorStop(1, "#6a3fff");
  context.fillStyle = core;
  context.beginPath();
  context.arc(0, 0, 7, 0, 2 * Math.PI);
  context.fill();
  shape(context, "#ff6f91", [
    [18, -3],
    [27, 0],
    [18, 3],
  ]);
}

function wardenRing(context: Context): void {
  context.strokeStyle = "#b59cff";
  context.lineWidth = 1.6;
  for (let part = 0; part < 6; part++) {
    context.beginPath();
    context.arc(0, 0, 30, (part / 6) * 2 * Math.PI, (part / 6) * 2 * Math.PI + 0.6);
    context.stroke();
  }
}

function bolt(context: Context): void {
  const gradient = context.createLinearGradient(-10, 0, 9, 0);
  gradient.addColorStop(0, "#ffffff00");
  gradient.addColorStop(0.75, "#ffffffcc");
  gradient.addColorStop(1, "#ffffff");
  context.strokeStyle = gradient;
  context.lineWidth = 2.6;
  context.beginPath();
  context.moveTo(-9, 0);
  context.lineTo(8, 0);
  context.stroke();
}

function venom(context: Context): void {
  spot(context, 8, "#9dff5acc", 0.1);
  disc(context, 0, 0, 3.2, "#eaffd2");
}

function gold(context: Context): void {
  for (const [x, y] of [
    [-3, 2.4],
    [3, 2.8],
    [0, 3.4],
    [-1.4, -0.4],
    [2, 0],
    [0.2, -2.6],
  ] as const) {
    disc(context, x, y + 0.7, 2.6, "#8a5a12");
    disc(context, x, y, 2.6, INK.gold);
    disc(context, x - 0.6, y - 0.7, 1.1, "#fff1b8");
  }
}

/** White: tinted with the stone's colour. */
function gem(context: Context): void {
  shape(context, "#9a9a9a", [
    [0, 6],
    [-5, -1],
    [-3, -5],
    [3, -5],
    [5, -1],
  ]);
  shape(context, "#e8e8e8", [
    [0, 6],
    [-5, -1],
    [0, -1],
  ]);
  shape(context, "#ffffff", [
    [-5, -1],
    [-3, -5],
    [0, -1],
  ]);
  shape(context, "#cfcfcf", [
    [0, -1],
    [-3, -5],
    [3, -5],
  ]);
}

function relic(context: Context): void {
  shape(context, "#2a6f86", [
    [0, -8],
    [5, -2],
    [3, 7],
    [-3, 7],
    [-5, -2],
  ]);
  shape(context, INK.relic, [
    [0, -8],
    [1, 7],
    [-3, 7],
    [-5, -2],
  ]);
  shape(context, "#ffffff", [
    [0, -6],
    [0.4, 3],
    [-2.4, 1],
  ]);
  disc(context, 0, 0, 1.6, "#ffffff");
}

function heart(context: Context): void {
  context.fillStyle = INK.heart;
  context.beginPath();
  context.moveTo(0, 6);
  context.bezierCurveTo(-10, -1, -5, -8, 0, -3);
  context.bezierCurveTo(5, -8, 10, -1, 0, 6);
  context.fill();
  disc(context, -2.4, -2.6, 1.3, "#ffd5df");
}

function swirl(context: Context): void {
  for (let arm = 0; arm < 5; arm++) {
    context.save();
    context.rotate((arm / 5) * 2 * Math.PI);
    const gradient = context.createLinearGradient(4, 0, 27, 0);
    gradient.addColorStop(0, "#ffffffdd");
    gradient.addColorStop(1, "#ffffff00");
    context.strokeStyle = gradient;
    context.lineWidth = 3.2;
    context.beginPath();
    for (let at = 0; at <= 20; at++) {
      const radius = 4 + at * 1.1;
      context.lineTo(Math.cos(at * 0.12) * radius, Math.sin(at * 0.12) * radius);
    }
    context.stroke();
    context.restore();
  }
}

function ring(context: Context): void {
  const gradient = context.createRadialGradient(0, 0, 16, 0, 0, 24);
  gradient.addColorStop(0, "#ffffff00");
  gradient.addColorStop(0.6, "#ffffff");
  gradient.addColorStop(1, "#ffffff00");
  context.fillStyle = gradient;
  context.fillRect(-24, -24, 48, 48);
}

function splat(context: Context): void {
  for (let blob = 0; blob < 11; blob++) {
    const angle = blob * 2.4;
    const far = (blob % 4) * 2.6;
    disc(context, Math.cos(angle) * far, Math.sin(angle) * far, 4.4 - (blob % 3), "#ffffff70");
  }
}
