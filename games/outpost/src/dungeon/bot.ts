/**
 * A bot that fills a party. It stays near the people, shoots what hunts them, sidesteps venom, picks up what lies about, and leaves when they leave. Where there
 * are no people it clears the dungeon on its own. It reads a state and says what its player does; its choices are inputs like anybody's and need not be exact.
 */

import { Dice } from "@nearfield/kit";
import { exact } from "@nearfield/simulation";
import type { Deed } from "./input.ts";
import type { Layout } from "./layout.ts";
import { EXIT_RADIUS, MOST_MONSTERS, MOST_STEPS, PICKUP, PICKUP_KINDS, PLAYER, SHOT, VENOM } from "./numbers.ts";
import { type DungeonColumns, Fate } from "./state.ts";
import { isNear } from "./walking.ts";
import { Ways } from "./way.ts";

/** Steps between two looks at the whole dungeon. */
const PLAN_STEPS = 6;
/** A bot that is farther from its people than so many tiles goes to them. */
const LEASH = 7;
/** More tiles than any way has. */
const FARTHEST = 9999;
/** Shots are aimed at what is nearer than this, world units. */
const RANGE = 230;
/** Steps before the end at which everybody hurries out. */
const HURRY = 1200;

const HEART = PICKUP_KINDS.indexOf("heart");
const ANY = (): boolean => true;

export interface BotOptions {
  readonly layout: Layout;
  readonly player: number;
  /** Players who are no bots. */
  readonly people: readonly number[];
  readonly seed: number;
}

export class Bot {
  readonly #options: BotOptions;
  readonly #ways: Ways;
  readonly #dice: Dice;
  #goal = { x: 0, y: 0 };
  #leaves = false;
  #planned = Number.NEGATIVE_INFINITY;
  #heading = 0;

  constructor(options: BotOptions) {
    this.#options = options;
    this.#ways = new Ways(options.layout);
    this.#dice = new Dice(options.seed, `bot ${options.player}`);
  }

  decide(at: DungeonColumns, step: number): Deed {
    const { player } = this.#options;
    if (step - this.#planned >= PLAN_STEPS) {
      this.#planned = step;
      this.#plan(at, step);
    }
    const x = at.x[player]!;
    const y = at.y[player]!;
    const prey = this.#prey(at, x, y);
    if (prey >= 0) this.#aim(at, prey, x, y);
    let moveX = this.#goal.x - x;
    let moveY = this.#goal.y - y;
    const far = Math.sqrt(moveX * moveX + moveY * moveY);
    if (far > 6) {
      moveX /= far;
      moveY /= far;
    } else {
      moveX = 0;
      moveY = 0;
    }
    const dodge = this.#dodge(at, x, y);
    const back = prey >= 0 ? this.#keepAway(at, prey, x, y) : { x: 0, y: 0 };
    return {
      moveX: moveX + dodge.x * 1.4 + back.x,
      moveY: moveY + dodge.y * 1.4 + back.y,
      heading: this.#heading,
      fires: prey >= 0,
      uses: this.#leaves,
      dashes: dodge.isClose && this.#dice.chance(0.25),
    };
  }

  #plan(at: DungeonColumns, step: number): void {
    const { layout, player, people } = this.#options;
    const x = at.x[player]!;
    const y = at.y[player]!;
    this.#ways.from(x, y);
    const inside = people.filter((person) => at.fate[person] !== Fate.out);
    const isCleared =
      !this.#nearest(at.kind, at.monsterX, at.monsterY, ANY, FARTHEST) &&
      !this.#nearest(at.pickup, at.pickupX, at.pickupY, (kind) => kind !== HEART, FARTHEST);
    this.#leaves =
      MOST_STEPS - step < HURRY || (people.length > 0 ? inside.length === 0 : isCleared || at.downs[player]! > 2);
    const goal = this.#leaves ? this.#nearestExit() : this.#errand(at, inside);
    const isThere = this.#leaves && isNear(x, y, goal.x, goal.y, EXIT_RADIUS - 8);
    this.#goal = isThere ? { x, y } : layout.sees(x, y, goal.x, goal.y) ? goal : this.#ways.towards(goal.x, goal.y, 2);
    if (goal.x !== x || goal.y !== y) this.#heading = exact.directionOf(goal.x - x, goal.y - y);
  }

  #nearestExit(): { x: number; y: number } {
    const { start, exit } = this.#options.layout;
    return this.#ways.to(start.x, start.y) < this.#ways.to(exit.x, exit.y) ? start : exit;
  }

  /** People first, then what lies near, then monsters. */
  #errand(at: DungeonColumns, inside: readonly number[]): { x: number; y: number } {
    const { player } = this.#options;
    const friend = inside.find((person) => at.fate[person] === Fate.fighting);
    const side = (player % 5) - 2;
    if (friend !== undefined && this.#ways.to(at.x[friend]!, at.y[friend]!) > LEASH)
      return { x: at.x[friend]! + side * 10, y: at.y[friend]! };
    const isHurt = at.health[player]! <= PLAYER.health - PICKUP.heals;
    // A heart is for whoever is hurt, and what is worth something is for people, where there are some.
    const wants = (kind: number): boolean => (kind === HEART ? isHurt : friend === undefined);
    const near = this.#nearest(at.pickup, at.pickupX, at.pickupY, wants, friend === undefined ? 40 : 5);
    if (near) return near;
    const prey = this.#nearest(at.kind, at.monsterX, at.monsterY, ANY, friend === undefined ? FARTHEST : LEASH);
    if (prey) return prey;
    if (friend === undefined) return this.#options.layout.exit;
    return { x: at.x[friend]! + side * 22, y: at.y[friend]! + ((player % 3) - 1) * 26 };
  }

  #nearest(
    kinds: Uint8Array,
    xs: Float32Array,
    ys: Float32Array,
    wants: (kind: number) => boolean,
    tiles: number,
  ): { x: number; y: number } | undefined {
    let best = tiles;
    let found: { x: number; y: number } | undefined;
    for (let row = 0; row < kinds.length; row++) {
      if (kinds[row] === 0 || !wants(kinds[row]!)) continue;
      const far = this.#ways.to(xs[row]!, ys[row]!);
      if (far >= best) continue;
      best = far;
      found = { x: xs[row]!, y: ys[row]! };
    }
    return found;
  }

  #prey(at: DungeonColumns, x: number, y: number): number {
    let best = -1;
    let bestSquare = RANGE * RANGE;
    for (let monster = 0; monster < MOST_MONSTERS; monster++) {
      if (at.kind[monster] === 0) continue;
      const dx = at.monsterX[monster]! - x;
      const dy = at.monsterY[monster]! - y;
      const square = dx * dx + dy * dy;
      if (square >= bestSquare || !this.#options.layout.sees(x, y, at.monsterX[monster]!, at.monsterY[monster]!))
        continue;
      best = monster;
      bestSquare = square;
    }
    return best;
  }

  #aim(at: DungeonColumns, prey: number, x: number, y: number): void {
    const dx = at.monsterX[prey]! - x;
    const dy = at.monsterY[prey]! - y;
    const flight = Math.sqrt(dx * dx + dy * dy) / SHOT.speed;
    const aimed = exact.directionOf(dx + at.monsterVx[prey]! * flight, dy + at.monsterVy[prey]! * flight);
    this.#heading = aimed + this.#dice.bell() * 0.1;
  }

  #keepAway(at: DungeonColumns, prey: number, x: number, y: number): { x: number; y: number } {
    const dx = x - at.monsterX[prey]!;
    const dy = y - at.monsterY[prey]!;
    const far = Math.sqrt(dx * dx + dy * dy) || 1;
    if (far > 90) return { x: 0, y: 0 };
    const side = this.#options.player & 1 ? 1 : -1;
    return { x: (dx - dy * 0.6 * side) / far, y: (dy + dx * 0.6 * side) / far };
  }

  /** Away from the line of venom that comes near. */
  #dodge(at: DungeonColumns, x: number, y: number): { x: number; y: number; isClose: boolean } {
    for (let row = 0; row < VENOM.most; row++) {
      if (at.venomLife[row] === 0) continue;
      const dx = x - at.venomX[row]!;
      const dy = y - at.venomY[row]!;
      const ahead = (dx * at.venomVx[row]! + dy * at.venomVy[row]!) / VENOM.speed;
      if (ahead < 0 || ahead > 70) continue;
      const beside = (dx * at.venomVy[row]! - dy * at.venomVx[row]!) / VENOM.speed;
      if (beside > 16 || beside < -16) continue;
      const sign = beside >= 0 ? 1 : -1;
      return {
        x: (at.venomVy[row]! / VENOM.speed) * sign,
        y: (-at.venomVx[row]! / VENOM.speed) * sign,
        isClose: ahead < 26,
      };
    }
    return { x: 0, y: 0, isClose: false };
  }
}
