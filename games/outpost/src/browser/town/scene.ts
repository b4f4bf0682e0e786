/** Draws the town at night: who walks there, lanterns, windows, water, moths, and the gate's swirl. */

import { FOUNTAIN, HOUSES, LANTERNS, PLACE_SPOTS } from "../../town/plan.ts";
import { LAMP, PORTAL } from "../art/palette.ts";
import type { Particles } from "../art/particles.ts";
import type { Pictures } from "../art/pictures.ts";
import type { Stage } from "../art/stage.ts";
import { paintTown, TOWN_AMBIENT, TOWN_PIXELS } from "../art/town-ground.ts";

/** Somebody in the town, as it is drawn. */
export interface Townsman {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
  readonly heading: number;
  readonly colour: number;
  readonly isOwn: boolean;
  readonly hasLantern: boolean;
}

export class TownScene {
  readonly #pictures: Pictures;
  readonly #particles: Particles;
  readonly #ground: HTMLCanvasElement = paintTown();
  #dripsMs = 0;

  constructor(pictures: Pictures, particles: Particles) {
    this.#pictures = pictures;
    this.#particles = particles;
  }

  enter(stage: Stage): void {
    stage.lay(this.#ground, TOWN_PIXELS, TOWN_AMBIENT);
    this.#particles.clear();
  }

  /** Between `stage.begin` and `stage.end`. */
  draw(stage: Stage, people: readonly Townsman[], nowMs: number): void {
    this.#drawLamps(stage, nowMs);
    this.#drawGate(stage, nowMs);
    this.#drawMerchant(stage, nowMs);
    this.#drawWater(stage, nowMs);
    for (const person of people) this.#drawPerson(stage, person, nowMs);
    this.#particles.draw(stage, nowMs);
  }

  #drawLamps(stage: Stage, nowMs: number): void {
    for (const [at, { x, y }] of LANTERNS.entries()) {
      const flicker = 0.94 + 0.06 * Math.sin(nowMs / 130 + at * 5);
      stage.light(x, y - 20, 150 * flicker, LAMP, 0.62);
      stage.put("glow", this.#pictures.glow, x, y - 30, { scale: 0.85 * flicker, tint: LAMP, alpha: 0.7 });
      // A moth at each lantern.
      const turn = nowMs / 420 + at * 2;
      stage.put("glow", this.#pictures.spark, x + Math.cos(turn) * 13, y - 30 + Math.sin(turn * 1.7) * 8, {
        scale: 0.6,
        tint: 0xfff0c8,
        alpha: 0.8,
      });
    }
    for (const { x, y, width, height } of HOUSES)
      for (const share of [0.2, 0.8]) {
        stage.light(x + width * share, y + height + 4, 70, LAMP, 0.5);
        stage.put("glow", this.#pictures.glow, x + width * share, y + height - 14, {
          scale: 0.9,
          tint: LAMP,
          alpha: 0.35,
        });
      }
    const { market, board, stash, merchant } = PLACE_SPOTS;
    for (const { x, y } of [market, board, stash, merchant]) stage.light(x, y - 10, 84, LAMP, 0.5);
  }

  #drawGate(stage: Stage, nowMs: number): void {
    const { x, y } = PLACE_SPOTS.gate;
    stage.put("glow", this.#pictures.swirl, x, y - 30, { rotation: nowMs / 900, scale: 0.9, tint: PORTAL, alpha: 0.9 });
    stage.put("glow", this.#pictures.swirl, x, y - 30, {
      rotation: -nowMs / 1300,
      scale: 0.6,
      tint: 0x6fd8ff,
      alpha: 0.7,
    });
    stage.light(x, y - 10, 130 + 8 * Math.sin(nowMs / 400), PORTAL, 0.8);
  }

  /** Stands behind its cart, and looks about. */
  #drawMerchant(stage: Stage, nowMs: number): void {
    const { x, y } = PLACE_SPOTS.merchant;
    const heading = Math.PI / 2 + Math.sin(nowMs / 2600) * 0.5;
    const bob = 1 + Math.sin(nowMs / 700) * 0.015;
    stage.put("shadows", this.#pictures.shadow, x + 2, y - 25, { scale: 0.9 });
    stage.put("things", this.#pictures.cloak, x, y - 30, { rotation: heading, scale: 0.92 * bob, tint: 0x3fa07f });
    stage.put("things", this.#pictures.hood, x, y - 30, { rotation: heading, scale: 0.92 });
  }

  #drawWater(stage: Stage, nowMs: number): void {
    const { x, y } = FOUNTAIN;
    if (nowMs - this.#dripsMs > 60) {
      this.#dripsMs = nowMs;
      this.#particles.burst(1, 26, {
        picture: this.#pictures.drop,
        x,
        y: y - 4,
        lifeMs: 620,
        from: 0.5,
        to: 0.2,
        tint: 0xc8f0ff,
        alpha: 0.8,
        drag: 0.5,
      });
    }
    const share = (nowMs % 1600) / 1600;
    stage.put("decals", this.#pictures.ring, x, y, {
      scale: 0.2 + share * 0.85,
      tint: 0x9fd8ee,
      alpha: 0.4 * (1 - share),
    });
    stage.light(x, y, 90, 0x8fd0ff, 0.3);
  }

  #drawPerson(stage: Stage, person: Townsman, nowMs: number): void {
    const { x, y, vx, vy, heading, colour, isOwn, hasLantern, id } = person;
    const isWalking = Math.abs(vx) + Math.abs(vy) > 8;
    const bob = isWalking ? 1 + Math.sin(nowMs / 75 + id) * 0.05 : 1 + Math.sin(nowMs / 600 + id) * 0.015;
    stage.put("shadows", this.#pictures.shadow, x + 2, y + 5, { scale: 0.85 });
    if (isOwn) stage.put("decals", this.#pictures.ring, x, y, { scale: 0.5, tint: colour, alpha: 0.5 });
    stage.put("things", this.#pictures.cloak, x, y, { rotation: heading, scale: 0.86 * bob, tint: colour });
    stage.put("things", this.#pictures.hood, x, y, { rotation: heading, scale: 0.86 });
    if (!hasLantern) return stage.light(x, y, isOwn ? 90 : 50, 0xffe0b8, 0.35);
    const side = heading + 1.1;
    const [handX, handY] = [x + Math.cos(side) * 10, y + Math.sin(side) * 10];
    const flicker = 0.94 + 0.06 * Math.sin(nowMs / 110 + id * 3);
    stage.put("glow", this.#pictures.glow, handX, handY, { scale: 0.42 * flicker, tint: LAMP });
    stage.put("glow", this.#pictures.spark, handX, handY, { scale: 1.2, tint: 0xfff0c8 });
    stage.light(handX, handY, 130 * flicker, LAMP, 0.6);
  }
}
