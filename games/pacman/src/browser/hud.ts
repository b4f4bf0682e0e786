/** The figures around the stage: score, lives, room, players, connection. Written to the page only when they change. */

import { roomIndex } from "../maze.ts";
import { playerColour } from "../palette.ts";
import { POWER_MS } from "../state.ts";
import type { GameLink, PacReplica, ScoreLine } from "./link.ts";

const BOARD_LINES = 8;

export class Hud {
  readonly #root: HTMLElement;
  readonly #written = new Map<string, string>();
  #powerSince = 0;

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  update(
    link: GameLink,
    own: PacReplica | undefined,
    scores: readonly ScoreLine[],
    muted: boolean,
    nowMs: number,
  ): void {
    this.#text("score", (own?.score ?? 0).toLocaleString("en"));
    this.#text(
      "best",
      Math.max(own?.score ?? 0, scores.find((line) => line.number === own?.number)?.best ?? 0).toLocaleString("en"),
    );
    this.#text("room", own ? `(${roomIndex(own.x)},${roomIndex(own.y)})` : "–");
    this.#markup("lives", own ? `<i style="--pac:${playerColour(own.colour)}"></i>`.repeat(own.lives) : "");
    this.#element("lives").setAttribute("aria-label", `${own?.lives ?? 0} lives`);
    this.#power(own, nowMs);
    const people = scores.filter((line) => !line.bot).length;
    this.#text("players", `${scores.length} online`);
    this.#element("players").title = `${people} ${people === 1 ? "person" : "people"}, ${scores.length - people} bots`;
    this.#text(
      "ping",
      link.status.kind === "playing"
        ? link.pingMs === undefined
          ? "…"
          : `${Math.round(link.pingMs)} ms`
        : link.status.kind,
    );
    this.#element("connection").dataset["state"] =
      link.status.kind === "playing" && (link.pingMs ?? 0) > 150 ? "slow" : link.status.kind;
    this.#element("mute").setAttribute("aria-pressed", String(muted));
    this.#markup("board", boardOf(scores, own));
  }

  #power(own: PacReplica | undefined, nowMs: number): void {
    const powered = own?.condition === "powered" || own?.condition === "fading";
    if (!powered) this.#powerSince = 0;
    else if (this.#powerSince === 0) this.#powerSince = nowMs;
    const left = powered ? Math.max(0, 1 - (nowMs - this.#powerSince) / POWER_MS) : 0;
    const bar = this.#element("power");
    bar.style.setProperty("--left", left.toFixed(3));
    bar.hidden = !powered;
  }

  /** A new pellet while the last one still works. */
  renewPower(nowMs: number): void {
    this.#powerSince = nowMs;
  }

  #element(id: string): HTMLElement {
    const element = this.#root.querySelector<HTMLElement>(`#${id}`);
    if (!element) throw new Error(`the page has no #${id}`);
    return element;
  }

  #text(id: string, text: string): void {
    if (this.#written.get(id) === text) return;
    this.#written.set(id, text);
    this.#element(id).textContent = text;
  }

  #markup(id: string, markup: string): void {
    if (this.#written.get(id) === markup) return;
    this.#written.set(id, markup);
    this.#element(id).innerHTML = markup;
  }
}

function boardOf(scores: readonly ScoreLine[], own: PacReplica | undefined): string {
  const ranked = [...scores].sort((a, b) => b.score - a.score || a.number - b.number);
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

/** Nicknames come from strangers. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
