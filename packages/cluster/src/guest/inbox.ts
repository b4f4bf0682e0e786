/** What other servers have said to this one, until the next round reads it. Bounded: more is dropped; lost news is noticed and asked for again. */

import type { Protocol } from "@nearfield/schema";
import type { Bus } from "../bus/bus.ts";
import type { Message } from "./messages.ts";
import { decodeMessage } from "./messages-codec.ts";

const MOST_WAITING = 10_000;

export class Inbox {
  /** Messages that could not be read or carried out, or did not fit. */
  dropped = 0;
  readonly close: () => void;
  readonly #protocol: Protocol;
  #waiting: Message[] = [];

  constructor(bus: Bus, subject: string, protocol: Protocol) {
    this.#protocol = protocol;
    this.close = bus.subscribe(subject, (payload) => this.#receive(payload));
  }

  /** Reads what has arrived. What is early waits, and with it all that its sender said later. A message that says something impossible is dropped. */
  read(isEarly: (message: Message) => boolean, carryOut: (message: Message) => void): void {
    const waitFor = new Set<number>();
    const messages = this.#waiting;
    this.#waiting = [];
    for (const message of messages) {
      if (waitFor.has(message.from) || isEarly(message)) {
        waitFor.add(message.from);
        this.#waiting.push(message);
        continue;
      }
      try {
        carryOut(message);
      } catch {
        this.dropped += 1;
      }
    }
  }

  #receive(payload: Uint8Array): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.dropped += 1;
      return;
    }
    try {
      this.#waiting.push(decodeMessage(this.#protocol, payload));
    } catch {
      this.dropped += 1;
    }
  }
}
