/** Draws the country around the own hero: ground, dens, gold, beasts, bolts, heroes, and what they say. */

import { playerColour } from "@nearfield/kit";
import { DENS } from "../dens.ts";
import { BEAST_HEALTH, BEAST_RADIUS, HERO_RADIUS } from "../rules.ts";
import { COUNTRY } from "../shared.ts";
import { SIGHT } from "../views.ts";
import type { BeastReplica, HeroReplica, Network } from "./network.ts";
import type { Speech } from "./speech.ts";

/** Side of a field of grass, world units. */
const FIELD = 100;
/** Country that fits into the smaller side of the screen, world units. */
const SPAN = 2 * SIGHT * 0.62;
/** Stones of a cairn: where each lies, and how large it is. */
const CAIRN = [
  [-8, 4, 8],
  [8, 4, 8],
  [0, 6, 9],
  [-3, -5, 7],
  [4, -12, 5],
] as const;
const GRASS = "#2b3720";
/** Lighter and darker patches of it. */
const PATCHES = ["rgb(78 102 50 / 60%)", "rgb(18 26 16 / 60%)", "rgb(104 108 52 / 45%)"];
const FLOWERS = ["#d9c86a", "#c58fb0", "#9fb7d8"];
const SHADE = "rgb(0 0 0 / 28%)";

export class Scene {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #patches: readonly HTMLCanvasElement[] = PATCHES.map(softDisc);
  #centre = { x: COUNTRY / 2, y: COUNTRY / 2 };

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d")!;
  }

  /** CSS pixels, and device pixels for each of them. */
  resize(width: number, height: number, ratio: number): void {
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
  }

  draw(network: Network | undefined, speech: Speech, nowMs: number): void {
    const { width, height } = this.#canvas;
    const scale = Math.max(width, height) / (SPAN * 1.25);
    const own = network?.own;
    if (own !== undefined) this.#centre = { x: own.shown.x, y: own.shown.y };
    else if (network === undefined) this.#centre = wayOver(nowMs);
    const context = this.#context;
    context.setTransform(scale, 0, 0, scale, width / 2 - this.#centre.x * scale, height / 2 - this.#centre.y * scale);
    this.#drawGround(width / scale, height / scale);
    // A yard has none.
    if (network?.goal.yard === undefined) this.#drawDens();
    if (network === undefined) return;
    for (const { x, y, name } of network.cairns) this.#drawCairn(x, y, name);
    for (const { x, y } of network.gold) this.#drawGold(x, y);
    for (const beast of network.beasts) this.#drawBeast(beast);
    for (const { shown, vx, vy, colour } of network.bolts) {
      this.#line(shown.x - vx * 0.03, shown.y - vy * 0.03, shown.x, shown.y, playerColour(colour), 3);
    }
    const heroes = [...network.heroes];
    for (const hero of heroes) this.#drawHero(hero, hero.id === own?.id);
    for (const hero of heroes) this.#drawWords(hero, speech.words(hero.id, nowMs));
  }

  #drawGround(width: number, height: number): void {
    const context = this.#context;
    const { x, y } = this.#centre;
    context.fillStyle = "#10150d";
    context.fillRect(x - width, y - height, 2 * width, 2 * height);
    const [left, top] = [Math.max(0, x - width / 2), Math.max(0, y - height / 2)];
    const [right, bottom] = [Math.min(COUNTRY, x + width / 2), Math.min(COUNTRY, y + height / 2)];
    context.fillStyle = GRASS;
    context.fillRect(left, top, right - left, bottom - top);
    context.save();
    context.beginPath();
    context.rect(0, 0, COUNTRY, COUNTRY);
    context.clip();
    for (const draw of [this.#drawPatch, this.#drawPlants]) {
      for (let column = Math.floor(left / FIELD) - 1; column * FIELD < right + FIELD; column++) {
        for (let row = Math.floor(top / FIELD) - 1; row * FIELD < bottom + FIELD; row++) draw.call(this, column, row);
      }
    }
    context.restore();
  }

  #drawDens(): void {
    for (const den of DENS) {
      this.#disc(den.x, den.y, 40, "#3a3523");
      this.#disc(den.x, den.y, 32, "#211e14");
      this.#disc(den.x, den.y + 4, 24, "#0c0d08");
    }
  }

  /** Grass of another colour, in every second field or so. */
  #drawPatch(column: number, row: number): void {
    const chance = hash(column, row);
    if ((chance & 1) === 0) return;
    const [x, y] = placeIn(column, row, chance);
    const radius = FIELD * (0.8 + (chance % 7) / 8);
    const patch = this.#patches[chance % this.#patches.length]!;
    this.#context.drawImage(patch, x - radius, y - radius, 2 * radius, 2 * radius);
  }

  /** Stones, tufts and flowers, always at the same places. */
  #drawPlants(column: number, row: number): void {
    for (let i = 0; i < 3; i++) {
      const chance = hash(hash(column, row) + i, row - column);
      const [x, y] = placeIn(column, row, chance);
      const kind = (chance >>> 16) & 7;
      if (kind === 0) this.#drawStone(x, y, 4 + (chance % 4));
      else if (kind === 1) this.#disc(x, y, 2.5, FLOWERS[chance % FLOWERS.length]!);
      else for (const lean of [-4, 0, 4]) this.#line(x + lean / 2, y, x + lean, y - 9, "#4a5d2e", 2);
    }
  }

  #drawStone(x: number, y: number, radius: number): void {
    this.#disc(x + 1.5, y + 2, radius, SHADE);
    this.#disc(x, y, radius, "#5b6352");
  }

  #drawHero({ shown, heading, colour, name, health, down }: HeroReplica, isOwn: boolean): void {
    const { x, y } = shown;
    const context = this.#context;
    context.globalAlpha = down > 0 ? 0.35 : 1;
    const tint = playerColour(colour);
    this.#disc(x + 3, y + 5, HERO_RADIUS, SHADE);
    this.#line(x, y, x + Math.cos(heading) * 24, y + Math.sin(heading) * 24, tint, 6);
    this.#disc(x, y, HERO_RADIUS, tint);
    this.#disc(x, y, HERO_RADIUS - 4, "#161b10");
    if (isOwn) this.#disc(x, y, 4, tint);
    this.#text(down > 0 ? `${name} is down` : name, x, y + 32, "#eef2e2", 13);
    if (down === 0 && health < 100) this.#meter(x, y - 24, health / 100, "#b4402f");
    context.globalAlpha = 1;
  }

  #drawCairn(x: number, y: number, name: string): void {
    for (const [dx, dy, radius] of CAIRN) this.#drawStone(x + dx, y + dy, radius);
    this.#text(name, x, y + 26, "#c8d2b8", 11);
  }

  #drawGold(x: number, y: number): void {
    this.#disc(x, y, 11, "rgb(242 193 78 / 22%)");
    this.#disc(x, y, 6, "#f2c14e");
    this.#disc(x - 1.5, y - 1.5, 2.5, "#ffe9ad");
  }

  #drawBeast({ shown, heading, health }: BeastReplica): void {
    const { x, y } = shown;
    const [ahead, aside] = [Math.cos(heading), Math.sin(heading)];
    this.#disc(x + 3, y + 5, BEAST_RADIUS, SHADE);
    this.#disc(x - ahead * 4, y - aside * 4, BEAST_RADIUS, "#74492f");
    this.#disc(x, y, BEAST_RADIUS - 3, "#8f5e3e");
    this.#disc(x + ahead * 13, y + aside * 13, 9, "#b97b52");
    for (const side of [-4, 4]) this.#disc(x + ahead * 17 - aside * side, y + aside * 17 + ahead * side, 2, "#ffe08a");
    if (health < BEAST_HEALTH) this.#meter(x, y - 26, health / BEAST_HEALTH, "#b4402f");
  }

  #drawWords({ shown: { x, y } }: HeroReplica, words: string | undefined): void {
    if (words === undefined) return;
    const context = this.#context;
    context.font = "600 14px system-ui, sans-serif";
    const shown = words.length > 42 ? `${words.slice(0, 41)}…` : words;
    const width = context.measureText(shown).width + 18;
    context.fillStyle = "rgb(238 242 226 / 92%)";
    context.beginPath();
    context.roundRect(x - width / 2, y - 66, width, 26, 8);
    context.fill();
    this.#text(shown, x, y - 48, "#1b2112", 14);
  }

  #meter(x: number, y: number, share: number, colour: string): void {
    const context = this.#context;
    context.fillStyle = "rgb(0 0 0 / 55%)";
    context.fillRect(x - 16, y, 32, 4);
    context.fillStyle = colour;
    context.fillRect(x - 16, y, 32 * share, 4);
  }

  #disc(x: number, y: number, radius: number, colour: string): void {
    const context = this.#context;
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }

  #line(fromX: number, fromY: number, toX: number, toY: number, colour: string, width: number): void {
    const context = this.#context;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.lineCap = "round";
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
    context.stroke();
  }

  #text(text: string, x: number, y: number, colour: string, size: number): void {
    const context = this.#context;
    context.font = `600 ${size}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.fillStyle = colour;
    context.fillText(text, x, y);
  }
}

/** Behind the title: the camera goes slowly round the middle of the country. */
function wayOver(nowMs: number): { readonly x: number; readonly y: number } {
  const turn = nowMs / 90_000;
  return { x: COUNTRY * (0.5 + 0.3 * Math.cos(turn)), y: COUNTRY * (0.5 + 0.3 * Math.sin(turn)) };
}

/** A disc that fades towards its rim. */
function softDisc(colour: string): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 2 * FIELD;
  const context = canvas.getContext("2d")!;
  const shade = context.createRadialGradient(FIELD, FIELD, 0, FIELD, FIELD, FIELD);
  shade.addColorStop(0, colour);
  shade.addColorStop(1, "transparent");
  context.fillStyle = shade;
  context.fillRect(0, 0, 2 * FIELD, 2 * FIELD);
  return canvas;
}

function placeIn(column: number, row: number, chance: number): [x: number, y: number] {
  return [column * FIELD + (chance % FIELD), row * FIELD + ((chance >>> 8) % FIELD)];
}

function hash(a: number, b: number): number {
  let mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca77);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae3d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
