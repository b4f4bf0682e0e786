/**
 * A question to the game's `authenticate`, from the hello to its answer. The hook may take its time: the answer is noted when it comes and
 * used at the start of the next round, so that rounds stay a function of what was there when they began. One that comes too late, or not
 * at all, is a refusal; one that comes after the client has gone is dropped with the question.
 */

import { ProtocolError } from "@nearfield/protocol";
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

  /** The identity, once it is known; undefined before. Throws `ProtocolError` for a refusal, and when the time is over. */
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
