/** What happened between two shown states, to be seen and heard: shots, hits, falls, finds. It compares; the rules know nothing of it. */

import {
  LOOT_KINDS,
  MONSTER_KINDS,
  MONSTERS,
  MOST_MONSTERS,
  MOST_PICKUPS,
  PICKUP_KINDS,
  SHOT,
  VENOM,
} from "../../dungeon/numbers.ts";
import { type DungeonColumns, Fate, Mood } from "../../dungeon/state.ts";
import { BOLT, LOOT_TINTS, VENOM as VENOM_TINT } from "../art/palette.ts";
import type { Particles } from "../art/particles.ts";
import type { Pictures } from "../art/pictures.ts";
import type { Camera } from "../camera.ts";
import type { Sound } from "../sound.ts";

const BLOOD: Readonly<Record<string, number>> = {
  crawler: 0x8a3f80,
  spitter: 0x7fd04f,
  brute: 0xc8553d,
  warden: 0x9a86ff,
};

const WATCHED = ["shotLife", "kind", "mood", "monsterHealth", "health", "fate", "pickup", "venomLife"] as const;
type Watched = (typeof WATCHED)[number];

export interface HappeningsParts {
  readonly particles: Particles;
  readonly pictures: Pictures;
  readonly camera: Camera;
  readonly sound: Sound;
  /** Whether the player wants few movements on the screen. */
  readonly isCalm: () => boolean;
}

export class Happenings {
  readonly #parts: HappeningsParts;
  readonly #before: Readonly<Record<Watched, Int16Array>>;
  #isFirst = true;
  /** When the own player was last hurt, ms. */
  hurtMs: number = Number.NEGATIVE_INFINITY;
  /** By monster: when it was last hit. */
  readonly hitMs: Float64Array = new Float64Array(MOST_MONSTERS).fill(Number.NEGATIVE_INFINITY);

  constructor(parts: HappeningsParts, players: number) {
    this.#parts = parts;
    this.#before = {
      shotLife: new Int16Array(players * SHOT.each),
      kind: new Int16Array(MOST_MONSTERS),
      mood: new Int16Array(MOST_MONSTERS),
      monsterHealth: new Int16Array(MOST_MONSTERS),
      health: new Int16Array(players),
      fate: new Int16Array(players),
      pickup: new Int16Array(MOST_PICKUPS),
      venomLife: new Int16Array(VENOM.most),
    };
  }

  take(at: DungeonColumns, own: number, nowMs: number): void {
    if (!this.#isFirst) {
      this.#shots(at, own);
      this.#monsters(at, nowMs);
      this.#players(at, own, nowMs);
      this.#finds(at, own);
      this.#venom(at);
    }
    this.#isFirst = false;
    for (const name of WATCHED) this.#before[name].set(at[name]);
  }

  #shots(at: DungeonColumns, own: number): void {
    const { particles, pictures, sound } = this.#parts;
    for (let row = 0; row < at.shotLife.length; row++) {
      const before = this.#before.shotLife[row]!;
      const now = at.shotLife[row]!;
      const x = at.shotX[row]!;
      const y = at.shotY[row]!;
      if (now > before) {
        const player = Math.floor(row / SHOT.each);
        sound.play(player === own ? "shoot" : "farShot", x, y);
        particles.add({ picture: pictures.glow, x, y, lifeMs: 90, from: 0.5, to: 0.2, tint: BOLT });
      } else if (now === 0 && before > 1)
        particles.burst(5, 90, { picture: pictures.spark, x, y, lifeMs: 240, from: 0.9, to: 0.2, tint: BOLT });
    }
  }

  #monsters(at: DungeonColumns, nowMs: number): void {
    const { particles, pictures, sound } = this.#parts;
    for (let monster = 0; monster < MOST_MONSTERS; monster++) {
      const kind = this.#before.kind[monster]!;
      if (kind === 0) continue;
      const name = MONSTER_KINDS[kind]!;
      const x = at.monsterX[monster]!;
      const y = at.monsterY[monster]!;
      const tint = BLOOD[name] ?? 0xffffff;
      if (at.kind[monster] === 0) this.#fall(name, x, y, tint);
      else if (at.monsterHealth[monster]! < this.#before.monsterHealth[monster]!) {
        this.hitMs[monster] = nowMs;
        particles.burst(4, 70, { picture: pictures.drop, x, y, lifeMs: 300, from: 0.7, to: 0.2, tint, layer: "above" });
        sound.play("hit", x, y);
      }
      if (at.mood[monster] !== this.#before.mood[monster]) {
        if (this.#before.mood[monster] === Mood.asleep) sound.play("wake", x, y);
        else if (at.mood[monster] === Mood.windingUp) sound.play("growl", x, y);
      }
    }
  }

  #fall(name: (typeof MONSTER_KINDS)[number], x: number, y: number, tint: number): void {
    const { particles, pictures, sound, camera } = this.#parts;
    const size = MONSTERS[name].radius / 8;
    particles.add({
      picture: pictures.splat,
      x,
      y,
      lifeMs: 14_000,
      from: size,
      to: size * 1.15,
      tint,
      alpha: 0.55,
      layer: "decals",
      rotation: x,
    });
    particles.burst(14, 130 * size, {
      picture: pictures.drop,
      x,
      y,
      lifeMs: 520,
      from: 1.1,
      to: 0.2,
      tint,
      layer: "above",
    });
    particles.add({ picture: pictures.ring, x, y, lifeMs: 320, from: 0.2 * size, to: 1.1 * size, tint });
    sound.play(name === "warden" ? "bossFall" : "fall", x, y);
    if (name === "warden" || name === "brute") this.#shake(camera, name === "warden" ? 9 : 3);
  }

  #players(at: DungeonColumns, own: number, nowMs: number): void {
    const { particles, pictures, sound, camera } = this.#parts;
    for (let player = 0; player < at.fate.length; player++) {
      const x = at.x[player]!;
      const y = at.y[player]!;
      if (at.health[player]! < this.#before.health[player]!) {
        particles.burst(6, 80, {
          picture: pictures.drop,
          x,
          y,
          lifeMs: 320,
          from: 0.8,
          to: 0.2,
          tint: 0xff5d6e,
          layer: "above",
        });
        if (player === own) {
          this.hurtMs = nowMs;
          sound.play("hurt");
          this.#shake(camera, 3);
        }
      }
      if (at.fate[player] === this.#before.fate[player]) continue;
      if (at.fate[player] === Fate.down) sound.play(player === own ? "down" : "fall", x, y);
      else {
        particles.add({ picture: pictures.ring, x, y, lifeMs: 500, from: 0.1, to: 1.2, tint: 0xb59cff });
        particles.burst(16, 120, { picture: pictures.spark, x, y, lifeMs: 600, from: 1.2, to: 0.2, tint: 0xcbb8ff });
        sound.play("portal", x, y);
      }
    }
  }

  #finds(at: DungeonColumns, own: number): void {
    const { particles, pictures, sound } = this.#parts;
    for (let row = 0; row < MOST_PICKUPS; row++) {
      const before = this.#before.pickup[row]!;
      if (before === 0 || at.pickup[row] !== 0) continue;
      const name = PICKUP_KINDS[before]!;
      const x = at.pickupX[row]!;
      const y = at.pickupY[row]!;
      particles.burst(7, 60, { picture: pictures.spark, x, y, lifeMs: 420, from: 1, to: 0.2, tint: LOOT_TINTS[name]! });
      const isOwn = Math.abs(at.x[own]! - x) + Math.abs(at.y[own]! - y) < 40;
      if (isOwn) sound.play(name === "heart" ? "heal" : LOOT_KINDS.indexOf(name as never) > 1 ? "treasure" : "coin");
    }
  }

  #venom(at: DungeonColumns): void {
    const { particles, pictures, sound } = this.#parts;
    for (let row = 0; row < VENOM.most; row++) {
      const [x, y] = [at.venomX[row]!, at.venomY[row]!];
      if (at.venomLife[row]! > this.#before.venomLife[row]!) sound.play("spit", x, y);
      else if (at.venomLife[row] === 0 && this.#before.venomLife[row]! > 1)
        particles.burst(5, 60, { picture: pictures.spark, x, y, lifeMs: 300, from: 1.1, to: 0.2, tint: VENOM_TINT });
    }
  }

  #shake(camera: Camera, strength: number): void {
    if (!this.#parts.isCalm()) camera.shake(strength);
  }
}
