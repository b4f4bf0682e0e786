/**
 * Lets a new client know when it has joined. At the end of the round in which the game's `onJoin` ran, the client is told which objects of
 * its own to wait for. The server watches these objects until the client has them. If one is gone before it arrived, it is taken off the
 * list, and the client is told.
 *
 * Invariant: a client waits for nothing that will never come. Once the client has everything, mostly after one round trip, this costs
 * nothing.
 */

import { MAX_AWAITED } from "@nearfield/protocol/internal";
import type { ObjectId } from "@nearfield/schema";
import type { Session } from "./session.ts";

export class Arrival {
  readonly #session: Session;
  /** Own objects that the client may not have yet; undefined before the first call of `look`. */
  #awaited: Set<ObjectId> | undefined;
  /** Number of the message that carried the list. */
  #told = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Called after the frame of a round was sent. Returns the list that the client must be told, if it is new. */
  look(): readonly ObjectId[] | undefined {
    const { room, player, isPaused, isOut, link } = this.#session;
    if (isPaused || isOut || link === undefined) return undefined;
    const isNew = this.#awaited === undefined;
    this.#awaited ??= new Set([...room.ownership.of(player.id)].slice(0, MAX_AWAITED));
    let hasShrunk = false;
    for (const id of this.#awaited) {
      if (room.model.explain(player.view, id)?.present === true) continue;
      this.#awaited.delete(id);
      hasShrunk = true;
    }
    return isNew || hasShrunk ? [...this.#awaited] : undefined;
  }

  /** The client was told, in the message with this number. */
  told(number: number): void {
    this.#told = number;
  }

  /** Whether the client is known to have the list and everything on it. */
  get isOver(): boolean {
    const { room, player, stream } = this.#session;
    if (this.#awaited === undefined || this.#told === 0 || stream.confirmed < this.#told) return false;
    for (const id of this.#awaited) if (room.model.baseVersion(player.view, id) === 0) return false;
    return true;
  }
}
