/**
 * Players of the whole cluster by their world ids, and the session numbers that they have here. A player of this server has its own; one of another
 * server gets a number of this server, and stands in the room as a visitor while commands of it are carried out here.
 */

import type { WorldId } from "@nearfield/schema";
import { numberOf, originOf, worldId } from "@nearfield/schema/internal";
import type { Player } from "@nearfield/server";
import type { RoomSeam, Visit } from "@nearfield/server/seam";

export class Sessions {
  readonly #seam: RoomSeam;
  readonly #server: number;
  readonly #numbers = new Map<WorldId, number>();
  readonly #players = new Map<number, WorldId>();
  readonly #visits = new Map<WorldId, Visit>();

  constructor(seam: RoomSeam, server: number) {
    this.#seam = seam;
    this.#server = server;
  }

  /** The session number of a player here; 0 for nobody. */
  numberOf(player: WorldId): number {
    if (player === 0) return 0;
    if (originOf(player) === this.#server) return numberOf(player);
    const known = this.#numbers.get(player);
    if (known !== undefined) return known;
    const fresh = this.#seam.takeSession();
    this.#numbers.set(player, fresh);
    this.#players.set(fresh, player);
    return fresh;
  }

  /** The player of a session number; 0 for nobody. */
  playerOf(session: number): WorldId {
    if (session === 0) return 0 as WorldId;
    return this.#players.get(session) ?? worldId(this.#server, session);
  }

  nicknameOf(player: WorldId): string {
    return this.#visits.get(player)?.player.nickname ?? this.#seam.players.get(this.numberOf(player))?.nickname ?? "";
  }

  /** The player as the game sees it here; undefined for a player of this server that has left. */
  standIn(player: WorldId, nickname: string): Player | undefined {
    if (originOf(player) === this.#server) return this.#seam.players.get(numberOf(player));
    const known = this.#visits.get(player);
    if (known !== undefined) return known.player;
    const visit = this.#seam.visit(nickname, this.numberOf(player));
    this.#visits.set(player, visit);
    return visit.player;
  }

  isVisitor(session: number): boolean {
    return this.#visits.has(this.#players.get(session) ?? (0 as WorldId));
  }

  /** A player of another server has nothing here any more. */
  end(player: WorldId): void {
    this.#visits.get(player)?.end();
    this.#visits.delete(player);
  }
}
