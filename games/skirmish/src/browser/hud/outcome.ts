/** The result of a match: who won, what this player did, and whether one plays again. Who is out before the end may watch on. */

import { find, type Writer } from "@nearfield/kit/browser";
import { NO_SIDE } from "../../state.ts";
import type { MatchReplica } from "../network.ts";
import type { Statistics } from "../statistics.ts";
import type { Sides } from "./sides.ts";

export interface OutcomeState {
  readonly match: MatchReplica;
  readonly ownSide: number;
  readonly isSpectator: boolean;
  readonly sides: Sides;
  readonly statistics: Statistics;
  readonly orders: number;
  /** How long the match lasted. */
  readonly duration: string;
  readonly timeMs: number;
}

export class Outcome {
  readonly #write: Writer;
  #wantsAgain = false;

  constructor(root: HTMLElement, write: Writer, until: AbortSignal, rematch: () => void) {
    this.#write = write;
    const press = (): void => {
      this.#wantsAgain = true;
      rematch();
    };
    find("#rematch", root).addEventListener("click", press, { signal: until });
  }

  reset(): void {
    this.#wantsAgain = false;
  }

  show(state: OutcomeState): void {
    const { match, ownSide, isSpectator, sides, statistics } = state;
    const write = this.#write;
    const isOver = match.phase === "over";
    const hasWon = isOver && match.winner === ownSide && ownSide !== NO_SIDE;
    const isNeutral = isSpectator || (isOver && match.winner === NO_SIDE);
    const winner = match.winner === NO_SIDE ? "Nobody has won" : `${sides.nameOf(match.winner)} has won`;
    write.data("outcome", "result", hasWon ? "won" : isNeutral ? "neutral" : "lost");
    write.text("outcome-title", hasWon ? "Victory" : isNeutral ? winner : "Defeat");
    write.text("outcome-words", wordsOf(isOver, hasWon, isNeutral, winner));
    write.markup("outcome-sides", sides.rows(ownSide, match.winner));
    write.hidden("outcome-figures", isSpectator);
    const figures: readonly (readonly [string, string | number])[] = [
      ["time", state.duration],
      ["ore earned", statistics.oreEarned],
      ["units made", statistics.unitsMade],
      ["units lost", statistics.unitsLost],
      ["buildings made", statistics.buildingsMade],
      ["buildings lost", statistics.buildingsLost],
      ["kills seen", statistics.kills],
      ["orders", state.orders],
    ];
    write.markup(
      "outcome-figures",
      figures.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join(""),
    );
    write.hidden("rematch", !isOver || isSpectator);
    write.text("rematch", this.#wantsAgain ? "Waiting for the others" : "Rematch");
    write.attribute("rematch", "aria-pressed", String(this.#wantsAgain));
    const seconds = Math.max(0, Math.ceil((match.endsMs - state.timeMs) / 1000));
    write.text("outcome-clock", isOver ? `The next match is laid out in ${seconds} s` : "");
    write.text("look-on", isOver ? "Look at the map" : "Watch on");
  }
}

function wordsOf(isOver: boolean, hasWon: boolean, isNeutral: boolean, winner: string): string {
  if (hasWon) return "You are the last who has a building.";
  if (isNeutral) return isOver ? "The match is over." : "";
  return isOver ? `${winner}.` : "You have no building left. The others fight on.";
}
