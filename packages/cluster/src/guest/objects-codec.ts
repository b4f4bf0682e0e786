/** Objects as servers send them to each other: in wire form for copies, and exactly as the primary is where it changes its owner. */

import { REFUSALS, type Refusal } from "@nearfield/protocol/internal";
import type { ObjectType, Protocol, WorldId } from "@nearfield/schema";
import {
  type BitReader,
  type BitWriter,
  readFields,
  type Wire,
  WireError,
  writeFields,
} from "@nearfield/schema/internal";
import {
  readCount,
  readList,
  readName,
  readWorldId,
  WORLD_ID_BITS,
  writeList,
  writeName,
  writeWorldId,
} from "./wire.ts";

/** What became of a request for a lock: it waits, it was granted, the lock was given back, or why it was refused or taken back. */
export type ClaimState = "waiting" | "held" | "released" | Refusal;
const CLAIM_STATES: readonly ClaimState[] = ["waiting", "held", "released", ...REFUSALS];

/** A request for the lock of an object, by a player of another server than its owner. */
export interface Claim {
  readonly player: WorldId;
  /** Counts the requests of the player's gateway. */
  readonly ticket: number;
  readonly state: ClaimState;
}

/** Whether the player waits for the lock or holds it. */
export function isOpen({ state }: Claim): boolean {
  return state === "waiting" || state === "held";
}

interface AnObject {
  readonly id: WorldId;
  readonly type: ObjectType;
  /** How often the object has changed its owner. */
  readonly hop: number;
  readonly tags: readonly string[];
  /** Whose it is: the world id of a player, or 0. */
  readonly player: WorldId;
  /** The last command of that player that is part of this state. */
  readonly applied: number;
  /** The last routed step, and the last stepped command of the client, that are part of this state. */
  readonly stepped: number;
  readonly said: number;
  /** The last write of that player that is part of this state. */
  readonly written: number;
  /** Requests for its lock, in the order of the queue. None for a type without locks. */
  readonly claims: readonly Claim[];
}

/** A copy for another server, as of a version. Of two entries of one object the one with the higher hop is newer, then the one with the higher version. */
export interface Entry extends AnObject {
  readonly version: number;
  /** How many commands, counted back from `applied`, have effects that are not in the owner's log yet. */
  readonly unsafe: number;
  /** Index in the news' list of slices. */
  readonly slice: number;
  readonly wires: readonly Wire[];
}

/** The primary itself. */
export interface Moved extends AnObject {
  readonly nickname: string;
  /** How long its lock has been held, ms. */
  readonly heldMs: number;
  /** Column numbers of numeric fields, and values of the others. */
  readonly values: readonly unknown[];
}

/** The primary as a log keeps it, of a version. Of two the one with the higher hop is newer, then the one with the higher version. */
export interface Kept extends Moved {
  readonly version: number;
}

function writeObject(writer: BitWriter, protocol: Protocol, object: AnObject): void {
  const { id, type, hop, tags, player, applied, stepped, said, written, claims } = object;
  writeWorldId(writer, id);
  protocol.writeType(writer, type);
  writer.writeVar(hop);
  writer.writeVar(tags.length);
  for (const tag of tags) writeName(writer, tag);
  if (type.write === "locked") writeList(writer, claims, (claim) => writeClaim(writer, claim));
  writer.writeBits(player === 0 ? 0 : 1, 1);
  if (player === 0) return;
  writeWorldId(writer, player);
  for (const number of [applied, stepped, said, written]) writer.writeVar(number);
}

function readObject(reader: BitReader, protocol: Protocol): AnObject {
  const id = readWorldId(reader);
  const type = protocol.readObjectType(reader);
  const hop = reader.readVar();
  const tags = Array.from({ length: readCount(reader, 1) }, () => readName(reader));
  const claims = type.write === "locked" ? readList(reader, WORLD_ID_BITS, () => readClaim(reader)) : [];
  const known = { id, type, hop, tags, claims };
  const hasPlayer = reader.readBits(1) === 1;
  if (!hasPlayer) return { ...known, player: 0 as WorldId, applied: 0, stepped: 0, said: 0, written: 0 };
  const player = readWorldId(reader);
  const [applied, stepped, said] = [reader.readVar(), reader.readVar(), reader.readVar()];
  return { ...known, player, applied, stepped, said, written: reader.readVar() };
}

function writeClaim(writer: BitWriter, { player, ticket, state }: Claim): void {
  writeWorldId(writer, player);
  writer.writeVar(ticket);
  writer.writeVar(CLAIM_STATES.indexOf(state));
}

function readClaim(reader: BitReader): Claim {
  const [player, ticket, state] = [readWorldId(reader), reader.readVar(), CLAIM_STATES[reader.readVar()]];
  if (state === undefined) throw new WireError("range", "a claim in no state");
  return { player, ticket, state };
}

export function writeEntry(writer: BitWriter, protocol: Protocol, entry: Entry): void {
  writeObject(writer, protocol, entry);
  writer.writeVar(entry.version);
  writer.writeVar(entry.unsafe);
  writer.writeVar(entry.slice);
  writeFields(writer, entry.type, entry.type.allMask, (field) => entry.wires[field]!);
}

export function readEntry(reader: BitReader, protocol: Protocol): Entry {
  const object = readObject(reader, protocol);
  const [version, unsafe, slice] = [reader.readVar(), reader.readVar(), reader.readVar()];
  const wires: Wire[] = [];
  readFields(reader, object.type, object.type.allMask, (_, wire) => wires.push(wire));
  return { ...object, version, unsafe, slice, wires };
}

export function writeMoved(writer: BitWriter, protocol: Protocol, moved: Moved): void {
  writeObject(writer, protocol, moved);
  writeName(writer, moved.nickname);
  if (moved.type.write === "locked") writer.writeVar(moved.heldMs);
  for (const { index, field } of moved.type.fields) {
    const value = moved.values[index];
    if (field.numeric) writer.writeFloat64(value as number);
    else field.writeWire(writer, field.toWire(value));
  }
}

export function readMoved(reader: BitReader, protocol: Protocol): Moved {
  const object = readObject(reader, protocol);
  const nickname = readName(reader);
  const heldMs = object.type.write === "locked" ? reader.readVar() : 0;
  const values = object.type.fields.map(({ field }) =>
    field.numeric ? reader.readFloat64() : field.fromWire(field.readWire(reader)),
  );
  return { ...object, nickname, heldMs, values };
}

export function writeKept(writer: BitWriter, protocol: Protocol, kept: Kept): void {
  writeMoved(writer, protocol, kept);
  writer.writeVar(kept.version);
}

export function readKept(reader: BitReader, protocol: Protocol): Kept {
  return { ...readMoved(reader, protocol), version: reader.readVar() };
}
