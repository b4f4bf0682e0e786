/**
 * A Link over any WebSocket. The socket itself is a `SocketPort`, so this file is the same for Node and browsers; their
 * entry points make the socket and wire its events to `acceptFrame`, `acceptText`, `socketClosed`.
 *
 * All channels share one ordered TCP stream, so one lost packet blocks all of them (`inOrder`). One thing this link can do
 * about it: it drops state that would wait behind a long backlog before it enters the socket.
 */

import { BaseLink } from "./base-link.ts";
import type { LinkLimits } from "./limits.ts";
import type { Channel, CloseReason } from "./link.ts";
import {
  decodeReason,
  encodeReason,
  FRAMING_BYTES,
  type FrameKind,
  frameByte,
  frameMessage,
  REASON_STATUS,
  unframeMessage,
} from "./websocket-framing.ts";
import type { Direction } from "./wire-cost.ts";

/** What a link needs of a WebSocket. */
export interface SocketPort {
  /** Where it sends: a client's frames carry a mask (RFC 6455 §5.3). */
  readonly direction: Direction;
  readonly bufferedAmount: number;
  /** Sends one binary message: the kind's byte and the bytes, which are copied. */
  send(kind: FrameKind, bytes: Uint8Array): void;
  close(status: number, reason: string): void;
}

/** A client's WebSocket as browsers have it. */
interface PlainSocket {
  readonly bufferedAmount: number;
  send(frame: Uint8Array<ArrayBuffer>): void;
  close(status: number, reason: string): void;
}

export function portOver(socket: PlainSocket): SocketPort {
  return {
    direction: "toServer",
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
    send: (kind, bytes) => socket.send(frameMessage(kind, bytes)),
    close: (status, reason) => socket.close(status, reason),
  };
}

/**
 * Bytes of the longest unreliable message on a WebSocket. TCP has no datagram size, so this only sets how finely stale
 * state can be dropped and how long one frame can hold up the next: 16 KiB are 131 ms at 1 Mbit/s.
 */
const MAX_UNRELIABLE_BYTES = 16 * 1024;

export class WebSocketLink extends BaseLink {
  /** Lifts what strangers are held to; set by a listener that has such limits. */
  onLetIn: (() => void) | undefined = undefined;
  readonly #socket: SocketPort;

  constructor(socket: SocketPort, address: string, limits: LinkLimits) {
    super(address, limits, Math.min(MAX_UNRELIABLE_BYTES, limits.maxMessageBytes));
    this.#socket = socket;
    this.counter.direction = socket.direction;
  }

  get kind(): string {
    return "websocket";
  }

  get inOrder(): boolean {
    return true;
  }

  get backlogBytes(): number {
    return this.#socket.bufferedAmount;
  }

  letIn(): void {
    this.onLetIn?.();
    this.onLetIn = undefined;
  }

  acceptFrame(frame: Uint8Array): void {
    if (this.closeReason !== undefined) return;
    const message = unframeMessage(frame, this.maxReliableBytes);
    if ("fault" in message) {
      this.close(message.fault);
      return;
    }
    const { kind, bytes } = message;
    if (kind === "signal") this.counter.countIn("upkeep", frame.length, "websocket");
    if (kind === "signal" || kind === "numbered") {
      this.acceptBeside(kind, bytes);
      return;
    }
    this.counter.countIn(kind, frame.length, "websocket");
    this.acceptMessage(kind, bytes);
  }

  acceptText(): void {
    this.close({ code: "text", detail: "text messages are not understood" });
  }

  /** The socket gave up by itself: a fault in what the peer sent, or no sign of life. */
  socketFailed(reason: CloseReason): void {
    this.end(reason);
  }

  socketClosed(status: number, text: string): void {
    this.end(decodeReason(status, text));
  }

  /** A whole message of a channel came over the socket. */
  protected acceptMessage(channel: Channel, bytes: Uint8Array): void {
    this.receive(channel, bytes);
  }

  /** What only a link with a data channel beside its socket understands. */
  protected acceptBeside(kind: "signal" | "numbered", _bytes: Uint8Array): void {
    this.close({ code: "unknown-channel", detail: `channel byte ${frameByte(kind)}` });
  }

  protected sendBeside(kind: "signal" | "numbered", bytes: Uint8Array): void {
    if (kind === "signal") this.counter.countOut("upkeep", bytes.length + FRAMING_BYTES, "websocket");
    this.#socket.send(kind, bytes);
  }

  protected framingBytes(_channel: Channel): number {
    return FRAMING_BYTES;
  }

  protected transmit(channel: Channel, bytes: Uint8Array): void {
    this.#socket.send(channel, bytes);
  }

  protected disconnect(reason: CloseReason): void {
    this.#socket.close(REASON_STATUS, encodeReason(reason));
  }
}
