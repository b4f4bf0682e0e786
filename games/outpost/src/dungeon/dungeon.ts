/**
 * A dungeon as a fight: its state in columns, one step, its circles, and its result. It is a function of the seed, the number of players and what they do; all
 * machines, and whoever replays the inputs later, come to the same bits.
 */

import { EVERYBODY, type Fight, type StepInputs } from "@nearfield/rollback/session";
import { chance } from "./chance.ts";
import { Contacts } from "./contacts.ts";
import { writeSpheres } from "./influence.ts";
import { Layout } from "./layout.ts";
import { Monsters } from "./monsters.ts";
import {
  LOOT_KINDS,
  type LootKind,
  MONSTER_KINDS,
  MONSTERS,
  MOST_MONSTERS,
  MOST_STEPS,
  type MonsterKind,
  type PickupKind,
} from "./numbers.ts";
import { placeAtStart, stepPlayer } from "./players.ts";
import { type DungeonColumns, type DungeonState, Fate, newState } from "./state.ts";

export interface DungeonOptions {
  readonly seed: number;
  /** 1 to `MOST_PLAYERS`. More bring more monsters. */
  readonly players: number;
  /** How many of them are people; they come first. What is worth something is for them: the others leave it. Default: all. */
  readonly people?: number;
}

/** What a player leaves with. */
export type Loot = Readonly<Record<LootKind, number>>;

export class Dungeon implements Fight {
  readonly layout: Layout;
  readonly state: DungeonState;
  /** How many of its players are people. */
  readonly people: number;
  readonly #players: number;
  readonly #monsters: Monsters;
  readonly #contacts: Contacts;

  constructor({ seed, players, people = players }: DungeonOptions) {
    this.layout = new Layout(seed);
    this.state = newState(players);
    this.people = people;
    this.#players = players;
    const { at } = this.state;
    this.#contacts = new Contacts(at, this.layout, players, people);
    this.#monsters = new Monsters(at, this.layout, players, this.#contacts.harm);
    for (let player = 0; player < players; player++) placeAtStart(at, this.layout, player);
    this.#people();
    this.#furnish();
  }

  advance(step: number, inputs: StepInputs, only: number): void {
    const { at } = this.state;
    if (step >= MOST_STEPS) return;
    if (only !== EVERYBODY) return stepPlayer(at, this.layout, only, inputs.of(only));
    for (let player = 0; player < this.#players; player++) stepPlayer(at, this.layout, player, inputs.of(player));
    this.#monsters.step(step);
    this.#contacts.step(step, this.#monsters);
  }

  spheres(into: Float64Array): void {
    writeSpheres(this.state.at, this.#players, into);
  }

  #people(): void {
    const { at } = this.state;
    const { dens, seed } = this.layout;
    // Two players meet a third of the monsters, twenty meet all.
    const count = Math.min(MOST_MONSTERS, Math.floor(MOST_MONSTERS * (0.3 + 0.7 * ((this.#players - 1) / 12))));
    const stride = dens.length / count;
    for (let monster = 0; monster < count; monster++) {
      const den = dens[Math.floor(monster * stride)]!;
      const kind = monster === 0 ? "warden" : kindFor(chance(seed, 0, monster), den.depth);
      at.kind[monster] = MONSTER_KINDS.indexOf(kind);
      at.monsterX[monster] = den.x;
      at.monsterY[monster] = den.y - (monster === 0 ? 60 : 0);
      at.monsterHealth[monster] = MONSTERS[kind].health * (monster === 0 ? 1 + 0.25 * (this.#players - 1) : 1);
      at.target[monster] = -1;
    }
  }

  #furnish(): void {
    this.layout.hoards.forEach(({ x, y, depth }, at) => {
      // Where everybody begins lie two heaps of gold: they show what the rest is about.
      const luck = depth === 0 ? 0.5 : chance(this.layout.seed, 1, at);
      const kind: PickupKind =
        luck < 0.25 ? "heart" : luck < 0.55 ? "gold" : luck < 0.55 + 0.09 * depth ? "ruby" : "amber";
      this.#contacts.drop(kind, x, y);
    });
  }
}

function kindFor(luck: number, depth: number): MonsterKind {
  if (luck < 0.08 + 0.03 * depth) return "brute";
  return luck < 0.4 + 0.02 * depth ? "spitter" : "crawler";
}

/** Whether nobody is left inside, or the dungeon has fallen in. */
export function isOver(at: DungeonColumns, step: number): boolean {
  return step >= MOST_STEPS || at.fate.every((fate) => fate === Fate.out);
}

/** What each player has carried out; nothing for those who are inside. Read from a final state, it is the result of the fight. */
export function lootOf(at: DungeonColumns, player: number): Loot {
  const isOut = at.fate[player] === Fate.out;
  const first = player * LOOT_KINDS.length;
  return Object.fromEntries(LOOT_KINDS.map((kind, row) => [kind, isOut ? at.loot[first + row]! : 0])) as Loot;
}
