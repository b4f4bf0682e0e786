/**
 * The time between the hello and the game's first turn (docs/guide/sessions.md, "Joining has one order"). A client has joined when the
 * server has said which objects of its own the round of its `onJoin` left it with, and all of them are here. Until then none of the
 * game's handlers runs; whoever waits for it is told, and has the turn before anything is delivered.
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

  /** Something has arrived. Called after each message, since what comes may go again with the next. */
  look(isHere: (id: ObjectId) => boolean): void {
    if (this.#isOver || this.#missing === undefined) return;
    for (const id of this.#missing) if (isHere(id)) this.#missing.delete(id);
    if (this.#missing.size > 0) return;
    this.#isOver = true;
    this.#waiting.resolve("joined", undefined);
  }

  /** The client has ended; nobody joins any more. */
  fail(error: ClientError): void {
    this.#waiting.rejectAll(error);
  }
}
