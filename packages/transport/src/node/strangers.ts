/**
 * Limits of a listener for the beginning and the end of a link. Before a link is let in, its peer is a stranger and may send only a few bytes.
 * Otherwise a stranger could start a message of a mebibyte on each of its connections and never finish it. All bytes of the socket count, those of
 * unfinished messages too. After a goodbye, a stranger's socket is destroyed as soon as the reason has had time to leave, and only a limited
 * number of bytes is read from any peer.
 */

import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { WebSocketLink } from "../websocket-link.ts";
import type { Timers } from "./timers.ts";

/** Ms that a stranger's socket is kept after its goodbye was written, so that the reason arrives; nothing is read meanwhile. */
const LAST_WORD_MS = 100;
/** Bytes that are read of a peer after its goodbye was written, waiting for its own. */
const MOST_AFTERWARDS = 64 * 1024;

/** Keeps the count of one socket's bytes. */
export class Holding {
  readonly #stream: Duplex;
  readonly #socket: WebSocket;
  readonly #timers: Timers;
  #most: number;
  #bytes = 0;
  #isStranger = true;

  constructor(socket: WebSocket, stream: Duplex, timers: Timers, mostBytes: number) {
    this.#socket = socket;
    this.#stream = stream;
    this.#timers = timers;
    this.#most = mostBytes;
  }

  /** From now on the link may send only the bytes that a stranger may. */
  hold(link: WebSocketLink): void {
    if (this.#most === Number.POSITIVE_INFINITY) return this.#letIn();
    this.#stream.on("data", this.#count);
    this.#onTooMuch = () => link.close({ code: "flood", detail: `more than ${this.#most} bytes before it was let in` });
    link.onLetIn = () => this.#letIn();
  }

  /** The goodbye has been written. */
  sentAway(): void {
    if (!this.#isStranger) {
      this.#most = MOST_AFTERWARDS;
      this.#stream.on("data", this.#count);
      return;
    }
    this.#stream.off("data", this.#count);
    this.#stream.pause();
    this.#stream.end();
    this.#timers.after(LAST_WORD_MS, () => this.#stream.destroy());
  }

  #onTooMuch: () => void = () => {};

  #letIn(): void {
    this.#isStranger = false;
    this.#bytes = 0;
    this.#stream.off("data", this.#count);
  }

  readonly #count = (chunk: Buffer): void => {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#most) return;
    this.#onTooMuch();
    this.#socket.terminate();
  };
}
