/**
 * Tells players what happened in a step, each only what it may know: a blast goes to those who see the place or lost the piece, and look there;
 * an alarm goes to the side that is attacked; a refusal to who gave the order.
 */

import { type Player, type Room, to } from "@nearfield/server";
import type { BattleState } from "../rules/battle-state.ts";
import { Blast, Refused, UnderAttack } from "../shared.ts";
import type { Refusal } from "../state.ts";
import type { Seats } from "./seats.ts";

/** Blasts in this zone of a player, or a nearer one, are shown. */
const SHOWN_ZONE = 1;
/** Largest size that a blast can have on the wire. */
const LARGEST_BLAST = 63;
const UNRELIABLE = { unreliable: true } as const;

export class Heralds {
  readonly #room: Room;
  readonly #seats: Seats;

  constructor(room: Room, seats: Seats) {
    this.#room = room;
    this.#seats = seats;
  }

  /** Called after each step. */
  tell(state: BattleState): void {
    const { blasts, alarms, refusals } = state.happenings;
    for (const { x, y, size, side } of blasts) this.#blast(state, x, y, size, side);
    for (const { side, x, y } of alarms) {
      const player = this.#seats.playerOf(side);
      if (player !== undefined) this.#room.emit(UnderAttack, { x, y }, to(player));
    }
    for (const { side, reason } of refusals) {
      const player = this.#seats.playerOf(side);
      if (player !== undefined) this.refuse(player, reason);
    }
  }

  refuse(player: Player, reason: Refusal): void {
    this.#room.emit(Refused, { reason }, to(player));
  }

  #blast(state: BattleState, x: number, y: number, size: number, loser: number): void {
    const { model, players } = this.#room;
    const audience: Player[] = [];
    for (const player of players.values()) {
      if (!this.#sees(state, player, x, y, loser)) continue;
      if (model.zoneAt(player.view, [x, y]) <= SHOWN_ZONE) audience.push(player);
    }
    if (audience.length === 0) return;
    const values = { x, y, size: Math.min(LARGEST_BLAST, Math.ceil(size)) };
    this.#room.emit(Blast, values, to(...audience), UNRELIABLE);
  }

  #sees({ vision }: BattleState, player: Player, x: number, y: number, loser: number): boolean {
    if (player.role === "spectator") return true;
    const side = this.#seats.sideOf(player);
    return side !== undefined && (side === loser || vision.sees(side, x, y));
  }
}
