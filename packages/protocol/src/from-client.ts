/**
 * The messages of a client. Acks and pivots are state and use the sequenced channel. Everything that must arrive uses the reliable channel
 * and, except for the handshake, belongs to the reliable stream.
 */

import type { Pivot, ViewSettings } from "@nearfield/core";
import type { CommandType, ObjectId, Protocol, Values } from "@nearfield/schema";
import { type BitReader, type BitWriter, readRecord, writeRecord } from "@nearfield/schema/internal";
import {
  type AckPart,
  type PacketAck,
  readAckPart,
  readPacketAck,
  readRidingAck,
  writeAckPart,
  writePacketAck,
  writeRidingAck,
} from "./arrivals.ts";
import {
  type Arrived,
  type Heads,
  isOfKind,
  type MessageChannel,
  MessageReader,
  MessageWriter,
  numbered,
  unnumbered,
} from "./codec.ts";
import { type Commands, readCommands, writeCommands } from "./commands-codec.ts";
import {
  type FieldsOfObject,
  MAX_CREDENTIALS_BYTES,
  readChoice,
  readCount,
  readCredentials,
  readFieldsOfObject,
  readFlag,
  readId,
  readName,
  readToken,
  writeChoice,
  writeCredentials,
  writeFieldsOfObject,
  writeFlag,
  writeId,
  writeName,
  writeToken,
} from "./primitives.ts";
import { readPivots, readView, writePivots, writeView } from "./view-codec.ts";

/** "NFLD": the beginning of a hello, in every version. */
const MAGIC = 0x4e_46_4c_44;
/** Raised when the bits of messages change. */
export const PROTOCOL_VERSION = 11;

/** The largest body with a game's own fields: a command, a write, a new object. */
export const MAX_RECORD_BYTES = 65_536;
const MAX_SMALL_BYTES = 512;
/** The longest hello, without credentials and with them. */
export const MAX_PLAIN_HELLO_BYTES = 1024;
export const MAX_HELLO_BYTES: number = MAX_PLAIN_HELLO_BYTES + MAX_CREDENTIALS_BYTES;
const MAX_VIEW_BYTES = 48 * 1024;
/** Most objects that a debug subscription names. */
export const MAX_DEBUG_OBJECTS = 64;

/** Most objects that a client makes one unit of, or releases, at once. */
export const MAX_GROUPED = 1024;

export const ROLES = ["player", "spectator"] as const;
/** A spectator sees the world and controls its view. It has no objects and sends no commands. */
export type Role = (typeof ROLES)[number];

/** A session to take up again, and what had arrived of it before its link broke. */
export interface Resume {
  readonly token: Uint8Array;
  /** Counts this client's links, so that the server recognises an old hello that arrives after a newer one. */
  readonly attempt: number;
  /** Low 16 bits of the number of the last reliable message received. */
  readonly heard: number;
  readonly packets: PacketAck;
  /** The client has forgotten everything but the token, as after a page was loaded anew. It is sent the whole world. */
  readonly afresh: boolean;
}

export interface Hello {
  readonly kind: "hello";
  readonly version: number;
  /** The hash of the client's `Protocol`. */
  readonly hash: number;
  readonly nickname: string;
  readonly room: string;
  /** The role that the client asks for. */
  readonly role: Role;
  /** For the server's `authenticate`. Empty if there are none, and when a session is taken up. */
  readonly credentials: string;
  readonly resume: Resume | undefined;
}

export interface Ack extends AckPart {
  readonly kind: "ack";
}

export interface Pivots {
  readonly kind: "pivots";
  /** Counts the client's pivots, modulo 256. The message is repeated until a frame confirms this number. */
  readonly number: number;
  readonly ack?: AckPart | undefined;
  readonly pivots: readonly Pivot[];
}

export interface Ping {
  readonly kind: "ping";
  /** Returned as it came. */
  readonly stamp: number;
  readonly ack?: AckPart | undefined;
}

export interface Leave {
  readonly kind: "leave";
}

export interface Command {
  readonly kind: "command";
  readonly type: CommandType;
  readonly values: Values<CommandType["shape"]>;
}

/** Fields that the owner wrote. */
export interface Write {
  readonly kind: "write";
  readonly id: ObjectId;
  readonly fields: FieldsOfObject;
}

export interface Lock {
  readonly kind: "lock";
  readonly id: ObjectId;
}

/** Gives a lock back, together with what was written under it (V §3.2). */
export interface Release {
  readonly kind: "release";
  readonly id: ObjectId;
  readonly fields: FieldsOfObject;
}

export interface Add {
  readonly kind: "add";
  readonly request: number;
  readonly fields: FieldsOfObject;
}

export interface Remove {
  readonly kind: "remove";
  readonly id: ObjectId;
}

export interface ProposeView {
  readonly kind: "proposeView";
  readonly request: number;
  readonly settings: ViewSettings;
}

/** Asks for explanations every `everyRounds` rounds; 0 ends them. No ids: all objects, in turn. */
export interface Debug {
  readonly kind: "debug";
  readonly everyRounds: number;
  readonly ids: readonly ObjectId[];
}

/** Makes one unit of exactly these own objects, or has them grouped by distance and heading again. */
export interface Group {
  readonly kind: "group";
  readonly request: number;
  readonly byHand: boolean;
  readonly ids: readonly ObjectId[];
}

export type FromClient =
  | Hello
  | Ack
  | Pivots
  | Ping
  | Leave
  | Command
  | Write
  | Lock
  | Release
  | Add
  | Remove
  | ProposeView
  | Debug
  | Commands
  | Group;

function writeHello(w: BitWriter, message: Hello): void {
  w.writeBits(MAGIC, 32);
  w.writeBits(message.version, 16);
  w.writeBits(message.hash, 32);
  writeName(w, message.nickname);
  writeName(w, message.room);
  writeChoice(w, ROLES, message.role);
  writeCredentials(w, message.credentials);
  writeFlag(w, message.resume !== undefined);
  if (message.resume === undefined) return;
  writeToken(w, message.resume.token);
  w.writeVar(message.resume.attempt);
  w.writeBits(message.resume.heard, 16);
  writePacketAck(w, message.resume.packets);
  writeFlag(w, message.resume.afresh);
}

/** Of a hello of another version only the version is read; the rest is skipped. */
function readHello(r: BitReader): Hello {
  const isOurs = r.readBits(32) === MAGIC;
  const version = isOurs ? r.readBits(16) : 0;
  if (version !== PROTOCOL_VERSION) {
    skip(r);
    const [nickname, room, credentials] = ["", "", ""];
    return { kind: "hello", version, hash: 0, nickname, room, role: "player", credentials, resume: undefined };
  }
  const hash = r.readBits(32);
  const nickname = readName(r);
  const room = readName(r);
  const role = readChoice(r, ROLES, "role");
  const credentials = readCredentials(r);
  const resume = readFlag(r) ? readResume(r) : undefined;
  return { kind: "hello", version, hash, nickname, room, role, credentials, resume };
}

function readResume(r: BitReader): Resume {
  return {
    token: readToken(r),
    attempt: r.readVar(),
    heard: r.readBits(16),
    packets: readPacketAck(r),
    afresh: readFlag(r),
  };
}

function readAck(r: BitReader): Ack {
  return { kind: "ack", ...readAckPart(r) };
}

function writePivotsMessage(w: BitWriter, message: Pivots): void {
  w.writeBits(message.number, 8);
  writePivots(w, message.pivots);
  writeRidingAck(w, message.ack);
}

function readPivotsMessage(r: BitReader): Pivots {
  return { kind: "pivots", number: r.readBits(8), pivots: readPivots(r), ack: readRidingAck(r) };
}

function writePing(w: BitWriter, message: Ping): void {
  w.writeBits(message.stamp, 32);
  writeRidingAck(w, message.ack);
}

function readPing(r: BitReader): Ping {
  return { kind: "ping", stamp: r.readBits(32), ack: readRidingAck(r) };
}

function writeLeave(): void {}

function readLeave(): Leave {
  return { kind: "leave" };
}

function writeCommand(w: BitWriter, message: Command, protocol: Protocol): void {
  protocol.writeType(w, message.type);
  writeRecord(w, message.type, message.values);
}

function readCommand(r: BitReader, protocol: Protocol): Command {
  const type = protocol.readCommandType(r);
  return { kind: "command", type, values: readRecord(r, type) };
}

function readWrite(r: BitReader, protocol: Protocol): Write {
  return { kind: "write", id: readId(r), fields: readFieldsOfObject(r, protocol) };
}

function writeLock(w: BitWriter, message: Lock): void {
  writeId(w, message.id);
}

function readLock(r: BitReader): Lock {
  return { kind: "lock", id: readId(r) };
}

function readRelease(r: BitReader, protocol: Protocol): Release {
  return { kind: "release", id: readId(r), fields: readFieldsOfObject(r, protocol) };
}

function writeAdd(w: BitWriter, message: Add, protocol: Protocol): void {
  w.writeVar(message.request);
  writeFieldsOfObject(w, message.fields, protocol);
}

function readAdd(r: BitReader, protocol: Protocol): Add {
  return { kind: "add", request: r.readVar(), fields: readFieldsOfObject(r, protocol) };
}

function writeRemove(w: BitWriter, message: Remove): void {
  writeId(w, message.id);
}

function readRemove(r: BitReader): Remove {
  return { kind: "remove", id: readId(r) };
}

function writeProposeView(w: BitWriter, message: ProposeView): void {
  w.writeVar(message.request);
  writeView(w, message.settings);
}

function readProposeView(r: BitReader): ProposeView {
  return { kind: "proposeView", request: r.readVar(), settings: readView(r) };
}

function writeDebug(w: BitWriter, message: Debug): void {
  w.writeVar(message.everyRounds);
  w.writeVar(message.ids.length);
  for (const id of message.ids) writeId(w, id);
}

function readDebug(r: BitReader): Debug {
  const everyRounds = r.readVar();
  const ids: ObjectId[] = [];
  for (let left = readCount(r, MAX_DEBUG_OBJECTS, "objects"); left > 0; left--) ids.push(readId(r));
  return { kind: "debug", everyRounds, ids };
}

function writeGroup(w: BitWriter, message: Group): void {
  w.writeVar(message.request);
  writeFlag(w, message.byHand);
  w.writeVar(message.ids.length);
  for (const id of message.ids) writeId(w, id);
}

function readGroup(r: BitReader): Group {
  const request = r.readVar();
  const byHand = readFlag(r);
  const ids: ObjectId[] = [];
  for (let left = readCount(r, MAX_GROUPED, "objects"); left > 0; left--) ids.push(readId(r));
  return { kind: "group", request, byHand, ids };
}

function writeObjectFields(w: BitWriter, message: Write | Release, protocol: Protocol): void {
  writeId(w, message.id);
  writeFieldsOfObject(w, message.fields, protocol);
}

function skip(r: BitReader): void {
  while (r.bitsLeft > 0) r.readBits(Math.min(32, r.bitsLeft));
}

/** Hello must keep its code: servers of every version read it. */
const HEADS: Heads<FromClient> = {
  hello: unnumbered(0, MAX_HELLO_BYTES, "reliable"),
  ack: unnumbered(1, MAX_SMALL_BYTES, "sequenced"),
  pivots: unnumbered(2, MAX_VIEW_BYTES, "sequenced"),
  ping: unnumbered(3, MAX_SMALL_BYTES, "unsequenced"),
  leave: unnumbered(4, MAX_SMALL_BYTES, "reliable"),
  command: numbered(5, MAX_RECORD_BYTES),
  write: numbered(6, MAX_RECORD_BYTES),
  lock: numbered(7, MAX_SMALL_BYTES),
  release: numbered(8, MAX_RECORD_BYTES),
  add: numbered(9, MAX_RECORD_BYTES),
  remove: numbered(10, MAX_SMALL_BYTES),
  proposeView: numbered(11, MAX_VIEW_BYTES),
  debug: numbered(12, MAX_SMALL_BYTES),
  commands: unnumbered(13, MAX_RECORD_BYTES, "unsequenced"),
  group: numbered(14, MAX_SMALL_BYTES + 4 * MAX_GROUPED),
};

/**
 * What every client sends. The rest stands apart: a page that moves no pivots, proposes no view, predicts nothing, groups, locks and adds nothing does not
 * load its writers.
 */
export type CommonFromClient = Hello | Ack | Ping | Leave | Command;
/** What a client asks for its objects. */
export type Wish = Write | Lock | Release | Add | Remove;

const COMMON: MessageWriter<FromClient, CommonFromClient> = /* @__PURE__ */ new MessageWriter<
  FromClient,
  CommonFromClient
>(HEADS, {
  hello: writeHello,
  ack: writeAckPart,
  ping: writePing,
  leave: writeLeave,
  command: writeCommand,
});

const WISHES: MessageWriter<FromClient, Wish> = /* @__PURE__ */ new MessageWriter<FromClient, Wish>(HEADS, {
  write: writeObjectFields,
  lock: writeLock,
  release: writeObjectFields,
  add: writeAdd,
  remove: writeRemove,
});

const DEBUGS: MessageWriter<FromClient, Debug> = /* @__PURE__ */ new MessageWriter<FromClient, Debug>(HEADS, {
  debug: writeDebug,
});

const PIVOTS: MessageWriter<FromClient, Pivots> = /* @__PURE__ */ new MessageWriter<FromClient, Pivots>(HEADS, {
  pivots: writePivotsMessage,
});

const PROPOSALS: MessageWriter<FromClient, ProposeView> = /* @__PURE__ */ new MessageWriter<FromClient, ProposeView>(
  HEADS,
  { proposeView: writeProposeView },
);

const STEPS: MessageWriter<FromClient, Commands> = /* @__PURE__ */ new MessageWriter<FromClient, Commands>(HEADS, {
  commands: writeCommands,
});

const GROUPINGS: MessageWriter<FromClient, Group> = /* @__PURE__ */ new MessageWriter<FromClient, Group>(HEADS, {
  group: writeGroup,
});

const READER: MessageReader<FromClient> = /* @__PURE__ */ new MessageReader<FromClient>(HEADS, {
  hello: readHello,
  ack: readAck,
  pivots: readPivotsMessage,
  ping: readPing,
  leave: readLeave,
  command: readCommand,
  write: readWrite,
  lock: readLock,
  release: readRelease,
  add: readAdd,
  remove: readRemove,
  proposeView: readProposeView,
  debug: readDebug,
  commands: readCommands,
  group: readGroup,
});

export function encodeFromClient(message: FromClient, protocol: Protocol, number = 0): Uint8Array {
  switch (message.kind) {
    case "pivots":
      return encodePivots(message, protocol);
    case "proposeView":
      return encodeProposal(message, protocol, number);
    case "commands":
      return encodeCommands(message, protocol);
    case "group":
      return encodeGrouping(message, protocol, number);
    case "debug":
      return encodeDebug(message, protocol, number);
    case "write":
    case "lock":
    case "release":
    case "add":
    case "remove":
      return encodeWish(message, protocol, number);
    default:
      return encodeCommon(message, protocol, number);
  }
}

export function encodeWish(message: Wish, protocol: Protocol, number: number): Uint8Array {
  return WISHES.encode(message, protocol, number);
}

export function encodeDebug(message: Debug, protocol: Protocol, number: number): Uint8Array {
  return DEBUGS.encode(message, protocol, number);
}

export function encodeCommon(message: CommonFromClient, protocol: Protocol, number = 0): Uint8Array {
  return COMMON.encode(message, protocol, number);
}

export function encodePivots(message: Pivots, protocol: Protocol): Uint8Array {
  return PIVOTS.encode(message, protocol);
}

export function encodeProposal(message: ProposeView, protocol: Protocol, number: number): Uint8Array {
  return PROPOSALS.encode(message, protocol, number);
}

export function encodeGrouping(message: Group, protocol: Protocol, number: number): Uint8Array {
  return GROUPINGS.encode(message, protocol, number);
}

export function encodeCommands(message: Commands, protocol: Protocol): Uint8Array {
  return STEPS.encode(message, protocol);
}

/** Whether these bytes, if they are a valid message at all, are of this kind. Does not read the body. */
export function isFromClient(bytes: Uint8Array, kind: FromClient["kind"]): boolean {
  return isOfKind(HEADS[kind], bytes);
}

/** Reads whatever a client may have sent; throws `WireError` and nothing else. */
export function decodeFromClient(bytes: Uint8Array, channel: MessageChannel, protocol: Protocol): Arrived<FromClient> {
  return READER.decode(bytes, channel, protocol);
}

export function channelFromClient(kind: FromClient["kind"]): MessageChannel {
  return HEADS[kind].channel;
}
