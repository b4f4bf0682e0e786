/**
 * Players of the whole cluster by their world ids, and the session numbers that they have here. A player of this server has its own; one of another
 * server gets a number of this server, and stands in the room as a visitor while commands of it are carried out here.
 */

import type { WorldId } from "@nearfield/schema";
import { numberOf, originOf, worldId } from "@nearfield/schema/internal";
import type { Player } from "@nearfield/server";
import type { RoomSeam, Visit } from "@nearfield/server/seam";

/** Players that changed their gateway of which this is remembered. */
const MOST_RENAMED = 65_536;
/** Changes of gateway that are followed. */
const MOST_STEPS = 16;

interface Count {
  /** Undefined until the first command. */
  readonly token: Uint8Array | undefined;
  readonly base: number;
  readonly last: number;
}

export class Sessions {
  readonly #seam: RoomSeam;
  readonly #server: number;
  readonly #numbers = new Map<WorldId, number>();
  readonly #players = new Map<number, WorldId>();
  readonly #visits = new Map<WorldId, Visit>();
  readonly #renamed = new Map<WorldId, WorldId>();
  /** By session number of this server's players. */
  readonly #counts = new Map<number, Count>();

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

  /**
   * The number of a player's command, given the number that its client gave it. A client that started afresh counts from 1 again, as the change of its
   * secret shows; its commands are counted on.
   */
  count(session: number, token: Uint8Array, number: number): number {
    const known = this.#counts.get(session);
    const isKnown = known !== undefined && (known.token === undefined || known.token === token);
    const base = isKnown ? known.base : (known?.last ?? 0);
    // A round carries out writes first, so a later number may come before an earlier one.
    this.#counts.set(session, { token, base, last: Math.max(isKnown ? known.last : 0, base + number) });
    return base + number;
  }

  /** What is to be taken from the numbers of a player's commands to get those of its client. */
  baseOf(session: number): number {
    return this.#counts.get(session)?.base ?? 0;
  }

  /** A player of another gateway goes on here: its client goes on counting, or began afresh. */
  countFrom(session: number, base: number): void {
    this.#counts.set(session, { token: undefined, base, last: base });
  }

  /** A player goes on under another id. */
  rename(player: WorldId, to: WorldId): void {
    this.#renamed.delete(player);
    this.#renamed.set(player, to);
    const [oldest] = this.#renamed.keys();
    if (this.#renamed.size > MOST_RENAMED) this.#renamed.delete(oldest!);
  }

  /** The id of a player as it is now. */
  nowOf(player: WorldId): WorldId {
    let now = player;
    // Bounded: ids that two servers gave each other at once may point at each other.
    for (let step = 0; step < MOST_STEPS; step++) now = this.#renamed.get(now) ?? now;
    return now;
  }

  /** A player of this server has left. */
  forget(session: number): void {
    this.#counts.delete(session);
  }

  /** A player of another server has nothing here any more. */
  end(player: WorldId): void {
    this.#visits.get(player)?.end();
    this.#visits.delete(player);
  }
}
