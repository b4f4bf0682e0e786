/**
 * A Link is one connection between two sides, with three channels. Everything above it (protocol, server, client)
 * speaks to this interface alone; what carries the bytes (memory, WebSocket, WebRTC) stays behind it.
 *
 * Invariants every implementation keeps, checked by `test/link-contract.ts`:
 * - "reliable" arrives whole, once and in order; on "sequenced" an older message never arrives after a newer one; "unsequenced" promises only
 *   that messages are whole;
 * - `onClose` runs exactly once, on both sides, and no message is handed over after it;
 * - every queue is bounded, and what happens at its bound is written beside the limit (`limits.ts`).
 */

/**
 * - `reliable`: ordered, never lost; for what must arrive (hello, locks, events).
 * - `sequenced`: may be lost; what is older than something already delivered is dropped; for state.
 * - `unsequenced`: may be lost, doubled or reordered; for messages that do not depend on others.
 */
export type Channel = "reliable" | "sequenced" | "unsequenced";

export const CHANNELS: readonly Channel[] = ["reliable", "sequenced", "unsequenced"];

/** Why a link ended. Upper layers bring codes of their own; the transport's are in `TransportCloseCode`. */
export interface CloseReason {
  /** For programs: a letter, then up to 39 letters, digits, `.`, `_` or `-`. */
  readonly code: string;
  /** For people. May be cut on its way to the other side: a WebSocket carries 123 bytes of reason in all. */
  readonly detail: string;
}

export function isReasonCode(code: string): boolean {
  return /^[A-Za-z][A-Za-z0-9._-]{0,39}$/.test(code);
}

/**
 * Codes the transport itself gives:
 * - `closed`: the other side closed without a reason we can read (for example, a browser tab that went away);
 * - `vanished`: the connection broke without a goodbye, or a peer stopped answering heartbeats;
 * - `overflow`: a bounded queue was full;
 * - `oversized`, `empty`, `text`, `unknown-channel`, `malformed`: what the peer sent breaks the framing;
 * - `signal`: what it sent to set up a data channel breaks the rules of that;
 * - `shutdown`: the listener was closed.
 */
export type TransportCloseCode =
  | "closed"
  | "vanished"
  | "overflow"
  | "oversized"
  | "empty"
  | "text"
  | "unknown-channel"
  | "malformed"
  | "signal"
  | "shutdown";

/**
 * Counters of one channel since the link opened. `bytes` are payload plus our framing, without the carrier's own headers. `packets` and `wireBytes` are what the
 * network below us carries for them, headers included, by the formula of `wire-cost.ts`.
 */
export interface ChannelTraffic {
  readonly messagesOut: number;
  readonly bytesOut: number;
  readonly packetsOut: number;
  readonly wireBytesOut: number;
  /** Everything that reached this side, `lateIn` included. */
  readonly messagesIn: number;
  readonly bytesIn: number;
  readonly packetsIn: number;
  readonly wireBytesIn: number;
  /** Sends refused here because the backlog was past `staleAfterBytes`; they never left. */
  readonly staleOut: number;
  /** Arrivals dropped here because a newer one had been delivered ("sequenced" only). */
  readonly lateIn: number;
}

/**
 * By channel; and `upkeep`, what the link itself sends: beats on the data channel and the signals that set it up. A memory link counts what the
 * network it stands for would carry: a data channel beside a WebSocket, or, if it is `inOrder`, a WebSocket alone.
 */
export type Traffic = Readonly<Record<Channel | "upkeep", ChannelTraffic>>;

export type MessageHandler = (channel: Channel, bytes: Uint8Array) => void;
export type CloseHandler = (reason: CloseReason) => void;

export interface Link {
  /**
   * What carries its unreliable channels: "memory", "websocket", "webrtc". This, `inOrder` and `maxUnreliableBytes` may change while the link is
   * open, so read them when you need them. They do not change inside `send`, with one exception: if `send` finds the data channel dead, the link
   * falls back to the WebSocket.
   */
  readonly kind: string;
  /** The other side, for people: "127.0.0.1:51234", "memory:3". */
  readonly address: string;
  /** The page that opened it, as the browser told the server; undefined on a client's side and outside of browsers. */
  readonly origin?: string | undefined;
  /** Largest message that the unreliable channels take; it travels unfragmented. A longer one throws `too-large`. */
  readonly maxUnreliableBytes: number;
  /** Largest message that the reliable channel takes. A longer one throws `too-large`. */
  readonly maxReliableBytes: number;
  /** True where the unreliable channels in fact arrive in order and whole, and one lost packet blocks all channels. */
  readonly inOrder: boolean;
  /** Bytes that were accepted but are not on the wire yet. */
  readonly backlogBytes: number;
  readonly traffic: Traffic;
  /** Undefined while the link is open. */
  readonly closeReason: CloseReason | undefined;

  /**
   * Sends a message; the bytes are copied before this returns. False: it was dropped here, because the link is closed,
   * or because the channel is unreliable and the backlog is past `staleAfterBytes` (newer state will follow; a late one
   * is worth nothing). On "reliable" a full backlog closes the link with code "overflow". So `onClose` may run inside
   * `send`.
   */
  send(channel: Channel, bytes: Uint8Array): boolean;

  /**
   * Sets the one message handler; messages that came before are handed over at once, in order. The handler must not
   * write to the bytes, and may keep them. What it throws is not caught here: on a socket that ends the process, so a
   * handler that decodes what a peer sent answers bad bytes with `close`.
   */
  onMessage(handler: MessageHandler): void;

  /**
   * Sets the one close handler. It runs once, synchronously, whoever closed; at once if the link has ended already.
   * Set it after `onMessage`: messages that nobody took are dropped when it runs.
   */
  onClose(handler: CloseHandler): void;

  /**
   * The user of the link calls this once it knows the peer. It lifts the limits for strangers. Only links of a listener with such limits have it.
   */
  letIn?(): void;

  /**
   * Ends the link and tells the other side why. What was sent on "reliable" before still arrives there first.
   * Nothing is handed over here any more. Closing twice is harmless: the first reason stays.
   */
  close(reason: CloseReason): void;
}

export interface Listener {
  /** For people: "127.0.0.1:3000", "memory". */
  readonly address: string;
  /** How many it refused before there was a link, by why, since it began. Undefined where it refuses nobody. */
  readonly refused?: ReadonlyMap<string, number>;
  /** Sets the one handler; links that came before are handed over at once. */
  onLink(handler: (link: Link) => void): void;
  /** Takes no more links, closes those it has with code "shutdown", and resolves when all sockets are gone. */
  close(): Promise<void>;
}

export type TransportErrorCode =
  | "too-large"
  | "bad-option"
  | "bad-reason"
  | "closed"
  | "connect-failed"
  | "connect-timeout"
  | "listen-failed"
  | "no-webrtc";

/** A mistake of the caller, or a connection that could not be made. A fault on the wire closes a link instead. */
export class TransportError extends Error {
  readonly code: TransportErrorCode;

  /** @param message false in a production build (`development.ts`). */
  constructor(code: TransportErrorCode, message: string | false, options?: ErrorOptions) {
    super(message === false ? code : message, options);
    this.name = "TransportError";
    this.code = code;
  }
}
