/**
 * Players run by the server. A bot sees what a person would see (its own room and a little beyond), and presses keys like anybody else, through
 * `Game.turn`. Bots that are clients are in `client-bot.ts`.
 */

import type { Sight } from "./choose-way.ts";
import { botName, Mind } from "./mind.ts";
import type { Game } from "./rules.ts";
import { isActive, type Pac } from "./state.ts";

/** Runs every bot of a game. Call `act` once a step, before `Game.step`. */
export class Bots {
  readonly #game: Game;
  readonly #seed: number;
  readonly #sight: Sight;
  readonly #minds = new Map<Pac, Mind>();

  constructor(game: Game, seed: number) {
    this.#game = game;
    this.#seed = seed;
    this.#sight = sightOf(game);
  }

  get count(): number {
    return this.#minds.size;
  }

  add(): Pac {
    const taken = new Set([...this.#game.pacs.values()].map((pac) => pac.name));
    let index = 0;
    while (taken.has(botName(index))) index += 1;
    const pac = this.#game.join({ name: botName(index), bot: true });
    this.#minds.set(pac, new Mind(this.#seed, `bot ${pac.id}`));
    return pac;
  }

  remove(pac: Pac): void {
    this.#minds.delete(pac);
    this.#game.leave(pac);
  }

  act(): void {
    for (const [pac, mind] of this.#minds) {
      const key = mind.act(this.#sight, pac);
      if (key === "again") this.#game.again(pac);
      else if (key !== undefined) this.#game.turn(pac, key);
    }
  }
}

/** The game itself: nothing is late and nothing is blurred. */
function sightOf(game: Game): Sight {
  return {
    maze: game.maze,
    dots: game.dots,
    get tick() {
      return game.tick;
    },
    ghosts: () => game.ghosts,
    *rivals(self) {
      for (const pac of game.pacs.values()) if (pac !== self && isActive(pac, game.tick)) yield pac;
    },
  };
}
