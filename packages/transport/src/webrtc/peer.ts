/** What a link needs of a WebRTC implementation: one peer connection with one data channel, unordered and without retransmission. */

import type { Description } from "./description.ts";
import type { IceServer } from "./signal.ts";

/** Label, and number without negotiation inside the channel, that both sides give it. */
export const CHANNEL_LABEL = "nearfield";
export const CHANNEL_ID = 0;
/** Ms after which a description is sent with the candidates known by then: one dead STUN server holds nobody up for longer. */
export const GATHERING_MS = 1500;

export interface PeerRequest {
  /** What the other side offered; undefined: this side offers. */
  readonly offer: Description | undefined;
  readonly iceServers: readonly IceServer[];
}

/** What a peer reports, never inside the call that made it. */
export interface PeerEvents {
  /** This side's own description is complete: send it to the other. */
  readonly onDescription: (description: Description) => void;
  readonly onOpen: () => void;
  /** A message; text is handed over as undefined. */
  readonly onMessage: (bytes: Uint8Array | undefined) => void;
  /** The other side opened a channel of its own. */
  readonly onForeignChannel: () => void;
  /** It failed, or its channel closed. */
  readonly onLost: (why: string) => void;
}

export interface Peer {
  /** Bytes handed to `send` that have not left. */
  readonly bufferedAmount: number;
  /** What the other side answered to the offer. */
  accept(answer: Description): void;
  /** Sends one message; the bytes are copied. Throws where the channel is closed. */
  send(frame: Uint8Array<ArrayBuffer>): void;
  /** Lets everything go; nothing is reported after it. */
  close(): void;
}

/** Makes a peer; returns the reason where it may not be made ("full"). */
export type OpenPeer = (request: PeerRequest, events: PeerEvents) => Peer | string;
