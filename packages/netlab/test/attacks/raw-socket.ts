/**
 * A stranger on a TCP socket: writes its own HTTP request and its own WebSocket frames, keeps or breaks any rule, and ends as it likes. Reads the
 * server's frames just so far that a test can tell what it was answered.
 */

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import {
  channelFromClient,
  decodeFromServer,
  encodeFromClient,
  type FromClient,
  type FromServer,
  type Hello,
  PROTOCOL_VERSION,
} from "@nearfield/protocol/internal";
import type { Protocol } from "@nearfield/schema";
import type { Channel } from "@nearfield/transport/internal";

const CHANNEL_BYTES: Readonly<Record<Channel, number>> = { reliable: 1, sequenced: 2, unsequenced: 3 };
const CHANNEL_NAMES: readonly (Channel | undefined)[] = [undefined, "reliable", "sequenced", "unsequenced"];
const BINARY = 2;
const CONTINUATION = 0;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

export interface RawOptions {
  readonly path?: string;
  /** What a proxy in front would say the stranger's address is. */
  readonly from?: string;
}

export class RawSocket {
  readonly socket: Socket;
  readonly received: FromServer[] = [];
  /** The status line of the answer to the upgrade; undefined while there is none. */
  statusLine: string | undefined;
  /** What the close frame said: `{"code":…,"detail":…}`. */
  closeText: string | undefined;
  /** Resolves when the connection is over, whoever ended it. */
  readonly closed: Promise<void>;
  readonly #protocol: Protocol;
  readonly #answered: Promise<void>;
  #bytes: Buffer = Buffer.alloc(0);
  #number = 0;
  /** Number of the last message of the reliable stream. */
  #heard = 0;
  /** Of the last ping. */
  #stamp = 0;

  private constructor(port: number, protocol: Protocol) {
    this.#protocol = protocol;
    this.socket = connect(port, "127.0.0.1");
    this.socket.on("error", () => {});
    this.closed = new Promise((resolve) => this.socket.once("close", () => resolve()));
    this.#answered = new Promise((resolve) => {
      this.socket.on("data", (chunk: Buffer) => {
        this.#bytes = Buffer.concat([this.#bytes, chunk]);
        this.#read();
        if (this.statusLine !== undefined) resolve();
      });
      this.socket.once("close", () => resolve());
    });
  }

  /** A TCP connection on which nothing has been said. */
  static async connect(port: number, protocol: Protocol): Promise<RawSocket> {
    const raw = new RawSocket(port, protocol);
    await Promise.race([once(raw.socket, "connect"), raw.closed]);
    return raw;
  }

  /** Asks for a WebSocket and waits for the answer, whatever it is. */
  static async open(port: number, protocol: Protocol, options: RawOptions = {}): Promise<RawSocket> {
    const raw = await RawSocket.connect(port, protocol);
    raw.askUpgrade(options);
    await raw.#answered;
    return raw;
  }

  askUpgrade({ path = "/", from }: RawOptions = {}): void {
    const forwarded = from === undefined ? "" : `X-Forwarded-For: ${from}\r\n`;
    this.socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${forwarded}` +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n",
    );
  }

  get isOpen(): boolean {
    return this.statusLine?.includes(" 101 ") === true && !this.socket.destroyed && this.closeText === undefined;
  }

  /** The code that the close frame gave. */
  get closeCode(): string | undefined {
    return /"code":"([^"]+)"/.exec(this.closeText ?? "")?.[1];
  }

  hello(changes: Partial<Hello> = {}): void {
    this.control({
      kind: "hello",
      version: PROTOCOL_VERSION,
      hash: this.#protocol.hash,
      nickname: "stranger",
      room: "main",
      role: "player",
      credentials: "",
      resume: undefined,
      ...changes,
    });
  }

  /** Says hello and waits until the server has answered it, or ended. */
  async join(changes: Partial<Hello> = {}): Promise<FromServer | undefined> {
    this.hello(changes);
    return this.hears("welcome", "refuse");
  }

  /** Resolves with the first message of one of these kinds; undefined if the connection ends before. */
  async hears(...kinds: FromServer["kind"][]): Promise<FromServer | undefined> {
    return this.#hearsOne(({ kind }) => kinds.includes(kind));
  }

  /** Resolves when the server has answered this view, or ended. */
  async hearsOfView(request: number): Promise<void> {
    await this.#hearsOne((message) => "request" in message && message.request === request);
  }

  /** Resolves when all that was said so far has arrived, or the server ended: the next round reads it. */
  async hasArrived(): Promise<void> {
    this.#stamp += 1;
    const stamp = this.#stamp;
    this.control({ kind: "ping", stamp });
    await this.#hearsOne((message) => message.kind === "pong" && message.stamp === stamp);
  }

  /** Confirms every message of the reliable stream that came, and no packet of state. */
  acknowledge(): void {
    this.control({ kind: "ack", packets: { newest: 0, runs: [] }, heard: this.#heard, waitedMs: 0 });
  }

  async #hearsOne(isWanted: (message: FromServer) => boolean): Promise<FromServer | undefined> {
    for (;;) {
      const found = this.received.find(isWanted);
      if (found !== undefined || this.socket.destroyed) return found;
      await Promise.race([once(this.socket, "data").catch(() => {}), this.closed]);
    }
  }

  /** A message of the reliable stream. */
  say(message: FromClient): void {
    this.#number += 1;
    this.send("reliable", encodeFromClient(message, this.#protocol, this.#number % 65_536));
  }

  control(message: FromClient): void {
    this.send(channelFromClient(message.kind), encodeFromClient(message, this.#protocol));
  }

  send(channel: Channel, bytes: Uint8Array): void {
    this.#frame(0x80 | BINARY, Buffer.concat([Buffer.of(CHANNEL_BYTES[channel]), bytes]));
  }

  /** A part of a message whose end never has to come. */
  fragment(bytes: Uint8Array, isFirst: boolean): void {
    this.#frame(isFirst ? BINARY : CONTINUATION, Buffer.from(bytes));
  }

  /** Ends the connection with a TCP reset: the other side gets an error instead of an end. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Masked with zeros, as a client's frames must be masked with something. */
  #frame(first: number, payload: Buffer): void {
    const { length } = payload;
    const head =
      length < 126
        ? Buffer.of(first, 0x80 | length)
        : length < 65_536
          ? Buffer.of(first, 0xfe, length >> 8, length & 0xff)
          : Buffer.of(
              first,
              0xff,
              0,
              0,
              0,
              0,
              length >>> 24,
              (length >> 16) & 0xff,
              (length >> 8) & 0xff,
              length & 0xff,
            );
    this.socket.write(Buffer.concat([head, Buffer.alloc(4), payload]));
  }

  #read(): void {
    if (this.statusLine === undefined) {
      const end = this.#bytes.indexOf("\r\n\r\n");
      if (end < 0) return;
      this.statusLine = this.#bytes.subarray(0, this.#bytes.indexOf("\r\n")).toString();
      this.#bytes = this.#bytes.subarray(end + 4);
    }
    for (;;) {
      const frame = this.#takeFrame();
      if (frame === undefined) return;
      if (frame.code === CLOSE) this.closeText = frame.payload.subarray(2).toString();
      // Whoever leaves pings unanswered is gone after two of them; a stranger stays for as long as it may.
      else if (frame.code === PING) this.#frame(0x80 | PONG, frame.payload);
      else if (frame.code === BINARY) this.#take(frame.payload);
    }
  }

  #take(payload: Buffer): void {
    const channel = CHANNEL_NAMES[payload[0]!];
    if (channel === undefined) return;
    const bytes = Uint8Array.from(payload.subarray(1));
    const { message, number } = decodeFromServer(bytes, channel, this.#protocol);
    this.received.push(message);
    if (number > 0) this.#heard = number;
  }

  #takeFrame(): { readonly code: number; readonly payload: Buffer } | undefined {
    const bytes = this.#bytes;
    if (bytes.length < 2) return undefined;
    const short = bytes[1]! & 0x7f;
    const headBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length < headBytes) return undefined;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (bytes.length < headBytes + length) return undefined;
    this.#bytes = bytes.subarray(headBytes + length);
    return { code: bytes[0]! & 0x0f, payload: bytes.subarray(headBytes, headBytes + length) };
  }
}
