/**
 * What all links have in common: limits, counters, messages kept until a handler is set, and a close that is announced
 * once. A subclass for one carrier (memory, WebSocket) adds `transmit`, which sends one accepted message, `disconnect` with a reason, and
 * `backlogBytes`. It reports what the other side did through `receive` and `end`.
 *
 * Invariant: after `onClose` ran, or after `close` was called on this side, the message handler is not called any more.
 */

import { IS_DEVELOPMENT } from "#development";
import { KEPT_MESSAGE_COST, type LinkLimits } from "./limits.ts";
import {
  type Channel,
  type CloseHandler,
  type CloseReason,
  isReasonCode,
  type Link,
  type MessageHandler,
  type Traffic,
  TransportError,
} from "./link.ts";
import { TrafficCounter } from "./traffic.ts";
import { carrierOf } from "./wire-cost.ts";

export abstract class BaseLink implements Link {
  abstract readonly kind: string;
  abstract readonly inOrder: boolean;
  readonly address: string;
  /** Set by the listener that accepted it. */
  origin: string | undefined = undefined;
  readonly maxReliableBytes: number;

  protected readonly counter: TrafficCounter = new TrafficCounter();
  readonly #limits: LinkLimits;
  readonly #maxUnreliableBytes: number;
  #onMessage: MessageHandler | undefined;
  #onClose: CloseHandler | undefined;
  #kept: { channel: Channel; bytes: Uint8Array }[] = [];
  #keptCost = 0;
  #draining = false;
  #reason: CloseReason | undefined;

  constructor(address: string, limits: LinkLimits, maxUnreliableBytes: number) {
    this.address = address;
    this.#maxUnreliableBytes = maxUnreliableBytes;
    this.maxReliableBytes = limits.maxMessageBytes;
    this.#limits = limits;
  }

  get maxUnreliableBytes(): number {
    return this.#maxUnreliableBytes;
  }

  abstract get backlogBytes(): number;

  /** Bytes that a message on this channel would wait behind. */
  protected backlogOf(_channel: Channel): number {
    return this.backlogBytes;
  }

  /** Bytes that our framing adds to a message on this channel. */
  protected abstract framingBytes(channel: Channel): number;

  /** Puts one accepted message on its way; must copy the bytes. */
  protected abstract transmit(channel: Channel, bytes: Uint8Array): void;

  /** Tells the other side, behind everything that was sent on "reliable", and lets the carrier go. */
  protected abstract disconnect(reason: CloseReason): void;

  get traffic(): Traffic {
    return this.counter;
  }

  get closeReason(): CloseReason | undefined {
    return this.#reason;
  }

  send(channel: Channel, bytes: Uint8Array): boolean {
    if (this.#reason !== undefined) return false;
    this.#requireFits(channel, bytes);
    const backlog = this.backlogOf(channel);
    const frameBytes = bytes.length + this.framingBytes(channel);
    if (channel === "reliable") {
      if (backlog + frameBytes > this.#limits.overflowAfterBytes) {
        this.close({ code: "overflow", detail: `${backlog} bytes wait to be sent` });
        return false;
      }
    } else if (backlog > this.#limits.staleAfterBytes) {
      this.counter.countStale(channel);
      return false;
    }
    this.counter.countOut(channel, frameBytes, carrierOf(channel, this.inOrder));
    this.transmit(channel, bytes);
    return true;
  }

  onMessage(handler: MessageHandler): void {
    this.#onMessage = handler;
    this.#drain();
  }

  onClose(handler: CloseHandler): void {
    const announced = this.#reason !== undefined && this.#onClose !== undefined;
    this.#onClose = handler;
    if (this.#reason !== undefined && !announced) this.#announce(this.#reason);
  }

  close(reason: CloseReason): void {
    if (IS_DEVELOPMENT && !isReasonCode(reason.code)) {
      throw new TransportError(
        "bad-reason",
        `close reason code is ${JSON.stringify(reason.code)}, but must be a letter, then up to 39 letters, digits, ".", "_" or "-"`,
      );
    }
    if (this.#reason !== undefined) return;
    this.#forget();
    this.#reason = reason;
    this.disconnect(reason);
    this.#announce(reason);
  }

  /** The carrier brings a message from the other side. */
  protected receive(channel: Channel, bytes: Uint8Array): void {
    if (this.#reason !== undefined) return;
    if (this.#onMessage !== undefined && this.#kept.length === 0) {
      this.#onMessage(channel, bytes);
      return;
    }
    const cost = bytes.length + KEPT_MESSAGE_COST;
    if (this.#keptCost + cost > this.#limits.keptBytes) {
      this.close({ code: "overflow", detail: `${this.#kept.length} messages came and nobody took them` });
      return;
    }
    this.#kept.push({ channel, bytes });
    this.#keptCost += cost;
    this.#drain();
  }

  /**
   * The carrier reports that the link has ended from outside. Messages kept so far can still be taken until `onClose`
   * runs.
   */
  protected end(reason: CloseReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    if (this.#onClose !== undefined) this.#announce(reason);
  }

  #requireFits(channel: Channel, bytes: Uint8Array): void {
    const most = channel === "reliable" ? this.maxReliableBytes : this.maxUnreliableBytes;
    if (bytes.length > most) {
      throw new TransportError(
        "too-large",
        IS_DEVELOPMENT &&
          `message on channel "${channel}" is ${bytes.length} bytes, but at most ${most} fit on link ${this.kind} ${this.address}`,
      );
    }
  }

  /**
   * Hands over kept messages in order, one at a time, so that a handler that throws or closes leaves nothing doubled.
   */
  #drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    try {
      while (this.#onMessage !== undefined) {
        const next = this.#kept.shift();
        if (next === undefined) break;
        this.#keptCost -= next.bytes.length + KEPT_MESSAGE_COST;
        this.#onMessage(next.channel, next.bytes);
      }
    } finally {
      this.#draining = false;
    }
  }

  #announce(reason: CloseReason): void {
    this.#forget();
    this.#onClose?.(reason);
  }

  #forget(): void {
    this.#kept = [];
    this.#keptCost = 0;
  }
}
