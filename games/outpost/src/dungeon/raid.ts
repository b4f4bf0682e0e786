/** Bots alone in a dungeon, without any network: behind the title, and in tests. */

import { EVERYBODY, type StepInputs } from "@nearfield/rollback/session";
import { Bot } from "./bot.ts";
import { Dungeon, isOver } from "./dungeon.ts";
import { INPUT_BYTES, writeInput } from "./input.ts";
import type { Layout } from "./layout.ts";
import type { DungeonColumns } from "./state.ts";

export class Raid {
  readonly dungeon: Dungeon;
  /** What each player did in the last step. */
  readonly inputs: readonly Uint8Array[];
  readonly #bots: readonly Bot[];
  readonly #told: StepInputs;
  #steps = 0;

  constructor(seed: number, players: number) {
    this.dungeon = new Dungeon({ seed, players });
    this.inputs = Array.from({ length: players }, () => new Uint8Array(INPUT_BYTES));
    this.#bots = this.inputs.map((_, player) => new Bot({ layout: this.layout, player, people: [], seed }));
    this.#told = { of: (player) => this.inputs[player]!, lag: () => 0 };
  }

  get layout(): Layout {
    return this.dungeon.layout;
  }

  get at(): DungeonColumns {
    return this.dungeon.state.at;
  }

  get isOver(): boolean {
    return isOver(this.at, this.#steps);
  }

  step(): void {
    for (const [player, bot] of this.#bots.entries())
      writeInput(bot.decide(this.at, this.#steps), this.inputs[player]!);
    this.dungeon.advance(this.#steps++, this.#told, EVERYBODY);
  }
}
