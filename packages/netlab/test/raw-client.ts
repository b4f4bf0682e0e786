/** A client that says what it likes: hand-made messages and bytes over a link of a lab. */

import {
  channelFromClient,
  decodeFromServer,
  encodeFromClient,
  type FromClient,
  type FromServer,
  type Hello,
  PROTOCOL_VERSION,
  type Reason,
} from "@nearfield/protocol/internal";
import type { Protocol } from "@nearfield/schema";
import type { Link } from "@nearfield/transport";
import type { Channel } from "@nearfield/transport/internal";
import type { Lab } from "../src/index.ts";
import { conditionedPath } from "../src/internal/index.ts";

export class RawClient {
  readonly link: Link;
  readonly received: FromServer[] = [];
  closeCode: string | undefined;
  readonly #protocol: Protocol;
  #number = 0;

  /** @param address of the network that it comes from. Default: none, as all links within a process. */
  constructor(lab: Lab, protocol: Protocol, label = "raw", address?: string) {
    const { up, down } = conditionedPath(lab.clock, lab.dice.fork(label));
    this.#protocol = protocol;
    this.link = lab.listener.connect({
      pipes: [up, down],
      ...(address !== undefined && { addresses: ["memory", address] }),
    });
    this.link.onMessage((channel, bytes) => this.received.push(decodeFromServer(bytes, channel, protocol).message));
    this.link.onClose(({ code }) => {
      this.closeCode = code;
    });
  }

  hello(changes: Partial<Hello> = {}): void {
    this.control({
      kind: "hello",
      version: PROTOCOL_VERSION,
      hash: this.#protocol.hash,
      nickname: "raw",
      room: "main",
      role: "player",
      credentials: "",
      resume: undefined,
      ...changes,
    });
  }

  /** A message of the reliable stream. */
  say(message: FromClient): void {
    this.#number += 1;
    this.link.send("reliable", encodeFromClient(message, this.#protocol, this.#number % 65_536));
  }

  control(message: FromClient): void {
    this.link.send(channelFromClient(message.kind), encodeFromClient(message, this.#protocol));
  }

  bytes(channel: Channel, bytes: Uint8Array): void {
    this.link.send(channel, bytes);
  }

  /** The last word of the server, if it has said one. */
  get verdict(): Reason | undefined {
    const last = this.received.find((message) => message.kind === "bye" || message.kind === "refuse");
    return last !== undefined && "reason" in last ? last.reason : undefined;
  }
}
