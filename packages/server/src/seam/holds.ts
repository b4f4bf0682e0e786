/**
 * Holds acknowledgements back until a guest has made their round safe. While a round is held, no reliable message that was said in that
 * round or later leaves, and no reliable message of a client that was carried out in it is confirmed. Frames leave as usual: a client may
 * correct a picture later, but it relies on an answer.
 *
 * Each session notes at the end of a round how far it had come (`Confirmations`). A release lets everything leave up to the end of the last
 * round before the oldest one that is still held.
 * Invariant: whatever a client was told reliably, and whatever was confirmed to it, belongs to rounds that nobody holds.
 */

import type { RoomCore } from "../room/room-core.ts";
import type { Release } from "./guest.ts";

export class Holds {
  readonly #room: RoomCore;
  /** How many holds each held round has, oldest round first. */
  readonly #held = new Map<number, number>();
  /** The last round that has ended. */
  #ended = 0;
  /** False from a round's beginning to its commit. Nothing leaves meanwhile, since a guest may still hold the round. */
  #isOpen = true;

  constructor(room: RoomCore) {
    this.#room = room;
  }

  roundBegins(): void {
    this.#isOpen = false;
    for (const session of this.#room.sessions.values()) session.confirmations.holdBack();
  }

  hold(round: number): Release {
    this.#held.set(round, (this.#held.get(round) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = this.#held.get(round)! - 1;
      if (left > 0) this.#held.set(round, left);
      else this.#held.delete(round);
      this.#letGo();
    };
  }

  /** Nobody can hold this round any more. */
  committed(): void {
    this.#isOpen = true;
    this.#letGo();
  }

  roundEnded(round: number): void {
    this.#ended = round;
    if (this.#held.size === 0) return;
    for (const session of this.#room.sessions.values()) session.confirmations.markRound(round);
  }

  /** No guest is left that could release anything. */
  letGoAll(): void {
    this.#held.clear();
    this.#isOpen = true;
    this.#letGo();
  }

  #letGo(): void {
    const [oldest] = this.#held.keys();
    const sessions = [...this.#room.sessions.values()];
    if (oldest === undefined && this.#isOpen) {
      for (const session of sessions) this.#room.serve(session, "release", () => session.confirmations.letGo());
      return;
    }
    const safe = oldest === undefined ? this.#ended : oldest - 1;
    for (const session of sessions) this.#room.serve(session, "release", () => session.confirmations.letGoUpTo(safe));
  }
}
