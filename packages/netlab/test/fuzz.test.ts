/**
 * Hostile bytes: real packets, mutated by seeded dice, through every decoder and through a live replica. Whatever the
 * bytes, a decoder throws `WireError` and nothing else, quickly, and what it accepts is applied without complaint. The
 * kept corpus holds one packet of every kind, as golden bytes: what was readable stays readable, and is written again
 * bit for bit.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { Client } from "@nearfield/client";
import { ReplicaStore } from "@nearfield/client/internal";
import {
  decodeFromClient,
  decodeFromServer,
  encodeFromClient,
  encodeFromServer,
  FrameReader,
  type FromClient,
  type FromServer,
  type MessageChannel,
  type Welcome,
} from "@nearfield/protocol/internal";
import { WireError } from "@nearfield/schema/internal";
import { memoryLinks } from "@nearfield/transport/internal";
import { describe, expect, it } from "vitest";
import { Dice, Lab } from "../src/index.ts";
import { type Captured, capture } from "./capture.ts";
import { RawClient } from "./raw-client.ts";
import { differences, Probe, protocol, Say, spawnShip, stir, view } from "./scenario.ts";
import { nightly } from "./seeds.ts";

const CORPUS = new URL("./fixtures/packets.json", import.meta.url);
const CHANNELS: readonly MessageChannel[] = ["reliable", "sequenced", "unsequenced"];
const MUTANTS = nightly(120_000);
const WELCOME: Welcome = {
  kind: "welcome",
  session: 1,
  token: new Uint8Array(16),
  roundMs: 50,
  round: 1,
  heard: 0,
  resumed: false,
  nickname: "ann",
  role: "player",
  state: "active",
  resumeMs: 1000,
};

interface Kept {
  readonly kind: string;
  readonly from: Captured["from"];
  readonly channel: MessageChannel;
  readonly number: number;
  readonly hex: string;
}

function decode({ from, channel, bytes }: Captured): { message: FromClient | FromServer; number: number } {
  return from === "client" ? decodeFromClient(bytes, channel, protocol) : decodeFromServer(bytes, channel, protocol);
}

/** Frames are read to their end, by a reader that has kept nothing: what builds on something is left alone. */
function decodeToTheEnd(packet: Captured): void {
  const { message } = decode(packet);
  if (message.kind === "frame") new FrameReader(protocol, new ReplicaStore(protocol), 1).apply(message.frame);
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function mutate(dice: Dice, packets: readonly Captured[]): Captured {
  const source = dice.pick(packets);
  let bytes = source.bytes.slice();
  for (let edits = 1 + dice.int(4); edits > 0; edits--) {
    switch (dice.int(7)) {
      case 0:
      case 1:
        if (bytes.length > 0) bytes[dice.int(bytes.length)]! ^= 1 << dice.int(8);
        break;
      case 2:
        if (bytes.length > 0) bytes[dice.int(bytes.length)] = dice.int(256);
        break;
      case 3:
        bytes = bytes.slice(0, dice.int(bytes.length + 1));
        break;
      case 4:
        bytes = joined(
          bytes,
          Uint8Array.from({ length: dice.int(6) }, () => dice.int(256)),
        );
        break;
      case 5: {
        const other = dice.pick(packets).bytes;
        bytes = joined(bytes.subarray(0, dice.int(bytes.length + 1)), other.subarray(dice.int(other.length + 1)));
        break;
      }
      default:
        if (bytes.length > 4) bytes.copyWithin(dice.int(bytes.length), dice.int(bytes.length), dice.int(bytes.length));
    }
  }
  const channel = dice.chance(0.05) ? dice.pick(CHANNELS) : source.channel;
  return { ...source, from: dice.chance(0.02) ? "client" : source.from, channel, bytes };
}

describe("decoders", () => {
  it(`take ${MUTANTS} mutated packets and throw nothing but WireError`, () => {
    const packets = [1, 2].flatMap((seed) => capture(seed));
    const dice = new Dice("mutants");
    const outcomes = new Map<string, number>();
    for (let i = 0; i < MUTANTS; i++) {
      const mutant = mutate(dice, packets);
      let outcome = "accepted";
      try {
        decodeToTheEnd(mutant);
      } catch (error) {
        if (!(error instanceof WireError)) {
          throw new Error(
            `mutant ${i}, ${mutant.from} ${mutant.channel} ${Buffer.from(mutant.bytes).toString("hex")}`,
            { cause: error },
          );
        }
        outcome = error.code;
      }
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    for (const code of ["accepted", "truncated", "range", "length", "trailing", "unknown", "utf8"]) {
      expect(outcomes.get(code) ?? 0, code).toBeGreaterThan(20);
    }
  });

  it("what they accept, a client takes: mutated frames into live replicas that have something to build on", () => {
    const packets = capture(3).filter(
      ({ from, client, bytes }) => from === "server" && client === "eye" && (bytes[0]! & 31) === 0,
    );
    const dice = new Dice("deltas");
    let applied = 0;
    let malformed = 0;
    for (let life = 0; life < 300; life++) {
      const reader = new FrameReader(protocol, new ReplicaStore(protocol), 1);
      // The first packets as they came, then one that is not what it was.
      const end = 10 + dice.int(Math.min(400, packets.length - 10));
      for (const { bytes } of packets.slice(0, end)) take(reader, bytes);
      const known = reader.newestRound;
      for (let i = 0; i < 40; i++) {
        const bytes = dice.pick(packets.slice(end - 5, end)).bytes.slice();
        for (let edits = 1 + dice.int(3); edits > 0; edits--) {
          // Behind kind, packet and round, so that the rest is looked at; the packet's number is one that never came.
          bytes[5 + dice.int(bytes.length - 5)]! ^= 1 << dice.int(8);
        }
        new DataView(bytes.buffer).setUint16(0, ((reader.arrivals.newest + 1) << 5) & 0xffe0, true);
        try {
          if (take(reader, bytes) === "applied") applied += 1;
        } catch (error) {
          if (!(error instanceof WireError)) throw new Error(Buffer.from(bytes).toString("hex"), { cause: error });
          malformed += 1;
        }
      }
      expect(reader.newestRound).toBeGreaterThanOrEqual(known);
    }
    expect(applied).toBeGreaterThan(1000);
    expect(malformed).toBeGreaterThan(1000);
  });

  it("what they accept, a client takes: 20,000 mutated frames into live replicas", () => {
    const isFrame = ({ from, client, bytes }: Captured): boolean =>
      from === "server" && client === "eye" && (bytes[0]! & 31) === 0;
    const frames = capture(3).filter(isFrame);
    const dice = new Dice("frames");
    let applied = 0;
    for (let life = 0; life < 400; life++) {
      const [link, server] = memoryLinks();
      const client = new Client({ protocol, nickname: "ann", connect: () => link, now: () => 0 });
      client.update();
      // Reads what the client reads, so that it is known beforehand what the client will accept.
      const like = new FrameReader(protocol, new ReplicaStore(protocol), WELCOME.round);
      server.send("reliable", encodeFromServer(WELCOME, protocol));
      for (let i = 0; i < 60; i++) client.send(Say, { words: "so that the frames may confirm something" });
      let next = 0;
      for (let i = 0; i < 50; i++) {
        // Some as they came, one after the other, so that others have something to build on.
        const { bytes } = dice.chance(0.3) ? frames[next++]! : mutate(dice, frames.slice(next, next + 20));
        if (bytes.length <= server.maxUnreliableBytes && isTaken(like, bytes)) server.send("unsequenced", bytes);
        server.flush();
      }
      client.update();
      for (const entity of client.world.objects()) expect(entity.alive).toBe(true);
      // A frame that confirms messages this client never sent is no honest server's.
      if (client.state !== "active") expect(client.reason?.code).toBe("unexpected");
      applied += client.counters.applied;
    }
    expect(applied).toBeGreaterThan(1000);
  });
});

function take(reader: FrameReader, bytes: Uint8Array): string {
  const { message } = decodeFromServer(bytes, "unsequenced", protocol);
  return message.kind === "frame" ? reader.apply(message.frame) : message.kind;
}

function isTaken(reader: FrameReader, bytes: Uint8Array): boolean {
  try {
    return take(reader, bytes) !== "duplicate";
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}

describe("a live server", () => {
  it("survives 400 clients that talk mutated nonsense; the honest one does not notice", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 9, clientMayAdd: [Probe] });
    const game = lab.dice.fork("game");
    for (let i = 0; i < 20; i++) spawnShip(lab.world, game);
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Probe, { x: 5, y: 5 }, { owner: player.id })));
    lab.server.onRound((world) => stir(world, game));
    const honest = lab.join("honest", { latencyMs: 10 });
    const packets = capture(4).filter(({ from }) => from === "client");
    const dice = new Dice("nonsense");
    const codes = new Map<string, number>();
    for (let i = 0; i < 400; i++) {
      const raw = new RawClient(lab, protocol, `raw ${i}`);
      if (dice.chance(0.8)) raw.hello();
      lab.step();
      for (let said = 0; said < 20; said++) {
        const { channel, bytes } = mutate(dice, packets);
        if (bytes.length <= 1200) raw.bytes(channel, bytes);
        if (dice.chance(0.2)) lab.step();
      }
      lab.step();
      const code = raw.closeCode ?? "still here";
      codes.set(code, (codes.get(code) ?? 0) + 1);
      raw.link.close({ code: "left", detail: "enough" });
    }
    for (const code of ["malformed", "unexpected"]) expect(codes.get(code) ?? 0, code).toBeGreaterThan(10);
    lab.run(31_000);
    expect(lab.server.playerCount).toBe(1);
    lab.server.main.disable();
    lab.run(2000);
    expect(honest.client.state).toBe("active");
    expect(differences(lab, honest)).toEqual([]);
  });
});

describe("the corpus", () => {
  const describeKind = (packet: Captured): Kept => {
    const { message, number } = decode(packet);
    return {
      kind: message.kind,
      from: packet.from,
      channel: packet.channel,
      number,
      hex: Buffer.from(packet.bytes).toString("hex"),
    };
  };

  it("holds every kind of message, and each still means and writes the same bits", () => {
    if (process.env["UPDATE_CORPUS"] === "1") {
      const byKind = new Map<string, Kept>();
      for (const kept of [1, 2, 3, 4].flatMap((seed) => capture(seed)).map(describeKind)) {
        const key = `${kept.from} ${kept.kind}`;
        if (!byKind.has(key) || (kept.hex.length > byKind.get(key)!.hex.length && kept.hex.length < 300))
          byKind.set(key, kept);
      }
      writeFileSync(CORPUS, `${JSON.stringify([...byKind.values()], null, 1)}\n`);
    }
    const corpus = JSON.parse(readFileSync(CORPUS, "utf8")) as Kept[];
    const fromClient = new Set(corpus.filter(({ from }) => from === "client").map(({ kind }) => kind));
    const fromServer = new Set(corpus.filter(({ from }) => from === "server").map(({ kind }) => kind));
    expect([...fromClient].sort()).toEqual([
      "ack",
      "add",
      "command",
      "commands",
      "debug",
      "group",
      "hello",
      "leave",
      "lock",
      "ping",
      "pivots",
      "proposeView",
      "release",
      "remove",
      "write",
    ]);
    expect([...fromServer].sort()).toEqual([
      "addRefused",
      "added",
      "bye",
      "clientPivots",
      "event",
      "explanations",
      "frame",
      "grouped",
      "joined",
      "lockDenied",
      "lockGranted",
      "lockLost",
      "loosened",
      "pong",
      "refuse",
      "state",
      "viewRefused",
      "viewSet",
      "welcome",
      "writeRefused",
    ]);
    for (const { kind, from, channel, number, hex } of corpus) {
      const bytes = Uint8Array.from(Buffer.from(hex, "hex"));
      const read = decode({ from, client: "", channel, bytes });
      expect([read.message.kind, read.number]).toEqual([kind, number]);
      if (read.message.kind === "frame") continue;
      const again =
        from === "client"
          ? encodeFromClient(read.message as FromClient, protocol, number)
          : encodeFromServer(read.message as Exclude<FromServer, { kind: "frame" }>, protocol, number);
      expect(Buffer.from(again).toString("hex")).toBe(hex);
    }
  });
});
