/** docs/wire-format.md against the kept packets and the code. */

import { readFileSync } from "node:fs";
import { ReplicaStore } from "@nearfield/client/internal";
import { World } from "@nearfield/core";
import { ReferenceEngine } from "@nearfield/core/internal";
import { decodeFromServer, EncodeCache, FrameReader, FrameWriter } from "@nearfield/protocol/internal";
import { object, Protocol, uint } from "@nearfield/schema";
import { describe, expect, it } from "vitest";

const page = readFileSync(new URL("../../../docs/wire-format.md", import.meta.url), "utf8");
const corpus = JSON.parse(readFileSync(new URL("./fixtures/packets.json", import.meta.url), "utf8")) as {
  kind: string;
  from: "client" | "server";
  channel: string;
  number: number;
  hex: string;
}[];

/** `hello 0 reliable no`, … in the order of the table. */
function documented(from: "client" | "server"): string[] {
  const table = page.slice(page.indexOf(`| from ${from} `)).split("\n\n")[0]!;
  return [...table.matchAll(/^\| `(\w+)` *\| (\d+) *\| (\w+) *\| (yes|no) *\|/gm)].map((row) => row.slice(1).join(" "));
}

describe.each(["client", "server"] as const)("messages from the %s", (from) => {
  it("are listed with their kind, channel and whether they are numbered, as the kept packets have them", () => {
    const kept = corpus
      .filter((packet) => packet.from === from)
      .map(({ kind, channel, number, hex }) => {
        const index = Number.parseInt(hex.slice(0, 2), 16) & 31;
        return { index, row: `${kind} ${index} ${channel} ${number > 0 ? "yes" : "no"}` };
      });
    expect(documented(from)).toEqual(kept.sort((a, b) => a.index - b.index).map(({ row }) => row));
  });
});

describe("the example", () => {
  it("is what the code writes, and reads back as it says", () => {
    const Rock = object("rock", { a: uint(8), b: uint(8) });
    const protocol = new Protocol({ objects: [Rock] });
    const world = new World({ protocol });
    for (let i = 0; i < 3; i++) world.spawn(Rock);
    const model = new ReferenceEngine(world, { roundMs: 50 });
    const view = model.addView({ sets: [{ match: "everything", bounds: [{}] }], pivots: [] }, { session: 1 });
    const cache = new EncodeCache(world);
    const writer = new FrameWriter({ world, model, view, session: 1, cache, ownerVersion: () => 0 });
    const frame = (round: number): Uint8Array => {
      cache.beginRound();
      model.round(round);
      return writer.write({ round, heard: 0, pivots: 0, events: [], maxBytes: 1200 })[0]!.bytes;
    };
    frame(1);
    world.spawn(Rock, { a: 7, b: 9 });
    const bytes = frame(2);
    const shown = page.match(/```\n((?:[0-9a-f]{2} ?)+)\n```/)![1]!;
    expect([...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ")).toBe(shown.trim());
    const { message } = decodeFromServer(bytes, "unsequenced", protocol);
    const store = new ReplicaStore(protocol);
    if (message.kind === "frame") new FrameReader(protocol, store, 0).apply(message.frame);
    expect(message).toMatchObject({ frame: { header: { packet: 1, round: 2, heard: 0, behind: 2 } } });
    expect([...store.objects.all(Rock)]).toMatchObject([{ id: 3, owner: 0, a: 7, b: 9 }]);
  });
});
