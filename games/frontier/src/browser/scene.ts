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
const GROUND = ["#232c1a", "#242d1b", "#222b1a", "#252e1b"];

export class Scene {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
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
    if (network === undefined) return;
    for (const { x, y, name } of network.cairns) this.#drawCairn(x, y, name);
    for (const { x, y } of network.gold) this.#disc(x, y, 6, "#f2c14e");
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
    for (let column = Math.floor(left / FIELD); column * FIELD < right; column++) {
      for (let row = Math.floor(top / FIELD); row * FIELD < bottom; row++) this.#drawField(column, row);
    }
    for (const den of DENS) {
      this.#disc(den.x, den.y, 34, "#1a2013");
      this.#disc(den.x, den.y, 20, "#0e120a");
    }
  }

  /** Grass, and here and there a stone or a tuft, always at the same place. */
  #drawField(column: number, row: number): void {
    const context = this.#context;
    const chance = hash(column, row);
    context.fillStyle = GROUND[chance % GROUND.length]!;
    context.fillRect(column * FIELD, row * FIELD, FIELD + 0.5, FIELD + 0.5);
    for (let i = 0; i < 3; i++) {
      const mixed = hash(chance + i, row - column);
      const [x, y] = [column * FIELD + (mixed % FIELD), row * FIELD + ((mixed >>> 8) % FIELD)];
      if ((mixed & 0x30000) === 0) this.#disc(x, y, 4 + (mixed % 4), "#3c4434");
      else this.#line(x, y, x + 2, y - 8, "#3b4a28", 2);
    }
  }

  #drawHero({ shown, heading, colour, name, health, down }: HeroReplica, isOwn: boolean): void {
    const { x, y } = shown;
    const context = this.#context;
    context.globalAlpha = down > 0 ? 0.35 : 1;
    const tint = playerColour(colour);
    this.#line(x, y, x + Math.cos(heading) * 24, y + Math.sin(heading) * 24, tint, 6);
    this.#disc(x, y, HERO_RADIUS, tint);
    this.#disc(x, y, HERO_RADIUS - 4, "#161b10");
    if (isOwn) this.#disc(x, y, 4, tint);
    this.#text(down > 0 ? `${name} is down` : name, x, y + 32, "#eef2e2", 13);
    if (down === 0 && health < 100) this.#meter(x, y - 24, health / 100, "#b4402f");
    context.globalAlpha = 1;
  }

  #drawCairn(x: number, y: number, name: string): void {
    for (const [dx, dy, radius] of CAIRN) this.#disc(x + dx, y + dy, radius, "#6f776a");
    this.#text(name, x, y + 24, "#aab59a", 11);
  }

  #drawBeast({ shown, heading, health }: BeastReplica): void {
    const { x, y } = shown;
    this.#disc(x, y, BEAST_RADIUS, "#8a5a3c");
    this.#disc(x + Math.cos(heading) * 14, y + Math.sin(heading) * 14, 8, "#b97b52");
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

function hash(a: number, b: number): number {
  let mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca77);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae3d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
