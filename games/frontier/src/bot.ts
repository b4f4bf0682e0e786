/**
 * A bot: wanders over the country, shoots at what it meets, picks up gold, and says something now and then. It is a client like any player, or plays in the
 * server's own process: whoever has a `BotBody`.
 */

import { Dice } from "@nearfield/kit";
import type { CommandType, Fields, ObjectType, Values } from "@nearfield/schema";
import { exact } from "@nearfield/simulation";
import { distance, FULL_STICK, type Placed } from "./rules.ts";
import { Beast, COUNTRY, Go, Gold, Hero, Say } from "./shared.ts";

/** What a bot sees and does the game with. */
export interface BotBody {
  hero(): SeenHero | undefined;
  all<F extends Fields>(type: ObjectType<F>): Iterable<Seen<F>>;
  send<F extends Fields>(type: CommandType<F>, values: Values<F>): void;
}

type Seen<F extends Fields> = Readonly<Values<F>> & { readonly id: number };
type SeenHero = Seen<typeof Hero.shape>;

/** Steps between two thoughts. */
const THINK_STEPS = 6;
const SHOOTS_WITHIN = 240;
const PICKS_UP_WITHIN = 260;
const WORDS = ["Anybody here?", "Gold!", "To the north.", "Watch out.", "This way.", "What a view.", "Still alive."];

export class Bot {
  readonly #body: BotBody;
  readonly #dice: Dice;
  #steps = 0;
  #goal: Placed;
  #last = "";
  /** Gold that it has picked up. */
  gold = 0;

  constructor(body: BotBody, seed: number) {
    this.#body = body;
    this.#dice = new Dice(seed, "frontier bot");
    this.#goal = this.#somewhere();
  }

  /** To be called once in a frame or round. */
  step(): void {
    const hero = this.#body.hero();
    if (hero === undefined || ++this.#steps % THINK_STEPS !== 0) return;
    this.gold = hero.gold;
    if (hero.down > 0) return;
    const prey = this.#prey(hero);
    const goal = this.#nearest(Gold, hero, PICKS_UP_WITHIN) ?? this.#walkTo(hero);
    const wish = { ...towards(hero, goal), heading: headingTo(hero, prey ?? goal), fires: prey !== undefined };
    const text = JSON.stringify(wish);
    if (text !== this.#last) this.#body.send(Go, wish);
    this.#last = text;
    if (this.#dice.chance(0.004)) this.#body.send(Say, { words: this.#dice.pick(WORDS) });
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
  #prey(hero: SeenHero): Placed | undefined {
    const beast = this.#nearest(Beast, hero, SHOOTS_WITHIN);
    if (beast !== undefined) return beast;
    const isOther = (other: SeenHero): boolean => other.id !== hero.id && other.down === 0;
    const others = [...this.#body.all(Hero)].filter((other) => isOther(other) && !this.#dice.chance(0.5));
    return others.find((other) => distance(other, hero) < SHOOTS_WITHIN / 2);
  }

  #nearest(type: typeof Beast | typeof Gold, hero: Placed, within: number): Placed | undefined {
    let best: Placed | undefined;
    let least = within;
    for (const thing of this.#body.all(type as typeof Gold)) {
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
