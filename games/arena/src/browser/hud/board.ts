/** The scoreboard: everybody's kills and deaths, the best first. Written only while it is open. */

import { playerColour } from "@nearfield/kit";
import { escapeText, type Writer } from "@nearfield/kit/browser";
import { LEVELS } from "../../levels.ts";
import type { MatchReplica, ScoreLine } from "../network.ts";

const MOST_LINES = 50;

export class Board {
  readonly #write: Writer;

  constructor(write: Writer) {
    this.#write = write;
  }

  show(isOpen: boolean, ranked: readonly ScoreLine[], ownNumber: number, match: MatchReplica | undefined): void {
    this.#write.hidden("board", !isOpen);
    if (!isOpen) return;
    const over = match?.phase === "over";
    const winner = ranked[0];
    this.#write.text(
      "board-title",
      over && winner ? `${winner.number === ownNumber ? "You win" : `${winner.name} wins`}` : "Scores",
    );
    this.#write.text("board-level", match ? `${LEVELS[match.level].title} · match ${match.match}` : "");
    this.#write.data("board", "columns", ranked.length > 16 ? "2" : "1");
    this.#write.markup(
      "board-lines",
      ranked
        .slice(0, MOST_LINES)
        .map((line, at) => lineOf(line, at + 1, ownNumber))
        .join(""),
    );
  }
}

function lineOf(line: ScoreLine, rank: number, ownNumber: number): string {
  const self = line.number === ownNumber ? ' class="self"' : "";
  const bot = line.bot ? "<small>bot</small>" : "";
  const streak = line.streak >= 3 ? `<small class="streak">×${line.streak}</small>` : "";
  return `<li${self} style="--colour:${playerColour(line.colour)}"><b>${rank}</b><i></i><span>${escapeText(line.name)}${bot}${streak}</span><em>${line.kills}</em><u>${line.deaths}</u></li>`;
}
