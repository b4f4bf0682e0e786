/** Draws a dungeon: heroes, monsters, shots, what lies about, exits, torches, and the light of it all. */

import type { Layout } from "../../dungeon/layout.ts";
import {
  EXIT_RADIUS,
  LEAVE_STEPS,
  MONSTER_KINDS,
  MOST_MONSTERS,
  MOST_PICKUPS,
  PICKUP_KINDS,
  PLAYER,
  SHOT,
  STEP_MS,
  VENOM,
} from "../../dungeon/numbers.ts";
import { type DungeonColumns, Fate, Mood } from "../../dungeon/state.ts";
import { DUNGEON_AMBIENT, DUNGEON_PIXELS, paintDungeon, type Torch, torchesOf } from "../art/dungeon-ground.ts";
import { BOLT, LOOT_TINTS, PORTAL, TORCH, VENOM as VENOM_TINT } from "../art/palette.ts";
import type { Particles } from "../art/particles.ts";
import type { Pictures } from "../art/pictures.ts";
import type { Stage } from "../art/stage.ts";
import type { Happenings } from "./happenings.ts";
import type { Shown } from "./shown.ts";

export interface DungeonPicture {
  readonly at: DungeonColumns;
  readonly shown: Shown;
  readonly happenings: Happenings;
  /** −1: nobody's. */
  readonly own: number;
  readonly colours: readonly number[];
  readonly nowMs: number;
}

export class DungeonScene {
  readonly layout: Layout;
  readonly #pictures: Pictures;
  readonly #particles: Particles;
  readonly #torches: readonly Torch[];
  readonly #ground: HTMLCanvasElement;

  constructor(layout: Layout, pictures: Pictures, particles: Particles) {
    this.layout = layout;
    this.#pictures = pictures;
    this.#particles = particles;
    this.#torches = torchesOf(layout);
    this.#ground = paintDungeon(layout);
  }

  enter(stage: Stage): void {
    stage.lay(this.#ground, DUNGEON_PIXELS, DUNGEON_AMBIENT);
    this.#particles.clear();
  }

  /** Between `stage.begin` and `stage.end`. */
  draw(stage: Stage, picture: DungeonPicture): void {
    this.#drawTorches(stage, picture.nowMs);
    this.#drawExits(stage, picture.nowMs);
    this.#drawPickups(stage, picture);
    this.#drawMonsters(stage, picture);
    this.#drawHeroes(stage, picture);
    this.#drawShots(stage, picture);
    this.#particles.draw(stage, picture.nowMs);
  }

  #drawTorches(stage: Stage, nowMs: number): void {
    for (const [at, { x, y }] of this.#torches.entries()) {
      if (!stage.isSeen(x, y, 120)) continue;
      const flicker = 0.85 + 0.1 * Math.sin(nowMs / 90 + at * 7) + 0.05 * Math.sin(nowMs / 37 + at);
      stage.light(x, y + 14, 105 * flicker, TORCH, 0.85);
      stage.put("glow", this.#pictures.glow, x, y, { scale: 0.55 * flicker, tint: TORCH, alpha: 0.9 });
      stage.put("glow", this.#pictures.spark, x, y - 1.5 - ((nowMs / 60 + at * 3) % 5), {
        scale: 1,
        tint: 0xffe0a0,
        alpha: 0.7,
      });
      stage.put("above", this.#pictures.white, x, y + 4, { scale: 1.6, stretch: 0.5, tint: 0x4a3424 });
    }
  }

  #drawExits(stage: Stage, nowMs: number): void {
    for (const { x, y } of [this.layout.start, this.layout.exit]) {
      stage.put("decals", this.#pictures.ring, x, y, { scale: EXIT_RADIUS / 21, tint: PORTAL, alpha: 0.5 });
      stage.put("glow", this.#pictures.swirl, x, y, { rotation: nowMs / 900, tint: PORTAL, alpha: 0.75 });
      stage.put("glow", this.#pictures.swirl, x, y, {
        rotation: -nowMs / 1300,
        scale: 0.65,
        tint: 0x6fd8ff,
        alpha: 0.6,
      });
      stage.light(x, y, 120, PORTAL, 0.75);
    }
  }

  #drawPickups(stage: Stage, { at, nowMs }: DungeonPicture): void {
    for (let row = 0; row < MOST_PICKUPS; row++) {
      const name = PICKUP_KINDS[at.pickup[row]!]!;
      if (name === "none") continue;
      const x = at.pickupX[row]!;
      const y = at.pickupY[row]! + Math.sin(nowMs / 280 + row) * 1.4;
      if (!stage.isSeen(x, y, 40)) continue;
      const { gold, gem, relic, heart, shadow, glow } = this.#pictures;
      const texture = name === "gold" ? gold : name === "relic" ? relic : name === "heart" ? heart : gem;
      const tint = name === "amber" || name === "ruby" ? LOOT_TINTS[name]! : 0xffffff;
      stage.put("shadows", shadow, x, at.pickupY[row]! + 5, { scale: 0.4, alpha: 0.8 });
      stage.put("things", texture, x, y, { tint, scale: 0.9 });
      stage.put("glow", glow, x, y, {
        tint: LOOT_TINTS[name]!,
        scale: 0.75,
        alpha: 0.25 + 0.1 * Math.sin(nowMs / 200 + row),
      });
      stage.light(x, y, 34, LOOT_TINTS[name]!, 0.6);
    }
  }

  #drawMonsters(stage: Stage, picture: DungeonPicture): void {
    const { at, shown, nowMs } = picture;
    for (let monster = 0; monster < MOST_MONSTERS; monster++) {
      if (at.kind[monster] === 0) continue;
      const x = shown.monsters.x[monster]!;
      const y = shown.monsters.y[monster]!;
      if (stage.isSeen(x, y, 60)) this.#drawMonster(stage, picture, monster, x, y, nowMs);
    }
  }

  #drawMonster(
    stage: Stage,
    { at, happenings }: DungeonPicture,
    monster: number,
    x: number,
    y: number,
    nowMs: number,
  ): void {
    const pictures = this.#pictures;
    const kind = MONSTER_KINDS[at.kind[monster]!]!;
    const mood = at.mood[monster]!;
    const vx = at.monsterVx[monster]!;
    const vy = at.monsterVy[monster]!;
    const isMoving = Math.abs(vx) + Math.abs(vy) > 0.4;
    const target = at.target[monster]!;
    const rotation =
      mood === Mood.asleep
        ? monster
        : target >= 0 && !isMoving
          ? Math.atan2(at.seenY[monster]! - y, at.seenX[monster]! - x)
          : Math.atan2(vy, vx);
    const breath = 1 + Math.sin(nowMs / (mood === Mood.asleep ? 700 : 160) + monster) * 0.035;
    const size = kind === "crawler" ? 0.62 : kind === "spitter" ? 0.7 : kind === "brute" ? 0.92 : 1;
    const texture =
      kind === "crawler"
        ? pictures.crawler
        : kind === "spitter"
          ? pictures.spitter
          : kind === "brute"
            ? pictures.brute
            : pictures.warden;
    stage.put("shadows", pictures.shadow, x + 1, y + 4, { scale: size * (kind === "warden" ? 2 : 1.1) });
    if (kind === "crawler")
      stage.put("things", pictures.crawlerLegs[isMoving ? (nowMs >> 6) & 1 : 0]!, x, y, {
        rotation,
        scale: size * 1.05,
      });
    const isWinding = mood === Mood.windingUp;
    const shiver = isWinding ? Math.sin(nowMs / 14) * 1.2 : 0;
    stage.put("things", texture, x + shiver, y, {
      rotation,
      scale: size * breath,
      stretch: mood === Mood.charging ? 1.15 : 1,
      tint: mood === Mood.asleep ? 0x9aa4c0 : 0xffffff,
    });
    if (kind === "warden") {
      stage.put("glow", pictures.wardenRing, x, y, { rotation: nowMs / 700, tint: PORTAL, alpha: 0.8 });
      stage.light(x, y, 130, 0xb070ff, 0.9);
    } else if (kind === "spitter") stage.light(x, y, 40, VENOM_TINT, 0.4);
    if (isWinding)
      stage.put("glow", pictures.ring, x, y, { scale: 0.5 + at.lasts[monster]! / 16, tint: 0xff5a3c, alpha: 0.8 });
    const sinceHit = nowMs - happenings.hitMs[monster]!;
    if (sinceHit < 110) stage.put("glow", texture, x, y, { rotation, scale: size, alpha: 0.8 * (1 - sinceHit / 110) });
  }

  #drawHeroes(stage: Stage, picture: DungeonPicture): void {
    const { at, shown, own, colours } = picture;
    for (let player = 0; player < at.fate.length; player++) {
      if (at.fate[player] === Fate.out) continue;
      const x = shown.players.x[player]!;
      const y = shown.players.y[player]!;
      const colour = colours[player] ?? 0xffffff;
      stage.light(x, y, player === own ? 190 : 120, 0xffd9a8, player === own ? 0.95 : 0.55);
      if (!stage.isSeen(x, y, 30)) continue;
      if (at.fate[player] === Fate.down) this.#drawFallen(stage, at, player, x, y, colour);
      else this.#drawHero(stage, picture, player, x, y, colour);
    }
  }

  #drawFallen(stage: Stage, at: DungeonColumns, player: number, x: number, y: number, colour: number): void {
    stage.put("shadows", this.#pictures.shadow, x, y + 2, { scale: 0.9 });
    stage.put("things", this.#pictures.fallen, x, y, { tint: colour, scale: 0.75, alpha: 0.9 });
    stage.put("glow", this.#pictures.ring, x, y, {
      scale: 0.2 + 0.6 * (at.wakes[player]! / PLAYER.downSteps),
      tint: 0xff6f91,
      alpha: 0.5,
    });
  }

  #drawHero(
    stage: Stage,
    { at, own, nowMs }: DungeonPicture,
    player: number,
    x: number,
    y: number,
    colour: number,
  ): void {
    const pictures = this.#pictures;
    const rotation = (at.heading[player]! / 256) * 2 * Math.PI;
    const speed = Math.hypot(at.vx[player]!, at.vy[player]!) / PLAYER.speed;
    const bob = 1 + Math.sin(nowMs / 70 + player) * 0.04 * Math.min(1, speed);
    const alpha = at.safe[player]! > 0 ? 0.6 + 0.3 * Math.sin(nowMs / 60) : 1;
    stage.put("shadows", pictures.shadow, x + 1, y + 4, { scale: 0.72 });
    if (player === own) stage.put("decals", pictures.ring, x, y, { scale: 0.48, tint: colour, alpha: 0.45 });
    stage.put("things", pictures.cloak, x, y, {
      rotation,
      scale: 0.74 * bob,
      stretch: at.dash[player]! > 0 ? 1.35 : 1,
      tint: colour,
      alpha,
    });
    stage.put("things", pictures.hood, x, y, { rotation, scale: 0.74, alpha });
    if (at.dash[player]! > 0)
      stage.put("glow", pictures.cloak, x - at.vx[player]! * 0.8, y - at.vy[player]! * 0.8, {
        rotation,
        scale: 0.7,
        tint: colour,
        alpha: 0.35,
      });
    if (at.leaving[player]! > 0)
      stage.put("glow", pictures.ring, x, y, { scale: 1 - 0.8 * (at.leaving[player]! / LEAVE_STEPS), tint: PORTAL });
  }

  #drawShots(stage: Stage, { at, shown, colours }: DungeonPicture): void {
    // A state has where things are at its end; what flies straight is drawn on the way there.
    const back = shown.share - 1;
    for (let row = 0; row < at.shotLife.length; row++) {
      if (at.shotLife[row] === 0) continue;
      const x = at.shotX[row]! + at.shotVx[row]! * back;
      const y = at.shotY[row]! + at.shotVy[row]! * back;
      const colour = colours[Math.floor(row / SHOT.each)] ?? BOLT;
      stage.put("glow", this.#pictures.bolt, x, y, {
        rotation: Math.atan2(at.shotVy[row]!, at.shotVx[row]!),
        scale: 0.85,
      });
      stage.put("glow", this.#pictures.glow, x, y, { scale: 0.5, tint: colour, alpha: 0.7 });
      stage.light(x, y, 46, BOLT, 0.6);
    }
    for (let row = 0; row < VENOM.most; row++) {
      if (at.venomLife[row] === 0) continue;
      const x = at.venomX[row]! + at.venomVx[row]! * back;
      const y = at.venomY[row]! + at.venomVy[row]! * back;
      stage.put("glow", this.#pictures.venom, x, y, { scale: 0.9 + 0.12 * Math.sin(row + at.venomLife[row]!) });
      stage.light(x, y, 40, VENOM_TINT, 0.6);
    }
  }
}

/** Steps for a time that has passed, and what is left of it. */
export function stepsIn(owedMs: number): { readonly steps: number; readonly leftMs: number } {
  const steps = Math.floor(owedMs / STEP_MS);
  return { steps, leftMs: owedMs - steps * STEP_MS };
}
