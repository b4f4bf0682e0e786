/** Records in every order in which a network can bring them. */

import { type ObjectId, objectId } from "@nearfield/core";
import { BitWriter, object, Protocol, uint, type Wire, writeFields } from "@nearfield/schema";
import { beforeEach, describe, expect, it } from "vitest";
import { RecordHeads, RecordKind, writeFrameHeader } from "./frame.ts";
import { FrameReader, LATEST_ROUNDS, type Replica } from "./frame-reader.ts";
import { decodeFromServer, writeServerKind } from "./from-server.ts";

const Rock = object("rock", { a: uint(8), b: uint(8) });
const Leaf = object("leaf", { c: uint(4) });
const protocol = new Protocol({ objects: [Rock, Leaf] });

type Said =
  | { slot: number; generation: number; whole: number[]; type?: 0 | 1; owner?: number }
  | { slot: number; generation: number; mask: number; changed: number[]; type?: 0 | 1 }
  | { slot: number; generation: number; gone: "leave" | "destroy" };

function packet(number: number, round: number, ...records: Said[]): Uint8Array {
  const w = new BitWriter();
  const heads = new RecordHeads(protocol);
  writeServerKind(w, "frame");
  writeFrameHeader(w, { packet: number, round, heard: 0, pivots: -1 });
  for (const said of records) {
    const { slot, generation } = said;
    if ("gone" in said) {
      heads.removed(w, slot, generation, said.gone === "leave" ? RecordKind.leave : RecordKind.destroy);
      continue;
    }
    const typeIndex = said.type ?? 0;
    const type = protocol.objects[typeIndex]!;
    const values = "whole" in said ? said.whole : said.changed;
    let next = 0;
    if ("whole" in said) heads.whole(w, slot, generation, typeIndex, said.owner ?? 0);
    else heads.changed(w, slot, generation, typeIndex, said.mask);
    writeFields(w, type, "whole" in said ? type.allMask : said.mask, () => values[next++]!);
  }
  w.writeBits(0, 2);
  return w.finish();
}

class Shelf implements Replica {
  readonly objects = new Map<ObjectId, { type: number; owner: number; values: Wire[] }>();
  readonly log: string[] = [];

  begin(): void {}

  create(id: ObjectId, type: number, owner: number, wires: readonly Wire[], start: number): void {
    this.objects.set(id, { type, owner, values: wires.slice(start, start + protocol.objects[type]!.fields.length) });
    this.log.push(`create ${id}`);
  }

  update(id: ObjectId, mask: number, wires: readonly Wire[], start: number): void {
    const { values } = this.objects.get(id)!;
    let next = start;
    for (let index = 0; index < values.length; index++) if ((mask >>> index) & 1) values[index] = wires[next++]!;
  }

  setOwner(id: ObjectId, owner: number): void {
    this.objects.get(id)!.owner = owner;
  }

  remove(id: ObjectId, destroyed: boolean): void {
    this.objects.delete(id);
    this.log.push(`${destroyed ? "destroy" : "leave"} ${id}`);
  }
}

describe("a frame reader", () => {
  let shelf: Shelf;
  let reader: FrameReader;
  const read = (bytes: Uint8Array): string => {
    const { message } = decodeFromServer(bytes, "unsequenced", protocol);
    return message.kind === "frame" ? reader.apply(message.frame) : message.kind;
  };
  const valuesOf = (slot: number, generation = 0): Wire[] | undefined =>
    shelf.objects.get(objectId(slot, generation))?.values;

  beforeEach(() => {
    shelf = new Shelf();
    reader = new FrameReader(shelf, 10);
  });

  it("applies a packet once, however often it comes", () => {
    const bytes = packet(0, 11, { slot: 3, generation: 0, whole: [1, 2] });
    expect([read(bytes), read(bytes)]).toEqual(["applied", "duplicate"]);
    expect(shelf.log).toEqual(["create 3"]);
  });

  it("never lets an older record overwrite a newer one", () => {
    read(packet(0, 11, { slot: 3, generation: 0, whole: [1, 2] }));
    read(packet(2, 13, { slot: 3, generation: 0, mask: 3, changed: [7, 8] }));
    read(packet(1, 12, { slot: 3, generation: 0, mask: 1, changed: [5] }));
    expect(valuesOf(3)).toEqual([7, 8]);
    expect(reader.outdated).toBe(1);
    read(packet(4, 15, { slot: 3, generation: 0, gone: "leave" }));
    read(packet(3, 14, { slot: 3, generation: 0, whole: [9, 9] }));
    expect(valuesOf(3)).toBeUndefined();
    expect(reader.outdated).toBe(2);
  });

  it("drops changes of what it does not hold, and counts them", () => {
    read(packet(0, 11, { slot: 3, generation: 0, mask: 1, changed: [5] }));
    read(packet(1, 12, { slot: 3, generation: 2, whole: [1, 2] }));
    read(packet(2, 13, { slot: 3, generation: 3, mask: 1, changed: [5] }));
    read(packet(3, 14, { slot: 3, generation: 2, type: 1, mask: 1, changed: [5] }));
    expect([reader.unknown, valuesOf(3, 2)]).toEqual([3, [1, 2]]);
  });

  it("takes a late creation of a newer generation although the old one's end, sent again later, came first", () => {
    read(packet(0, 11, { slot: 3, generation: 0, whole: [1, 2] }));
    read(packet(5, 25, { slot: 3, generation: 0, gone: "destroy" }));
    read(packet(2, 20, { slot: 3, generation: 1, whole: [3, 4] }));
    expect(valuesOf(3, 1)).toEqual([3, 4]);
    read(packet(6, 26, { slot: 3, generation: 1, mask: 2, changed: [6] }));
    expect(valuesOf(3, 1)).toEqual([3, 6]);
  });

  it("does not let the end of an old generation touch the new one", () => {
    read(packet(0, 11, { slot: 3, generation: 0, whole: [1, 2] }));
    read(packet(1, 20, { slot: 3, generation: 1, type: 1, whole: [3] }));
    read(packet(2, 25, { slot: 3, generation: 0, gone: "destroy" }));
    expect(shelf.log).toEqual(["create 3", "destroy 3", `create ${objectId(3, 1)}`]);
    expect(valuesOf(3, 1)).toEqual([3]);
  });

  it("takes the end of a newer generation as the end of the old one too", () => {
    read(packet(0, 11, { slot: 3, generation: 0, whole: [1, 2] }));
    read(packet(1, 20, { slot: 3, generation: 1, gone: "leave" }));
    read(packet(2, 19, { slot: 3, generation: 1, whole: [3, 4] }));
    expect(shelf.log).toEqual(["create 3", "destroy 3"]);
  });

  it("removes and creates in one packet, in either order of generations", () => {
    read(packet(0, 11, { slot: 3, generation: 0, whole: [1, 2] }));
    read(
      packet(
        1,
        12,
        { slot: 3, generation: 1, whole: [3, 4] },
        { slot: 3, generation: 0, gone: "destroy" },
        { slot: 9, generation: 0, whole: [1, 1] },
      ),
    );
    expect([valuesOf(3), valuesOf(3, 1), valuesOf(9)]).toEqual([undefined, [3, 4], [1, 1]]);
  });

  it("goes by the round where a slot was not heard of for so long that its generations may have wrapped", () => {
    read(packet(0, 11, { slot: 3, generation: 4000, whole: [1, 2] }));
    read(packet(1, 11 + LATEST_ROUNDS, { slot: 3, generation: 1999, whole: [3, 4] }));
    expect(valuesOf(3, 1999)).toEqual([3, 4]);
  });

  it("drops packets that are too late to be judged, without acknowledging them", () => {
    read(packet(5, 11 + LATEST_ROUNDS, { slot: 1, generation: 0, whole: [1, 2] }));
    expect(read(packet(0, 11, { slot: 3, generation: 0, whole: [1, 2] }))).toBe("late");
    expect(reader.arrivals.ack().runs).toEqual([1, 5]);
    expect(valuesOf(3)).toBeUndefined();
  });

  it("takes a whole record of what it holds as an update, owner included", () => {
    read(packet(0, 11, { slot: 3, generation: 0, whole: [1, 2], owner: 4 }));
    read(packet(1, 12, { slot: 3, generation: 0, whole: [5, 6], owner: 7 }));
    expect(shelf.log).toEqual(["create 3"]);
    expect(shelf.objects.get(objectId(3, 0))).toEqual({ type: 0, owner: 7, values: [5, 6] });
  });

  it("touches nothing unless the whole packet is sound", () => {
    const sound = packet(0, 11, { slot: 3, generation: 0, whole: [1, 2] }, { slot: 4, generation: 0, whole: [1, 2] });
    expect(() => read(sound.slice(0, -1))).toThrow(expect.objectContaining({ code: "truncated" }));
    expect(() => read(Uint8Array.of(...sound, 0))).toThrow(expect.objectContaining({ code: "trailing" }));
    expect(shelf.log).toEqual([]);
    expect(reader.arrivals.newest).toBe(-1);
  });

  it("follows rounds and packets past the wrap of their numbers", () => {
    for (let i = 0; i < 70_000; i++) read(packet(i, 11 + i, { slot: 3, generation: 0, whole: [i & 255, 1] }));
    expect([reader.newestRound, reader.arrivals.newest, valuesOf(3)![0]]).toEqual([70_010, 69_999, 69_999 & 255]);
  });
});

describe("a packet's size", () => {
  it("of an empty frame is 7 bytes; a neighbour that changed like the one before takes 13 bits beside its fields", () => {
    expect(packet(0, 1).length).toBe(7);
    const records: Said[] = Array.from({ length: 10 }, (_, slot) => ({ slot, generation: 0, mask: 1, changed: [9] }));
    const bits = packet(0, 1, ...records).length * 8 - 56;
    expect(bits / 10).toBeLessThan(13 + 8 + 1);
  });
});
