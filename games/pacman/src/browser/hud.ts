/** The figures around the stage: score, lives, room, players, connection. Written to the page only when they change. */

import { playerColour } from "@nearfield/kit";
import { escapeText, Writer } from "@nearfield/kit/browser";
import { roomIndex } from "../maze.ts";
import { POWER_MS } from "../state.ts";
import type { GameLink, MatchReplica, PacReplica, ScoreLine } from "./link.ts";

const BOARD_LINES = 8;

export class Hud {
  readonly #page: Writer;
  #powerSince = 0;

  constructor(root: HTMLElement) {
    this.#page = new Writer(root);
  }

  update(
    link: GameLink,
    own: PacReplica | undefined,
    scores: readonly ScoreLine[],
    muted: boolean,
    nowMs: number,
  ): void {
    this.#page.text("score", (own?.score ?? 0).toLocaleString("en"));
    this.#page.text(
      "best",
      Math.max(own?.score ?? 0, scores.find((line) => line.number === own?.number)?.best ?? 0).toLocaleString("en"),
    );
    this.#page.text("room", own ? `(${roomIndex(own.x)},${roomIndex(own.y)})` : "–");
    this.#page.markup("lives", own ? `<i style="--pac:${playerColour(own.colour)}"></i>`.repeat(own.lives) : "");
    this.#page.element("lives").setAttribute("aria-label", `${own?.lives ?? 0} lives`);
    this.#power(own, nowMs);
    const people = scores.filter((line) => !line.bot).length;
    this.#page.text("players", `${scores.length} online`);
    this.#page.element("players").title =
      `${people} ${people === 1 ? "person" : "people"}, ${scores.length - people} bots`;
    this.#page.text(
      "ping",
      link.status.kind === "playing"
        ? link.pingMs === undefined
          ? "…"
          : `${Math.round(link.pingMs)} ms`
        : link.status.kind,
    );
    this.#page.element("connection").dataset["state"] =
      link.status.kind === "playing" && (link.pingMs ?? 0) > 150 ? "slow" : link.status.kind;
    this.#page.element("mute").setAttribute("aria-pressed", String(muted));
    this.#page.markup("board", boardOf(scores, own));
    if (link.match !== undefined) this.#match(link.match, link.timeMs, scores, own);
  }

  #match(match: MatchReplica, timeMs: number, scores: readonly ScoreLine[], own: PacReplica | undefined): void {
    const seconds = Math.max(0, Math.ceil((match.endsMs - timeMs) / 1000));
    this.#page.text("match", `match ${match.match}`);
    this.#page.text("clock", match.phase === "play" ? minutesOf(seconds) : "0:00");
    this.#page.element("clock").dataset["hurry"] = String(match.phase === "play" && seconds <= 30);
    if (match.phase !== "over") return;
    const [winner] = rankedOf(scores);
    this.#page.text("match-words", winner?.number === own?.number ? "You won!" : `${winner?.name ?? "Nobody"} won`);
    this.#page.markup("match-board", boardOf(scores, own));
    this.#page.text("match-next", `${seconds} s`);
  }

  #power(own: PacReplica | undefined, nowMs: number): void {
    const powered = own?.condition === "powered" || own?.condition === "fading";
    if (!powered) this.#powerSince = 0;
    else if (this.#powerSince === 0) this.#powerSince = nowMs;
    const left = powered ? Math.max(0, 1 - (nowMs - this.#powerSince) / POWER_MS) : 0;
    const bar = this.#page.element("power");
    bar.style.setProperty("--left", left.toFixed(3));
    bar.hidden = !powered;
  }

  /** A new pellet while the last one still works. */
  renewPower(nowMs: number): void {
    this.#powerSince = nowMs;
  }
}

function minutesOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function rankedOf(scores: readonly ScoreLine[]): ScoreLine[] {
  return [...scores].sort((a, b) => b.score - a.score || a.number - b.number);
}

function boardOf(scores: readonly ScoreLine[], own: PacReplica | undefined): string {
  const ranked = rankedOf(scores);
  const shown = ranked.slice(0, BOARD_LINES);
  const mine = ranked.findIndex((line) => line.number === own?.number);
  if (mine >= BOARD_LINES) shown[BOARD_LINES - 1] = ranked[mine]!;
  return shown
    .map((line) => {
      const self = line.number === own?.number ? ' class="self"' : "";
      const bot = line.bot ? "<small>bot</small>" : "";
      const rank = ranked.indexOf(line) + 1;
      return `<li${self} style="--pac:${playerColour(line.colour)}"><b>${rank}</b><span>${escapeText(line.name)}${bot}</span><em>${line.score.toLocaleString("en")}</em></li>`;
    })
    .join("");
}
