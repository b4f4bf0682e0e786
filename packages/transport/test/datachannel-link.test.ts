/** DataChannelLink on virtual time: when it changes its carrier, what holds across the change, and what a hostile peer gets. */

import { VirtualClock } from "@nearfield/netlab/internal";
import type { Link } from "@nearfield/transport";
import type { Channel, CloseReason, DataChannelLink } from "@nearfield/transport/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeSignal } from "../src/webrtc/signal.ts";
import { frameMessage } from "../src/websocket-framing.ts";
import { FakeNetwork } from "./fake-webrtc.ts";

function open() {
  const clock = new VirtualClock();
  const network = new FakeNetwork(clock);
  const ends = network.link();
  const run = (ms: number) => clock.advance(ms);
  const until = (isSo: () => boolean): number => {
    const startMs = clock.nowMs;
    while (!isSo()) {
      if (clock.nowMs - startMs > 60_000) throw new Error("it never came to that");
      clock.advance(1);
    }
    return clock.nowMs - startMs;
  };
  const kinds = () => `${ends.client.kind} ${ends.server.kind}`;
  return { clock, network, ...ends, run, until, kinds };
}

function inboxOf(link: Link): { messages: [Channel, number][]; closes: CloseReason[] } {
  const inbox = { messages: [] as [Channel, number][], closes: [] as CloseReason[] };
  link.onMessage((channel, bytes) => inbox.messages.push([channel, numberOf(bytes)]));
  link.onClose((reason) => inbox.closes.push(reason));
  return inbox;
}

const message = (number: number) => Uint8Array.of(number & 0xff, number >> 8);
const numberOf = (bytes: Uint8Array) => bytes[0]! | (bytes[1]! << 8);

describe("changing the carrier", () => {
  it("plays on the WebSocket at once, and moves when the channel has proved itself", () => {
    const { client, server, run, until, kinds } = open();
    expect(kinds()).toBe("websocket websocket");
    expect([client.inOrder, client.maxUnreliableBytes]).toEqual([true, 16_384]);
    const atServer = inboxOf(server);
    client.send("unsequenced", message(1));
    expect(until(() => kinds() === "webrtc webrtc")).toBeLessThan(200);
    expect([client.inOrder, client.maxUnreliableBytes]).toEqual([false, 1100]);
    client.send("unsequenced", message(2));
    run(15);
    expect(atServer.messages).toEqual([
      ["unsequenced", 1],
      ["unsequenced", 2],
    ]);
  });

  it("falls back within 3 s of a silent cut on both sides, loses no reliable message, and returns", () => {
    const { client, server, network, run, until, kinds } = open();
    const atServer = inboxOf(server);
    const atClient = inboxOf(client);
    until(() => kinds() === "webrtc webrtc");
    run(3000);
    network.isCut = true;
    for (let i = 0; i < 50; i++) client.send("reliable", message(i));
    expect(until(() => kinds() === "websocket websocket")).toBeLessThan(3000);
    client.send("unsequenced", message(500));
    server.send("sequenced", message(501));
    run(20);
    expect(atServer.messages.filter(([channel]) => channel === "reliable")).toHaveLength(50);
    expect(atServer.messages.at(-1)).toEqual(["unsequenced", 500]);
    expect(atClient.messages.at(-1)).toEqual(["sequenced", 501]);
    network.isCut = false;
    expect(until(() => kinds() === "webrtc webrtc")).toBeLessThan(1500);
    expect([...atServer.closes, ...atClient.closes]).toEqual([]);
  });

  it.each(["client", "server"])("falls back on both sides where only what the %s sends is lost", (side) => {
    const { network, run, until, kinds } = open();
    until(() => kinds() === "webrtc webrtc");
    run(1000);
    const deaf = network.peers[side === "client" ? 0 : 1];
    network.loses = (sender) => sender === deaf;
    expect(until(() => kinds() === "websocket websocket")).toBeLessThan(3000);
    network.loses = () => false;
    until(() => kinds() === "webrtc webrtc");
  });

  it("stays on the WebSocket for as long as a link is cut on purpose", () => {
    const { run, until, kinds, client, server } = open();
    const atClient = inboxOf(client);
    until(() => kinds() === "webrtc webrtc");
    server.isCut = true;
    server.send("unsequenced", message(1));
    run(100);
    expect(atClient.messages).toEqual([]);
    expect(until(() => kinds() === "websocket websocket")).toBeLessThan(3000);
    run(60_000);
    expect(kinds()).toBe("websocket websocket");
    server.isCut = false;
    until(() => kinds() === "webrtc webrtc");
  });

  it("opens another channel when the old one is gone for good", () => {
    const { network, client, run, until, kinds } = open();
    until(() => kinds() === "webrtc webrtc");
    run(1000);
    for (const peer of network.peers) peer.events.onLost("failed");
    expect(client.kind).toBe("websocket");
    until(() => kinds() === "webrtc webrtc");
    expect(network.peers).toHaveLength(4);
    expect(network.peers.map((peer) => peer.isClosed)).toEqual([true, true, false, false]);
  });

  it("takes the WebSocket for a message that finds the channel closed", () => {
    const { network, client, server, run, until, kinds } = open();
    const atServer = inboxOf(server);
    until(() => kinds() === "webrtc webrtc");
    network.peers[0]!.isClosed = true;
    client.send("sequenced", message(7));
    client.send("unsequenced", message(8));
    run(20);
    expect(atServer.messages).toEqual([
      ["sequenced", 7],
      ["unsequenced", 8],
    ]);
    expect(client.kind).toBe("websocket");
  });

  it("lets peers go with the link, and says nothing after it", () => {
    const { network, client, server, clock, until, kinds, run } = open();
    until(() => kinds() === "webrtc webrtc");
    client.close({ code: "done", detail: "" });
    run(100);
    expect(server.closeReason?.code).toBe("done");
    expect(network.peers.every((peer) => peer.isClosed)).toBe(true);
    run(1000);
    expect(clock.pending).toBe(0);
  });
});

describe("the sequenced channel", () => {
  it("never goes back across changes of the carrier, and losing, delays and cuts between them", () => {
    const steps = fc.array(
      fc.record({
        ms: fc.integer({ min: 1, max: 800 }),
        sends: fc.nat(4),
        cut: fc.boolean(),
        delayMs: fc.nat(300),
        tcpMs: fc.integer({ min: 1, max: 200 }),
      }),
      { minLength: 5, maxLength: 60 },
    );
    let changes = 0;
    fc.assert(
      fc.property(steps, (script) => {
        const { network, client, server, run, until, kinds } = open();
        const inbox = inboxOf(server);
        let sent = 0;
        client.send("sequenced", message(sent++));
        until(() => kinds() === "webrtc webrtc");
        for (const { ms, sends, cut, delayMs, tcpMs } of script) {
          network.isCut = cut && ms > 100;
          network.delayMs = delayMs;
          network.tcpMs = tcpMs;
          for (let i = 0; i < sends; i++) client.send("sequenced", message(sent++));
          const before = client.kind;
          run(ms);
          if (client.kind !== before) changes += 1;
        }
        run(1000);
        const numbers = inbox.messages.map(([, number]) => number);
        for (const [index, number] of numbers.entries()) {
          if (index > 0) expect(number).toBeGreaterThan(numbers[index - 1]!);
        }
        const { messagesIn, lateIn } = server.traffic.sequenced;
        expect(messagesIn - lateIn).toBe(numbers.length);
      }),
    );
    expect(changes).toBeGreaterThan(10);
  });

  it("drops what was still under way over a slow WebSocket when newer came over the channel", () => {
    const { network, client, server, run, until } = open();
    const inbox = inboxOf(server);
    network.tcpMs = 200;
    let sent = 0;
    until(() => {
      client.send("sequenced", message(sent++));
      return client.kind === "webrtc";
    });
    client.send("sequenced", message(sent++));
    run(1000);
    expect(server.traffic.sequenced.lateIn).toBeGreaterThan(100);
    expect(inbox.messages.at(-1)).toEqual(["sequenced", sent - 1]);
  });

  it("costs two bytes more once there was a channel, counted alike on both sides", () => {
    const { network, client, server, run, until, kinds } = open();
    client.send("sequenced", message(1));
    until(() => kinds() === "webrtc webrtc");
    client.send("sequenced", message(2));
    run(100);
    network.isCut = true;
    until(() => kinds() === "websocket websocket");
    client.send("sequenced", message(3));
    run(100);
    expect(client.traffic.sequenced).toMatchObject({ messagesOut: 3, bytesOut: 3 + 5 + 5 });
    expect(server.traffic.sequenced).toMatchObject({ messagesIn: 3, bytesIn: 3 + 5 + 5, lateIn: 0 });
  });
});

describe("a hostile peer", () => {
  const description = {
    ufrag: "evil",
    pwd: "0123456789abcdefghijkl",
    fingerprint: Array(32).fill("00").join(":"),
    candidates: [],
  };
  const signal = (value: object) => frameMessage("signal", encodeSignal(value as Parameters<typeof encodeSignal>[0]));
  const offer = (attempt: number) => signal({ kind: "offer", attempt, description });
  const carried = () => {
    const bench = open();
    bench.until(() => bench.kinds() === "webrtc webrtc");
    return bench;
  };

  it.each<[string, (server: DataChannelLink) => void]>([
    ["a signal that is too long", (server) => server.acceptFrame(frameMessage("signal", new Uint8Array(5000)))],
    ["a signal that is none", (server) => server.acceptFrame(frameMessage("signal", Uint8Array.of(1, 2, 3)))],
    ["an answer", (server) => server.acceptFrame(signal({ kind: "answer", attempt: 9, description }))],
    ["an announcement", (server) => server.acceptFrame(signal({ kind: "available", iceServers: [] }))],
    ["an old offer", (server) => server.acceptFrame(offer(1))],
    [
      "a flood of offers",
      (server) => {
        for (let attempt = 2; attempt < 20; attempt++) server.acceptFrame(offer(attempt));
      },
    ],
  ])("that sends %s loses its link", (_, attack) => {
    const { server, client, run, network } = carried();
    attack(server);
    expect(server.closeReason?.code).toBe("signal");
    run(100);
    expect(client.closeReason?.code).toBe("signal");
    expect(network.peers.every((peer) => peer.isClosed)).toBe(true);
    expect(network.peers.length).toBeLessThan(10);
  });

  it.each<[string, Uint8Array | undefined, string]>([
    ["text", undefined, "text"],
    ["nothing", new Uint8Array(0), "empty"],
    ["too much", new Uint8Array(1104).fill(3), "oversized"],
    ["an unknown kind", Uint8Array.of(9), "unknown-channel"],
    ["half a number", Uint8Array.of(2, 1), "malformed"],
  ])("that sends %s on the data channel loses its link", (_, frame, code) => {
    const { server, network } = carried();
    network.peers[1]!.events.onMessage(frame);
    expect(server.closeReason?.code).toBe(code);
  });

  it("that opens a second data channel loses its link", () => {
    const { server, network } = carried();
    network.peers[1]!.events.onForeignChannel();
    expect(server.closeReason).toEqual({ code: "signal", detail: "a second data channel" });
  });

  it("that beats without reading gets no more answers than fit", () => {
    const { server, network, clock } = carried();
    const peer = network.peers[1]!;
    peer.bufferedAmount = 64 * 1024 + 1;
    const before = clock.pending;
    for (let i = 0; i < 1000; i++) peer.events.onMessage(Uint8Array.of(6, 0, 0));
    expect(clock.pending).toBe(before);
    expect(server.closeReason).toBeUndefined();
  });

  it("that sends a numbered message without its number loses its link", () => {
    const { server } = carried();
    server.acceptFrame(frameMessage("numbered", Uint8Array.of(1)));
    expect(server.closeReason?.code).toBe("malformed");
  });
});
