/**
 * One call of the game's `authenticate`, from the hello to the answer. The answer may take its time. It is noted when it comes and used at
 * the start of the next round, so a round depends only on what was there when it began. An answer that comes too late, or never, is a
 * refusal. If the client leaves meanwhile, the answer is dropped.
 */

import { ProtocolError } from "@nearfield/protocol/internal";
import type { Host } from "../host.ts";
import { type Authenticate, type Identity, readAnswer, type Visitor } from "./identity.ts";

export class Authentication {
  readonly #host: Host;
  readonly #sinceMs: number;
  #answer: Identity | ProtocolError | undefined;

  constructor(host: Host, authenticate: Authenticate, visitor: Visitor) {
    this.#host = host;
    this.#sinceMs = host.elapsedMs;
    try {
      const answer = authenticate(visitor);
      if (answer instanceof Promise) {
        answer.then(
          (given) => this.#note(given),
          (error: unknown) => this.#fail(error),
        );
      } else {
        this.#note(answer);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The identity, or undefined while it is not known. Throws `ProtocolError` for a refusal, and when the time is over. */
  result(): Identity | undefined {
    const { elapsedMs, resolved } = this.#host;
    if (this.#answer instanceof ProtocolError) throw this.#answer;
    if (this.#answer === undefined && elapsedMs - this.#sinceMs > resolved.authenticateMs)
      throw new ProtocolError("unavailable", "your credentials were not checked in time; try again later");
    return this.#answer;
  }

  #note(answer: unknown): void {
    try {
      this.#answer = readAnswer(answer);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#answer = new ProtocolError("unavailable", "your credentials could not be checked; try again later");
    this.#host.report(error, "authenticate");
  }
}
