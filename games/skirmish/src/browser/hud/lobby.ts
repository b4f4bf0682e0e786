/** The waiting room: who plays which side, and a button that says that one is ready. The match begins when all are, or when the time is up. */

import { find, type Writer } from "@nearfield/kit/browser";
import { NO_SIDE } from "../../state.ts";
import type { MatchReplica } from "../network.ts";
import { MAP_WORDS } from "../words.ts";
import type { Sides } from "./sides.ts";

export class Lobby {
  readonly #write: Writer;
  #isReady = false;

  constructor(root: HTMLElement, write: Writer, until: AbortSignal, ready: () => void) {
    this.#write = write;
    const press = (): void => {
      this.#isReady = true;
      ready();
    };
    find("#ready", root).addEventListener("click", press, { signal: until });
  }

  /** Another match is waited for. */
  reset(): void {
    this.#isReady = false;
  }

  show(match: MatchReplica, sides: Sides, ownSide: number, timeMs: number, isSpectator: boolean): void {
    const write = this.#write;
    const seconds = Math.max(0, Math.ceil((match.endsMs - timeMs) / 1000));
    write.text("lobby-map", `${match.sides} sides on a ${MAP_WORDS[match.map]}`);
    write.markup("lobby-sides", sides.rows(ownSide, NO_SIDE));
    write.text("lobby-clock", String(seconds));
    write.hidden("ready", isSpectator || ownSide === NO_SIDE);
    write.text("ready", this.#isReady ? "Waiting for the others" : "Ready");
    write.attribute("ready", "aria-pressed", String(this.#isReady));
    const words = isSpectator
      ? "You watch. The match begins when all players are ready."
      : ownSide === NO_SIDE
        ? "All sides are taken. You get the next one that is free."
        : "Bots play the sides that nobody takes. The match begins when all are ready.";
    write.text("lobby-words", words);
  }
}
