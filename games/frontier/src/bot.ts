/** A bot: wanders over the country, shoots at what it meets, picks up gold, and says something now and then. An activity of a client, like any player. */

import type { Client, Replicated } from "@nearfield/client";
import { Dice } from "@nearfield/kit";
import { exact } from "@nearfield/simulation";
import { distance, FULL_STICK, type Placed } from "./rules.ts";
import { Beast, COUNTRY, Go, Gold, Hero, Say } from "./shared.ts";

/** Frames between two thoughts. */
const THINK_FRAMES = 6;
const SHOOTS_WITHIN = 240;
const PICKS_UP_WITHIN = 260;
const WORDS = ["Anybody here?", "Gold!", "To the north.", "Watch out.", "This way.", "What a view.", "Still alive."];

type HeroReplica = Replicated<typeof Hero.shape>;

export class Bot {
  readonly #client: Client;
  readonly #dice: Dice;
  #frame = 0;
  #goal: Placed;
  #last = "";
  /** Gold that it has picked up. */
  gold = 0;

  constructor(client: Client, seed: number) {
    this.#client = client;
    this.#dice = new Dice(seed, "frontier bot");
    this.#goal = this.#somewhere();
    client.activity(() => this.#act());
  }

  #act(): void {
    const hero = this.#client.mine(Hero);
    if (hero === undefined || ++this.#frame % THINK_FRAMES !== 0) return;
    this.gold = hero.gold;
    if (hero.down > 0) return;
    const prey = this.#prey(hero);
    const goal = this.#nearest(Gold, hero, PICKS_UP_WITHIN) ?? this.#walkTo(hero);
    const wish = { ...towards(hero, goal), heading: headingTo(hero, prey ?? goal), fires: prey !== undefined };
    const text = JSON.stringify(wish);
    if (text !== this.#last) this.#client.send(Go, wish);
    this.#last = text;
    if (this.#dice.chance(0.004)) this.#client.send(Say, { words: this.#dice.pick(WORDS) });
  }

  #walkTo(hero: Placed): Placed {
    if (distance(hero, this.#goal) < 60 || this.#dice.chance(0.004)) this.#goal = this.#somewhere();
    return this.#goal;
  }

  #somewhere(): Placed {
    const within = (): number => 150 + this.#dice.next() * (COUNTRY - 300);
    return { x: within(), y: within() };
  }

  /** Beasts, and now and then somebody else. */
  #prey(hero: HeroReplica): Placed | undefined {
    const beast = this.#nearest(Beast, hero, SHOOTS_WITHIN);
    if (beast !== undefined) return beast;
    const isOther = (other: HeroReplica): boolean => other.id !== hero.id && other.down === 0;
    const others = [...this.#client.world.all(Hero)].filter((other) => isOther(other) && !this.#dice.chance(0.5));
    return others.find((other) => distance(other, hero) < SHOOTS_WITHIN / 2);
  }

  #nearest(type: typeof Beast | typeof Gold, hero: Placed, within: number): Placed | undefined {
    let best: Placed | undefined;
    let least = within;
    for (const thing of this.#client.world.all(type as typeof Gold)) {
      const far = distance(thing, hero);
      if (far < least) [best, least] = [thing, far];
    }
    return best;
  }
}

function towards(hero: Placed, goal: Placed): { moveX: number; moveY: number } {
  const far = Math.max(1, distance(hero, goal));
  const along = (from: number, to: number): number => Math.round(((to - from) / far) * FULL_STICK);
  return { moveX: along(hero.x, goal.x), moveY: along(hero.y, goal.y) };
}

function headingTo(hero: Placed, goal: Placed): number {
  return exact.directionOf(goal.x - hero.x, goal.y - hero.y);
}
