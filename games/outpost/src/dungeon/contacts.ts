/** What happens where things touch: shots and monsters, venom and players, players and what lies about. */

import { chance } from "./chance.ts";
import type { Layout, Spot } from "./layout.ts";
import type { Monsters } from "./monsters.ts";
import {
  LOOT_KINDS,
  MONSTER_KINDS,
  MONSTERS,
  MOST_MONSTERS,
  MOST_PICKUPS,
  PICKUP,
  PICKUP_KINDS,
  type PickupKind,
  PLAYER,
  SHOT,
  VENOM,
} from "./numbers.ts";
import { type DungeonColumns, Fate } from "./state.ts";
import { isNear } from "./walking.ts";

const RADII: readonly number[] = MONSTER_KINDS.map((kind) => MONSTERS[kind].radius + SHOT.radius);
const WARDEN = MONSTER_KINDS.indexOf("warden");
const BRUTE = MONSTER_KINDS.indexOf("brute");
const HEART = PICKUP_KINDS.indexOf("heart");

export class Contacts {
  readonly #at: DungeonColumns;
  readonly #layout: Layout;
  readonly #players: number;
  readonly #people: number;
  #step = 0;

  constructor(at: DungeonColumns, layout: Layout, players: number, people: number) {
    this.#at = at;
    this.#layout = layout;
    this.#players = players;
    this.#people = people;
  }

  step(step: number, monsters: Monsters): void {
    this.#step = step;
    for (let player = 0; player < this.#players; player++) this.#strikeMonsters(player, monsters);
    this.#flyVenom();
    for (let player = 0; player < this.#players; player++)
      if (this.#at.fate[player] === Fate.fighting) this.#gather(player);
  }

  readonly harm = (player: number, damage: number): void => {
    const at = this.#at;
    if (at.fate[player] !== Fate.fighting || at.safe[player]! > 0 || at.dash[player]! > 0) return;
    at.health[player]! -= damage;
    if (at.health[player]! > 0) return;
    at.health[player] = 0;
    at.fate[player] = Fate.down;
    at.wakes[player] = PLAYER.downSteps;
    at.downs[player] = Math.min(255, at.downs[player]! + 1);
  };

  /** Puts something on the ground, or, where a wall is, at the other place. Where all rows are taken, the oldest thing gives way. */
  drop(kind: PickupKind, x: number, y: number, otherwise: Spot = { x, y }): void {
    const at = this.#at;
    const row = at.pickupNext[0]!;
    at.pickupNext[0] = (row + 1) % MOST_PICKUPS;
    at.pickup[row] = PICKUP_KINDS.indexOf(kind);
    const [atX, atY] = this.#layout.isWall(x, y) ? [otherwise.x, otherwise.y] : [x, y];
    at.pickupX[row] = atX;
    at.pickupY[row] = atY;
  }

  #strikeMonsters(player: number, monsters: Monsters): void {
    const { shotLife, shotX, shotY, shotVx, shotVy, kind, monsterX, monsterY } = this.#at;
    for (let row = player * SHOT.each; row < (player + 1) * SHOT.each; row++) {
      if (shotLife[row] === 0) continue;
      // The middle of its way counts too: a shot flies farther in one step than a crawler is wide.
      const x = shotX[row]!;
      const y = shotY[row]!;
      const middleX = x - shotVx[row]! / 2;
      const middleY = y - shotVy[row]! / 2;
      for (let monster = 0; monster < MOST_MONSTERS; monster++) {
        if (kind[monster] === 0) continue;
        const reach = RADII[kind[monster]!]!;
        const isHit =
          isNear(x, y, monsterX[monster]!, monsterY[monster]!, reach) ||
          isNear(middleX, middleY, monsterX[monster]!, monsterY[monster]!, reach);
        if (!isHit) continue;
        shotLife[row] = 0;
        this.#strike(monster, player, row, monsters);
        break;
      }
    }
  }

  #strike(monster: number, player: number, row: number, monsters: Monsters): void {
    const at = this.#at;
    at.monsterHealth[monster]! -= SHOT.damage;
    at.monsterVx[monster]! += at.shotVx[row]! * 0.06;
    at.monsterVy[monster]! += at.shotVy[row]! * 0.06;
    monsters.provoke(monster, player);
    if (at.monsterHealth[monster]! > 0) return;
    at.kills[player] = Math.min(65_535, at.kills[player]! + 1);
    this.#fall(monster);
  }

  #fall(monster: number): void {
    const at = this.#at;
    const x = at.monsterX[monster]!;
    const y = at.monsterY[monster]!;
    const kind = at.kind[monster]!;
    at.kind[monster] = 0;
    const luck = chance(this.#layout.seed, this.#step, monster);
    const here = { x, y };
    if (kind === WARDEN) {
      // One for each who came, so that nobody needs to leave without.
      for (let part = 0; part < this.#players; part++)
        this.drop("relic", x + ((part % 5) - 2) * 14, y + Math.floor(part / 5) * 14, here);
      for (let part = 0; part < 6; part++) this.drop("ruby", x + (part - 2.5) * 14, y - 16, here);
    } else if (kind === BRUTE) this.drop(luck < 0.5 ? "ruby" : "amber", x, y);
    else if (luck < 0.22) this.drop("heart", x, y);
    else if (luck < 0.42) this.drop("amber", x, y);
    if (luck > 0.3) this.drop("gold", x + 6, y + 4, here);
  }

  #flyVenom(): void {
    const { venomLife, venomX, venomY, venomVx, venomVy, venomHarm, x, y, fate } = this.#at;
    for (let row = 0; row < VENOM.most; row++) {
      if (venomLife[row] === 0) continue;
      venomX[row]! += venomVx[row]!;
      venomY[row]! += venomVy[row]!;
      venomLife[row]!--;
      if (this.#layout.isWall(venomX[row]!, venomY[row]!)) venomLife[row] = 0;
      for (let player = 0; player < this.#players && venomLife[row]! > 0; player++) {
        if (fate[player] !== Fate.fighting) continue;
        if (!isNear(venomX[row]!, venomY[row]!, x[player]!, y[player]!, VENOM.radius + PLAYER.radius)) continue;
        this.harm(player, venomHarm[row]!);
        venomLife[row] = 0;
      }
    }
  }

  #gather(player: number): void {
    const { pickup, pickupX, pickupY, x, y, health, loot } = this.#at;
    for (let row = 0; row < MOST_PICKUPS; row++) {
      const kind = pickup[row]!;
      if (kind === 0 || !isNear(x[player]!, y[player]!, pickupX[row]!, pickupY[row]!, PLAYER.radius + PICKUP.radius))
        continue;
      if (kind === HEART) {
        if (health[player]! >= PLAYER.health) continue;
        health[player] = Math.min(PLAYER.health, health[player]! + PICKUP.heals);
      } else if (player >= this.#people) continue;
      else {
        const own = player * LOOT_KINDS.length + kind - 1;
        // Gold lies in heaps.
        loot[own] = Math.min(
          65_535,
          loot[own]! + (kind === 1 ? 3 + Math.floor(6 * chance(this.#layout.seed, row, 7)) : 1),
        );
      }
      pickup[row] = 0;
    }
  }
}
