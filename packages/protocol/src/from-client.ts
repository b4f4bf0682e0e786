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
import { type Arrived, type MessageChannel, type MessageCodec, MessageTable } from "./codec.ts";
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
export const PROTOCOL_VERSION = 8;

/** The largest body with a game's own fields: a command, a write, a new object. */
export const MAX_RECORD_BYTES = 65_536;
const MAX_SMALL_BYTES = 512;
/** The longest hello, without credentials and with them. */
export const MAX_PLAIN_HELLO_BYTES = 1024;
export const MAX_HELLO_BYTES: number = MAX_PLAIN_HELLO_BYTES + MAX_CREDENTIALS_BYTES;
const MAX_VIEW_BYTES = 48 * 1024;
/** Most objects that a debug subscription names. */
export const MAX_DEBUG_OBJECTS = 64;

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
  | Commands;

const hello: MessageCodec<Hello> = {
  channel: "reliable",
  numbered: false,
  maxBytes: MAX_HELLO_BYTES,
  write(w, message) {
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
  },
  /** Of a hello of another version only the version is read; the rest is skipped. */
  read(r) {
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
  },
};

function readResume(r: BitReader): Resume {
  return {
    token: readToken(r),
    attempt: r.readVar(),
    heard: r.readBits(16),
    packets: readPacketAck(r),
    afresh: readFlag(r),
  };
}

const ack: MessageCodec<Ack> = {
  channel: "sequenced",
  numbered: false,
  maxBytes: MAX_SMALL_BYTES,
  write: writeAckPart,
  read: (r) => ({ kind: "ack", ...readAckPart(r) }),
};

const pivots: MessageCodec<Pivots> = {
  channel: "sequenced",
  numbered: false,
  maxBytes: MAX_VIEW_BYTES,
  write(w, message) {
    w.writeBits(message.number, 8);
    writePivots(w, message.pivots);
    writeRidingAck(w, message.ack);
  },
  read: (r) => ({ kind: "pivots", number: r.readBits(8), pivots: readPivots(r), ack: readRidingAck(r) }),
};

const ping: MessageCodec<Ping> = {
  channel: "unsequenced",
  numbered: false,
  maxBytes: MAX_SMALL_BYTES,
  write(w, message) {
    w.writeBits(message.stamp, 32);
    writeRidingAck(w, message.ack);
  },
  read: (r) => ({ kind: "ping", stamp: r.readBits(32), ack: readRidingAck(r) }),
};

const leave: MessageCodec<Leave> = {
  channel: "reliable",
  numbered: false,
  maxBytes: MAX_SMALL_BYTES,
  write() {},
  read: () => ({ kind: "leave" }),
};

const command: MessageCodec<Command> = {
  channel: "reliable",
  numbered: true,
  maxBytes: MAX_RECORD_BYTES,
  write(w, message, protocol) {
    protocol.writeType(w, message.type);
    writeRecord(w, message.type, message.values);
  },
  read(r, protocol) {
    const type = protocol.readCommandType(r);
    return { kind: "command", type, values: readRecord(r, type) };
  },
};

const write: MessageCodec<Write> = {
  channel: "reliable",
  numbered: true,
  maxBytes: MAX_RECORD_BYTES,
  write: writeObjectFields,
  read: (r, protocol) => ({ kind: "write", id: readId(r), fields: readFieldsOfObject(r, protocol) }),
};

const lock: MessageCodec<Lock> = {
  channel: "reliable",
  numbered: true,
  maxBytes: MAX_SMALL_BYTES,
  write: (w, message) => writeId(w, message.id),
  read: (r) => ({ kind: "lock", id: readId(r) }),
};

const release: MessageCodec<Release> = {
  channel: "reliable",
  numbered: true,
  maxBytes: MAX_RECORD_BYTES,
  write: writeObjectFields,
  read: (r, protocol) => ({ kind: "release", id: readId(r), fields: readFieldsOfObject(r, protocol) }),
};

const add: MessageCodec<Add> = {
  channel: "reliable",
  numbered: true,
  maxBytes: MAX_RECORD_BYTES,
  write(w, message, protocol) {
    w.writeVar(message.request);
    writeFieldsOfObject(w, message.fields, protocol);
  },
  read: (r, protocol) => ({ kind: "add", request: r.readVar(), fields: readFieldsOfObject(r, protocol) }),
};

const remove: MessageCodec<Remove> = {
  channel: "reliable",
  numbered: true,
  maxBytes: MAX_SMALL_BYTES,
  write: (w, message) => writeId(w, message.id),
  read: (r) => ({ kind: "remove", id: readId(r) }),
};

const proposeView: MessageCodec<ProposeView> = {
  channel: "reliable",
  numbered: true,
  maxBytes: MAX_VIEW_BYTES,
  write(w, message) {
    w.writeVar(message.request);
    writeView(w, message.settings);
  },
  read: (r) => ({ kind: "proposeView", request: r.readVar(), settings: readView(r) }),
};

const debug: MessageCodec<Debug> = {
  channel: "reliable",
  numbered: true,
  maxBytes: MAX_SMALL_BYTES,
  write(w, message) {
    w.writeVar(message.everyRounds);
    w.writeVar(message.ids.length);
    for (const id of message.ids) writeId(w, id);
  },
  read(r) {
    const everyRounds = r.readVar();
    const ids: ObjectId[] = [];
    for (let left = readCount(r, MAX_DEBUG_OBJECTS, "objects"); left > 0; left--) ids.push(readId(r));
    return { kind: "debug", everyRounds, ids };
  },
};

const commands: MessageCodec<Commands> = {
  channel: "unsequenced",
  numbered: false,
  maxBytes: MAX_RECORD_BYTES,
  write: writeCommands,
  read: readCommands,
};

function writeObjectFields(w: BitWriter, message: Write | Release, protocol: Protocol): void {
  writeId(w, message.id);
  writeFieldsOfObject(w, message.fields, protocol);
}

function skip(r: BitReader): void {
  while (r.bitsLeft > 0) r.readBits(Math.min(32, r.bitsLeft));
}

/** In the order of their numbers on the wire. Hello must stay the first. */
const TABLE: MessageTable<FromClient> = new MessageTable<FromClient>({
  hello,
  ack,
  pivots,
  ping,
  leave,
  command,
  write,
  lock,
  release,
  add,
  remove,
  proposeView,
  debug,
  commands,
});

export function encodeFromClient(message: FromClient, protocol: Protocol, number = 0): Uint8Array {
  return TABLE.encode(message, protocol, number);
}

/** Whether these bytes, if they are a valid message at all, are of this kind. Does not read the body. */
export function isFromClient(bytes: Uint8Array, kind: FromClient["kind"]): boolean {
  return TABLE.isKind(bytes, kind);
}

/** Reads whatever a client may have sent; throws `WireError` and nothing else. */
export function decodeFromClient(bytes: Uint8Array, channel: MessageChannel, protocol: Protocol): Arrived<FromClient> {
  return TABLE.decode(bytes, channel, protocol);
}

export function channelFromClient(kind: FromClient["kind"]): MessageChannel {
  return TABLE.channelOf(kind);
}
