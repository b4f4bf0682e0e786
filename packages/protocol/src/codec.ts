/**
 * Turns messages into bytes and back, by a table. 5 bits say which message it is. Messages of the reliable stream follow with 16 bits of
 * their number. Then comes the body. Every message has a channel and a greatest size; both are checked before a bit of the body is read.
 */

import { type Protocol, SchemaError } from "@nearfield/schema";
import { BitReader, BitWriter, WireError } from "@nearfield/schema/internal";
import { MAX_NAME_BYTES } from "./primitives.ts";

/** The names of the transport's channels. This package does not import the transport. */
export type MessageChannel = "reliable" | "sequenced" | "unsequenced";

const KIND_BITS = 5;

/** One message: where it travels, how long it may be, and its body, written and read side by side. */
export interface MessageCodec<M> {
  readonly channel: MessageChannel;
  /** Whether it belongs to the reliable stream, and so outlives its link. */
  readonly numbered: boolean;
  readonly maxBytes: number;
  /** Whether `read` takes only the head. The receiver of the message then reads the rest and checks its end. Default false. */
  readonly isReadOn?: boolean;
  write(w: BitWriter, message: M, protocol: Protocol): void;
  /** `reuse` is the result of an earlier read that nobody needs any more. */
  read(r: BitReader, protocol: Protocol, reuse?: M): M;
}

export type CodecTable<M extends { readonly kind: string }> = {
  readonly [K in M["kind"]]: MessageCodec<Extract<M, { readonly kind: K }>>;
};

/** A message as it arrived: `number` is 0 unless it belongs to the reliable stream. */
export interface Arrived<M> {
  readonly message: M;
  readonly number: number;
}

export class MessageTable<M extends { readonly kind: string }> {
  readonly #codecs: CodecTable<M>;
  readonly #kinds: readonly M["kind"][];
  /** Every message is written here first and then copied, since clients encode several in each frame. */
  readonly #scratch: BitWriter = new BitWriter(MAX_NAME_BYTES);

  constructor(codecs: CodecTable<M>) {
    this.#codecs = codecs;
    this.#kinds = Object.keys(codecs) as M["kind"][];
  }

  channelOf(kind: M["kind"]): MessageChannel {
    return this.#codecs[kind].channel;
  }

  isKind(bytes: Uint8Array, kind: M["kind"]): boolean {
    return bytes.length > 0 && (bytes[0]! & ((1 << KIND_BITS) - 1)) === this.#kinds.indexOf(kind);
  }

  writeKind(w: BitWriter, kind: M["kind"]): void {
    w.writeBits(this.#kinds.indexOf(kind), KIND_BITS);
  }

  /** @param number low 16 bits of the message's number in the reliable stream; ignored for the others. */
  encode(message: M, protocol: Protocol, number: number = 0): Uint8Array {
    const codec = this.#codecs[message.kind as M["kind"]];
    const w = this.#scratch;
    w.reset();
    this.writeKind(w, message.kind);
    if (codec.numbered) w.writeBits(number, 16);
    (codec as MessageCodec<M>).write(w, message, protocol);
    if (w.byteLength > codec.maxBytes) {
      throw new SchemaError(
        "value",
        message.kind,
        `has ${w.byteLength} bytes, but at most ${codec.maxBytes} are possible`,
      );
    }
    return w.finish();
  }

  /** Reads one message. Throws `WireError` for anything that is not exactly one message of this table, on its channel. */
  decode(bytes: Uint8Array, channel: MessageChannel, protocol: Protocol, reuse?: M): Arrived<M> {
    const r = new BitReader(bytes);
    const index = r.readBits(KIND_BITS);
    const kind = this.#kinds[index];
    if (kind === undefined) throw new WireError("unknown", `there is no message ${index}`);
    const codec = this.#codecs[kind];
    if (bytes.length > codec.maxBytes) {
      throw new WireError("length", `message ${kind} has ${bytes.length} bytes, at most ${codec.maxBytes}`);
    }
    if (channel !== codec.channel && !(channel === "reliable" && !codec.numbered)) {
      throw new WireError("unknown", `message ${kind} does not travel on channel ${channel}`);
    }
    const number = codec.numbered ? r.readBits(16) : 0;
    const message = (codec as MessageCodec<M>).read(r, protocol, reuse?.kind === kind ? reuse : undefined);
    if (codec.isReadOn !== true) r.end();
    return { message, number };
  }
}
