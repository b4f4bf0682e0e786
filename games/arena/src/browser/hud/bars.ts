/** The bars over the fight, which stays visible behind them: that the player is dead and for how long, whom he watches, and the red veil after a wound. */

import { playerColour } from "@nearfield/kit";
import type { Writer } from "@nearfield/kit/browser";
import { RESPAWN_MS } from "../../state.ts";
import type { Person } from "./feed.ts";

const HURT_MS = 450;

export interface BarState {
  readonly nowMs: number;
  readonly isDead: boolean;
  readonly isSpectator: boolean;
  /** The killer; undefined if the player killed himself, or the killer is not known. */
  readonly killer: Person | undefined;
  readonly watched: Person | undefined;
  readonly hurtMs: number;
  readonly zoomed: boolean;
  readonly health: number;
}

export class Bars {
  readonly #write: Writer;
  #diedMs: number | undefined;

  constructor(write: Writer) {
    this.#write = write;
  }

  update(state: BarState): void {
    const write = this.#write;
    if (!state.isDead) this.#diedMs = undefined;
    else this.#diedMs ??= state.nowMs;
    write.hidden("death", this.#diedMs === undefined);
    write.data("death", "watching", String(state.watched !== undefined));
    if (this.#diedMs !== undefined) this.#showDeath(state, this.#diedMs);
    write.hidden("watching", !(state.isSpectator || (state.isDead && state.watched)));
    write.text("watched", state.watched?.name ?? "nobody yet");
    write.variable("watched", "--colour", state.watched ? playerColour(state.watched.colour) : "#9fb0d8");
    write.hidden("fight", !state.isSpectator);
    const wound = Math.max(0, 1 - (state.nowMs - state.hurtMs) / HURT_MS);
    const low = !state.isDead && state.health > 0 && state.health <= 30 ? 0.35 : 0;
    write.variable("veil", "--hurt", Math.max(wound, low).toFixed(2));
    write.data("veil", "scope", String(state.zoomed));
  }

  #showDeath({ killer, nowMs }: BarState, diedMs: number): void {
    const leftMs = Math.max(0, RESPAWN_MS - (nowMs - diedMs));
    this.#write.text("death-words", killer ? "Fragged by" : "You blew yourself up");
    this.#write.text("killer", killer?.name ?? "");
    this.#write.variable("killer", "--colour", killer ? playerColour(killer.colour) : "#fff");
    this.#write.text("respawn", leftMs > 0 ? String(Math.ceil(leftMs / 1000)) : "…");
    this.#write.variable("respawn", "--share", (1 - leftMs / RESPAWN_MS).toFixed(2));
  }
}
