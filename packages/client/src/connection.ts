/**
 * The connection's states, and the links that come and go beneath them (docs/connection-states.md):
 *
 *     connecting ─ welcome ─▶ active ─ link lost ─▶ reconnecting ─ welcome ─▶ active
 *         └───── refused, too late ─────▶ ended ◀── bye, refused, too late ──┘
 *
 * Knows no timer: `tick` is called with the time and decides whether to connect again or to give up. A link that is
 * lost is replaced; what must not be lost with it is the client's reliable stream's business.
 */

import type { Reason } from "@nearfield/protocol/internal";
import type { Link } from "@nearfield/transport";
import type { Channel } from "@nearfield/transport/internal";

export const CONNECTION_STATES = ["connecting", "active", "reconnecting", "ended"] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

export interface ReconnectOptions {
  /** Wait before the first new attempt, ms. Default 200; each further wait is twice as long. */
  readonly firstMs: number;
  /** Longest wait between attempts, ms. Default 5,000. */
  readonly longestMs: number;
  /**
   * How long the client tries to get its first welcome, ms. Meanwhile a server that is just starting, or a link that is lost before the
   * welcome, is tried again. Default 5,000; 0: one attempt. With a larger value a player learns later that no server is there.
   */
  readonly joinMs: number;
  /** Nothing heard for this long counts as a lost link, ms. Default 5,000. */
  readonly silentMs: number;
}

export const DEFAULT_RECONNECT: ReconnectOptions = Object.freeze({
  firstMs: 200,
  longestMs: 5000,
  joinMs: 5000,
  silentMs: 5000,
});

export interface ConnectionOptions {
  readonly connect: () => Link | Promise<Link>;
  readonly reconnect: ReconnectOptions;
  /** From 0 to 1: spreads the waits of many clients. */
  readonly random: () => number;
  /** A link is open: say hello. */
  readonly onOpen: () => void;
  readonly onMessage: (channel: Channel, bytes: Uint8Array) => void;
  /** The link has closed. Read what came over it before: the server's last message may be among it. */
  readonly onClosed: () => void;
  /** The link has closed without a goodbye: the session is kept. */
  readonly onLost: () => void;
  readonly onState: (state: ConnectionState, reason: Reason | undefined) => void;
}

/**
 * The most silence that is counted between two ticks. A page that stood still for longer must first read what came meanwhile before it
 * judges its link.
 */
const LONGEST_TICK_MS = 1000;

export class Connection {
  readonly #options: ConnectionOptions;
  #state: ConnectionState = "connecting";
  #reason: Reason | undefined;
  #link: Link | undefined;
  /** Counts attempts, so that an answer to an old attempt is recognised. */
  #attempt = 0;
  #waiting = false;
  #failures = 0;
  #retryAtMs = 0;
  /** When the first attempt began; −1 before. */
  #beganAtMs = -1;
  #lostAtMs = 0;
  /** Time in which nothing was heard. Time in which nobody listened does not count. */
  #silenceMs = 0;
  #keptForMs = 0;
  #nowMs = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Why it ended. */
  get reason(): Reason | undefined {
    return this.#reason;
  }

  get link(): Link | undefined {
    return this.#link;
  }

  /** How long nothing was heard while somebody listened, ms. */
  get silenceMs(): number {
    return this.#silenceMs;
  }

  /** Time has passed. */
  tick(nowMs: number): void {
    this.#silenceMs += Math.min(nowMs - this.#nowMs, LONGEST_TICK_MS);
    this.#nowMs = nowMs;
    if (this.#beganAtMs < 0) this.#beganAtMs = nowMs;
    if (this.#state === "ended") return;
    if (this.#link !== undefined) {
      if (this.#silenceMs > this.#options.reconnect.silentMs) {
        this.#link.close({ code: "silent", detail: `nothing heard for ${Math.round(this.#silenceMs)} ms` });
      }
      return;
    }
    if (this.#state === "reconnecting" && nowMs - this.#lostAtMs > this.#keptForMs) {
      this.end({ code: "session-gone", detail: `no connection for ${Math.round(nowMs - this.#lostAtMs)} ms` });
    } else if (!this.#waiting && nowMs >= this.#retryAtMs) {
      this.#open();
    }
  }

  /** Something arrived: the link lives. */
  heard(): void {
    this.#silenceMs = 0;
  }

  /** The server let us in. After a loss it keeps the session for `keptForMs`. */
  welcomed(keptForMs: number): void {
    this.#keptForMs = keptForMs;
    this.#failures = 0;
    this.#enter("active");
  }

  /** Ends the connection for good. */
  end(reason: Reason): void {
    if (this.#state === "ended") return;
    this.#reason = reason;
    const link = this.#link;
    this.#link = undefined;
    this.#attempt += 1;
    this.#enter("ended", reason);
    link?.close(reason);
  }

  send(channel: Channel, bytes: Uint8Array): void {
    this.#link?.send(channel, bytes);
  }

  #open(): void {
    this.#attempt += 1;
    const attempt = this.#attempt;
    this.#waiting = true;
    const opened = (link: Link): void => {
      if (attempt === this.#attempt) this.#opened(link);
      else link.close({ code: "left", detail: "too late" });
    };
    try {
      const link = this.#options.connect();
      if ("then" in link)
        link.then(opened, (error: unknown) => attempt === this.#attempt && this.#failed(String(error)));
      else opened(link);
    } catch (error) {
      this.#failed(String(error));
    }
  }

  #opened(link: Link): void {
    this.#waiting = false;
    this.#link = link;
    this.#silenceMs = 0;
    link.onMessage((channel, bytes) => {
      if (this.#link === link) this.#options.onMessage(channel, bytes);
    });
    link.onClose(({ detail }) => {
      if (this.#link === link) this.#options.onClosed();
      if (this.#link === link) this.#failed(detail);
    });
    if (this.#link === link) this.#options.onOpen();
  }

  /** The link is lost, or could not be opened. */
  #failed(detail: string): void {
    this.#waiting = false;
    this.#link = undefined;
    const { firstMs, longestMs, joinMs } = this.#options.reconnect;
    const waitMs = Math.min(longestMs, firstMs * 2 ** this.#failures);
    this.#retryAtMs = this.#nowMs + waitMs * (0.5 + this.#options.random() / 2);
    this.#failures += 1;
    if (this.#state === "connecting" && this.#retryAtMs - this.#beganAtMs > joinMs) {
      const tries = this.#failures === 1 ? "" : ` (tried ${this.#failures} times)`;
      this.end({ code: "link", detail: `${detail}${tries}` });
    }
    if (this.#state === "active") {
      this.#lostAtMs = this.#nowMs;
      this.#enter("reconnecting");
      this.#options.onLost();
    }
  }

  #enter(state: ConnectionState, reason?: Reason): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState(state, reason);
  }
}
