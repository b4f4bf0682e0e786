/** Behind the title: a real match of four bots on a small map, played in this page by the game's own rules. Needs no server. */

import { PLAYER_COLOURS } from "@nearfield/kit";
import type { StageSize } from "@nearfield/kit/browser";
import { Bot } from "../bots/bot.ts";
import { Battle } from "../rules/battle.ts";
import { FIRST_BUILDING, HEALTH } from "../rules/kinds.ts";
import { NO_SIDE, RICH_PATCH_ORE, STEP_MS } from "../state.ts";
import { Terrain } from "../terrain/terrain.ts";
import { Camera } from "./camera.ts";
import { Pieces } from "./picture.ts";
import type { Scene } from "./scene.ts";

const SIDES = 4;
const SEED = 11;
/** The match is joined when the armies are there: so many steps are played before it is shown, a few in each frame. */
const AHEAD_STEPS = 2400;
const STEPS_PER_FRAME = 12;
/** How long the camera looks at one place. */
const LOOK_MS = 14_000;
const COLOURS: readonly number[] = PLAYER_COLOURS.map((colour) => Number.parseInt(colour.slice(1), 16));

export class Title {
  readonly #scene: Scene;
  readonly #size: StageSize;
  readonly #camera = new Camera();
  readonly #units = new Pieces();
  readonly #buildings = new Pieces();
  readonly #ore = new Pieces();
  readonly #none = new Pieces();
  #battle!: Battle;
  #bots!: readonly Bot[];
  #steps = 0;
  #owedMs = 0;
  #nowMs = 0;
  #lookedMs = 0;
  #round = 0;

  constructor(scene: Scene, size: StageSize) {
    this.#scene = scene;
    this.#size = size;
    this.#begin();
  }

  /** The stage is the title's again. */
  enter(): void {
    const { terrain } = this.#battle.state;
    this.#scene.enter(terrain);
    this.#size.fit(this.#camera);
    this.#camera.fit(terrain);
    this.#lookedMs = 0;
  }

  draw(nowMs: number): void {
    const elapsedMs = Math.min(60, nowMs - this.#nowMs);
    this.#nowMs = nowMs;
    this.#size.fit(this.#camera);
    this.#play(elapsedMs);
    this.#look(elapsedMs);
    this.#fill();
    this.#scene.draw(this.#camera, {
      nowMs,
      ownSide: NO_SIDE,
      colours: COLOURS,
      units: this.#units,
      buildings: this.#buildings,
      remembered: this.#none,
      ore: this.#ore,
      marks: [],
      ghost: undefined,
      box: undefined,
      paths: [],
      fog: undefined,
      overlay: undefined,
    });
  }

  #begin(): void {
    const terrain = new Terrain({ seed: SEED + this.#round++, map: "small", sides: SIDES });
    this.#battle = new Battle({ terrain, unitsMost: 60 });
    this.#battle.begin();
    this.#bots = terrain.starts.map((_, side) => new Bot(this.#battle, { side, strength: "hard", seed: SEED + side }));
    this.#steps = 0;
    this.enter();
  }

  #play(elapsedMs: number): void {
    this.#owedMs = this.#steps < AHEAD_STEPS ? STEPS_PER_FRAME * STEP_MS : this.#owedMs + elapsedMs;
    for (; this.#owedMs >= STEP_MS; this.#owedMs -= STEP_MS) {
      this.#battle.step();
      for (const bot of this.#bots) bot.act();
      this.#steps++;
      if (this.#steps < AHEAD_STEPS) continue;
      for (const { x, y, size } of this.#battle.state.happenings.blasts) this.#scene.blast(x, y, size);
    }
    if (this.#battle.state.winner !== NO_SIDE) this.#begin();
  }

  /** Slowly from one place where something happens to the next. */
  #look(elapsedMs: number): void {
    const { pieces, terrain } = this.#battle.state;
    if (this.#nowMs - this.#lookedMs > LOOK_MS || this.#lookedMs === 0) {
      this.#lookedMs = this.#nowMs;
      const slot = this.#busiest();
      const at = slot < 0 ? terrain.starts[this.#round % SIDES]! : { x: pieces.x[slot]!, y: pieces.y[slot]! };
      this.#camera.cutTo(at.x, at.y);
    }
    this.#camera.moveBy(elapsedMs * 0.012, elapsedMs * 0.006);
    this.#camera.turn(elapsedMs * 0.00001);
    this.#camera.step(elapsedMs);
  }

  /** A unit that fights; −1: none does. */
  #busiest(): number {
    const { pieces } = this.#battle.state;
    for (let slot = 0; slot < pieces.high; slot++)
      if (pieces.alive[slot] === 1 && pieces.kind[slot]! < FIRST_BUILDING && pieces.target[slot] !== 0) return slot;
    return -1;
  }

  #fill(): void {
    const { pieces, deposits } = this.#battle.state;
    this.#units.clear();
    this.#buildings.clear();
    this.#ore.clear();
    for (let slot = 0; slot < pieces.high; slot++) {
      if (pieces.alive[slot] === 0) continue;
      const kind = pieces.kind[slot]!;
      const isBuilding = kind >= FIRST_BUILDING;
      const row = setPlace(isBuilding ? this.#buildings : this.#units, slot + 1, pieces.x[slot]!, pieces.y[slot]!);
      const into = isBuilding ? this.#buildings : this.#units;
      into.heading[row] = Math.atan2(pieces.faceY[slot]!, pieces.faceX[slot]!);
      into.kind[row] = isBuilding ? kind - FIRST_BUILDING : kind;
      into.side[row] = pieces.side[slot]!;
      into.health[row] = Math.ceil((pieces.health[slot]! / HEALTH[kind]!) * 100);
      into.built[row] = Math.round(pieces.built[slot]! * 100);
      into.doing[row] = pieces.doing[slot]!;
    }
    for (let patch = 0; patch < deposits.count; patch++) {
      if (deposits.amount[patch] === 0) continue;
      const row = setPlace(this.#ore, 10_000 + patch, deposits.x[patch]!, deposits.y[patch]!);
      this.#ore.built[row] = Math.min(255, (deposits.amount[patch]! / RICH_PATCH_ORE) * 255);
    }
  }
}

function setPlace(pieces: Pieces, id: number, x: number, y: number): number {
  const row = pieces.add();
  pieces.id[row] = id;
  pieces.x[row] = x;
  pieces.y[row] = y;
  pieces.z[row] = 0;
  pieces.flags[row] = 0;
  pieces.updatedMs[row] = 0;
  return row;
}
