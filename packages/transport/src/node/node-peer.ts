/**
 * A peer connection of `node-datachannel`, on either side. Its callbacks come from other threads through the event loop, some of them
 * after `close`; this class ignores those. The callbacks keep this peer alive, and with it the library's objects, until these have ended.
 */

import type { DataChannel, PeerConnection, RtcConfig } from "node-datachannel";
import { type Candidate, type Description, midOf, readSdp, writeSdp } from "../webrtc/description.ts";
import {
  CHANNEL_ID,
  CHANNEL_LABEL,
  GATHERING_MS,
  type Peer,
  type PeerEvents,
  type PeerRequest,
} from "../webrtc/peer.ts";
import type { IceServer } from "../webrtc/signal.ts";
import type { DataChannelLibrary } from "./load-datachannel.ts";
import type { Timers } from "./timers.ts";

/** Bytes past which the library cuts a message that comes: more than ours have, so that a longer one is noticed and refused. */
const MAX_MESSAGE_BYTES = 2048;

export interface NodePeerOptions {
  readonly library: DataChannelLibrary;
  readonly timers: Timers;
  readonly request: PeerRequest;
  readonly events: PeerEvents;
  /** Interface to bind. Default: all. */
  readonly host?: string;
  /** The port that all peers of a server share. Default: any free one for this peer alone. */
  readonly sharedPort?: number;
  /** What is told as this side's candidates, given those that were found. Default: those. */
  readonly announce?: (found: readonly Candidate[]) => readonly Candidate[];
}

export class NodePeer implements Peer {
  readonly #connection: PeerConnection;
  readonly #channel: DataChannel;
  readonly #events: PeerEvents;
  readonly #announce: NodePeerOptions["announce"];
  readonly #cancelGathering: () => void;
  #isDescribed = false;
  #isAnswered = false;
  #isClosed = false;

  constructor(options: NodePeerOptions) {
    const { library, timers, request, events } = options;
    this.#events = events;
    this.#announce = options.announce;
    const connection = new library.PeerConnection(CHANNEL_LABEL, configOf(options));
    this.#connection = connection;
    const settings = { negotiated: true, id: CHANNEL_ID, unordered: true, maxRetransmits: 0 };
    this.#channel = connection.createDataChannel(CHANNEL_LABEL, settings);
    this.#cancelGathering = timers.after(GATHERING_MS, () => this.#describe());
    this.#listen();
    if (request.offer === undefined) {
      connection.setLocalDescription("offer");
    } else {
      connection.setRemoteDescription(writeSdp(request.offer, "offer"), "offer");
      connection.setLocalDescription("answer");
    }
  }

  get bufferedAmount(): number {
    return this.#isClosed ? 0 : this.#channel.bufferedAmount();
  }

  accept(answer: Description): void {
    if (this.#isClosed || this.#isAnswered) return;
    this.#isAnswered = true;
    const mid = midOf(this.#connection.localDescription()?.sdp ?? "");
    try {
      this.#connection.setRemoteDescription(writeSdp(answer, "answer", mid), "answer");
    } catch {
      this.#lost("answer");
    }
  }

  send(frame: Uint8Array<ArrayBuffer>): void {
    this.#channel.sendMessageBinary(frame);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelGathering();
    // The channel ends with it. Closed by itself it would take its handlers away while another thread may be calling them.
    this.#connection.close();
  }

  #listen(): void {
    const [connection, channel] = [this.#connection, this.#channel];
    connection.onGatheringStateChange((state) => {
      if (state === "complete") this.#describe();
    });
    connection.onStateChange((state) => {
      if (state === "failed" || state === "closed") this.#lost(state);
    });
    connection.onDataChannel(() => {
      if (!this.#isClosed) this.#events.onForeignChannel();
    });
    channel.onOpen(() => {
      if (!this.#isClosed) this.#events.onOpen();
    });
    channel.onClosed(() => this.#lost("closed"));
    channel.onError(() => this.#lost("error"));
    channel.onMessage((message) => {
      if (!this.#isClosed) this.#events.onMessage(bytesOf(message));
    });
  }

  #describe(): void {
    if (this.#isClosed || this.#isDescribed) return;
    const description = readSdp(this.#connection.localDescription()?.sdp ?? "");
    if (description === undefined) {
      this.#lost("description");
      return;
    }
    this.#isDescribed = true;
    this.#cancelGathering();
    const candidates = this.#announce?.(description.candidates) ?? description.candidates;
    this.#events.onDescription({ ...description, candidates });
  }

  #lost(why: string): void {
    if (!this.#isClosed) this.#events.onLost(why);
  }
}

function configOf({ request, host, sharedPort }: NodePeerOptions): RtcConfig {
  return {
    iceServers: request.iceServers.map(serverText),
    maxMessageSize: MAX_MESSAGE_BYTES,
    disableAutoNegotiation: true,
    ...(host !== undefined && { bindAddress: host }),
    ...(sharedPort !== undefined && { enableIceUdpMux: true, portRangeBegin: sharedPort, portRangeEnd: sharedPort }),
  };
}

/** The library's form: `turn:user:secret@host:port`. */
function serverText({ url, username, credential }: IceServer): string {
  if (username === undefined) return url;
  const [scheme, rest] = [url.slice(0, url.indexOf(":")), url.slice(url.indexOf(":") + 1)];
  return `${scheme}:${encodeURIComponent(username)}:${encodeURIComponent(credential ?? "")}@${rest}`;
}

function bytesOf(message: string | Buffer | ArrayBuffer): Uint8Array | undefined {
  if (typeof message === "string") return undefined;
  return message instanceof ArrayBuffer ? new Uint8Array(message) : message;
}
