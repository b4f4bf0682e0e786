/**
 * Reliable messages that outlive their link. A link's reliable channel loses nothing while the link stands. This stream numbers the
 * messages and keeps those that the other side has not confirmed. After a reconnect both sides tell the last number that they received, and
 * the rest is sent again. Invariant: over all links of a session each message is delivered once, in order.
 *
 * Confirmations need no messages of their own: they travel in frames (to the client) and in acks (to the server).
 * Why so: docs/decisions/0005-reliable-stream-across-reconnects.md.
 */

import { IS_DEVELOPMENT } from "@nearfield/schema/internal";
import { ProtocolError } from "./reasons.ts";
import { short, unwrap } from "./sequence.ts";

export interface ReliableStreamLimits {
  /** Most unconfirmed messages. Default 4,096; one more ends the session with "overflow". Must stay below 32,768. */
  readonly maxMessages: number;
  /**
   * Most unconfirmed bytes. Default 1 MiB; past it the session ends with "overflow". Costs that much memory per stalled
   * peer.
   */
  readonly maxBytes: number;
}

export const RELIABLE_STREAM_LIMITS: ReliableStreamLimits = Object.freeze({ maxMessages: 4096, maxBytes: 1024 * 1024 });

export class ReliableStream<M> {
  readonly #encode: (message: M, number: number) => Uint8Array;
  readonly #limits: ReliableStreamLimits;
  /** Encoded messages `#confirmed + 1 … #sent`, oldest first, from index `#head` on. */
  #kept: Uint8Array[] = [];
  #head = 0;
  #keptBytes = 0;
  #sent = 0;
  #confirmed = 0;
  #heard = 0;
  /** The next message that arrives may follow some that never arrive here. */
  #mayMiss = false;
  #send: ((bytes: Uint8Array) => void) | undefined;

  /** @param encode puts a message and the low 16 bits of its number into bytes. */
  constructor(
    encode: (message: M, number: number) => Uint8Array,
    limits: ReliableStreamLimits = RELIABLE_STREAM_LIMITS,
  ) {
    this.#encode = encode;
    this.#limits = limits;
  }

  /** Number of the last message pushed; the first is 1. */
  get sent(): number {
    return this.#sent;
  }

  /** Number of the last message the other side has confirmed. */
  get confirmed(): number {
    return this.#confirmed;
  }

  /** Number of the last message received: what this side confirms. */
  get heard(): number {
    return this.#heard;
  }

  /** Number of the last message that may leave (`HeldStream`). */
  protected get open(): number {
    return this.#sent;
  }

  /** Numbers a message, keeps it, and sends it if a link is attached and the message is not held back. Returns its number. */
  push(message: M): number {
    const bytes = this.#encode(message, short(this.#sent + 1));
    if (
      this.#sent - this.#confirmed >= this.#limits.maxMessages ||
      this.#keptBytes + bytes.length > this.#limits.maxBytes
    ) {
      throw new ProtocolError(
        "overflow",
        IS_DEVELOPMENT &&
          `${this.#sent - this.#confirmed} reliable messages of ${this.#keptBytes} bytes are unconfirmed (at most ${this.#limits.maxMessages} of ${this.#limits.maxBytes})`,
      );
    }
    this.#sent += 1;
    this.#keptBytes += bytes.length;
    this.#kept.push(bytes);
    if (this.#sent <= this.open) this.#send?.(bytes);
    return this.#sent;
  }

  /** The other side has everything up to `heard` (the low 16 bits). */
  confirm(heard: number): void {
    const number = unwrap(heard, this.#confirmed);
    if (number > this.open) {
      throw new ProtocolError(
        "unexpected",
        IS_DEVELOPMENT && `message ${number} is confirmed, but only ${this.open} were sent`,
      );
    }
    while (this.#confirmed < number) {
      this.#confirmed += 1;
      this.#keptBytes -= this.#kept[this.#head]!.length;
      this.#head += 1;
    }
    if (this.#head > 64 && this.#head * 2 > this.#kept.length) {
      this.#kept = this.#kept.slice(this.#head);
      this.#head = 0;
    }
  }

  /**
   * Takes note of a message that arrived. False: it came before and must not be delivered again. A gap cannot happen on an honest link, so
   * it ends the connection.
   */
  accept(number: number): boolean {
    const whole = unwrap(number, this.#heard);
    if (whole <= this.#heard) return false;
    if (whole !== this.#heard + 1 && !this.#mayMiss) {
      throw new ProtocolError("malformed", IS_DEVELOPMENT && `reliable message ${whole} came after ${this.#heard}`);
    }
    this.#heard = whole;
    this.#mayMiss = false;
    return true;
  }

  /**
   * Another stream has received everything up to this message. `mayMiss`: and perhaps some more, those before the first one that arrives here. A new stream on
   * the other side counts from 1 again (0).
   */
  goOnAfter(heard: number, mayMiss: boolean): void {
    this.#heard = heard;
    this.#mayMiss = mayMiss;
  }

  /** Sends over this link from now on, beginning with everything unconfirmed. First call `confirm` with what the other side told. */
  attach(send: (bytes: Uint8Array) => void): void {
    this.#send = send;
    this.sendAfter(this.#confirmed);
  }

  /** Puts other bytes in the place of unconfirmed messages, before they are sent again. */
  rewrite(change: (bytes: Uint8Array, number: number) => Uint8Array): void {
    this.#kept = this.#kept.slice(this.#head).map((bytes, i) => change(bytes, short(this.#confirmed + 1 + i)));
    this.#head = 0;
    this.#keptBytes = this.#kept.reduce((sum, { length }) => sum + length, 0);
  }

  /** The link is gone; messages are kept until the next one. */
  detach(): void {
    this.#send = undefined;
  }

  /** Sends every message that may leave and follows this one. */
  protected sendAfter(last: number): void {
    for (let number = last + 1; number <= this.open; number++)
      this.#send?.(this.#kept[this.#head + number - this.#confirmed - 1]!);
  }
}
