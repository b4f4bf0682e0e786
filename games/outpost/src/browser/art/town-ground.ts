/** Paints the town from above, once: meadow, paths, a round place of cobbles, houses with tiled roofs, trees, stall, cart, board, chest, gate and lanterns. */

import {
  FOUNTAIN,
  HOUSES,
  type House,
  LANTERNS,
  PLACE_SPOTS,
  PLAZA,
  TOWN_HEIGHT,
  TOWN_WIDTH,
  TREES,
} from "../../town/plan.ts";
import { disc, shape } from "./atlas.ts";
import { css, grain, INK, mixed } from "./palette.ts";

export const TOWN_PIXELS = 1.8;
/** The light of a clear night. */
export const TOWN_AMBIENT = 0x7f8cc0;

type Context = CanvasRenderingContext2D;

export function paintTown(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = TOWN_WIDTH * TOWN_PIXELS;
  canvas.height = TOWN_HEIGHT * TOWN_PIXELS;
  const context = canvas.getContext("2d")!;
  context.scale(TOWN_PIXELS, TOWN_PIXELS);
  meadow(context);
  for (const { x, y } of Object.values(PLACE_SPOTS)) path(context, PLAZA.x, PLAZA.y, x, y, 34);
  path(context, PLAZA.x, PLAZA.y, PLAZA.x, TOWN_HEIGHT, 40);
  for (const { x, y, width, height } of HOUSES) path(context, PLAZA.x, PLAZA.y, x + width / 2, y + height + 8, 18);
  plaza(context);
  for (const house of HOUSES) paintHouse(context, house);
  fountain(context);
  gate(context);
  board(context);
  stall(context);
  chest(context);
  cart(context);
  for (const { x, y } of LANTERNS) lantern(context, x, y);
  for (const tree of TREES) paintTree(context, tree.x, tree.y, tree.radius);
  hedge(context);
  return canvas;
}

function meadow(context: Context): void {
  context.fillStyle = INK.grass;
  context.fillRect(0, 0, TOWN_WIDTH, TOWN_HEIGHT);
  for (let patch = 0; patch < 420; patch++) {
    const x = grain(patch, 1) * TOWN_WIDTH;
    const y = grain(patch, 2) * TOWN_HEIGHT;
    context.globalAlpha = 0.16;
    disc(context, x, y, 14 + grain(patch, 3) * 46, grain(patch, 4) > 0.5 ? INK.grassLight : INK.grassDark);
  }
  context.globalAlpha = 1;
  for (let blade = 0; blade < 2600; blade++) {
    const x = grain(blade, 11) * TOWN_WIDTH;
    const y = grain(blade, 12) * TOWN_HEIGHT;
    context.strokeStyle = grain(blade, 13) > 0.5 ? "rgb(120 170 120 / 0.35)" : "rgb(16 30 24 / 0.4)";
    context.lineWidth = 0.8;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + (grain(blade, 14) - 0.5) * 3, y - 2 - grain(blade, 15) * 3);
    context.stroke();
  }
  const petals = ["#f2d5ff", "#ffe6a8", "#ffd0d8", "#d6e8ff"];
  for (let flower = 0; flower < 130; flower++)
    disc(
      context,
      grain(flower, 21) * TOWN_WIDTH,
      grain(flower, 22) * TOWN_HEIGHT,
      1.1,
      petals[flower % petals.length]!,
    );
}

function path(context: Context, x: number, y: number, toX: number, toY: number, width: number): void {
  const bendX = (x + toX) / 2 + (toY - y) * 0.12;
  const bendY = (y + toY) / 2 - (toX - x) * 0.12;
  for (const [wide, colour] of [
    [width + 5, "rgb(30 34 30 / 0.5)"],
    [width, INK.path],
    [width * 0.6, "rgb(160 144 122 / 0.18)"],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = wide;
    context.lineCap = "round";
    context.beginPath();
    context.moveTo(x, y);
    context.quadraticCurveTo(bendX, bendY, toX, toY);
    context.stroke();
  }
}

function plaza(context: Context): void {
  disc(context, PLAZA.x, PLAZA.y, PLAZA.radius + 6, "rgb(20 24 30 / 0.6)");
  disc(context, PLAZA.x, PLAZA.y, PLAZA.radius, INK.cobbleDark);
  // Rings of stones.
  for (let ring = 0; ring < 15; ring++) {
    const radius = 40 + ring * 9.2;
    const stones = Math.round((2 * Math.PI * radius) / 12);
    for (let stone = 0; stone < stones; stone++) {
      const angle = ((stone + (ring % 2) / 2) / stones) * 2 * Math.PI;
      const tone = grain(stone, ring, 31);
      context.save();
      context.translate(PLAZA.x + Math.cos(angle) * radius, PLAZA.y + Math.sin(angle) * radius);
      context.rotate(angle + Math.PI / 2);
      context.fillStyle = mixed(INK.cobbleDark, INK.cobbleLight, 0.3 + tone * 0.55);
      context.beginPath();
      context.roundRect(-5.4, -4.1, 10.8, 8.2, 2.4);
      context.fill();
      context.fillStyle = "rgb(255 255 255 / 0.06)";
      context.fillRect(-4.6, -3.6, 9, 1.4);
      context.restore();
    }
  }
}

function shadowUnder(context: Context, x: number, y: number, width: number, height: number): void {
  context.save();
  context.filter = "blur(7px)";
  context.fillStyle = "rgb(4 8 14 / 0.55)";
  context.fillRect(x, y, width, height);
  context.restore();
}

/** From above and a little from the south: a tiled roof with a ridge, and a wall with a door and lit windows below it. */
function paintHouse(context: Context, { x, y, width, height, roof }: House): void {
  shadowUnder(context, x + 6, y + 10, width, height);
  const wall = 26;
  const top = y + height - wall;
  context.fillStyle = "#8a7a66";
  context.fillRect(x + 6, top, width - 12, wall);
  for (let beam = 0; beam <= 5; beam++) {
    context.fillStyle = INK.woodDark;
    context.fillRect(x + 6 + (beam * (width - 16)) / 5, top, 4, wall);
  }
  context.fillRect(x + 6, top + wall - 4, width - 12, 4);
  context.fillStyle = "#3a2a1e";
  context.fillRect(x + width / 2 - 8, top + 5, 16, wall - 5);
  disc(context, x + width / 2 + 4, top + 16, 1.3, INK.gold);
  for (const share of [0.2, 0.8]) {
    context.fillStyle = "#ffd98f";
    context.fillRect(x + width * share - 8, top + 7, 16, 11);
    context.strokeStyle = INK.woodDark;
    context.lineWidth = 1.6;
    context.strokeRect(x + width * share - 8, top + 7, 16, 11);
    context.strokeRect(x + width * share, top + 7, 0.1, 11);
  }
  tiles(context, x, y, width, height - wall + 4, css(roof));
  // Chimney.
  context.fillStyle = "#5a5260";
  context.fillRect(x + width * 0.72, y + 12, 15, 17);
  context.fillStyle = "#2a2630";
  context.fillRect(x + width * 0.72 + 3, y + 14, 9, 8);
}

function tiles(context: Context, x: number, y: number, width: number, height: number, colour: string): void {
  const ridge = y + height * 0.46;
  for (let row = 0; y + row * 7 < y + height; row++) {
    const at = y + row * 7;
    const isNorth = at < ridge;
    for (let column = -1; column * 10 < width; column++) {
      const left = Math.max(x, x + column * 10 + (row % 2) * 5);
      const right = Math.min(x + width, x + column * 10 + (row % 2) * 5 + 9.2);
      if (right <= left) continue;
      const tone = grain(column, row, Math.round(x));
      context.fillStyle = mixed(colour, isNorth ? "#0d1220" : "#fff0dc", isNorth ? 0.34 + tone * 0.14 : tone * 0.2);
      context.fillRect(left, at, right - left, Math.min(6.4, y + height - at));
    }
  }
  context.fillStyle = "rgb(255 240 220 / 0.28)";
  context.fillRect(x, ridge - 2, width, 3);
  context.fillStyle = "rgb(0 0 0 / 0.35)";
  context.fillRect(x, y + height - 3, width, 3);
}

function paintTree(context: Context, x: number, y: number, radius: number): void {
  context.save();
  context.filter = "blur(5px)";
  disc(context, x + 7, y + 10, radius * 1.25, "rgb(4 8 12 / 0.5)");
  context.restore();
  disc(context, x, y + 3, radius * 0.32, INK.woodDark);
  const greens = ["#1d3a2c", "#28503a", "#356a48", "#4a8657"];
  greens.forEach((green, layer) => {
    const size = radius * (1.3 - layer * 0.26);
    for (let leaf = 0; leaf < 9 - layer; leaf++) {
      const angle = (leaf / (9 - layer)) * 2 * Math.PI + layer + x;
      disc(
        context,
        x - layer * 1.6 + Math.cos(angle) * size * 0.52,
        y - layer * 2.4 + Math.sin(angle) * size * 0.52,
        size * 0.5,
        green,
      );
    }
  });
}

function fountain(context: Context): void {
  const { x, y, radius } = FOUNTAIN;
  shadowUnder(context, x - radius + 4, y - radius + 10, radius * 2, radius * 2 - 6);
  disc(context, x, y, radius, "#6f7892");
  disc(context, x, y, radius - 5, "#3f4860");
  disc(context, x, y, radius - 7, "#2f6f96");
  disc(context, x - 3, y - 4, radius - 14, "#4a94b8");
  disc(context, x, y, 9, "#6f7892");
  disc(context, x, y - 1, 6, "#9fd8ee");
}

function gate(context: Context): void {
  const { x, y } = PLACE_SPOTS.gate;
  shadowUnder(context, x - 60, y - 46, 120, 34);
  context.fillStyle = "#2b3248";
  context.fillRect(x - 62, y - 70, 124, 46);
  for (let course = 0; course < 6; course++)
    for (let brick = 0; brick < 9; brick++) {
      const left = x - 62 + brick * 14 + (course % 2) * 5;
      context.fillStyle = mixed("#3a435e", "#7f8bb0", grain(brick, course, 41) * 0.8);
      context.fillRect(left, y - 70 + course * 7.6, Math.min(12.6, x + 62 - left), 6.6);
    }
  disc(context, x, y - 30, 31, "#1a1f33");
  context.fillRect(x - 31, y - 30, 62, 16);
  disc(context, x, y - 30, 25, "#0c0a1c");
  for (const side of [-1, 1]) {
    context.fillStyle = "#59637f";
    context.fillRect(x + side * 44 - 13, y - 62, 26, 46);
    context.fillStyle = "#7f8bb0";
    context.fillRect(x + side * 44 - 15, y - 66, 30, 7);
    context.fillStyle = "#3f4860";
    context.fillRect(x + side * 44 - 15, y - 22, 30, 8);
  }
  for (let slab = 0; slab < 4; slab++) {
    context.fillStyle = mixed("#454d66", "#6f7a98", grain(slab, 5));
    context.fillRect(x - 26 + slab * 2, y - 14 + slab * 7, 52 - slab * 4, 6);
  }
}

function board(context: Context): void {
  const { x, y } = PLACE_SPOTS.board;
  shadowUnder(context, x - 22, y - 2, 46, 12);
  context.fillStyle = INK.woodDark;
  context.fillRect(x - 22, y - 28, 4, 36);
  context.fillRect(x + 18, y - 28, 4, 36);
  context.fillStyle = INK.wood;
  context.fillRect(x - 24, y - 30, 48, 28);
  for (const [left, top, colour] of [
    [-20, -27, "#f2e6c8"],
    [-4, -25, "#dfe8f2"],
    [9, -27, "#f2d0c0"],
    [-14, -13, "#e6f2d0"],
    [4, -12, "#f2e6c8"],
  ] as const) {
    context.fillStyle = colour;
    context.fillRect(x + left, y + top, 11, 9);
    disc(context, x + left + 5, y + top + 1, 0.9, "#c8443d");
  }
  shape(context, "#5a4030", [
    [x - 27, y - 29],
    [x, y - 39],
    [x + 27, y - 29],
  ]);
}

function stall(context: Context): void {
  const { x, y } = PLACE_SPOTS.market;
  shadowUnder(context, x - 34, y - 2, 70, 16);
  context.fillStyle = INK.wood;
  context.fillRect(x - 34, y - 8, 68, 15);
  context.fillStyle = INK.woodDark;
  context.fillRect(x - 34, y + 3, 68, 4);
  const wares = [INK.gold, INK.ruby, INK.relic, INK.amber, "#9dff5a", "#d3c8ff"];
  for (const [at, colour] of wares.entries()) disc(context, x - 26 + at * 10.4, y - 5, 3.2, colour);
  for (let stripe = 0; stripe < 8; stripe++) {
    const left = x - 38 + stripe * 9.5;
    context.fillStyle = stripe % 2 ? "#e9e2d2" : "#b8475a";
    context.beginPath();
    context.moveTo(left + 3, y - 36);
    context.lineTo(left + 11, y - 36);
    context.lineTo(left + 9.5, y - 14);
    context.arc(left + 4.75, y - 14, 4.75, 0, Math.PI);
    context.fill();
  }
}

function chest(context: Context): void {
  const { x, y } = PLACE_SPOTS.stash;
  shadowUnder(context, x - 16, y, 36, 12);
  context.fillStyle = INK.woodDark;
  context.beginPath();
  context.roundRect(x - 17, y - 15, 34, 26, 4);
  context.fill();
  context.fillStyle = "#95683f";
  context.beginPath();
  context.roundRect(x - 16, y - 15, 32, 13, [7, 7, 2, 2]);
  context.fill();
  context.fillStyle = "#7a5232";
  context.fillRect(x - 16, y - 1, 32, 11);
  context.fillStyle = "#c8a24a";
  for (const left of [-12, 8]) context.fillRect(x + left, y - 15, 4, 26);
  context.fillRect(x - 4, y - 5, 8, 8);
  disc(context, x, y - 1, 1.6, "#3a2a10");
}

/** The merchant's: two wheels, an open chest of wares, and lamps to sell. */
function cart(context: Context): void {
  const { x, y } = PLACE_SPOTS.merchant;
  shadowUnder(context, x - 30, y - 4, 64, 16);
  for (const side of [-1, 1]) {
    disc(context, x + side * 24, y + 2, 9, INK.woodDark);
    disc(context, x + side * 24, y + 2, 6.4, "#8a6a48");
    disc(context, x + side * 24, y + 2, 2.2, INK.woodDark);
  }
  context.fillStyle = INK.woodDark;
  context.fillRect(x - 30, y - 17, 60, 20);
  for (let plank = 0; plank < 4; plank++) {
    context.fillStyle = mixed(INK.wood, "#c79a68", grain(plank, 61) * 0.5);
    context.fillRect(x - 28, y - 15 + plank * 4.4, 56, 3.6);
  }
  context.fillStyle = "#31465a";
  context.fillRect(x - 22, y - 14, 30, 12);
  for (const [at, colour] of [INK.ruby, INK.amber, INK.relic, INK.gold].entries())
    disc(context, x - 17 + at * 6.8, y - 8, 2.5, colour);
  for (const left of [13, 21]) {
    context.fillStyle = "#23283a";
    context.fillRect(x + left - 3, y - 15, 6, 2);
    context.fillStyle = "#ffe2a8";
    context.fillRect(x + left - 2.4, y - 13, 4.8, 7);
  }
}

function lantern(context: Context, x: number, y: number): void {
  shadowUnder(context, x, y - 2, 10, 5);
  context.fillStyle = "#23283a";
  context.fillRect(x - 1.5, y - 26, 3, 28);
  context.fillRect(x - 5, y - 1, 10, 3);
  context.fillStyle = "#3a4260";
  context.fillRect(x - 5, y - 36, 10, 2.4);
  context.fillStyle = "#ffe2a8";
  context.fillRect(x - 3.6, y - 34, 7.2, 8.4);
}

/** The town's edge, so that nobody wonders where it ends. */
function hedge(context: Context): void {
  const leaf = (x: number, y: number, salt: number): void => {
    disc(context, x, y, 11 + grain(salt, 51) * 6, mixed("#162b22", "#2f5540", grain(salt, 52)));
  };
  for (let at = 0; at < TOWN_WIDTH; at += 9) {
    leaf(at, 6 + grain(at, 53) * 6, at);
    if (Math.abs(at - PLAZA.x) > 30) leaf(at, TOWN_HEIGHT - 6 - grain(at, 54) * 6, at + 1);
  }
  for (let at = 0; at < TOWN_HEIGHT; at += 9) {
    leaf(6 + grain(at, 55) * 6, at, at + 2);
    leaf(TOWN_WIDTH - 6 - grain(at, 56) * 6, at, at + 3);
  }
}
