/**
 * The sending half of an accepted WebSocket: puts a message, its channel byte and the WebSocket header (RFC 6455 §5.2) into one buffer and
 * writes it to the TCP socket. `ws` would hand over header and message as two chunks, to be gathered again; a server writes one such
 * frame for every client and round. Everything else is left to `ws`: handshake, reading, pings, closing.
 *
 * Invariant: frames never mix. Every write here is one whole frame, and so is every write of `ws`, since without compression `ws` writes at once.
 */

import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { FRAMING_BYTES, type FrameKind, frameByte } from "../websocket-framing.ts";
import type { SocketPort } from "../websocket-link.ts";
import { webSocketHeaderBytes } from "../wire-cost.ts";

/** First byte of a header: a binary message in one piece. */
const WHOLE_BINARY = 0x82;
const WORD_SIZE = 0x1_0000_0000;

export class FramePort implements SocketPort {
  readonly direction = "toClient";
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #onClose: () => void;

  /**
   * @param stream the connection that `socket` was made of.
   * @param onClose called when the goodbye has been written.
   */
  constructor(socket: WebSocket, stream: Duplex, onClose: () => void = () => {}) {
    this.#socket = socket;
    this.#stream = stream;
    this.#onClose = onClose;
  }

  get bufferedAmount(): number {
    return this.#stream.writableLength;
  }

  send(kind: FrameKind, bytes: Uint8Array): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const length = bytes.length + FRAMING_BYTES;
    const headBytes = webSocketHeaderBytes(this.direction, length);
    const frame = Buffer.allocUnsafe(headBytes + length);
    frame[0] = WHOLE_BINARY;
    if (headBytes === 2) {
      frame[1] = length;
    } else if (headBytes === 4) {
      frame[1] = 126;
      frame.writeUInt16BE(length, 2);
    } else {
      frame[1] = 127;
      frame.writeUInt32BE(Math.floor(length / WORD_SIZE), 2);
      frame.writeUInt32BE(length % WORD_SIZE, 6);
    }
    frame[headBytes] = frameByte(kind);
    frame.set(bytes, headBytes + FRAMING_BYTES);
    this.#stream.write(frame);
  }

  close(status: number, reason: string): void {
    this.#socket.close(status, reason);
    this.#onClose();
  }
}
