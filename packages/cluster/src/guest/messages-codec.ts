/**
 * The bytes of messages between servers. Bits are read with bounds: what cannot be read throws `WireError` or `SchemaError`, and the receiver drops that
 * message.
 */

import type { FieldsOfObject } from "@nearfield/protocol/internal";
import type { Protocol } from "@nearfield/schema";
import {
  BitReader,
  BitWriter,
  readFields,
  readMask,
  readRecord,
  type Wire,
  WireError,
  writeFields,
  writeMask,
  writeRecord,
} from "@nearfield/schema/internal";
import { ROUTED_REFUSALS } from "@nearfield/server/internal";
import { readSession, readToken, writeSession, writeToken } from "../journal/entries.ts";
import {
  type Commands,
  type Heard,
  type Hearers,
  type Inquest,
  type Interest,
  type Locks,
  type Message,
  MOST_COMMANDS_OUT,
  type News,
  type NumberedCommand,
  type Reach,
  type Steps,
  type Testimony,
  type Word,
  type WriteRefused,
  type Writes,
} from "./messages.ts";
import { readEntry, readKept, readMoved, writeEntry, writeKept, writeMoved } from "./objects-codec.ts";
import { readList, readName, readWorldId, WORLD_ID_BITS, writeList, writeName, writeWorldId } from "./wire.ts";

const KINDS = [
  "interest",
  "news",
  "handover",
  "taken",
  "commands",
  "left",
  "inquest",
  "testimony",
  "seek",
  "found",
  "renamed",
  "heard",
  "steps",
  "writes",
  "writeRefused",
  "locks",
] as const;
const REASONS = ["left", "destroyed", "ceded"] as const;
const KIND_BITS = 4;
const LEAST_VAR_BITS = 5;
const REASON_BITS = 2;

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
      writeList(writer, message.copies, (server) => writer.writeVar(server));
      break;
    case "taken":
      writeWorldId(writer, message.id);
      writer.writeVar(message.hop);
      break;
    case "commands":
      writeCommands(writer, protocol, message);
      break;
    case "steps":
      writeSteps(writer, protocol, message);
      break;
    case "writes":
      writeWrites(writer, protocol, message);
      break;
    case "writeRefused":
      for (const id of [message.player, message.id]) writeWorldId(writer, id);
      writer.writeVar(message.number);
      writer.writeVar(ROUTED_REFUSALS.indexOf(message.refusal));
      break;
    case "locks":
      writeLocks(writer, protocol, message);
      break;
    case "inquest":
      writeInquest(writer, message);
      break;
    case "testimony":
      writeTestimony(writer, protocol, message);
      break;
    case "seek":
      writeToken(writer, message.token);
      break;
    case "found":
      writeSession(writer, message.session);
      break;
    case "renamed":
      writeWorldId(writer, message.player);
      writeWorldId(writer, message.to);
      break;
    case "heard":
      writeHeard(writer, protocol, message);
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
      return {
        kind,
        from,
        epoch: reader.readVar(),
        object: readMoved(reader, protocol),
        copies: readList(reader, LEAST_VAR_BITS, () => reader.readVar()),
      };
    case "taken":
      return { kind, from, id: readWorldId(reader), hop: reader.readVar() };
    case "commands":
      return { from, ...readCommands(reader, protocol) };
    case "steps":
      return { from, ...readSteps(reader, protocol) };
    case "writes":
      return { from, ...readWrites(reader, protocol) };
    case "writeRefused":
      return { from, ...readWriteRefused(reader) };
    case "locks":
      return { from, ...readLocks(reader, protocol) };
    case "left":
      return { kind, from, player: readWorldId(reader) };
    case "inquest":
      return { from, ...readInquest(reader) };
    case "testimony":
      return { from, ...readTestimony(reader, protocol) };
    case "seek":
      return { kind, from, token: readToken(reader) };
    case "found":
      return { kind, from, session: readSession(reader) };
    case "renamed":
      return { kind, from, player: readWorldId(reader), to: readWorldId(reader) };
    case "heard":
      return { from, ...readHeard(reader, protocol) };
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

function writeRouting(
  writer: BitWriter,
  { player, nickname, avatar, confirmed, after }: Commands | Steps | Writes,
): void {
  writeWorldId(writer, player);
  writeName(writer, nickname);
  writeWorldId(writer, avatar);
  writer.writeVar(confirmed);
  writer.writeVar(after);
}

function readRouting(reader: BitReader): Omit<Commands, "kind" | "list"> {
  const player = readWorldId(reader);
  const nickname = readName(reader);
  const avatar = readWorldId(reader);
  return { player, nickname, avatar, confirmed: reader.readVar(), after: reader.readVar() };
}

function writeCommand(writer: BitWriter, protocol: Protocol, { number, type, values }: NumberedCommand): void {
  writer.writeVar(number);
  protocol.writeType(writer, type);
  writeRecord(writer, type, values);
}

function readCommand(reader: BitReader, protocol: Protocol): NumberedCommand {
  const number = reader.readVar();
  const type = protocol.readCommandType(reader);
  return { number, type, values: readRecord(reader, type) };
}

function readCommandCount(reader: BitReader): number {
  const count = reader.readVar();
  if (count > MOST_COMMANDS_OUT) throw new WireError("length", `${count} commands, at most ${MOST_COMMANDS_OUT}`);
  return count;
}

function writeCommands(writer: BitWriter, protocol: Protocol, message: Commands): void {
  writeRouting(writer, message);
  writeList(writer, message.list, (command) => writeCommand(writer, protocol, command));
}

function readCommands(reader: BitReader, protocol: Protocol): Commands {
  const routing = readRouting(reader);
  const list = Array.from({ length: readCommandCount(reader) }, () => readCommand(reader, protocol));
  return { kind: "commands", ...routing, list };
}

function writeSteps(writer: BitWriter, protocol: Protocol, message: Steps): void {
  writeRouting(writer, message);
  writeList(writer, message.list, (step) => {
    writeCommand(writer, protocol, step);
    writer.writeVar(step.said);
    writer.writeVar(step.stepMs);
  });
}

function readSteps(reader: BitReader, protocol: Protocol): Steps {
  const routing = readRouting(reader);
  const list = Array.from({ length: readCommandCount(reader) }, () => ({
    ...readCommand(reader, protocol),
    said: reader.readVar(),
    stepMs: reader.readVar(),
  }));
  return { kind: "steps", ...routing, list };
}

// ── writes ───────────────────────────────────────────────────────────────────────────────────────────────────────

function writeWrites(writer: BitWriter, protocol: Protocol, message: Writes): void {
  writeRouting(writer, message);
  writeList(writer, message.list, ({ number, write }) => {
    writer.writeVar(number);
    writeWritten(writer, protocol, write);
  });
}

function readWrites(reader: BitReader, protocol: Protocol): Writes {
  const routing = readRouting(reader);
  const list = Array.from({ length: readCommandCount(reader) }, () => {
    const number = reader.readVar();
    return { number, write: readWritten(reader, protocol) };
  });
  return { kind: "writes", ...routing, list };
}

function writeWritten(writer: BitWriter, protocol: Protocol, fields: FieldsOfObject | undefined): void {
  writer.writeBits(fields === undefined ? 0 : 1, 1);
  if (fields === undefined) return;
  const { type, mask, wires } = fields;
  protocol.writeType(writer, type);
  writeMask(writer, type, mask);
  let next = 0;
  writeFields(writer, type, mask, () => wires[next++]!);
}

function readWritten(reader: BitReader, protocol: Protocol): FieldsOfObject | undefined {
  if (reader.readBits(1) === 0) return undefined;
  const type = protocol.readObjectType(reader);
  const mask = readMask(reader, type);
  const wires: Wire[] = [];
  readFields(reader, type, mask, (_, wire) => wires.push(wire));
  return { type, mask, wires };
}

function readWriteRefused(reader: BitReader): WriteRefused {
  const [player, id, number] = [readWorldId(reader), readWorldId(reader), reader.readVar()];
  const refusal = ROUTED_REFUSALS[reader.readVar()];
  if (refusal === undefined) throw new WireError("range", "refused for no reason");
  return { kind: "writeRefused", player, id, number, refusal };
}

// ── locks ────────────────────────────────────────────────────────────────────────────────────────────────────────

function writeLocks(writer: BitWriter, protocol: Protocol, message: Locks): void {
  const { player, nickname, avatar, hop, requests } = message;
  writeWorldId(writer, player);
  writeName(writer, nickname);
  writeWorldId(writer, avatar);
  writer.writeVar(hop);
  writeList(writer, requests, ({ ticket, release }) => {
    writer.writeVar(ticket);
    writeWritten(writer, protocol, release);
  });
}

function readLocks(reader: BitReader, protocol: Protocol): Locks {
  const [player, nickname, avatar] = [readWorldId(reader), readName(reader), readWorldId(reader)];
  const hop = reader.readVar();
  const requests = readList(reader, LEAST_VAR_BITS, () => {
    const ticket = reader.readVar();
    return { ticket, release: readWritten(reader, protocol) };
  });
  return { kind: "locks", player, nickname, avatar, hop, requests };
}

// ── a dead server's objects ──────────────────────────────────────────────────────────────────────────────────────

function writeInquest(writer: BitWriter, { dead, part, listed }: Inquest): void {
  writer.writeVar(dead);
  writer.writeVar(part);
  writeList(writer, listed, ({ id, hop, version }) => {
    writeWorldId(writer, id);
    writer.writeVar(hop);
    writer.writeVar(version);
  });
}

function readInquest(reader: BitReader): Inquest {
  const [dead, part] = [reader.readVar(), reader.readVar()];
  const listed = readList(reader, WORLD_ID_BITS, () => ({
    id: readWorldId(reader),
    hop: reader.readVar(),
    version: reader.readVar(),
  }));
  return { kind: "inquest", dead, part, listed };
}

const WORDS = ["own", "movedOn", "open", "state"] as const;

function writeTestimony(writer: BitWriter, protocol: Protocol, { dead, part, isLast, words }: Testimony): void {
  writer.writeVar(dead);
  writer.writeVar(part);
  writer.writeBits(isLast ? 1 : 0, 1);
  writeList(writer, words, (word) => {
    writeWorldId(writer, word.id);
    writer.writeBits(WORDS.indexOf(word.kind), 2);
    if (word.kind === "state") writeKept(writer, protocol, word.object);
    else if (word.kind !== "own") writer.writeVar(word.hop);
  });
}

function readTestimony(reader: BitReader, protocol: Protocol): Testimony {
  const [dead, part, isLast] = [reader.readVar(), reader.readVar(), reader.readBits(1) === 1];
  const words = readList(reader, WORLD_ID_BITS, (): Word => {
    const id = readWorldId(reader);
    const kind = WORDS[reader.readBits(2)]!;
    if (kind === "own") return { kind, id };
    return kind === "state" ? { kind, id, object: readKept(reader, protocol) } : { kind, id, hop: reader.readVar() };
  });
  return { kind: "testimony", dead, part, isLast, words };
}

// ── events ───────────────────────────────────────────────────────────────────────────────────────────────────────

const HEARERS = ["all", "to", "near", "along"] as const;
const MOST_AXES = 3;

function writeHeard(writer: BitWriter, protocol: Protocol, { type, values, unreliable, hearers }: Heard): void {
  protocol.writeType(writer, type);
  writeRecord(writer, type, values);
  writer.writeBits(unreliable ? 1 : 0, 1);
  writer.writeBits(HEARERS.indexOf(hearers.kind), 2);
  if (hearers.kind === "to") writeList(writer, hearers.players, (player) => writeWorldId(writer, player));
  else if (hearers.kind === "near") {
    writePoint(writer, hearers.point);
    writer.writeFloat64(hearers.radius);
  } else if (hearers.kind === "along") {
    writePoint(writer, hearers.from);
    writePoint(writer, hearers.to);
    writer.writeVar(hearers.zone);
  }
}

function readHeard(reader: BitReader, protocol: Protocol): Heard {
  const type = protocol.readEventType(reader);
  const values = readRecord(reader, type);
  const unreliable = reader.readBits(1) === 1;
  return { kind: "heard", type, values, unreliable, hearers: readHearers(reader) };
}

function readHearers(reader: BitReader): Hearers {
  const kind = HEARERS[reader.readBits(2)]!;
  switch (kind) {
    case "to":
      return { kind, players: readList(reader, WORLD_ID_BITS, () => readWorldId(reader)) };
    case "near":
      return { kind, point: readPoint(reader), radius: reader.readFloat64() };
    case "along":
      return { kind, from: readPoint(reader), to: readPoint(reader), zone: reader.readVar() };
    default:
      return { kind };
  }
}

function writePoint(writer: BitWriter, point: readonly number[]): void {
  for (let axis = 0; axis < MOST_AXES; axis++) writer.writeFloat64(point[axis] ?? 0);
}

function readPoint(reader: BitReader): number[] {
  return Array.from({ length: MOST_AXES }, () => reader.readFloat64());
}
