/**
 * Two links in one process, joined by two pipes: for tests on virtual time, and for a server process that is also a
 * player. The pipes stand for a datagram network, so "sequenced" carries a 16-bit number here and late arrivals are
 * dropped. Nothing moves inside `send`: the default pipe delivers on `flush`, a conditioned one when its clock says so.
 */

import { BaseLink } from "./base-link.ts";
import { type LinkLimits, requireWhole, resolveLimits } from "./limits.ts";
import type { Channel, CloseReason } from "./link.ts";
import { ImmediatePipe, type Pipe } from "./pipe.ts";
import { SequenceCounter, SequenceFilter } from "./sequence.ts";
import { carrierOf } from "./wire-cost.ts";

const CHANNEL_BYTES = 1;
const SEQUENCE_BYTES = 2;
const NO_BYTES = new Uint8Array(0);

export interface MemoryLinkOptions {
  /** Bounds of both ends; see `LinkLimits` for the defaults. */
  readonly limits?: Partial<LinkLimits>;
  /** Bytes of the longest unreliable message. Default 1,200: what fits one datagram on any path. */
  readonly maxUnreliableBytes?: number;
  /** From the first link to the second, and back. Default: two of `ImmediatePipe`. A pipe belongs to one link. */
  readonly pipes?: readonly [Pipe, Pipe];
  /** Whether the pipes lose nothing and keep the order, as a socket does, and the links say so. Default false: a datagram network. */
  readonly inOrder?: boolean;
  /** What each link calls its other side. Default: the first sees "memory:second", the second "memory:first". */
  readonly addresses?: readonly [string, string];
}

export class MemoryLink extends BaseLink {
  readonly kind = "memory";
  readonly inOrder: boolean;
  readonly #pipe: Pipe;
  readonly #outgoing: SequenceCounter = new SequenceCounter();
  readonly #incoming: SequenceFilter = new SequenceFilter();
  #peer: MemoryLink | undefined;

  private constructor(address: string, pipe: Pipe, limits: LinkLimits, maxUnreliableBytes: number, inOrder: boolean) {
    super(address, limits, maxUnreliableBytes);
    this.inOrder = inOrder;
    this.#pipe = pipe;
  }

  static pair(options: MemoryLinkOptions = {}): [MemoryLink, MemoryLink] {
    const limits = resolveLimits(options.limits);
    const maxUnreliableBytes = options.maxUnreliableBytes ?? 1200;
    requireWhole("maxUnreliableBytes", maxUnreliableBytes, 1);
    const [forth, back] = options.pipes ?? [new ImmediatePipe(), new ImmediatePipe()];
    const [ofFirst, ofSecond] = options.addresses ?? ["memory:second", "memory:first"];
    const { inOrder = false } = options;
    const first = new MemoryLink(ofFirst, forth, limits, maxUnreliableBytes, inOrder);
    const second = new MemoryLink(ofSecond, back, limits, maxUnreliableBytes, inOrder);
    first.counter.direction = "toServer";
    first.#peer = second;
    second.#peer = first;
    return [first, second];
  }

  get backlogBytes(): number {
    return this.#pipe.backlogBytes;
  }

  /** Delivers what this end has sent, if its pipe waits for that; returns how many packets. */
  flush(): number {
    return this.#pipe.flush();
  }

  /**
   * Ends this side as a crash or a pulled cable would: no goodbye; the other side sees "vanished" when the break
   * reaches it.
   */
  vanish(detail = "the connection broke"): void {
    if (this.closeReason !== undefined) return;
    const reason: CloseReason = { code: "vanished", detail };
    this.disconnect(reason);
    this.end(reason);
  }

  protected framingBytes(channel: Channel): number {
    return channel === "sequenced" ? CHANNEL_BYTES + SEQUENCE_BYTES : CHANNEL_BYTES;
  }

  protected transmit(channel: Channel, bytes: Uint8Array): void {
    const copy = new Uint8Array(bytes);
    const frameBytes = copy.length + this.framingBytes(channel);
    const sequence = channel === "sequenced" ? this.#outgoing.next() : 0;
    this.#pipe.push({
      channel,
      bytes: copy,
      frameBytes,
      deliver: () => this.#peer?.arrive(channel, copy, frameBytes, sequence),
    });
  }

  protected disconnect(reason: CloseReason): void {
    this.#pipe.push({
      channel: "reliable",
      bytes: NO_BYTES,
      frameBytes: CHANNEL_BYTES,
      deliver: () => this.#peer?.end(reason),
    });
  }

  private arrive(channel: Channel, bytes: Uint8Array, frameBytes: number, sequence: number): void {
    if (this.closeReason !== undefined) return;
    this.counter.countIn(channel, frameBytes, carrierOf(channel, this.inOrder));
    if (channel === "sequenced" && !this.#incoming.accept(sequence)) {
      this.counter.countLate(channel);
      return;
    }
    this.receive(channel, bytes);
  }
}

/** Two ends of one connection in memory. `[client, server]`, where it matters to the caller. */
export function memoryLinks(options: MemoryLinkOptions = {}): [MemoryLink, MemoryLink] {
  return MemoryLink.pair(options);
}
