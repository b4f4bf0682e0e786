/**
 * Links with a data channel on virtual time, without sockets or WebRTC: an ordered stream stands for the WebSocket, and peers that find each other
 * by their descriptions for WebRTC. The test decides how long each takes, what is lost, and when the UDP path is cut.
 */

import type { VirtualClock } from "@nearfield/netlab/internal";
import {
  BEAT_MS,
  DataChannelLink,
  type Description,
  type Peer,
  type PeerEvents,
  type PeerRequest,
} from "@nearfield/transport/internal";
import { type LinkLimits, resolveLimits } from "../src/limits.ts";
import { frameMessage } from "../src/websocket-framing.ts";

/** Ms that a message waits before it is on the wire. */
const LEAVING_MS = 1;
const FINGERPRINT = Array(32).fill("AB").join(":");

class FakePeer implements Peer {
  readonly description: Description;
  readonly events: PeerEvents;
  bufferedAmount = 0;
  partner: FakePeer | undefined;
  isClosed = false;
  readonly #network: FakeNetwork;

  constructor(network: FakeNetwork, number: number, events: PeerEvents) {
    this.#network = network;
    this.events = events;
    this.description = {
      ufrag: `peer${number}`,
      pwd: "0123456789abcdefghijkl",
      fingerprint: FINGERPRINT,
      candidates: [],
    };
  }

  accept(answer: Description): void {
    const partner = this.#network.find(answer);
    if (partner === undefined) return;
    this.partner = partner;
    partner.partner = this;
    this.#network.later(this.#network.openingMs, () => {
      for (const peer of [this, partner]) if (!peer.isClosed) peer.events.onOpen();
    });
  }

  send(frame: Uint8Array<ArrayBuffer>): void {
    if (this.isClosed || this.partner === undefined) throw new Error("the channel is not open");
    this.bufferedAmount += frame.length;
    this.#network.later(LEAVING_MS, () => {
      this.bufferedAmount -= frame.length;
    });
    this.#network.carry(this, frame, (bytes) => {
      if (this.partner?.isClosed === false) this.partner.events.onMessage(bytes);
    });
  }

  close(): void {
    this.isClosed = true;
  }
}

export class FakeNetwork {
  /** One way, each. */
  tcpMs = 20;
  udpMs = 15;
  /** From the answer to an open channel. */
  openingMs = 30;
  isCut = false;
  /** Which frames on the data channel are lost, by the peer that sends them. */
  loses: (sender: Peer, frame: Uint8Array) => boolean = () => false;
  /** Extra ms that frames on the data channel take. */
  delayMs = 0;
  readonly peers: FakePeer[] = [];
  readonly #clock: VirtualClock;
  #resendMs = 0;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  later(ms: number, task: () => void): void {
    this.#clock.at(this.#clock.nowMs + ms, task);
  }

  carry(sender: Peer, frame: Uint8Array, deliver: (bytes: Uint8Array) => void): void {
    if (this.isCut || this.loses(sender, frame)) return;
    const copy = new Uint8Array(frame);
    this.later(this.udpMs + this.delayMs, () => {
      if (!this.isCut) deliver(copy);
    });
  }

  find({ ufrag }: Description): FakePeer | undefined {
    return this.peers.find(({ description, isClosed }) => description.ufrag === ufrag && !isClosed);
  }

  readonly openPeer = (_request: PeerRequest, events: PeerEvents): Peer => {
    const peer = new FakePeer(this, this.peers.length + 1, events);
    this.peers.push(peer);
    this.later(5, () => {
      if (!peer.isClosed) events.onDescription(peer.description);
    });
    return peer;
  };

  /** Loses the next segment on the WebSocket: it is sent again, and arrives so much later. */
  resendNext(ms: number): void {
    this.#resendMs = ms;
  }

  /** Two ends of one link; they beat by themselves. */
  link(limits: Partial<LinkLimits> = {}, address = "fake:1"): { client: DataChannelLink; server: DataChannelLink } {
    const ends: { client?: DataChannelLink; server?: DataChannelLink } = {};
    const make = (side: "client" | "server", other: "client" | "server"): DataChannelLink => {
      let lastMs = 0;
      /** What follows a segment that was lost waits for it. */
      const inOrder = (task: () => void): void => {
        const arrivalMs = this.#clock.nowMs + this.tcpMs + this.#resendMs;
        this.#resendMs = 0;
        lastMs = Math.max(lastMs, arrivalMs);
        this.#clock.at(lastMs, task);
      };
      const socket = {
        direction: side === "client" ? ("toServer" as const) : ("toClient" as const),
        bufferedAmount: 0,
        send: (...[kind, bytes]: Parameters<typeof frameMessage>) => {
          const frame = frameMessage(kind, bytes);
          socket.bufferedAmount += frame.length;
          this.later(LEAVING_MS, () => {
            socket.bufferedAmount -= frame.length;
          });
          inOrder(() => ends[other]?.acceptFrame(frame));
        },
        close: (status: number, reason: string) => inOrder(() => ends[other]?.socketClosed(status, reason)),
      };
      const stop = this.#clock.every(BEAT_MS, () => ends[side]?.tick());
      return new DataChannelLink(socket, address, resolveLimits(limits), {
        role: side === "client" ? "offers" : "answers",
        openPeer: this.openPeer,
        now: () => this.#clock.nowMs,
        onGone: stop,
      });
    };
    ends.client = make("client", "server");
    ends.server = make("server", "client");
    return { client: ends.client, server: ends.server };
  }
}
