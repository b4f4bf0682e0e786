/**
 * Puts any link under network conditions. A host wraps a link with this class, and can set, change and remove conditions while the link is in use.
 * Without conditions the wrapper passes everything on at once.
 *
 * The wrapper keeps the link's promises. "reliable" messages arrive whole and in order; a loss delays them. If the unreliable channels keep
 * order too (`inOrder`, as on a WebSocket), a loss delays them as well, and everything behind them, as TCP does; otherwise they get lost. When
 * conditions change, no message overtakes another: messages that are on their way when conditions are removed arrive first.
 *
 * Limits of outgoing messages are those of every link (`LinkLimits`), counted over what waits here and in the link. Incoming messages that wait
 * for bandwidth, or to be sent again, may add up to `overflowAfterBytes`; one more message closes the link with "overflow".
 */

import type { Link } from "@nearfield/transport";
import {
  BaseLink,
  type Channel,
  type CloseReason,
  carrierOf,
  DEFAULT_LIMITS,
  type LinkLimits,
} from "@nearfield/transport/internal";
import { type ConditionedPath, changePath, conditionedPath, type PathConditions } from "./conditioned-links.ts";
import type { ConditionedPipe } from "./conditioned-pipe.ts";
import type { Dice } from "./dice.ts";
import type { Clock } from "./virtual-clock.ts";

const CHANNEL_BYTES = 1;
const SEQUENCE_BYTES = 2;
const NO_BYTES = new Uint8Array(0);
/** A goodbye that is still held up after this goes ahead of what it waits for. */
const LINGER_MS = 30_000;

export interface ConditionedLinkOptions {
  /** The limits of the wrapped link, if they are not the defaults; `maxMessageBytes` is always the link's own. */
  readonly limits?: Partial<LinkLimits>;
  /** It has ended: nothing will be sent or handed over any more. */
  readonly onGone?: () => void;
}

export class ConditionedLink extends BaseLink {
  /** As seen by a server: `up` is what comes in here, `down` what goes out. */
  readonly path: ConditionedPath;
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #mostWaitingIn: number;
  readonly #onGone: (() => void) | undefined;
  readonly #out: Way;
  readonly #in: Way;
  #isConditioned = false;

  constructor(link: Link, clock: Clock, dice: Dice, options: ConditionedLinkOptions = {}) {
    const limits = { ...DEFAULT_LIMITS, ...options.limits, maxMessageBytes: link.maxReliableBytes };
    super(link.address, limits, link.maxUnreliableBytes);
    this.origin = link.origin;
    this.path = conditionedPath(clock, dice);
    this.#link = link;
    this.#clock = clock;
    this.#mostWaitingIn = limits.overflowAfterBytes;
    this.#onGone = options.onGone;
    this.#out = new Way(this.path.down);
    this.#in = new Way(this.path.up);
    link.onMessage((channel, bytes) => this.#came(channel, bytes));
    link.onClose((reason) => this.#linkEnded(reason));
  }

  get kind(): string {
    return this.#link.kind;
  }

  get inOrder(): boolean {
    return this.#link.inOrder;
  }

  override get maxUnreliableBytes(): number {
    return this.#link.maxUnreliableBytes;
  }

  get backlogBytes(): number {
    return this.#link.backlogBytes + this.path.down.backlogBytes;
  }

  /** Other conditions from now on; `undefined`: none. */
  change(conditions: PathConditions | undefined): void {
    changePath(this.path, conditions ?? {});
    this.#isConditioned = conditions !== undefined;
  }

  // ── out ────────────────────────────────────────────────────────────────────────────────────────────────────────

  override send(channel: Channel, bytes: Uint8Array): boolean {
    if (this.closeReason !== undefined || this.#takes(this.#out)) return super.send(channel, bytes);
    const frameBytes = bytes.length + this.framingBytes(channel);
    const isSent = this.#link.send(channel, bytes);
    if (isSent) this.counter.countOut(channel, frameBytes, carrierOf(channel, this.inOrder));
    else if (this.#link.closeReason === undefined) this.counter.countStale(channel);
    if (channel === "sequenced") this.#out.passed();
    return isSent;
  }

  protected framingBytes(channel: Channel): number {
    return channel === "sequenced" && !this.inOrder ? CHANNEL_BYTES + SEQUENCE_BYTES : CHANNEL_BYTES;
  }

  protected transmit(channel: Channel, bytes: Uint8Array): void {
    const copy = new Uint8Array(bytes);
    this.#out.carry(this.#message(channel, copy), () => {
      // The link may have gone over to a carrier that takes less.
      if (channel === "reliable" || copy.length <= this.#link.maxUnreliableBytes) this.#link.send(channel, copy);
    });
  }

  protected disconnect(reason: CloseReason): void {
    if (this.#takes(this.#out)) this.#lastly(this.#out, () => this.#link.close(reason));
    else this.#link.close(reason);
    this.#onGone?.();
  }

  // ── in ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  #came(channel: Channel, bytes: Uint8Array): void {
    if (this.closeReason !== undefined) return;
    const message = this.#message(channel, bytes);
    if (!this.#takes(this.#in)) {
      if (channel === "sequenced") this.#in.passed();
      this.#handOver(message);
      return;
    }
    const waiting = this.path.up.backlogBytes;
    if (waiting + message.frameBytes > this.#mostWaitingIn) {
      this.close({ code: "overflow", detail: `${waiting} bytes wait to come in` });
      return;
    }
    this.#in.carry(
      message,
      () => this.#handOver(message),
      () => {
        this.counter.countIn(channel, message.frameBytes, carrierOf(channel, message.inOrder));
        this.counter.countLate(channel);
      },
    );
  }

  #handOver({ channel, bytes, frameBytes, inOrder }: Message): void {
    if (this.closeReason !== undefined) return;
    this.counter.countIn(channel, frameBytes, carrierOf(channel, inOrder));
    this.receive(channel, bytes);
  }

  #linkEnded(reason: CloseReason): void {
    if (this.#takes(this.#in)) this.#lastly(this.#in, () => this.end(reason));
    else this.end(reason);
  }

  protected override end(reason: CloseReason): void {
    if (this.closeReason !== undefined) return;
    super.end(reason);
    this.#onGone?.();
  }

  // ── both ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Whether what goes this way has to go through the pipe. */
  #takes(way: Way): boolean {
    return this.#isConditioned || way.isBusy;
  }

  #message(channel: Channel, bytes: Uint8Array): Message {
    return { channel, bytes, frameBytes: bytes.length + this.framingBytes(channel), inOrder: this.inOrder };
  }

  /** Does `task` behind everything that must arrive. */
  #lastly(way: Way, task: () => void): void {
    let isDone = false;
    const once = (): void => {
      if (!isDone) task();
      isDone = true;
    };
    const cancel = this.#clock.after(LINGER_MS, once);
    way.carry({ channel: "reliable", bytes: NO_BYTES, frameBytes: CHANNEL_BYTES, inOrder: true }, () => {
      cancel();
      once();
    });
  }
}

interface Message {
  readonly channel: Channel;
  readonly bytes: Uint8Array;
  readonly frameBytes: number;
  /** Whether the link that carries it loses nothing. */
  readonly inOrder: boolean;
}

/** One direction: a pipe, and what keeps "sequenced" from going back where the pipe does, or where messages pass beside it. */
class Way {
  readonly #pipe: ConditionedPipe;
  /** Messages in the pipe that must arrive. */
  #awaited = 0;
  /** The last number that a sequenced message was given, and the highest of one that has arrived. */
  #numbered = 0;
  #newest = 0;

  constructor(pipe: ConditionedPipe) {
    this.#pipe = pipe;
  }

  get isBusy(): boolean {
    return this.#awaited > 0;
  }

  /** A sequenced message went past the pipe: those still in it are late. */
  passed(): void {
    this.#numbered += 1;
    this.#newest = this.#numbered;
  }

  carry({ channel, bytes, frameBytes, inOrder }: Message, deliver: () => void, onLate?: () => void): void {
    const isAwaited = inOrder || channel === "reliable";
    const isSequenced = channel === "sequenced";
    if (isAwaited) this.#awaited += 1;
    if (isSequenced) this.#numbered += 1;
    const number = this.#numbered;
    this.#pipe.push({
      channel: isAwaited ? "reliable" : channel,
      bytes,
      frameBytes,
      deliver: () => {
        if (isAwaited) this.#awaited -= 1;
        if (isSequenced && number <= this.#newest) {
          onLate?.();
          return;
        }
        if (isSequenced) this.#newest = number;
        deliver();
      },
    });
  }
}
