/** Sparks, smoke, rings and splats: what is seen for a moment. A fixed number of them lives; the oldest gives way. */

import type { Texture } from "pixi.js";
import type { LayerName, Stage } from "./stage.ts";

const MOST = 420;

export interface Puff {
  readonly picture: Texture;
  readonly x: number;
  readonly y: number;
  readonly vx?: number;
  readonly vy?: number;
  readonly lifeMs: number;
  /** At first and at last. */
  readonly from?: number;
  readonly to?: number;
  readonly tint?: number;
  readonly alpha?: number;
  readonly layer?: LayerName;
  readonly rotation?: number;
  /** Share of its speed that it loses in a second, 0 to 1. */
  readonly drag?: number;
}

interface Living extends Puff {
  bornMs: number;
  atX: number;
  atY: number;
  speedX: number;
  speedY: number;
}

export class Particles {
  readonly #living: Living[] = [];
  #next = 0;
  #nowMs = 0;

  add(puff: Puff): void {
    const living = {
      ...puff,
      bornMs: this.#nowMs,
      atX: puff.x,
      atY: puff.y,
      speedX: puff.vx ?? 0,
      speedY: puff.vy ?? 0,
    };
    if (this.#living.length < MOST) this.#living.push(living);
    else this.#living[this.#next++ % MOST] = living;
  }

  /** So many at once, each its own way. */
  burst(count: number, speed: number, puff: Puff): void {
    for (let at = 0; at < count; at++) {
      const angle = Math.random() * 2 * Math.PI;
      const fast = speed * (0.35 + Math.random() * 0.65);
      this.add({
        ...puff,
        vx: (puff.vx ?? 0) + Math.cos(angle) * fast,
        vy: (puff.vy ?? 0) + Math.sin(angle) * fast,
        lifeMs: puff.lifeMs * (0.6 + Math.random() * 0.4),
        rotation: angle,
      });
    }
  }

  clear(): void {
    this.#living.length = 0;
    this.#next = 0;
  }

  draw(stage: Stage, nowMs: number): void {
    const seconds = Math.min(0.1, Math.max(0, (nowMs - this.#nowMs) / 1000));
    this.#nowMs = nowMs;
    for (const one of this.#living) {
      const share = (nowMs - one.bornMs) / one.lifeMs;
      if (share >= 1) continue;
      const keeps = (1 - (one.drag ?? 0.9)) ** seconds;
      one.speedX *= keeps;
      one.speedY *= keeps;
      one.atX += one.speedX * seconds;
      one.atY += one.speedY * seconds;
      const from = one.from ?? 1;
      stage.put(one.layer ?? "glow", one.picture, one.atX, one.atY, {
        rotation: one.rotation ?? 0,
        scale: from + ((one.to ?? from) - from) * share,
        tint: one.tint ?? 0xffffff,
        alpha: (one.alpha ?? 1) * (1 - share * share),
      });
    }
  }
}
