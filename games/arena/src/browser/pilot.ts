/** Steers the player's own avatar: turns the player's intent into a command, and shows at once what the weapon does. Aim → act → fire. */

import { headingOf, helped, nearestToLine, shotLine } from "./aim.ts";
import type { Camera } from "./camera.ts";
import type { Effects } from "./effects.ts";
import type { Figure } from "./figure.ts";
import { Gun } from "./gun.ts";
import { muzzleAt } from "./happenings.ts";
import type { Intent } from "./input/intent.ts";
import type { AvatarReplica, Network } from "./network.ts";
import type { Scene } from "./scene.ts";
import type { Sound } from "./sound.ts";
import type { Tracks } from "./tracks.ts";

const FULL_STICK = 127;

export interface Cockpit {
  readonly network: Network;
  readonly camera: Camera;
  readonly effects: Effects;
  readonly tracks: Tracks;
  readonly sound: Sound;
}

export class Pilot {
  readonly gun: Gun = new Gun();
  readonly #cockpit: Cockpit;
  #heading = 0;
  #zoomed = false;

  constructor(cockpit: Cockpit) {
    this.#cockpit = cockpit;
  }

  /** Whether the scope is raised. */
  get zoomed(): boolean {
    return this.#zoomed;
  }

  /** Once a frame, for an avatar that lives. */
  fly(own: AvatarReplica, intent: Intent, opponents: readonly Figure[], scene: Scene, nowMs: number): void {
    const { network, camera, sound } = this.#cockpit;
    const place = network.predicted ?? own.shown;
    const pointed = headingOf(intent, camera.screenX(place.x), camera.screenY(place.y), this.#heading);
    this.#heading = intent.aim === "stick" ? helped(pointed, place, opponents, scene.terrain) : pointed;
    if (this.gun.wanted === "rocket" && own.rockets === 0) this.gun.swap("rifle");
    if (intent.zooms !== this.#zoomed) sound.play(intent.zooms ? "scopeUp" : "scopeDown");
    this.#zoomed = intent.zooms;
    const playing = network.match()?.phase !== "over" && network.status.kind === "playing";
    const aimedAt = nearestToLine(place, this.#heading, opponents);
    network.act(own, this.#wish(intent, playing && intent.fires), aimedAt?.avatar);
    if (playing) this.#fire(own, intent.fires, opponents, scene, nowMs);
  }

  /** The dead send on, so that what they press counts from the first moment of the next life. */
  rest(own: AvatarReplica, intent: Intent): void {
    this.letGo();
    this.#cockpit.network.act(own, this.#wish({ ...intent, zooms: false }, false), undefined);
  }

  letGo(): void {
    this.#zoomed = false;
  }

  #wish(intent: Intent, fires: boolean): Parameters<Network["act"]>[1] {
    const moveX = Math.round(intent.moveX * FULL_STICK);
    const moveY = Math.round(intent.moveY * FULL_STICK);
    return { moveX, moveY, heading: this.#heading, fires, zooms: intent.zooms, weapon: this.gun.wanted };
  }

  /** What is seen and heard of the own shot before the server knows of it. */
  #fire(own: AvatarReplica, fires: boolean, opponents: readonly Figure[], scene: Scene, nowMs: number): void {
    const { network, effects, tracks, sound } = this.#cockpit;
    const { x, y, weapon } = network.predicted ?? own.shown;
    const done = this.gun.pull(fires, { weapon, bullets: own.bullets, rockets: own.rockets }, nowMs);
    if (done === "nothing") return;
    if (done === "empty") return sound.play("empty");
    const [muzzleX, muzzleY] = muzzleAt(x, y, this.#heading, done);
    effects.muzzle(muzzleX, muzzleY, this.#heading, nowMs);
    const track = tracks.get(own.number);
    if (track) track.firedMs = nowMs;
    if (done === "rocket") return sound.play("launch");
    const { toX, toY } = shotLine({ x, y }, this.#heading, opponents, scene.terrain);
    effects.tracer(muzzleX, muzzleY, toX, toY, nowMs);
    sound.play("rifle");
  }
}
