/**
 * Turns messages into bytes and back, by a table. 5 bits say which message it is. Messages of the reliable stream follow with 16 bits of
 * their number. Then comes the body. Every message has a channel and a greatest size; both are checked before a bit of the body is read.
 */

import { type Protocol, SchemaError } from "@nearfield/schema";
import { BitReader, BitWriter, IS_DEVELOPMENT, WireError } from "@nearfield/schema/internal";
import { MAX_NAME_BYTES } from "./primitives.ts";

/** The names of the transport's channels. This package does not import the transport. */
export type MessageChannel = "reliable" | "sequenced" | "unsequenced";

const KIND_BITS = 5;

/** What both sides know of a message: where it travels, and how long it may be. */
interface MessageHead {
  /** Says on the wire which message it is. Codes of one side are 0, 1, 2, … */
  readonly code: number;
  readonly channel: MessageChannel;
  /** Whether it belongs to the reliable stream, and so outlives its link. */
  readonly numbered: boolean;
  readonly maxBytes: number;
  /** Whether its reader takes only the head. The receiver of the message then reads the rest and checks its end. Default false. */
  readonly isReadOn?: boolean;
}

/** The head of a message of the reliable stream. */
export function numbered(code: number, maxBytes: number): MessageHead {
  return { code, channel: "reliable", numbered: true, maxBytes };
}

/** The head of a message that belongs to one link. */
export function unnumbered(code: number, maxBytes: number, channel: MessageChannel, isReadOn = false): MessageHead {
  return { code, channel, numbered: false, maxBytes, isReadOn };
}

/** All messages of one side, in the order of their codes. */
export type Heads<M extends { readonly kind: string }> = Readonly<Record<M["kind"], MessageHead>>;

type Write<M> = (w: BitWriter, message: M, protocol: Protocol) => void;

/** `reuse` is the result of an earlier read that nobody needs any more. */
type Read<M> = (r: BitReader, protocol: Protocol, reuse?: M) => M;

type Writers<M extends { readonly kind: string }> = {
  readonly [K in M["kind"]]: Write<Extract<M, { readonly kind: K }>>;
};

export type Readers<M extends { readonly kind: string }> = {
  readonly [K in M["kind"]]: Read<Extract<M, { readonly kind: K }>>;
};

/** A message as it arrived: `number` is 0 unless it belongs to the reliable stream. */
export interface Arrived<M> {
  readonly message: M;
  readonly number: number;
}

/** A message whose kind this reader does not know more of than its head. Whoever has a reader for the kind reads the body. */
export interface Unread<Kind extends string> {
  readonly kind: "unread";
  readonly of: Kind;
  readonly body: BitReader;
}

/** What a reader leaves unread: nothing, if it knows all kinds. */
type Left<Kind extends string> = [Kind] extends [never] ? never : Unread<Kind>;

export function isOfKind({ code }: MessageHead, bytes: Uint8Array): boolean {
  return bytes.length > 0 && (bytes[0]! & ((1 << KIND_BITS) - 1)) === code;
}

export function writeCode(w: BitWriter, { code }: MessageHead): void {
  w.writeBits(code, KIND_BITS);
}

/** The writing half of a table. A side that only reads these messages does not load it. */
export class MessageWriter<M extends { readonly kind: string }, Written extends M = M> {
  readonly #heads: Heads<M>;
  readonly #writers: Writers<Written>;
  /** Every message is written here first and then copied, since clients encode several in each frame. */
  readonly #scratch: BitWriter = new BitWriter(MAX_NAME_BYTES);

  constructor(heads: Heads<M>, writers: Writers<Written>) {
    this.#heads = heads;
    this.#writers = writers;
  }

  /** @param number low 16 bits of the message's number in the reliable stream; ignored for the others. */
  encode(message: Written, protocol: Protocol, number: number = 0): Uint8Array {
    const kind = message.kind as Written["kind"];
    const head = this.#heads[kind];
    const w = this.#scratch;
    w.reset();
    writeCode(w, head);
    if (head.numbered) w.writeBits(number, 16);
    (this.#writers[kind] as Write<Written>)(w, message, protocol);
    if (w.byteLength > head.maxBytes) {
      throw new SchemaError(
        "value",
        kind,
        IS_DEVELOPMENT && `has ${w.byteLength} bytes, but at most ${head.maxBytes} are possible`,
      );
    }
    return w.finish();
  }
}

/** The reading half of a table, or a part of it. Messages that it has no reader for are left unread. */
export class MessageReader<M extends { readonly kind: string }, Known extends M = M> {
  readonly #heads: Heads<M>;
  readonly #kinds: readonly M["kind"][];
  readonly #readers: Readers<Known>;

  constructor(heads: Heads<M>, readers: Readers<Known>) {
    this.#heads = heads;
    this.#kinds = Object.keys(heads) as M["kind"][];
    this.#readers = readers;
  }

  /** Reads one message. Throws `WireError` for anything that is not exactly one message of this table, on its channel. */
  decode(
    bytes: Uint8Array,
    channel: MessageChannel,
    protocol: Protocol,
    reuse?: Known,
  ): Arrived<Known | Left<Exclude<M["kind"], Known["kind"]>>> {
    const r = new BitReader(bytes);
    const index = r.readBits(KIND_BITS);
    const kind = this.#kinds[index];
    if (kind === undefined) throw new WireError("unknown", IS_DEVELOPMENT && `there is no message ${index}`);
    const head = this.#heads[kind];
    if (bytes.length > head.maxBytes) {
      throw new WireError(
        "length",
        IS_DEVELOPMENT && `message ${kind} has ${bytes.length} bytes, at most ${head.maxBytes}`,
      );
    }
    if (channel !== head.channel && !(channel === "reliable" && !head.numbered)) {
      throw new WireError("unknown", IS_DEVELOPMENT && `message ${kind} does not travel on channel ${channel}`);
    }
    const number = head.numbered ? r.readBits(16) : 0;
    const read = this.#readers[kind as Known["kind"]] as unknown as Read<Known> | undefined;
    if (read === undefined)
      return { message: { kind: "unread", of: kind, body: r } as Left<Exclude<M["kind"], Known["kind"]>>, number };
    const message = read(r, protocol, reuse?.kind === kind ? reuse : undefined);
    if (!head.isReadOn) r.end();
    return { message, number };
  }
}
