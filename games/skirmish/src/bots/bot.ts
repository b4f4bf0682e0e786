/**
 * A computer player. It thinks now and then: looks, sends builders, builds, trains, scouts and leads its army. It knows what `Eyes` shows and acts through
 * `Hands`, so it can do nothing that a player could not.
 */

import { Dice } from "@nearfield/kit";
import type { Battle } from "../rules/battle.ts";
import { seemsFree, snapped } from "../rules/placement.ts";
import { Army } from "./army.ts";
import { runConstruction } from "./construction.ts";
import { runEconomy } from "./economy.ts";
import { Eyes } from "./eyes.ts";
import type { Hands } from "./hands.ts";
import { Recruiting } from "./recruiting.ts";
import { Scouting } from "./scouting.ts";
import { type Strength, TRAITS, type Traits } from "./strengths.ts";

export interface BotOptions {
  readonly side: number;
  readonly strength: Strength;
  /** Every choice of the bot follows from it and from what the bot sees. */
  readonly seed: number;
}

export class Bot {
  readonly #battle: Battle;
  readonly #side: number;
  readonly #traits: Traits;
  readonly #eyes: Eyes;
  readonly #hands: Hands;
  readonly #recruiting: Recruiting;
  readonly #scouting = new Scouting();
  readonly #army: Army;

  constructor(battle: Battle, { side, strength, seed }: BotOptions) {
    const dice = new Dice(seed, `bot ${side}`);
    this.#battle = battle;
    this.#side = side;
    this.#traits = TRAITS[strength];
    this.#eyes = new Eyes(battle.state, side, battle.mayKnow);
    this.#hands = handsOf(battle, side);
    this.#recruiting = new Recruiting(dice);
    this.#army = new Army(dice, this.#traits);
  }

  /** Called after every step; bots think in turns. */
  act(): void {
    const { state } = this.#battle;
    if (state.standing[this.#side] === 0 || (state.step + 7 * this.#side) % this.#traits.thinkSteps !== 0) return;
    const [eyes, hands, traits] = [this.#eyes, this.#hands, this.#traits];
    eyes.look();
    runEconomy(eyes, hands, traits);
    const kept = runConstruction(eyes, hands, traits);
    this.#recruiting.run(eyes, hands, traits, kept);
    this.#scouting.run(eyes, hands);
    this.#army.run(eyes, hands, traits, this.#scouting.scout);
  }
}

/** A player's orders, given straight to a battle. */
function handsOf(battle: Battle, side: number): Hands {
  return {
    order: (request) => battle.order(side, request),
    train: (building, kind, count) => battle.train(side, building, kind, count),
    rally: (building, { x, y }) => battle.rally(side, building, x, y),
    fits: (kind, at) => {
      const { x, y } = snapped(kind, at.x, at.y);
      return seemsFree(battle.state, side, kind, x, y, battle.mayKnow);
    },
  };
}
