/**
 * Real WebRTC over loopback: one UDP port for all, cuts and returns, and peers that do what they may not. Packets take as long as they take; the time
 * by which links judge a silence passes when the test says so, so that a busy machine is none.
 */

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { VirtualClock } from "@nearfield/netlab/internal";
import type { Link } from "@nearfield/transport";
import { BEAT_MS, TransportError } from "@nearfield/transport/internal";
import { connectWebSocket, type Timers, type UdpOptions, UdpPort, WebSocketListener } from "@nearfield/transport/node";
import { PeerConnection } from "node-datachannel";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Description, readSdp, writeSdp } from "../src/webrtc/description.ts";
import { decodeSignal, encodeSignal, type Signal } from "../src/webrtc/signal.ts";
import { SIGNALS_PROTOCOL } from "../src/webrtc/subprotocols.ts";
import { frameMessage, unframeMessage } from "../src/websocket-framing.ts";
import { timersOn } from "./hand-timers.ts";

const LOOPBACK = "127.0.0.1";
const disposals: (() => unknown)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

async function listen(options: UdpOptions = {}): Promise<{ udp: UdpPort; listener: WebSocketListener; links: Link[] }> {
  const udp = await UdpPort.open({ host: LOOPBACK, ...options });
  disposals.push(() => udp.close());
  const { timers } = options;
  const listener = await WebSocketListener.listen({ port: 0, host: LOOPBACK, udp, ...(timers && { timers }) });
  disposals.push(() => listener.close());
  const links: Link[] = [];
  listener.onLink((link) => links.push(link));
  return { udp, listener, links };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(2);
}

const kindsOf = (links: readonly Link[]): string[] => links.map(({ kind }) => kind);

/** Three clients of one port, in the same order on both sides. */
class Trio {
  readonly clock: VirtualClock = new VirtualClock();
  readonly timers: Timers = timersOn(this.clock);
  readonly clients: Link[] = [];

  async join(listener: WebSocketListener, links: readonly Link[]): Promise<void> {
    for (let count = 1; count <= 3; count++) {
      this.clients.push(await connectWebSocket(listener.url, { udp: true, timers: this.timers }));
      await until(() => links.length === count);
      const link = links.at(-1)!;
      link.onMessage((channel, bytes) => link.send(channel, bytes));
    }
  }

  /**
   * Beats until it is so, and returns how many ms that took. Between two beats each of the clients that are told hears an echo, so whatever the
   * last beat sent over the same path is answered too.
   */
  async until(isSo: () => boolean, heard: readonly Link[]): Promise<number> {
    const startMs = this.clock.nowMs;
    while (!isSo()) {
      this.clock.advance(BEAT_MS);
      await Promise.all(heard.map(echo));
      await pause(20);
    }
    return this.clock.nowMs - startMs;
  }
}

async function echo(link: Link): Promise<void> {
  let isHeard = false;
  link.onMessage(() => {
    isHeard = true;
  });
  while (!isHeard) {
    link.send("unsequenced", Uint8Array.of(1));
    await pause(2);
  }
}

describe("UdpPort", () => {
  it("carries several clients on one port; each falls back by itself within 3 s of a cut, and returns", async () => {
    const trio = new Trio();
    const { clients } = trio;
    const { udp, listener, links } = await listen({ timers: trio.timers });
    await trio.join(listener, links);
    const all = ["webrtc", "webrtc", "webrtc"];
    const areCarried = (): boolean => kindsOf([...clients, ...links]).join() === [...all, ...all].join();
    await trio.until(areCarried, clients);
    expect(udp.peers).toBe(3);
    const [others, cut] = [[clients[0]!, clients[2]!], links[1]!];
    expect(udp.cut(cut.address)).toBe(true);
    expect(udp.cut("192.0.2.1:1")).toBe(false);
    const tookMs = await trio.until(() => kindsOf([clients[1]!, cut]).join() === "websocket,websocket", others);
    expect(tookMs).toBeGreaterThan(1000);
    expect(tookMs).toBeLessThan(3000);
    expect(kindsOf(clients)).toEqual(["webrtc", "websocket", "webrtc"]);
    expect(kindsOf(links)).toEqual(["webrtc", "websocket", "webrtc"]);
    udp.restore(cut.address);
    expect(await trio.until(areCarried, clients)).toBeLessThan(3000);
    clients[0]!.close({ code: "done", detail: "" });
    await until(() => udp.peers === 2);
  });

  it("lets no more peers in than it may; the others stay on their WebSocket", async () => {
    const { udp, listener, links } = await listen({ maxPeers: 1 });
    const first = await connectWebSocket(listener.url, { udp: true });
    await until(() => first.kind === "webrtc");
    const second = await connectWebSocket(listener.url, { udp: true });
    const got = new Promise((resolve) => second.onMessage((_, bytes) => resolve(bytes[0])));
    await until(() => links.length === 2);
    links[1]!.send("unsequenced", Uint8Array.of(7));
    expect(await got).toBe(7);
    expect([second.kind, links[1]!.kind, udp.peers]).toEqual(["websocket", "websocket", 1]);
  });

  it("leaves clients alone that want none, or know nothing of it", async () => {
    const { udp, listener, links } = await listen();
    const plain = await connectWebSocket(listener.url);
    plain.send("reliable", Uint8Array.of(1));
    await until(() => links[0]?.traffic.reliable.messagesIn === 1);
    expect([plain.kind, plain.closeReason, udp.peers]).toEqual(["websocket", undefined, 0]);
  });

  it("refuses a taken port, and what is no address or server", async () => {
    const taken = createSocket("udp4");
    await once(taken.bind(0, LOOPBACK), "listening");
    disposals.push(() => taken.close());
    const { port } = taken.address();
    await expect(UdpPort.open({ host: LOOPBACK, port })).rejects.toMatchObject({ code: "listen-failed" });
    await expect(UdpPort.open({ announce: ["game.example"] })).rejects.toThrow(TransportError);
    await expect(UdpPort.open({ iceServers: [{ url: "http://x" }] })).rejects.toMatchObject({ code: "bad-option" });
  });

  it("tells the addresses that it was given", async () => {
    const { listener, udp } = await listen({ announce: ["203.0.113.9"] });
    const raw = await RawClient.open(listener);
    raw.signal({ kind: "offer", attempt: 1, description: await raw.describe() });
    const answer = await raw.answer();
    expect(answer.candidates).toMatchObject([{ address: "203.0.113.9", port: udp.port, type: "host" }]);
  });

  it("closes a peer that opens a second channel", async () => {
    const { listener, links } = await listen();
    const raw = await RawClient.open(listener);
    raw.signal({ kind: "offer", attempt: 1, description: await raw.describe() });
    const answer = await raw.answer();
    raw.peer.setRemoteDescription(writeSdp(answer, "answer"), "answer");
    await until(() => raw.peer.state() === "connected");
    raw.peer.createDataChannel("another");
    await until(() => links[0]?.closeReason !== undefined);
    expect(links[0]!.closeReason).toEqual({ code: "signal", detail: "a second data channel" });
  });

  it("closes a peer that sends longer messages than it may", async () => {
    const { listener, links } = await listen();
    const raw = await RawClient.open(listener);
    raw.signal({ kind: "offer", attempt: 1, description: await raw.describe() });
    const answer = await raw.answer();
    raw.peer.setRemoteDescription(writeSdp(answer, "answer"), "answer");
    await until(() => raw.channel.isOpen());
    raw.channel.sendMessageBinary(new Uint8Array(2000).fill(3));
    await until(() => links[0]?.closeReason !== undefined);
    expect(links[0]!.closeReason?.code).toBe("oversized");
  });
});

/** A client by hand: signals over a bare WebSocket, and a peer connection of the library. */
class RawClient {
  readonly peer: PeerConnection = new PeerConnection("raw", {
    iceServers: [],
    bindAddress: LOOPBACK,
    disableAutoNegotiation: true,
  });
  readonly channel: ReturnType<PeerConnection["createDataChannel"]> = this.peer.createDataChannel("raw", {
    negotiated: true,
    id: 0,
    unordered: true,
    maxRetransmits: 0,
  });
  readonly #socket: WebSocket;
  readonly #signals: Signal[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    disposals.push(() => {
      this.peer.close();
      socket.terminate();
    });
    socket.on("message", (data: Buffer) => {
      const frame = unframeMessage(data, 10_000);
      const signal = "fault" in frame ? frame : decodeSignal(frame.bytes);
      if ("fault" in signal) throw new Error(signal.fault.detail);
      this.#signals.push(signal);
    });
  }

  static async open(listener: WebSocketListener): Promise<RawClient> {
    const socket = new WebSocket(listener.url, SIGNALS_PROTOCOL);
    const client = new RawClient(socket);
    await once(socket, "open");
    return client;
  }

  async describe(): Promise<Description> {
    this.peer.setLocalDescription("offer");
    await until(() => this.peer.gatheringState() === "complete");
    return readSdp(this.peer.localDescription()!.sdp)!;
  }

  signal(signal: Signal): void {
    this.#socket.send(frameMessage("signal", encodeSignal(signal)));
  }

  async answer(): Promise<Description> {
    const isAnswer = (signal: Signal) => signal.kind === "answer";
    await until(() => this.#signals.some(isAnswer));
    const answer = this.#signals.find(isAnswer)!;
    if (answer.kind !== "answer") throw new Error("no answer");
    return answer.description;
  }
}
