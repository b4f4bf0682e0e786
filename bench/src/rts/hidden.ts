/**
 * What a modified client could show: objects that it has in memory and that its side does not see. Under lockstep that is everything of the others that is in the fog. An object that
 * was seen a moment ago may still be in a client's memory: the packet that takes it away is on its way. So only what has been hidden for a second counts.
 */

import { ROUND_MS } from "@nearfield/skirmish";
import type { Match } from "./match.ts";
import type { MatchRoom } from "./match-room.ts";

const HIDDEN_ROUNDS: number = 1000 / ROUND_MS;

export class Hidden {
  /** Summed over rounds and sides: objects that lockstep's clients have, and that ours have. */
  lockstep = 0;
  ours = 0;
  looks = 0;
  readonly #match: Match;
  readonly #room: MatchRoom;
  /** By side and piece: rounds for which it has been hidden, and whose piece that was. */
  readonly #rounds: number[][];
  readonly #handles: number[] = [];

  /** @param room with fog. */
  constructor(match: Match, room: MatchRoom) {
    this.#match = match;
    this.#room = room;
    this.#rounds = Array.from({ length: room.sides }, () => []);
  }

  round(): void {
    const { state } = this.#match.battle;
    const { pieces } = state;
    this.#renew();
    for (let side = 0; side < this.#room.sides; side++) {
      const ids = this.#room.idsOf(side);
      const rounds = this.#rounds[side]!;
      this.looks += 1;
      for (let slot = 0; slot < pieces.high; slot++) {
        const isHidden = pieces.alive[slot] === 1 && !state.seesPiece(side, slot);
        const hidden = isHidden ? (rounds[slot] ?? 0) + 1 : 0;
        rounds[slot] = hidden;
        if (hidden < HIDDEN_ROUNDS) continue;
        this.lockstep += 1;
        const object = this.#room.objectAt(slot);
        if (object !== undefined && ids.has(object.id)) this.ours += 1;
      }
    }
  }

  /** A slot with another piece begins anew. */
  #renew(): void {
    const { pieces } = this.#match.battle.state;
    for (let slot = 0; slot < pieces.high; slot++) {
      const handle = pieces.handleOf(slot);
      if (this.#handles[slot] === handle) continue;
      this.#handles[slot] = handle;
      for (const rounds of this.#rounds) rounds[slot] = 0;
    }
  }
}
