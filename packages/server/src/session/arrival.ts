/**
 * Sees a new client home: tells it which objects of its own its replica will have, by the end of the round in which the game's `onJoin`
 * ran, so that it knows when it has joined. Watches these objects until the client has them, or knows that it need not wait: one that is
 * gone before it arrived is taken off the list, and the client is told.
 *
 * Invariant: a client waits for nothing that will never come. Costs nothing once the client has everything, mostly one round trip.
 */

import { MAX_AWAITED } from "@nearfield/protocol/internal";
import type { ObjectId } from "@nearfield/schema";
import type { Session } from "./session.ts";

export class Arrival {
  readonly #session: Session;
  /** Own objects that the client is not known to have; undefined before the first look. */
  #awaited: Set<ObjectId> | undefined;
  /** Number of the message that told of them. */
  #told = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** After the frame of a round was sent. Returns the list that the client must be told, if there is a new one. */
  look(): readonly ObjectId[] | undefined {
    const { room, player, isPaused, link } = this.#session;
    if (isPaused || link === undefined) return undefined;
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

  /** The client was told, in the message of that number. */
  told(number: number): void {
    this.#told = number;
  }

  /** Whether the client is known to have the list and all that is on it. */
  get isOver(): boolean {
    const { room, player, stream } = this.#session;
    if (this.#awaited === undefined || this.#told === 0 || stream.confirmed < this.#told) return false;
    for (const id of this.#awaited) if (room.model.baseVersion(player.view, id) === 0) return false;
    return true;
  }
}
