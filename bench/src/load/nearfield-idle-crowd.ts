/**
 * Clients of Nearfield that read nothing but the number at the head of each packet, which they acknowledge as every client does. All
 * that a frame holds stays undecoded, so that one process can be thousands of them.
 */

import {
  channelFromClient,
  encodeFromClient,
  IN_ORDER_ACK_ROUNDS,
  PROTOCOL_VERSION,
  short,
} from "@nearfield/protocol/internal";
import type { Protocol } from "@nearfield/schema";
import type { Link } from "@nearfield/transport";
import { connectWebSocket } from "@nearfield/transport/node";
import { type IdleCrowd, until } from "../peers/subject.ts";

/** Sockets that are opened at once. */
const AT_ONCE = 50;
/** The kind of a frame, in the lowest five bits of its first byte; its packet's number lies in the next sixteen (docs/wire-format.md). */
const FRAME_KIND = 0;
const KIND_BITS = 5;
/** Arrivals that one run of an ack counts at most. */
const LONGEST_RUN = 1024;

interface Member {
  readonly link: Link;
  packets: number;
}

export class NearfieldIdleCrowd implements IdleCrowd {
  messages = 0;
  readonly #url: string;
  readonly #protocol: Protocol;
  readonly #members: Member[] = [];

  constructor(url: string, protocol: Protocol) {
    this.#url = url;
    this.#protocol = protocol;
  }

  get members(): number {
    return this.#members.filter(({ link, packets }) => link.closeReason === undefined && packets > 0).length;
  }

  async join(count: number): Promise<void> {
    const end = this.#members.length + count;
    while (this.#members.length < end) {
      const from = this.#members.length;
      const numbers = Array.from({ length: Math.min(AT_ONCE, end - from) }, (_, index) => from + index);
      await Promise.all(numbers.map((number) => this.#joinOne(number)));
    }
    await until(() => this.members === end, `${end} clients to be sent their first frame; ${this.#fate()}`);
  }

  async close(): Promise<void> {
    for (const { link } of this.#members) link.close({ code: "left", detail: "" });
  }

  async #joinOne(number: number): Promise<void> {
    const link = await connectWebSocket(this.#url);
    const member: Member = { link, packets: 0 };
    this.#members.push(member);
    link.onMessage((_, bytes) => this.#arrived(member, bytes));
    link.send(
      "reliable",
      encodeFromClient(
        {
          kind: "hello",
          version: PROTOCOL_VERSION,
          hash: this.#protocol.hash,
          nickname: String(number),
          room: "main",
          role: "player",
          credentials: "",
          resume: undefined,
        },
        this.#protocol,
      ),
    );
  }

  #arrived(member: Member, bytes: Uint8Array): void {
    this.messages += 1;
    if ((bytes[0]! & ((1 << KIND_BITS) - 1)) !== FRAME_KIND) return;
    member.packets += 1;
    if (member.packets % IN_ORDER_ACK_ROUNDS !== 0) return;
    const newest = short((bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16)) >> KIND_BITS);
    const packets = { newest, runs: [Math.min(member.packets, LONGEST_RUN)] };
    member.link.send(
      channelFromClient("ack"),
      encodeFromClient({ kind: "ack", packets, heard: 0, waitedMs: 0 }, this.#protocol),
    );
  }

  #fate(): string {
    const ended = this.#members.find(({ link }) => link.closeReason !== undefined);
    return ended === undefined ? "no link has ended" : `one ended with ${ended.link.closeReason!.code}`;
  }
}
