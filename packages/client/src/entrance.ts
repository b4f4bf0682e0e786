/**
 * The time between the hello and the moment the client has joined (docs/guide/sessions.md, "Joining has one order"). The server names the
 * objects of its own that the client has after the round of its `onJoin`. The client has joined when all of them are here. Until then none
 * of the game's handlers runs. Code that awaits the join runs before anything is delivered.
 */

import type { ObjectId } from "@nearfield/schema";
import type { ClientError } from "./errors.ts";
import { Requests } from "./requests.ts";

export class Entrance {
  /** Own objects that are not here yet; undefined until the server has named them. */
  #missing: Set<ObjectId> | undefined;
  #isOver = false;
  readonly #waiting = new Requests<"joined", void>();

  /** Whether the client has joined. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when the client has joined. */
  wait(): Promise<void> {
    return this.#isOver ? Promise.resolve() : this.#waiting.wait("joined");
  }

  /** The server has named the own objects; the last list counts. */
  expect(own: readonly ObjectId[]): void {
    if (!this.#isOver) this.#missing = new Set(own);
  }

  /** Checks after each message what is here, since the next message may remove an object again. */
  look(isHere: (id: ObjectId) => boolean): void {
    if (this.#isOver || this.#missing === undefined) return;
    for (const id of this.#missing) if (isHere(id)) this.#missing.delete(id);
    if (this.#missing.size > 0) return;
    this.#isOver = true;
    this.#waiting.resolve("joined", undefined);
  }

  /** The client has ended; nobody joins any more. */
  rejectAll(error: ClientError): void {
    this.#waiting.rejectAll(error);
  }
}
