/** The messages of a server in bits: what each is called, how it is written and read, on which channel it goes, and how long it may be. */

import type { ObjectId, Protocol } from "@nearfield/schema";
import {
  type BitReader,
  type BitWriter,
  IS_DEVELOPMENT,
  readRecord,
  WireError,
  writeRecord,
} from "@nearfield/schema/internal";
import {
  type Arrived,
  type Heads,
  type MessageChannel,
  MessageReader,
  MessageWriter,
  numbered,
  type Readers,
  type Unread,
  unnumbered,
  writeCode,
} from "./codec.ts";
import { DecodedFrame } from "./decoded-frame.ts";
import { MAX_EXPLANATIONS, readExplanation, type ToldExplanation, writeExplanation } from "./explanation-codec.ts";
import { MAX_RECORD_BYTES, ROLES } from "./from-client.ts";
import {
  MAX_TEXT_BYTES,
  readChoice,
  readCount,
  readFieldsOfObject,
  readFlag,
  readId,
  readName,
  readNumber,
  readText,
  readToken,
  writeChoice,
  writeFieldsOfObject,
  writeFlag,
  writeId,
  writeName,
  writeNumber,
  writeText,
  writeToken,
} from "./primitives.ts";
import { readReason, writeReason } from "./reasons.ts";
import {
  type Added,
  type AddRefused,
  type Bye,
  type ClientPivotsSet,
  type EventMessage,
  type Explanations,
  type Frame,
  type FromServer,
  type Grouped,
  type Joined,
  type LockDenied,
  type LockGranted,
  type LockLost,
  type Loosened,
  type Pong,
  REFUSALS,
  type Refuse,
  ROOM_STATES,
  type State,
  type ViewRefused,
  type ViewSet,
  type Welcome,
  type WriteRefused,
} from "./server-messages.ts";
import { readClientPivots, readView, writeClientPivots, writeView } from "./view-codec.ts";

const MAX_SMALL_BYTES = 1024;
const MAX_VIEW_BYTES = 64 * 1024;
/** A packet with one record that is too long for the unreliable channels uses the reliable one, up to this size. */
const MAX_FRAME_BYTES = 1024 * 1024;
/** The server's time, in thousandths of a millisecond. */
const TIME_BITS = 52;
/** Most sentences about what was clamped in a view; further ones are left out. */
export const MAX_CLAMPED = 32;
/** Most own objects that a joining client waits for. */
export const MAX_AWAITED = 1024;
/** The most bytes of a view in force, pivots included. With everything else in `viewSet`, such a view always fits. */
export function mostViewBytes(): number {
  return MAX_VIEW_BYTES - MAX_CLAMPED * (MAX_TEXT_BYTES + 4) - 64;
}

/** `FrameWriter` writes frames packet by packet. `FrameReader` reads their records, since it has the states that they build on. */
function readFrame(r: BitReader, protocol: Protocol, reuse?: Frame): Frame {
  const message = reuse ?? { kind: "frame", frame: new DecodedFrame(protocol) };
  message.frame.open(r);
  return message;
}

function writeExplanations(w: BitWriter, message: Explanations): void {
  w.writeUint(message.round, 48);
  w.writeVar(message.list.length);
  for (const explanation of message.list) writeExplanation(w, explanation);
}

function readExplanations(r: BitReader): Explanations {
  const round = r.readUint(48);
  const list: ToldExplanation[] = [];
  for (let left = readCount(r, MAX_EXPLANATIONS, "explanations"); left > 0; left--) list.push(readExplanation(r));
  return { kind: "explanations", round, list };
}

function writePong(w: BitWriter, message: Pong): void {
  w.writeBits(message.stamp, 32);
  w.writeUint(Math.round(message.timeMs * 1000), TIME_BITS);
  w.writeVar(Math.round(message.heldMs * 1000));
}

function readPong(r: BitReader): Pong {
  return {
    kind: "pong",
    stamp: r.readBits(32),
    timeMs: r.readUint(TIME_BITS) / 1000,
    heldMs: r.readVar() / 1000,
  };
}

function writeWelcome(w: BitWriter, message: Welcome): void {
  w.writeVar(message.session);
  writeToken(w, message.token);
  writeNumber(w, message.roundMs);
  w.writeUint(message.round, 48);
  w.writeBits(message.heard, 16);
  writeFlag(w, message.resumed);
  writeName(w, message.nickname);
  writeChoice(w, ROLES, message.role);
  writeChoice(w, ROOM_STATES, message.state);
  writeNumber(w, message.resumeMs);
}

function readWelcome(r: BitReader): Welcome {
  return {
    kind: "welcome",
    session: r.readVar(),
    token: readToken(r),
    roundMs: readNumber(r),
    round: r.readUint(48),
    heard: r.readBits(16),
    resumed: readFlag(r),
    nickname: readName(r),
    role: readChoice(r, ROLES, "role"),
    state: readChoice(r, ROOM_STATES, "state"),
    resumeMs: readNumber(r),
  };
}

function writeRefuse(w: BitWriter, message: Refuse): void {
  writeReason(w, message.reason);
}

function readRefuse(r: BitReader): Refuse {
  return { kind: "refuse", reason: readReason(r) };
}

function writeBye(w: BitWriter, message: Bye): void {
  writeReason(w, message.reason);
}

function readBye(r: BitReader): Bye {
  return { kind: "bye", reason: readReason(r) };
}

function writeEvent(w: BitWriter, message: EventMessage, protocol: Protocol): void {
  protocol.writeType(w, message.type);
  writeRecord(w, message.type, message.values);
}

function readEvent(r: BitReader, protocol: Protocol): EventMessage {
  const type = protocol.readEventType(r);
  return { kind: "event", type, values: readRecord(r, type) };
}

function writeViewSet(w: BitWriter, message: ViewSet): void {
  w.writeVar(message.request);
  writeView(w, message.settings);
  const clamped = message.clamped.slice(0, MAX_CLAMPED);
  w.writeVar(clamped.length);
  for (const sentence of clamped) writeText(w, sentence);
}

function readViewSet(r: BitReader): ViewSet {
  const request = r.readVar();
  const settings = readView(r);
  const clamped: string[] = [];
  for (let left = readCount(r, MAX_CLAMPED, "sentences"); left > 0; left--) clamped.push(readText(r));
  return { kind: "viewSet", request, settings, clamped };
}

function writeViewRefused(w: BitWriter, message: ViewRefused): void {
  w.writeVar(message.request);
  writeText(w, message.text);
}

function readViewRefused(r: BitReader): ViewRefused {
  return { kind: "viewRefused", request: r.readVar(), text: readText(r) };
}

function writeLockGranted(w: BitWriter, message: LockGranted, protocol: Protocol): void {
  writeId(w, message.id);
  w.writeUint(message.round, 48);
  writeFieldsOfObject(w, message.fields, protocol);
}

function readLockGranted(r: BitReader, protocol: Protocol): LockGranted {
  return {
    kind: "lockGranted",
    id: readId(r),
    round: r.readUint(48),
    fields: readFieldsOfObject(r, protocol),
  };
}

function readLockDenied(r: BitReader): LockDenied {
  return { kind: "lockDenied", id: readId(r), refusal: readChoice(r, REFUSALS, "refusal") };
}

function readLockLost(r: BitReader): LockLost {
  return { kind: "lockLost", id: readId(r), refusal: readChoice(r, REFUSALS, "refusal") };
}

function writeAdded(w: BitWriter, message: Added): void {
  w.writeVar(message.request);
  writeId(w, message.id);
}

function readAdded(r: BitReader): Added {
  return { kind: "added", request: r.readVar(), id: readId(r) };
}

function writeAddRefused(w: BitWriter, message: AddRefused): void {
  w.writeVar(message.request);
  writeChoice(w, REFUSALS, message.refusal);
}

function readAddRefused(r: BitReader): AddRefused {
  return { kind: "addRefused", request: r.readVar(), refusal: readChoice(r, REFUSALS, "refusal") };
}

function readWriteRefused(r: BitReader): WriteRefused {
  return { kind: "writeRefused", id: readId(r), refusal: readChoice(r, REFUSALS, "refusal") };
}

function writeState(w: BitWriter, message: State): void {
  writeChoice(w, ROOM_STATES, message.state);
}

function readState(r: BitReader): State {
  return { kind: "state", state: readChoice(r, ROOM_STATES, "state") };
}

/** Width of the number of rounds from one turn of a client to the next. */
const EVERY_BITS = 8;

function writeLoosened(w: BitWriter, message: Loosened): void {
  w.writeFloat32(message.outer);
  w.writeFloat32(message.inner);
  w.writeBits(message.every, EVERY_BITS);
}

function readLoosened(r: BitReader): Loosened {
  const [outer, inner, every] = [r.readFloat32(), r.readFloat32(), r.readBits(EVERY_BITS)];
  if (!(inner >= 1 && outer >= inner && outer < Number.POSITIVE_INFINITY && every >= 1))
    throw new WireError("range", IS_DEVELOPMENT && `loosened by ${outer} and ${inner}, served every ${every} rounds`);
  return { kind: "loosened", outer, inner, every };
}

function writeJoined(w: BitWriter, message: Joined): void {
  w.writeVar(message.own.length);
  for (const id of message.own) writeId(w, id);
}

function readJoined(r: BitReader): Joined {
  const own: ObjectId[] = [];
  for (let left = readCount(r, MAX_AWAITED, "own objects"); left > 0; left--) own.push(readId(r));
  return { kind: "joined", own };
}

function readClientPivotsSet(r: BitReader): ClientPivotsSet {
  return { kind: "clientPivots", rules: readClientPivots(r) };
}

function writeGrouped(w: BitWriter, { request, refusal }: Grouped): void {
  w.writeVar(request);
  writeFlag(w, refusal !== undefined);
  if (refusal !== undefined) writeChoice(w, REFUSALS, refusal);
}

function readGrouped(r: BitReader): Grouped {
  const request = r.readVar();
  return { kind: "grouped", request, refusal: readFlag(r) ? readChoice(r, REFUSALS, "refusal") : undefined };
}

// ── parts ────────────────────────────────────────────────────────────────────────────────────────────────────────

function writeRefusal(w: BitWriter, message: LockDenied | LockLost | WriteRefused): void {
  writeId(w, message.id);
  writeChoice(w, REFUSALS, message.refusal);
}

const HEADS: Heads<FromServer> = {
  frame: unnumbered(0, MAX_FRAME_BYTES, "unsequenced", true),
  explanations: unnumbered(1, 8 * MAX_SMALL_BYTES, "unsequenced"),
  pong: unnumbered(2, MAX_SMALL_BYTES, "unsequenced"),
  welcome: unnumbered(3, MAX_SMALL_BYTES, "reliable"),
  refuse: unnumbered(4, MAX_SMALL_BYTES, "reliable"),
  bye: unnumbered(5, MAX_SMALL_BYTES, "reliable"),
  event: numbered(6, MAX_RECORD_BYTES),
  viewSet: numbered(7, MAX_VIEW_BYTES),
  viewRefused: numbered(8, MAX_SMALL_BYTES),
  lockGranted: numbered(9, MAX_FRAME_BYTES),
  lockDenied: numbered(10, MAX_SMALL_BYTES),
  lockLost: numbered(11, MAX_SMALL_BYTES),
  added: numbered(12, MAX_SMALL_BYTES),
  addRefused: numbered(13, MAX_SMALL_BYTES),
  writeRefused: numbered(14, MAX_SMALL_BYTES),
  state: numbered(15, MAX_SMALL_BYTES),
  loosened: numbered(16, MAX_SMALL_BYTES),
  joined: numbered(17, 8 * MAX_SMALL_BYTES),
  clientPivots: numbered(18, MAX_SMALL_BYTES),
  grouped: numbered(19, MAX_SMALL_BYTES),
};

const WRITER: MessageWriter<FromServer, Exclude<FromServer, Frame>> = /* @__PURE__ */ new MessageWriter<
  FromServer,
  Exclude<FromServer, Frame>
>(HEADS, {
  explanations: writeExplanations,
  pong: writePong,
  welcome: writeWelcome,
  refuse: writeRefuse,
  bye: writeBye,
  event: writeEvent,
  viewSet: writeViewSet,
  viewRefused: writeViewRefused,
  lockGranted: writeLockGranted,
  lockDenied: writeRefusal,
  lockLost: writeRefusal,
  added: writeAdded,
  addRefused: writeAddRefused,
  writeRefused: writeRefusal,
  state: writeState,
  loosened: writeLoosened,
  joined: writeJoined,
  clientPivots: (w, { rules }) => writeClientPivots(w, rules),
  grouped: writeGrouped,
});

/** What every client reads. The rest stands apart: a page that never asks for its view, locks nothing and has nothing explained does not load those readers. */
export type CommonFromServer = Frame | Pong | Welcome | Refuse | Bye | EventMessage | State | Joined;
export type RareKind = Exclude<FromServer, CommonFromServer>["kind"];

const COMMON_READERS: Readers<CommonFromServer> = {
  frame: readFrame,
  pong: readPong,
  welcome: readWelcome,
  refuse: readRefuse,
  bye: readBye,
  event: readEvent,
  state: readState,
  joined: readJoined,
};

/** What a server says of a client's view. */
export const VIEW_READERS: Readers<ViewSet | ViewRefused | Loosened> = {
  viewSet: readViewSet,
  viewRefused: readViewRefused,
  loosened: readLoosened,
};

export const PIVOT_READERS: Readers<ClientPivotsSet> = { clientPivots: readClientPivotsSet };

export const EXPLANATION_READERS: Readers<Explanations> = { explanations: readExplanations };

export const GROUPING_READERS: Readers<Grouped> = { grouped: readGrouped };

/** Answers to a client that locks, adds and writes objects. */
export const WISH_READERS: Readers<LockGranted | LockDenied | LockLost | Added | AddRefused> = {
  lockGranted: readLockGranted,
  lockDenied: readLockDenied,
  lockLost: readLockLost,
  added: readAdded,
  addRefused: readAddRefused,
};

export const REFUSAL_READERS: Readers<WriteRefused> = { writeRefused: readWriteRefused };

const COMMON_READER: MessageReader<FromServer, CommonFromServer> = /* @__PURE__ */ new MessageReader<
  FromServer,
  CommonFromServer
>(HEADS, COMMON_READERS);

const READER: MessageReader<FromServer> = /* @__PURE__ */ new MessageReader<FromServer>(
  HEADS,
  /* @__PURE__ */ allReaders(),
);

/** A function, because a bundler takes it for possible that a spread does something, and would keep a table that nobody uses. */
function allReaders(): Readers<FromServer> {
  return {
    ...COMMON_READERS,
    ...VIEW_READERS,
    ...PIVOT_READERS,
    ...EXPLANATION_READERS,
    ...GROUPING_READERS,
    ...WISH_READERS,
    ...REFUSAL_READERS,
  };
}

export function encodeFromServer(message: Exclude<FromServer, Frame>, protocol: Protocol, number = 0): Uint8Array {
  return WRITER.encode(message, protocol, number);
}

/**
 * Reads whatever a server may have sent; throws `WireError` and nothing else.
 *
 * @param reuse a frame that is no longer needed. Frames come often, so its arrays are used again.
 */
export function decodeFromServer(
  bytes: Uint8Array,
  channel: MessageChannel,
  protocol: Protocol,
  reuse?: Frame,
): Arrived<FromServer> {
  return READER.decode(bytes, channel, protocol, reuse);
}

/** The same, but reads only what every client needs, and leaves the rest unread. */
export function decodeCommonFromServer(
  bytes: Uint8Array,
  channel: MessageChannel,
  protocol: Protocol,
  reuse?: Frame,
): Arrived<CommonFromServer | Unread<RareKind>> {
  return COMMON_READER.decode(bytes, channel, protocol, reuse);
}

export function writeServerKind(w: BitWriter, kind: FromServer["kind"]): void {
  writeCode(w, HEADS[kind]);
}

export function channelFromServer(kind: FromServer["kind"]): MessageChannel {
  return HEADS[kind].channel;
}
