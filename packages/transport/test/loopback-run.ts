/**
 * A program, not a module to import: it runs in a process of its own, in a network namespace of its own: sends messages over real sockets on loopback, and reads the kernel's counters before and
 * after. Nothing else uses that loopback. `wire-cost.test.ts` starts it and compares what it found with the formula.
 */

import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { VirtualClock } from "@nearfield/netlab/internal";
import type { Link } from "@nearfield/transport";
import { BEAT_MS, type Channel } from "@nearfield/transport/internal";
import { connectWebSocket, UdpPort, WebSocketListener } from "@nearfield/transport/node";
import { timersOn } from "./hand-timers.ts";

/** What the kernel counted on loopback. */
export interface Counted {
  readonly packets: number;
  readonly bytes: number;
}

/** What a link counted by the formula, and what the kernel counted meanwhile. */
export interface Compared {
  readonly kernel: Counted;
  /** Segments with data that the sending socket counted; 0 for UDP. */
  readonly segments: number;
  readonly messages: number;
  /** By `link.traffic`. */
  readonly packets: number;
  readonly bytes: number;
  readonly wireBytes: number;
}

export interface Findings {
  /** Bytes of the messages that were sent one at a time. */
  readonly sizes: readonly number[];
  readonly udp: Counted;
  readonly toClient: Compared;
  readonly toServer: Compared;
  readonly long: Compared;
  readonly burst: Compared;
  readonly datachannel: readonly Compared[];
}

const LOOPBACK = "127.0.0.1";
/** Bytes of messages: around every border of the formula that fits one packet. */
const SIZES: readonly number[] = [0, 1, 2, 3, 4, 5, 9, 50, 123, 124, 125, 126, 200, 500, 999, 1000, 1001, 1099];
/** Bytes of messages that take several packets, or a longer WebSocket header. */
const LONG_SIZES: readonly number[] = [3000, 16_000, 70_000];
const BURST = 20;
/** Consent checks of ICE fall into some of the tries on a data channel. */
const TRIES = 6;

async function run(): Promise<Findings> {
  const udp = await datagrams();
  const clock = new VirtualClock();
  const timers = timersOn(clock);
  const port = await UdpPort.open({ host: LOOPBACK, timers });
  const listener = await WebSocketListener.listen({ port: 0, host: LOOPBACK, udp: port, timers });
  const [plain, plainServer] = await connected(listener, () => connectWebSocket(listener.url, { timers }));
  const toClient = await compare(plainServer, plain, "reliable", SIZES);
  const toServer = await compare(plain, plainServer, "unsequenced", SIZES);
  const long = await compare(plainServer, plain, "reliable", LONG_SIZES);
  const burst = await compare(plainServer, plain, "reliable", Array<number>(BURST).fill(40), true);
  plain.close({ code: "done", detail: "" });
  const [client, server] = await connected(listener, () => connectWebSocket(listener.url, { udp: true, timers }));
  while (client.kind !== "webrtc" || server.kind !== "webrtc") {
    clock.advance(BEAT_MS);
    await pause(5);
  }
  const datachannel: Compared[] = [];
  for (let i = 0; i < TRIES; i++) datachannel.push(await compare(server, client, "unsequenced", SIZES));
  client.close({ code: "done", detail: "" });
  await listener.close();
  port.close();
  return { sizes: SIZES, udp, toClient, toServer, long, burst, datachannel };
}

async function connected(listener: WebSocketListener, connect: () => Promise<Link>): Promise<[Link, Link]> {
  const accepted = new Promise<Link>((resolve) => listener.onLink(resolve));
  const client = await connect();
  const server = await accepted;
  return [client, server];
}

/** As `compareOnce`, and again if the kernel sent a segment twice: on a busy machine an acknowledgement can be too late for it. */
async function compare(...sending: Parameters<typeof compareOnce>): Promise<Compared> {
  for (;;) {
    const before = segmentsTwice();
    const compared = await compareOnce(...sending);
    if (segmentsTwice() === before) return compared;
  }
}

/** Sends messages of these sizes, each when the one before has arrived, or all at once. */
async function compareOnce(
  from: Link,
  to: Link,
  channel: Channel,
  sizes: readonly number[],
  isBurst = false,
): Promise<Compared> {
  let arrived = 0;
  to.onMessage(() => {
    arrived += 1;
  });
  await settled();
  const before = { ...counted(), ...from.traffic[channel], segments: segmentsOut(from) };
  let sent = 0;
  for (const size of sizes) {
    from.send(channel, new Uint8Array(size));
    sent += 1;
    while (!isBurst && arrived < sent) await pause(1);
  }
  while (arrived < sent) await pause(1);
  await settled();
  const kernel = counted();
  const after = from.traffic[channel];
  return {
    kernel: { packets: kernel.packets - before.packets, bytes: kernel.bytes - before.bytes },
    segments: segmentsOut(from) - before.segments,
    messages: after.messagesOut - before.messagesOut,
    packets: after.packetsOut - before.packetsOut,
    bytes: after.bytesOut - before.bytesOut,
    wireBytes: after.wireBytesOut - before.wireBytesOut,
  };
}

async function datagrams(): Promise<Counted> {
  const to = createSocket("udp4");
  const from = createSocket("udp4");
  to.bind(0, LOOPBACK);
  await once(to, "listening");
  const before = counted();
  for (const size of SIZES) {
    const arrival = once(to, "message");
    from.send(new Uint8Array(size), to.address().port, LOOPBACK);
    await arrival;
  }
  const after = counted();
  to.close();
  from.close();
  return { packets: after.packets - before.packets, bytes: after.bytes - before.bytes };
}

/** Waits until loopback is quiet: acknowledgements are late by up to 200 ms. */
async function settled(): Promise<void> {
  let before = -1;
  for (let quiet = 0; quiet < 6; ) {
    const { packets } = counted();
    quiet = packets === before ? quiet + 1 : 0;
    before = packets;
    await pause(50);
  }
}

function counted(): Counted {
  const line = readFileSync("/proc/net/dev", "utf8")
    .split("\n")
    .find((text) => text.trim().startsWith("lo:"))!;
  const [bytes, packets] = line.split(":")[1]!.trim().split(/\s+/).map(Number);
  return { packets: packets!, bytes: bytes! };
}

/** Segments with data that the sockets of this port have sent to that of the other side. */
function segmentsOut({ address }: Link): number {
  const port = address.split(":").at(-1)!;
  const text = execFileSync("ss", ["-tinH", "dport", "=", port], { encoding: "utf8" });
  return [...text.matchAll(/data_segs_out:(\d+)/g)].reduce((sum, [, segments]) => sum + Number(segments), 0);
}

/** Segments that the kernel has sent again in this namespace. */
function segmentsTwice(): number {
  const [names, values] = readFileSync("/proc/net/snmp", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("Tcp:"))
    .map((line) => line.split(" "));
  return Number(values![names!.indexOf("RetransSegs")]);
}

export const findings: Findings = await run();
