/** The figures around the fight: health, armour, weapon, ammunition, clock, rank, connection. */

import { type LinkStatus, linkWords, playerColour } from "@nearfield/kit";
import type { Writer } from "@nearfield/kit/browser";
import type { Weapon } from "../../state.ts";
import type { MatchReplica, ScoreLine } from "../network.ts";

/** What the own avatar, or the one that is watched, has. */
export interface Vitals {
  readonly health: number;
  readonly armour: number;
  readonly bullets: number;
  readonly rockets: number;
  readonly weapon: Weapon;
}

export interface HudState {
  readonly vitals: Vitals | undefined;
  readonly match: MatchReplica | undefined;
  /** The server's time, ms. */
  readonly timeMs: number;
  /** Best first. */
  readonly ranked: readonly ScoreLine[];
  readonly ownNumber: number;
  readonly status: LinkStatus;
  readonly pingMs: number;
  readonly linkKind: string;
  readonly muted: boolean;
}

export class Hud {
  readonly #write: Writer;
  /** What the words were last made of: they are not made again of the same. */
  #seconds = Number.NaN;
  #ranked: readonly ScoreLine[] | undefined;
  #ownNumber = 0;

  constructor(write: Writer) {
    this.#write = write;
  }

  update(state: HudState): void {
    this.#vitals(state.vitals);
    this.#clock(state);
    this.#standing(state);
    const write = this.#write;
    const good = state.status.kind === "playing";
    write.text("ping", good ? (state.pingMs < 0 ? "…" : `${Math.round(state.pingMs)} ms`) : state.status.kind);
    write.data("connection", "state", good ? (state.pingMs > 150 ? "slow" : "good") : "bad");
    write.text("link", linkWords(state.linkKind).short);
    write.attribute("mute", "aria-pressed", String(state.muted));
  }

  #vitals(vitals: Vitals | undefined): void {
    const write = this.#write;
    write.hidden("vitals", vitals === undefined);
    write.hidden("arms", vitals === undefined);
    if (!vitals) return;
    write.text("health", String(vitals.health));
    write.text("armour", String(vitals.armour));
    write.variable("health-bar", "--share", String(vitals.health / 100));
    write.variable("armour-bar", "--share", String(vitals.armour / 100));
    write.data("vitals", "low", String(vitals.health <= 30));
    write.text("bullets", String(vitals.bullets));
    write.text("rockets", String(vitals.rockets));
    write.data("arms", "weapon", vitals.weapon);
    write.data("slot-rifle", "empty", String(vitals.bullets === 0));
    write.data("slot-rocket", "empty", String(vitals.rockets === 0));
  }

  #clock({ match, timeMs }: HudState): void {
    if (!match) {
      this.#seconds = Number.NaN;
      return this.#write.text("clock", "–:––");
    }
    const seconds = Math.max(0, Math.ceil((match.endsMs - timeMs) / 1000));
    if (seconds !== this.#seconds)
      this.#write.text("clock", `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
    this.#seconds = seconds;
    this.#write.data("top", "phase", match.phase);
    this.#write.data("top", "hurry", String(match.phase === "play" && seconds <= 30));
  }

  #standing({ ranked, ownNumber, match }: HudState): void {
    if (ranked === this.#ranked && ownNumber === this.#ownNumber) return;
    this.#ranked = ranked;
    this.#ownNumber = ownNumber;
    const at = ranked.findIndex(({ number }) => number === ownNumber);
    const own = ranked[at];
    const leader = ranked[0];
    this.#write.text("frags", own ? String(own.kills) : "–");
    this.#write.text("rank", own ? `${ordinal(at + 1)} of ${ranked.length}` : `${ranked.length} in the arena`);
    this.#write.text("leader", leader ? `${leader.number === ownNumber ? "You" : leader.name} ${leader.kills}` : "");
    this.#write.variable("leader", "--colour", leader ? playerColour(leader.colour) : "#fff");
    this.#write.text("limit", match ? `first to ${match.killLimit}` : "");
  }
}

function ordinal(rank: number): string {
  const teen = rank % 100 > 10 && rank % 100 < 14;
  return `${rank}${teen ? "th" : (["th", "st", "nd", "rd"][rank % 10] ?? "th")}`;
}

/** Best first: most kills, then fewest deaths. */
export function rank(scores: readonly ScoreLine[]): ScoreLine[] {
  return [...scores].sort((a, b) => b.kills - a.kills || a.deaths - b.deaths || a.number - b.number);
}
