/** Behind the title: bots raid a dungeon in this page, by the game's own rules. Needs no server. */

import { PLAYER_COLOURS } from "@nearfield/kit";
import { Raid } from "../dungeon/raid.ts";
import { Fate } from "../dungeon/state.ts";
import { Particles } from "./art/particles.ts";
import type { Pictures } from "./art/pictures.ts";
import type { Stage } from "./art/stage.ts";
import type { Camera } from "./camera.ts";
import { Happenings } from "./dungeon/happenings.ts";
import { DungeonScene, stepsIn } from "./dungeon/scene.ts";
import { Shown } from "./dungeon/shown.ts";
import type { Sound } from "./sound.ts";

const HEROES = 6;
const SEED = 17;
/** Steps before it is shown, so that it begins in the middle of a fight. */
const AHEAD = 110;
const COLOURS: readonly number[] = PLAYER_COLOURS.map((colour) => Number.parseInt(colour.slice(1), 16));

export interface TitleParts {
  readonly stage: Stage;
  readonly pictures: Pictures;
  readonly camera: Camera;
  readonly sound: Sound;
}

export class Title {
  readonly #parts: TitleParts;
  readonly #particles = new Particles();
  #raid!: Raid;
  #scene!: DungeonScene;
  #shown!: Shown;
  #happenings!: Happenings;
  #raids = 0;
  #owedMs = 0;
  #nowMs = 0;

  constructor(parts: TitleParts) {
    this.#parts = parts;
    this.#begin();
  }

  /** The stage is the title's again. */
  enter(): void {
    this.#scene.enter(this.#parts.stage);
    this.#parts.camera.cut();
  }

  draw(nowMs: number): void {
    const { stage, camera } = this.#parts;
    const elapsedMs = Math.min(100, nowMs - this.#nowMs);
    this.#nowMs = nowMs;
    const { steps, leftMs } = stepsIn(this.#owedMs + elapsedMs);
    this.#owedMs = leftMs;
    for (let step = 0; step < steps; step++) this.#step(nowMs);
    this.#shown.glide(nowMs);
    const { x, y } = this.#shown.players;
    const hero = Math.max(0, this.#raid.at.fate.indexOf(Fate.fighting));
    // The heroes walk in the right half, beside the words.
    const aside = stage.width > 900 ? -0.2 * (stage.width / camera.zoom) : 0;
    camera.follow(x[hero]! + aside, y[hero]!, 0, 0, stage, elapsedMs / 5);
    stage.begin(camera.view());
    this.#scene.draw(stage, {
      at: this.#raid.at,
      shown: this.#shown,
      happenings: this.#happenings,
      own: -1,
      colours: COLOURS,
      nowMs,
    });
    stage.end();
  }

  #step(nowMs: number): void {
    this.#raid.step();
    if (this.#raid.isOver) this.#begin();
    this.#shown.take(this.#raid.at, nowMs);
    this.#happenings.take(this.#raid.at, 0, nowMs);
  }

  #begin(): void {
    this.#raid = new Raid(SEED + this.#raids++, HEROES);
    for (let step = 0; step < AHEAD; step++) this.#raid.step();
    const { pictures, camera, sound } = this.#parts;
    this.#scene = new DungeonScene(this.#raid.layout, pictures, this.#particles);
    this.#shown = new Shown(HEROES);
    const parts = { particles: this.#particles, pictures, camera, sound, isCalm: () => true };
    this.#happenings = new Happenings(parts, HEROES);
    this.enter();
  }
}
