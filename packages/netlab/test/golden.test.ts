/**
 * The kept packets, read a second time by a reader that was written from docs/wire-format.md alone: what the page says and what the code
 * does are the same, field by field. `UPDATE_CORPUS=1` writes them anew, here and in `fuzz.test.ts`, after a change of the format.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { ReplicaStore } from "@nearfield/client/internal";
import { decodeFromClient, decodeFromServer, FrameReader, type MessageChannel } from "@nearfield/protocol/internal";
import { objectId } from "@nearfield/schema/internal";
import { describe, expect, it } from "vitest";
import { plainProtocol, plainWire, storyProtocol, tellStory } from "./frame-story.ts";
import { protocol } from "./scenario.ts";
import { type Plain, type ReadFrame, readMessage, SlowFrames } from "./slow-reader.ts";

const PACKETS = new URL("./fixtures/packets.json", import.meta.url);
const FRAMES = new URL("./fixtures/frames.json", import.meta.url);

interface Kept {
  readonly kind: string;
  readonly from: "client" | "server";
  readonly channel: MessageChannel;
  readonly number: number;
  readonly hex: string;
}

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));

describe("messages", () => {
  const corpus = JSON.parse(readFileSync(PACKETS, "utf8")) as Kept[];
  const described = plainProtocol(protocol);

  it.each(corpus.filter(({ kind }) => kind !== "frame").map((kept) => [`${kept.from} ${kept.kind}`, kept] as const))(
    "%s",
    (_, { from, channel, number, hex }) => {
      const bytes = bytesOf(hex);
      const { message } =
        from === "client" ? decodeFromClient(bytes, channel, protocol) : decodeFromServer(bytes, channel, protocol);
      expect(readMessage(from, bytes, described)).toEqual({ number, ...(plain(message) as object) });
    },
  );
});

/** A decoded message as the slow reader has it: types by name, fields in wire form by name, bytes in hexadecimal. */
function plain(value: unknown): Plain {
  if (value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value as Plain;
  const { type } = value as { type?: (typeof protocol.objects)[number] };
  if (type === undefined || typeof type === "string") {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
  }
  const { mask, wires, values, ...rest } = value as {
    mask?: number;
    wires?: unknown[];
    values?: Record<string, unknown>;
  };
  const named =
    values === undefined
      ? type.fields.filter(({ index }) => (mask! >>> index) & 1).map(({ name }, at) => [name, wires![at]] as const)
      : type.fields.map(({ name, field }) => [name, field.toWire(values[name] as never)] as const);
  const fields = Object.fromEntries(named.map(([name, wire]) => [name, plainWire(type, name, wire)]));
  return { ...(plain({ ...rest, type: undefined }) as object), type: type.name, values: fields };
}

describe("frames", () => {
  if (process.env["UPDATE_CORPUS"] === "1") {
    const slow = new SlowFrames(plainProtocol(storyProtocol));
    const kept = tellStory().map((bytes) => ({ hex: Buffer.from(bytes).toString("hex"), says: slow.read(bytes) }));
    writeFileSync(FRAMES, `[\n${kept.map((packet) => JSON.stringify(packet)).join(",\n")}\n]\n`);
  }
  const kept = JSON.parse(readFileSync(FRAMES, "utf8")) as { hex: string; says: ReadFrame }[];

  it("are still written bit for bit", () => {
    expect(tellStory().map((bytes) => Buffer.from(bytes).toString("hex"))).toEqual(kept.map(({ hex }) => hex));
  });

  it("are read by the page as they always were, and every form of record is among them", () => {
    const slow = new SlowFrames(plainProtocol(storyProtocol));
    for (const { hex, says } of kept) expect(slow.read(bytesOf(hex))).toEqual(says);
    const records = kept.flatMap(({ says }) => says.records);
    const forms = new Set(records.map(({ record }) => record));
    expect([...forms].sort()).toEqual(["delta", "destroy", "leave", "left out", "settle", "some", "whole"]);
    const early = new Set(records.filter(({ base }) => base !== undefined).map(({ record }) => record));
    expect([...early].sort()).toEqual(["delta", "left out", "settle"]);
    expect(records.some(({ generation }) => generation === 1)).toBe(true);
    expect(records.some(({ settled }) => settled === true)).toBe(true);
    expect(kept.some(({ says }) => says.events.length > 0)).toBe(true);
    expect(kept.some(({ says }) => says.behind > 3)).toBe(true);
    expect(records.filter(({ record }) => record === "delta").length).toBeGreaterThan(200);
  });

  it("leave the replicas as the page says, field by field, packet after packet", () => {
    const slow = new SlowFrames(plainProtocol(storyProtocol));
    const store = new ReplicaStore(storyProtocol);
    const reader = new FrameReader(storyProtocol, store, 0);
    const generations = new Map<number, number>();
    let compared = 0;
    for (const { hex } of kept) {
      const { message } = decodeFromServer(bytesOf(hex), "unsequenced", storyProtocol);
      expect(message.kind === "frame" && reader.apply(message.frame)).toBe("applied");
      reader.arrivals.ack();
      for (const record of slow.read(bytesOf(hex)).records) {
        if (record.record === "left out") continue;
        if (record.record === "whole") generations.set(record.slot, record["generation"] as number);
        const id = objectId(record.slot, generations.get(record.slot)!);
        if (record.record === "leave" || record.record === "destroy") {
          expect(store.get(id)).toBeUndefined();
          continue;
        }
        const { type } = store.get(id)!;
        expect([type.name, store.isSettled(id)]).toEqual([
          record["type"],
          record.record === "settle" || record["settled"] === true,
        ]);
        for (const [name, wire] of Object.entries(record["fields"] as Record<string, Plain>)) {
          expect(plainWire(type, name, store.wireOf(id, type.fieldIndex(name)))).toEqual(wire);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(2000);
  });
});
