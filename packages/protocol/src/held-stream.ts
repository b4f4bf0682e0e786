/** A reliable stream that can hold messages back: the server's, whose guests may have to make a round safe before anybody hears of it. */

import { ReliableStream } from "./reliable-stream.ts";

export class HeldStream<M> extends ReliableStream<M> {
  /** Messages after this one are held back for now. */
  #openUpTo = Number.POSITIVE_INFINITY;

  protected override get open(): number {
    return Math.min(this.sent, this.#openUpTo);
  }

  /** Messages that are pushed from now on wait for `letGo`. */
  holdBack(): void {
    this.#openUpTo = this.open;
  }

  /** Messages up to this number, which must have been pushed already, may leave. Default: all may, also those still to come. */
  letGo(upTo: number = Number.POSITIVE_INFINITY): void {
    const from = this.#openUpTo;
    if (upTo <= from) return;
    this.#openUpTo = upTo;
    this.sendAfter(from);
  }
}
