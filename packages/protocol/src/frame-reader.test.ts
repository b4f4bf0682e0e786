/** Records in every order in which a network can bring them. */

import { type ObjectId, object, Protocol, uint } from "@nearfield/schema";
import { BitWriter, objectId, TrackedFields, writeFields, writeGamma, writeMask } from "@nearfield/schema/internal";
import { beforeEach, describe, expect, it } from "vitest";
import type { RecordFields } from "./decoded-frame.ts";
import { MOST_BEHIND, RecordKind, writeFrameHeader, writeKind, writeWay } from "./frame.ts";
import { FrameReader, LATEST_ROUNDS, type Replica } from "./frame-reader.ts";
import { decodeFromServer, writeServerKind } from "./from-server.ts";
import { overwrite } from "./overwrites.ts";

const Rock = object("rock", { a: uint(8), b: uint(8) });
const Leaf = object("leaf", { c: uint(4) });
const protocol = new Protocol({ objects: [Rock, Leaf] });

type Said =
  | { slot: number; generation: number; whole: number[]; type?: 0 | 1; owner?: number }
  | { slot: number; generation: number; mask: number; changed: number[]; type?: 0 | 1 }
  | { slot: number; generation: number; gone: "leave" | "destroy" }
  /** A delta in which nothing changed but what is given, of a rock that has stood still. */
  | { slot: number; a?: number };

/** @param behind packets since the newest that was acknowledged; 255: nothing is built on. */
function packet(number: number, round: number, ...records: Said[]): Uint8Array {
  return packetBehind(255, number, round, ...records);
}

/** Rounds of packets by number: later packets tell their round relative to one of them. */
const rounds = new Map<number, number>();

function packetBehind(behind: number, number: number, round: number, ...records: Said[]): Uint8Array {
  const w = new BitWriter();
  writeServerKind(w, "frame");
  rounds.set(number, round);
  const ahead = round - (behind < MOST_BEHIND ? (rounds.get(number - behind) ?? 0) : 0);
  const header = { packet: number, round: ahead, heard: 0, pivots: -1, commands: 0, again: false, behind, step: 0 };
  writeFrameHeader(w, header);
  let slot = -1;
  for (const said of records) {
    const isDelta = !("generation" in said);
    writeKind(w, kindOf(said));
    writeWay(w, said.slot - (isDelta ? slot + 1 : Math.max(0, slot)), 0);
    slot = said.slot;
    if (isDelta) writeStill(w, said.a);
    else writeOther(w, said);
  }
  writeKind(w, RecordKind.end);
  w.writeBits(0, 1);
  return w.finish();
}

function kindOf(said: Said): RecordKind {
  if ("gone" in said) return RecordKind[said.gone];
  if ("whole" in said) return RecordKind.whole;
  return "changed" in said ? RecordKind.some : RecordKind.delta;
}

function writeOther(w: BitWriter, said: Exclude<Said, { a?: number }>): void {
  w.writeBits("changed" in said ? said.generation % 16 : said.generation, "changed" in said ? 4 : 12);
  if ("gone" in said) return;
  const type = protocol.objects[said.type ?? 0]!;
  const values = "whole" in said ? said.whole : said.changed;
  let next = 0;
  protocol.writeType(w, type);
  if ("whole" in said) w.writeVar(said.owner ?? 0);
  w.writeBits(0, 1);
  if ("changed" in said) writeMask(w, type, said.mask);
  writeFields(w, type, "whole" in said ? type.allMask : said.mask, () => values[next++]!);
}

/** A run of one; both fields share a bit; a, the second from the end, is 1 more or less than it was. */
function writeStill(w: BitWriter, a: number | undefined): void {
  w.writeBits(1, 1);
  w.writeBits(a === undefined ? 0 : 1, 1);
  if (a === undefined) return;
  writeGamma(w, 2);
  w.writeBits(a < 0 ? 1 : 0, 1);
  w.writeBits(0b01, 2);
}

const fields = protocol.objects.map((type) => new TrackedFields(type));

function numbersOf(type: number, { mask, numbers, numbersAt }: RecordFields): (number | undefined)[] {
  const { tracked } = fields[type]!;
  return Array.from(tracked, (index, i) => (((mask >>> index) & 1) === 1 ? numbers[numbersAt + i] : undefined));
}

class Shelf implements Replica {
  readonly objects = new Map<ObjectId, { type: number; owner: number; values: (number | undefined)[] }>();
  readonly log: string[] = [];

  begin(): void {}

  create(id: ObjectId, type: number, owner: number, fields: RecordFields): void {
    this.objects.set(id, { type, owner, values: numbersOf(type, fields) });
    this.log.push(`create ${id}`);
  }

  update(id: ObjectId, fields: RecordFields): void {
    const { type, values } = this.objects.get(id)!;
    for (const [index, value] of numbersOf(type, fields).entries()) if (value !== undefined) values[index] = value;
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
  const valuesOf = (slot: number, generation = 0): (number | undefined)[] | undefined =>
    shelf.objects.get(objectId(slot, generation))?.values;

  beforeEach(() => {
    shelf = new Shelf();
    reader = new FrameReader(protocol, shelf, 10);
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

  it("reads a delta against the newest state that the server knows of, not against the newest it has", () => {
    read(packetBehind(1, 0, 11, { slot: 3, generation: 0, whole: [10, 2] }));
    read(packetBehind(2, 1, 12, { slot: 3, generation: 0, whole: [20, 2] }));
    read(packetBehind(2, 2, 13, { slot: 3, a: 1 }));
    expect(valuesOf(3)).toEqual([11, 2]);
    read(packetBehind(2, 3, 14, { slot: 3, a: -1 }));
    expect(valuesOf(3)).toEqual([19, 2]);
  });

  it("keeps the state of a record that was too old to be shown, if its packet is acknowledged", () => {
    read(packetBehind(1, 0, 11, { slot: 3, generation: 0, whole: [10, 2] }));
    expect(overwrite(reader, objectId(3, 0), 20)).toBe(true);
    read(packetBehind(1, 1, 12, { slot: 3, a: 1 }));
    expect([valuesOf(3), reader.outdated]).toEqual([[10, 2], 1]);
    read(packetBehind(1, 2, 21, { slot: 3, a: 1 }));
    expect(valuesOf(3)).toEqual([12, 2]);
  });

  it("takes the owner, and not the fields, of a record that is older than fields which came from elsewhere", () => {
    const ownerOf = (): number => shelf.objects.get(objectId(3, 0))!.owner;
    read(packet(0, 11, { slot: 3, generation: 0, whole: [10, 2], owner: 1 }));
    expect(overwrite(reader, objectId(3, 0), 20)).toBe(true);
    expect(overwrite(reader, objectId(3, 0), 19)).toBe(false);
    read(packet(1, 18, { slot: 3, generation: 0, whole: [11, 2], owner: 2 }));
    expect([valuesOf(3), ownerOf()]).toEqual([[10, 2], 2]);
    read(packet(2, 17, { slot: 3, generation: 0, whole: [12, 2], owner: 3 }));
    expect([valuesOf(3), ownerOf()]).toEqual([[10, 2], 2]);
    read(packet(3, 20, { slot: 3, generation: 0, whole: [13, 2], owner: 4 }));
    expect([valuesOf(3), ownerOf()]).toEqual([[13, 2], 4]);
  });

  it("takes a packet that an ack has passed over, but neither acknowledges nor builds on it", () => {
    read(packetBehind(1, 0, 11, { slot: 3, generation: 0, whole: [10, 2] }));
    read(packetBehind(2, 2, 13));
    expect(reader.arrivals.ack().runs).toEqual([1, 1, 1]);
    expect(read(packetBehind(1, 1, 12, { slot: 3, a: 1 }))).toBe("applied");
    expect(read(packetBehind(1, 1, 12, { slot: 3, a: 1 }))).toBe("duplicate");
    expect(valuesOf(3)).toEqual([11, 2]);
    expect(reader.arrivals.ack().runs).toEqual([1, 1, 1]);
    read(packetBehind(1, 3, 14, { slot: 3, a: -1 }));
    expect(valuesOf(3)).toEqual([9, 2]);
  });

  it("leaves alone, unacknowledged, a packet that builds on what it does not keep", () => {
    read(packetBehind(1, 0, 11, { slot: 3, generation: 0, whole: [10, 2] }));
    expect(read(packetBehind(1, 1, 12, { slot: 3, a: 1 }, { slot: 4, a: 1 }))).toBe("late");
    expect(read(packetBehind(255, 2, 13, { slot: 3, a: 1 }))).toBe("late");
    read(packetBehind(3, 3, 14, { slot: 3, generation: 0, gone: "leave" }));
    expect(read(packetBehind(1, 4, 15, { slot: 3, a: 1 }))).toBe("late");
    expect([reader.unknown, reader.arrivals.ack().runs, shelf.log]).toEqual([3, [1, 2, 1], ["create 3", "leave 3"]]);
  });
});

describe("a packet's size", () => {
  it("of an empty frame is 5 bytes; a neighbour in a run that did not change takes one bit", () => {
    packet(0, 1);
    expect(packetBehind(1, 1, 2).length).toBe(5);
  });
});
