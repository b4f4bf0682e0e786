/**
 * How loud a sound of the world is, and on which side. The ear is above the middle of the screen: what is on the screen is heard, what is far off it is not, and
 * from higher up everything is quieter. Where hundreds shoot at once, each sound is let through only so often.
 */

import type { Camera } from "./camera.ts";
import type { SoundName } from "./sound-recipes.ts";

/** At this share of the screen's half diagonal from its middle a sound is half as loud. */
const HALF_AT = 0.8;
/** CSS pixels per world unit at which a sound in the middle is wholly loud; from higher up it is quieter. */
const WHOLE_FROM = 1.6;
/** What is quieter is not played. */
const FAINT = 0.05;
/** The same sound again only after this time, ms; a louder one sooner. */
const AGAIN_MS: Partial<Readonly<Record<SoundName, number>>> = { shot: 45, mortar: 90, blast: 80, alarm: 4000 };
const AGAIN_AT_LEAST_MS = 30;

export interface Heard {
  /** 0: not at all. */
  loud: number;
  /** −1: left, 1: right. */
  side: number;
}

export class Ear {
  readonly #spot = { x: 0, y: 0 };
  readonly #heard: Heard = { loud: 1, side: 0 };
  readonly #lastMs = new Map<SoundName, number>();
  readonly #lastLoud = new Map<SoundName, number>();
  #camera: Camera | undefined;

  listen(camera: Camera): void {
    this.#camera = camera;
  }

  /** A sound at a place, or one that has none. The answer holds until the next call. */
  hear(name: SoundName, nowMs: number, x?: number, y?: number): Heard {
    const heard = this.#heard;
    heard.loud = 1;
    heard.side = 0;
    if (x !== undefined && y !== undefined && this.#camera) this.#place(this.#camera, x, y);
    if (heard.loud < FAINT || !this.#isTime(name, heard.loud, nowMs)) heard.loud = 0;
    return heard;
  }

  #place(camera: Camera, x: number, y: number): void {
    const { x: sx, y: sy } = camera.toScreen(x, y, this.#spot);
    const [dx, dy] = [sx - camera.width / 2, sy - camera.height / 2];
    const away = Math.hypot(dx, dy) / (Math.hypot(camera.width, camera.height) / 2);
    const near = 1 / (1 + (away / HALF_AT) ** 3);
    this.#heard.loud = near * Math.min(1, (camera.scale / WHOLE_FROM) ** 0.7);
    this.#heard.side = Math.max(-0.85, Math.min(0.85, dx / (camera.width * 0.6)));
  }

  #isTime(name: SoundName, loud: number, nowMs: number): boolean {
    const since = nowMs - (this.#lastMs.get(name) ?? Number.NEGATIVE_INFINITY);
    const wait = AGAIN_MS[name] ?? AGAIN_AT_LEAST_MS;
    const isLouder = loud > 1.5 * (this.#lastLoud.get(name) ?? 0);
    if (since < (isLouder ? Math.min(wait, AGAIN_AT_LEAST_MS) : wait)) return false;
    this.#lastMs.set(name, nowMs);
    this.#lastLoud.set(name, loud);
    return true;
  }
}
