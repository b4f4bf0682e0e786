/** A peer connection of the browser, on either side: towards a server it offers, towards another player it may also answer. */

import { type Description, midOf, readSdp, writeSdp } from "../webrtc/description.ts";
import {
  CHANNEL_ID,
  CHANNEL_LABEL,
  GATHERING_MS,
  type Peer,
  type PeerEvents,
  type PeerRequest,
} from "../webrtc/peer.ts";

export class BrowserPeer implements Peer {
  readonly #connection: RTCPeerConnection;
  readonly #channel: RTCDataChannel;
  readonly #events: PeerEvents;
  #isDescribed = false;
  #isAnswered = false;
  #isClosed = false;

  constructor(request: PeerRequest, events: PeerEvents) {
    this.#events = events;
    this.#connection = new RTCPeerConnection({
      iceServers: request.iceServers.map(({ url, ...login }) => ({ urls: url, ...login })),
    });
    this.#channel = this.#connection.createDataChannel(CHANNEL_LABEL, {
      negotiated: true,
      id: CHANNEL_ID,
      ordered: false,
      maxRetransmits: 0,
    });
    this.#channel.binaryType = "arraybuffer";
    this.#listen();
    this.#begin(request.offer).catch(() => this.#lost(request.offer === undefined ? "offer" : "answer"));
  }

  get bufferedAmount(): number {
    return this.#channel.bufferedAmount;
  }

  accept(answer: Description): void {
    if (this.#isClosed || this.#isAnswered) return;
    this.#isAnswered = true;
    const sdp = writeSdp(answer, "answer", midOf(this.#connection.localDescription?.sdp ?? ""));
    this.#connection.setRemoteDescription({ type: "answer", sdp }).catch(() => this.#lost("answer"));
  }

  send(frame: Uint8Array<ArrayBuffer>): void {
    this.#channel.send(frame);
  }

  close(): void {
    this.#isClosed = true;
    this.#connection.close();
  }

  async #begin(offer: Description | undefined): Promise<void> {
    if (offer !== undefined)
      await this.#connection.setRemoteDescription({ type: "offer", sdp: writeSdp(offer, "offer") });
    // It makes an answer where there is an offer to answer.
    await this.#connection.setLocalDescription();
    if (this.#connection.iceGatheringState === "complete") this.#describe();
    else setTimeout(() => this.#describe(), GATHERING_MS);
  }

  #listen(): void {
    const [connection, channel] = [this.#connection, this.#channel];
    connection.addEventListener("icegatheringstatechange", () => {
      if (connection.iceGatheringState === "complete") this.#describe();
    });
    connection.addEventListener("connectionstatechange", () => {
      if (connection.connectionState === "failed") this.#lost("failed");
    });
    connection.addEventListener("datachannel", () => {
      if (!this.#isClosed) this.#events.onForeignChannel();
    });
    channel.addEventListener("open", () => {
      if (!this.#isClosed) this.#events.onOpen();
    });
    channel.addEventListener("close", () => this.#lost("closed"));
    channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (!this.#isClosed) this.#events.onMessage(data instanceof ArrayBuffer ? new Uint8Array(data) : undefined);
    });
  }

  #describe(): void {
    if (this.#isClosed || this.#isDescribed) return;
    const description = readSdp(this.#connection.localDescription?.sdp ?? "");
    if (description === undefined) {
      this.#lost("description");
      return;
    }
    this.#isDescribed = true;
    this.#events.onDescription(description);
  }

  #lost(why: string): void {
    if (!this.#isClosed) this.#events.onLost(why);
  }
}
