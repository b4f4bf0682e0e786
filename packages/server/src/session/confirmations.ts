/**
 * What one session confirms to its client, and when its reliable messages may leave. Without guests that hold rounds, both happen at once.
 * With such a guest, they wait until their round is safe (`Holds`).
 */

import type { HeldStream } from "@nearfield/protocol/internal";
import type { ToClient } from "./session.ts";

/** How far a session had come at the end of a round. */
interface Mark {
  readonly round: number;
  readonly carriedOut: number;
  readonly said: number;
}

export class Confirmations {
  /** Number of the last reliable message of the client that was carried out. */
  carriedOut = 0;
  readonly #stream: HeldStream<ToClient>;
  /** A guest carries later messages out elsewhere, and confirms nothing after this one. */
  cap: number = Number.POSITIVE_INFINITY;
  /** Number of the last carried-out message that may be confirmed; undefined: all may. */
  #upTo: number | undefined;
  readonly #marks: Mark[] = [];

  constructor(stream: HeldStream<ToClient>) {
    this.#stream = stream;
  }

  /** Number of the last reliable message that may be confirmed to the client. */
  get confirmed(): number {
    return Math.min(this.#upTo ?? this.carriedOut, this.cap);
  }

  /** From now on, messages that are said or carried out wait for `letGo` or `letGoUpTo`. */
  holdBack(): void {
    this.#stream.holdBack();
    this.#upTo ??= this.carriedOut;
  }

  /** Notes, at the end of a round, how far this session has come. */
  markRound(round: number): void {
    this.#marks.push({ round, carriedOut: this.carriedOut, said: this.#stream.sent });
  }

  /** Rounds up to this one are safe: lets go what belongs to them. */
  letGoUpTo(round: number): void {
    while (this.#marks.length > 0 && this.#marks[0]!.round <= round) {
      const { carriedOut, said } = this.#marks.shift()!;
      this.#upTo = carriedOut;
      this.#stream.letGo(said);
    }
  }

  /** Nothing is held any more: lets everything go. */
  letGo(): void {
    this.#marks.length = 0;
    this.#upTo = undefined;
    this.#stream.letGo();
  }
}
