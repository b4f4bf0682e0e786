/**
 * What a client sent since the last round, as bytes. Links deliver at any time; the round reads at its start. Messages and bytes are
 * bounded; a client that sends more within one round is ended for flooding.
 */

import { ProtocolError } from "@nearfield/protocol/internal";
import type { Channel } from "@nearfield/transport/internal";

export interface Incoming {
  readonly channel: Channel;
  readonly bytes: Uint8Array;
  /** The server's time at which the message came, ms; 0 in rooms without lag compensation. */
  readonly atMs: number;
}

const NOTHING: readonly Incoming[] = [];

export class Inbox {
  #maxMessages: number;
  #maxBytes: number;
  #messages: Incoming[] = [];
  #bytes = 0;
  #flooded: ProtocolError | undefined;

  constructor(maxMessages: number, maxBytes: number) {
    this.#maxMessages = maxMessages;
    this.#maxBytes = maxBytes;
  }

  /** The client was let in, and may send more. */
  widen(maxMessages: number, maxBytes: number): void {
    this.#maxMessages = maxMessages;
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  push(channel: Channel, bytes: Uint8Array, atMs = 0): void {
    if (this.#flooded !== undefined) return;
    this.#bytes += bytes.length;
    if (this.#messages.length >= this.#maxMessages || this.#bytes > this.#maxBytes) {
      this.#messages = [];
      this.#flooded = new ProtocolError(
        "flood",
        `more than ${this.#maxMessages} messages or ${this.#maxBytes} bytes in one round`,
      );
      return;
    }
    this.#messages.push({ channel, bytes, atMs });
  }

  /** Everything that came, oldest first; throws `ProtocolError("flood")` if it was too much. */
  take(): readonly Incoming[] {
    if (this.#flooded !== undefined) throw this.#flooded;
    if (this.#messages.length === 0) return NOTHING;
    const taken = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    return taken;
  }

  /** Takes the first message only: a stranger's hello. */
  takeFirst(): Incoming | undefined {
    if (this.#flooded !== undefined) throw this.#flooded;
    const first = this.#messages.shift();
    if (first !== undefined) this.#bytes -= first.bytes.length;
    return first;
  }
}
