/**
 * What a client sent since the last round, as bytes: links deliver at any time, the round reads at its start. Bounded
 * in messages and bytes; a client that sends more within one round floods, and its connection is ended.
 */

import { ProtocolError } from "@nearfield/protocol";
import type { Channel } from "@nearfield/transport/internal";

export interface Incoming {
  readonly channel: Channel;
  readonly bytes: Uint8Array;
  /** The server's time at which it came, ms; 0 in rooms that do not ask. */
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

  /** Its client is known now, and may send more. */
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

  /** The first message only: a stranger's hello. */
  takeFirst(): Incoming | undefined {
    if (this.#flooded !== undefined) throw this.#flooded;
    const first = this.#messages.shift();
    if (first !== undefined) this.#bytes -= first.bytes.length;
    return first;
  }
}
