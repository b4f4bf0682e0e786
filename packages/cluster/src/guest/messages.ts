/**
 * What servers of a cluster say to each other, and its bytes. Every message says who sent it. Bits are read with bounds: what cannot be
 * read throws `WireError` or `SchemaError`, and the receiver drops that message.
 */

import type { CommandType, Protocol, WorldId } from "@nearfield/schema";
import { BitReader, BitWriter, readRecord, WireError, writeRecord } from "@nearfield/schema/internal";
import { type Entry, type Moved, readEntry, readMoved, writeEntry, writeMoved } from "./objects-codec.ts";
import { readList, readName, readWorldId, WORLD_ID_BITS, writeList, writeName, writeWorldId } from "./wire.ts";

/** The objects of a set, and how far a view of them reaches around a pivot. */
export interface Reach {
  readonly match: { readonly type: string } | { readonly tag: string } | { readonly predicate: string } | "everything";
  /** World units; below 0: the pivot does not count for this set. */
  readonly range: number;
}

/** Where a view is, and by which list of reaches. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly list: number;
}

/** What the sender's players see of the receiver's slices; replaces what it said before. */
export interface Interest {
  readonly kind: "interest";
  /** The sender has lost some news, and asks for everything anew. */
  readonly isAfresh: boolean;
  readonly lists: readonly (readonly Reach[])[];
  readonly areas: readonly Area[];
}

/** `left`: out of what the receiver asked for; `ceded`: another server owns it now, and tells of it. */
export type GoneReason = "left" | "destroyed" | "ceded";

export interface Gone {
  readonly id: WorldId;
  readonly hop: number;
  readonly reason: GoneReason;
}

/** One round of the sender, as far as the receiver asked for it. */
export interface News {
  readonly kind: "news";
  /** Counts the news from this sender to this receiver. */
  readonly sequence: number;
  /** There is nothing else: other copies from this sender are out of date. */
  readonly isWhole: boolean;
  /** For which slices it speaks; entries name them by index. */
  readonly slices: readonly { readonly id: string; readonly fence: number }[];
  readonly entries: readonly Entry[];
  readonly gone: readonly Gone[];
}

/** The receiver owns this object from now on (V §3.4.3: a one-way notification). It is said again until it is `taken`. */
export interface Handover {
  readonly kind: "handover";
  /** By which map the receiver owns the place. */
  readonly epoch: number;
  readonly object: Moved;
}

export interface Taken {
  readonly kind: "taken";
  readonly id: WorldId;
  readonly hop: number;
}

/** Commands of a player of the sender for an object that the receiver owns, numbered without gaps. */
export interface Commands {
  readonly kind: "commands";
  readonly player: WorldId;
  readonly nickname: string;
  readonly avatar: WorldId;
  readonly first: number;
  readonly list: readonly { readonly type: CommandType; readonly values: Readonly<Record<string, unknown>> }[];
}

/** A player of the sender has left. */
export interface Left {
  readonly kind: "left";
  readonly player: WorldId;
}

export type Statement = Interest | News | Handover | Taken | Commands | Left;
export type Message = Statement & { readonly from: number };

const KINDS = ["interest", "news", "handover", "taken", "commands", "left"] as const;
const REASONS = ["left", "destroyed", "ceded"] as const;
const KIND_BITS = 3;
const REASON_BITS = 2;
export const MOST_COMMANDS_OUT = 256;

export function encodeMessage(protocol: Protocol, message: Message): Uint8Array {
  const writer = new BitWriter(1024);
  writer.writeBits(KINDS.indexOf(message.kind), KIND_BITS);
  writer.writeVar(message.from);
  switch (message.kind) {
    case "interest":
      writeInterest(writer, message);
      break;
    case "news":
      writeNews(writer, protocol, message);
      break;
    case "handover":
      writer.writeVar(message.epoch);
      writeMoved(writer, protocol, message.object);
      break;
    case "taken":
      writeWorldId(writer, message.id);
      writer.writeVar(message.hop);
      break;
    case "commands":
      writeCommands(writer, protocol, message);
      break;
    default:
      writeWorldId(writer, message.player);
  }
  return writer.finish();
}

export function decodeMessage(protocol: Protocol, bytes: Uint8Array): Message {
  const reader = new BitReader(bytes);
  const kind = KINDS[reader.readBits(KIND_BITS)];
  const from = reader.readVar();
  switch (kind) {
    case "interest":
      return { from, ...readInterest(reader) };
    case "news":
      return { from, ...readNews(reader, protocol) };
    case "handover":
      return { kind, from, epoch: reader.readVar(), object: readMoved(reader, protocol) };
    case "taken":
      return { kind, from, id: readWorldId(reader), hop: reader.readVar() };
    case "commands":
      return { from, ...readCommands(reader, protocol) };
    case "left":
      return { kind, from, player: readWorldId(reader) };
    default:
      throw new WireError("range", "a message of no kind");
  }
}

// ── interest ─────────────────────────────────────────────────────────────────────────────────────────────────────

const MATCHES = ["everything", "type", "tag", "predicate"] as const;

function writeInterest(writer: BitWriter, { isAfresh, lists, areas }: Interest): void {
  writer.writeBits(isAfresh ? 1 : 0, 1);
  writeList(writer, lists, (list) =>
    writeList(writer, list, ({ match, range }) => {
      const [kind, name] = match === "everything" ? ["everything", ""] : Object.entries(match)[0]!;
      writer.writeBits(MATCHES.indexOf(kind as (typeof MATCHES)[number]), 2);
      writeName(writer, name);
      writer.writeFloat64(range);
    }),
  );
  writeList(writer, areas, ({ x, y, z, list }) => {
    for (const value of [x, y, z]) writer.writeFloat64(value);
    writer.writeVar(list);
  });
}

function readInterest(reader: BitReader): Interest {
  const isAfresh = reader.readBits(1) === 1;
  const lists = readList(reader, 5, () =>
    readList(reader, 66, (): Reach => {
      const kind = MATCHES[reader.readBits(2)]!;
      const name = readName(reader);
      const match = (kind === "everything" ? kind : { [kind]: name }) as Reach["match"];
      return { match, range: reader.readFloat64() };
    }),
  );
  const areas = readList(reader, 3 * 64 + 5, () => {
    const [x, y, z] = [reader.readFloat64(), reader.readFloat64(), reader.readFloat64()];
    return { x, y, z, list: reader.readVar() };
  });
  if (areas.some(({ list }) => list >= lists.length)) throw new WireError("range", "an area of no list");
  return { kind: "interest", isAfresh, lists, areas };
}

// ── news ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function writeNews(writer: BitWriter, protocol: Protocol, { sequence, isWhole, slices, entries, gone }: News): void {
  writer.writeVar(sequence);
  writer.writeBits(isWhole ? 1 : 0, 1);
  writeList(writer, slices, ({ id, fence }) => {
    writeName(writer, id);
    writer.writeVar(fence);
  });
  writeList(writer, entries, (entry) => writeEntry(writer, protocol, entry));
  writeList(writer, gone, ({ id, hop, reason }) => {
    writeWorldId(writer, id);
    writer.writeVar(hop);
    writer.writeBits(REASONS.indexOf(reason), REASON_BITS);
  });
}

function readNews(reader: BitReader, protocol: Protocol): News {
  const sequence = reader.readVar();
  const isWhole = reader.readBits(1) === 1;
  const slices = readList(reader, 8, () => ({ id: readName(reader), fence: reader.readVar() }));
  const entries = readList(reader, WORLD_ID_BITS, () => readEntry(reader, protocol));
  const gone = readList(reader, WORLD_ID_BITS, () => {
    const [id, hop] = [readWorldId(reader), reader.readVar()];
    const reason = REASONS[reader.readBits(REASON_BITS)];
    if (reason === undefined) throw new WireError("range", "gone for no reason");
    return { id, hop, reason };
  });
  if (entries.some(({ slice }) => slice >= slices.length)) throw new WireError("range", "an entry of no slice");
  return { kind: "news", sequence, isWhole, slices, entries, gone };
}

// ── commands ─────────────────────────────────────────────────────────────────────────────────────────────────────

function writeCommands(writer: BitWriter, protocol: Protocol, message: Commands): void {
  writeWorldId(writer, message.player);
  writeName(writer, message.nickname);
  writeWorldId(writer, message.avatar);
  writer.writeVar(message.first);
  writeList(writer, message.list, ({ type, values }) => {
    protocol.writeType(writer, type);
    writeRecord(writer, type, values);
  });
}

function readCommands(reader: BitReader, protocol: Protocol): Commands {
  const player = readWorldId(reader);
  const nickname = readName(reader);
  const avatar = readWorldId(reader);
  const first = reader.readVar();
  const count = reader.readVar();
  if (count > MOST_COMMANDS_OUT) throw new WireError("length", `${count} commands, at most ${MOST_COMMANDS_OUT}`);
  const list = Array.from({ length: count }, () => {
    const type = protocol.readCommandType(reader);
    return { type, values: readRecord(reader, type) };
  });
  return { kind: "commands", player, nickname, avatar, first, list };
}
