/**
 * What monsters do: they sleep until they see somebody or are hurt, wake those beside them, hunt whom they see, go where they saw it last, and give up. Crawlers
 * weave and bite, spitters keep away and spit, brutes wind up and charge, the warden does all of it and spits in rings.
 */

import { chance } from "./chance.ts";
import { HEADING_X, HEADING_Y, HEADINGS } from "./input.ts";
import type { Layout } from "./layout.ts";
import {
  ALARM,
  CHARGE,
  LOST_AT,
  MONSTER_KINDS,
  MONSTERS,
  MOST_MONSTERS,
  type MonsterNumbers,
  PLAYER,
  SIGHT,
  VENOM,
} from "./numbers.ts";
import { type DungeonColumns, Fate, Mood } from "./state.ts";
import { isNear, walk } from "./walking.ts";

/** A monster looks around once in so many steps, each in a step of its own. */
const LOOK_STEPS = 6;
/** Venom of one ring. */
const RING = 12;

const NUMBERS: readonly MonsterNumbers[] = MONSTER_KINDS.map((kind) => MONSTERS[kind]);
const SPITTER = MONSTER_KINDS.indexOf("spitter");
const BRUTE = MONSTER_KINDS.indexOf("brute");
const CRAWLER = MONSTER_KINDS.indexOf("crawler");
const WARDEN = MONSTER_KINDS.indexOf("warden");

/** How a player is harmed; the contacts know. */
export type Harm = (player: number, damage: number) => void;

export class Monsters {
  readonly #at: DungeonColumns;
  readonly #layout: Layout;
  readonly #players: number;
  readonly #harm: Harm;
  readonly #bodies: { x: Float32Array; y: Float32Array; vx: Float32Array; vy: Float32Array };
  #step = 0;

  constructor(at: DungeonColumns, layout: Layout, players: number, harm: Harm) {
    this.#at = at;
    this.#layout = layout;
    this.#players = players;
    this.#harm = harm;
    this.#bodies = { x: at.monsterX, y: at.monsterY, vx: at.monsterVx, vy: at.monsterVy };
  }

  step(step: number): void {
    this.#step = step;
    const { kind, mood } = this.#at;
    for (let monster = 0; monster < MOST_MONSTERS; monster++) {
      if (kind[monster] === 0) continue;
      if ((step + monster) % LOOK_STEPS === 0) this.#look(monster);
      if (mood[monster] !== Mood.asleep) this.#hunt(monster);
    }
    this.#part();
  }

  /** Somebody hurt it: it knows who, and those beside it wake. */
  provoke(monster: number, player: number): void {
    const at = this.#at;
    if (at.mood[monster] === Mood.asleep || at.target[monster] === -1) this.#wake(monster, player);
    for (let other = 0; other < MOST_MONSTERS; other++) {
      if (at.kind[other] === 0 || at.mood[other] !== Mood.asleep) continue;
      if (isNear(at.monsterX[monster]!, at.monsterY[monster]!, at.monsterX[other]!, at.monsterY[other]!, ALARM))
        this.#wake(other, player);
    }
  }

  #wake(monster: number, player: number): void {
    const at = this.#at;
    at.mood[monster] = Mood.hunting;
    at.target[monster] = player;
    at.seenX[monster] = at.x[player]!;
    at.seenY[monster] = at.y[player]!;
    at.pause[monster] = NUMBERS[at.kind[monster]!]!.pause >> 1;
  }

  /** Finds whom to hunt: the nearest that it sees. Without one it goes on after whom it hunted, until that one is lost. */
  #look(monster: number): void {
    const at = this.#at;
    const x = at.monsterX[monster]!;
    const y = at.monsterY[monster]!;
    let best = -1;
    let bestSquare = SIGHT * SIGHT;
    for (let player = 0; player < this.#players; player++) {
      if (at.fate[player] !== Fate.fighting) continue;
      const dx = at.x[player]! - x;
      const dy = at.y[player]! - y;
      const square = dx * dx + dy * dy;
      if (square >= bestSquare || !this.#layout.sees(x, y, at.x[player]!, at.y[player]!)) continue;
      best = player;
      bestSquare = square;
    }
    if (best >= 0) {
      if (at.mood[monster] === Mood.asleep) this.provoke(monster, best);
      at.target[monster] = best;
      at.seenX[monster] = at.x[best]!;
      at.seenY[monster] = at.y[best]!;
    } else if (at.mood[monster] === Mood.hunting) this.#doubt(monster);
  }

  #doubt(monster: number): void {
    const at = this.#at;
    const target = at.target[monster]!;
    const x = at.monsterX[monster]!;
    const y = at.monsterY[monster]!;
    const isLost =
      target < 0 ||
      at.fate[target] !== Fate.fighting ||
      !isNear(x, y, at.x[target]!, at.y[target]!, LOST_AT) ||
      isNear(x, y, at.seenX[monster]!, at.seenY[monster]!, 12);
    if (!isLost) return;
    at.mood[monster] = Mood.asleep;
    at.target[monster] = -1;
    at.monsterVx[monster] = 0;
    at.monsterVy[monster] = 0;
  }

  #hunt(monster: number): void {
    const at = this.#at;
    const numbers = NUMBERS[at.kind[monster]!]!;
    if (at.pause[monster]! > 0) at.pause[monster]!--;
    if (at.mood[monster] === Mood.windingUp) this.#windUp(monster);
    else if (at.mood[monster] === Mood.charging) this.#charge(monster);
    else this.#steer(monster, numbers);
    walk(this.#layout, this.#bodies, monster, numbers.radius * 0.8);
    this.#strike(monster, numbers);
  }

  #steer(monster: number, { speed, keeps }: MonsterNumbers): void {
    const at = this.#at;
    const dx = at.seenX[monster]! - at.monsterX[monster]!;
    const dy = at.seenY[monster]! - at.monsterY[monster]!;
    const distance = Math.sqrt(dx * dx + dy * dy) || 1;
    const kind = at.kind[monster]!;
    // Crawlers weave, spitters and the warden circle whom they keep away from.
    const sign = (monster + (this.#step >> 5)) & 1 ? 1 : -1;
    const side = kind === CRAWLER ? 0.6 * sign : keeps > 0 ? 0.75 * sign : 0;
    const ahead = keeps === 0 || distance > keeps * 1.15 ? 1 : distance < keeps * 0.8 ? -1 : 0;
    const wantX = ((dx * ahead - dy * side) / distance) * speed;
    const wantY = ((dy * ahead + dx * side) / distance) * speed;
    at.monsterVx[monster]! += (wantX - at.monsterVx[monster]!) * 0.3;
    at.monsterVy[monster]! += (wantY - at.monsterVy[monster]!) * 0.3;
  }

  #windUp(monster: number): void {
    const at = this.#at;
    at.monsterVx[monster]! *= 0.6;
    at.monsterVy[monster]! *= 0.6;
    if (at.lasts[monster]! > 0) {
      at.lasts[monster]!--;
      return;
    }
    const dx = at.seenX[monster]! - at.monsterX[monster]!;
    const dy = at.seenY[monster]! - at.monsterY[monster]!;
    const distance = Math.sqrt(dx * dx + dy * dy) || 1;
    at.monsterVx[monster] = (dx / distance) * CHARGE.speed;
    at.monsterVy[monster] = (dy / distance) * CHARGE.speed;
    at.mood[monster] = Mood.charging;
    at.lasts[monster] = CHARGE.steps;
  }

  #charge(monster: number): void {
    const at = this.#at;
    if (at.lasts[monster]! > 0) at.lasts[monster]!--;
    else at.mood[monster] = Mood.hunting;
  }

  #strike(monster: number, numbers: MonsterNumbers): void {
    const at = this.#at;
    const target = at.target[monster]!;
    if (at.pause[monster]! > 0 || target < 0 || at.fate[target] !== Fate.fighting) return;
    const kind = at.kind[monster]!;
    const x = at.monsterX[monster]!;
    const y = at.monsterY[monster]!;
    const isBeside = isNear(x, y, at.x[target]!, at.y[target]!, numbers.radius + PLAYER.radius + 3);
    if (isBeside && kind !== SPITTER) {
      this.#harm(target, numbers.damage);
      at.pause[monster] = numbers.pause;
    } else if (kind === BRUTE) this.#beginCharge(monster, numbers, x, y);
    else if (kind === SPITTER) this.#spit(monster, target, numbers);
    else if (kind === WARDEN) this.#rage(monster, target, numbers);
  }

  #beginCharge(monster: number, { pause }: MonsterNumbers, x: number, y: number): void {
    const at = this.#at;
    if (at.mood[monster] !== Mood.hunting || !isNear(x, y, at.seenX[monster]!, at.seenY[monster]!, 130)) return;
    at.mood[monster] = Mood.windingUp;
    at.lasts[monster] = CHARGE.windUp;
    at.pause[monster] = pause;
  }

  /** Aims where the target will be, a little off. */
  #spit(monster: number, target: number, { pause, damage }: MonsterNumbers): void {
    const at = this.#at;
    const x = at.monsterX[monster]!;
    const y = at.monsterY[monster]!;
    if (!this.#layout.sees(x, y, at.x[target]!, at.y[target]!)) return;
    let dx = at.x[target]! - x;
    let dy = at.y[target]! - y;
    const flight = Math.sqrt(dx * dx + dy * dy) / VENOM.speed;
    const lead = flight * (0.3 + 0.5 * chance(this.#layout.seed, this.#step, monster));
    dx += at.vx[target]! * lead;
    dy += at.vy[target]! * lead;
    const distance = Math.sqrt(dx * dx + dy * dy) || 1;
    this.#throw(x, y, dx / distance, dy / distance, damage);
    at.pause[monster] = pause + Math.floor(8 * chance(this.#layout.seed, this.#step, monster + MOST_MONSTERS));
  }

  #rage(monster: number, target: number, numbers: MonsterNumbers): void {
    const at = this.#at;
    if (chance(this.#layout.seed, this.#step, monster) < 0.6) return this.#spit(monster, target, numbers);
    const first = Math.floor(chance(this.#layout.seed, this.#step, monster + 1) * HEADINGS);
    for (let part = 0; part < RING; part++) {
      const heading = (first + Math.floor((part * HEADINGS) / RING)) & (HEADINGS - 1);
      this.#throw(at.monsterX[monster]!, at.monsterY[monster]!, HEADING_X[heading]!, HEADING_Y[heading]!, 12);
    }
    at.pause[monster] = numbers.pause * 2;
  }

  #throw(x: number, y: number, dx: number, dy: number, harm: number): void {
    const at = this.#at;
    const row = at.venomNext[0]!;
    at.venomNext[0] = (row + 1) % VENOM.most;
    at.venomX[row] = x;
    at.venomY[row] = y;
    at.venomVx[row] = dx * VENOM.speed;
    at.venomVy[row] = dy * VENOM.speed;
    at.venomLife[row] = VENOM.life;
    at.venomHarm[row] = harm;
  }

  /** Monsters that stand in each other push each other apart. */
  #part(): void {
    const { kind, mood, monsterX, monsterY, monsterVx, monsterVy } = this.#at;
    for (let one = 0; one < MOST_MONSTERS; one++) {
      if (kind[one] === 0 || mood[one] === Mood.asleep) continue;
      for (let other = 0; other < MOST_MONSTERS; other++) {
        if (other === one || kind[other] === 0) continue;
        const room = NUMBERS[kind[one]!]!.radius + NUMBERS[kind[other]!]!.radius;
        const dx = monsterX[one]! - monsterX[other]!;
        const dy = monsterY[one]! - monsterY[other]!;
        if (dx * dx + dy * dy >= room * room) continue;
        const distance = Math.sqrt(dx * dx + dy * dy) || 1;
        monsterVx[one]! += (dx / distance) * 0.7;
        monsterVy[one]! += (dy / distance) * 0.7;
      }
    }
  }
}
