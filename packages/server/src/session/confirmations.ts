/**
 * What one session confirms to its client, and when what it says may leave: at once, or, while a guest of the room may hold rounds back, when
 * their round is safe (`Holds`).
 */

import type { ReliableStream } from "@nearfield/protocol/internal";
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
  readonly #stream: ReliableStream<ToClient>;
  /** What of these may be confirmed; undefined: all. */
  #upTo: number | undefined;
  readonly #marks: Mark[] = [];

  constructor(stream: ReliableStream<ToClient>) {
    this.#stream = stream;
  }

  /** Number of the last reliable message that may be confirmed to the client. */
  get confirmed(): number {
    return this.#upTo ?? this.carriedOut;
  }

  /** What is said or carried out from now on waits until it is let go. */
  holdBack(): void {
    this.#stream.holdBack();
    this.#upTo ??= this.carriedOut;
  }

  /** The round has ended: what was said and carried out until here belongs to it or to earlier ones. */
  markRound(round: number): void {
    this.#marks.push({ round, carriedOut: this.carriedOut, said: this.#stream.sent });
  }

  /** Rounds up to this one are safe. */
  letGoUpTo(round: number): void {
    while (this.#marks.length > 0 && this.#marks[0]!.round <= round) {
      const { carriedOut, said } = this.#marks.shift()!;
      this.#upTo = carriedOut;
      this.#stream.letGo(said);
    }
  }

  /** Nothing is held any more. */
  letGo(): void {
    this.#marks.length = 0;
    this.#upTo = undefined;
    this.#stream.letGo();
  }
}
