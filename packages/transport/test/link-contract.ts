/**
 * What every Link promises, as one suite. Each implementation brings a harness that opens a pair and knows how to let
 * time pass; `describeLinkContract(harness)` runs all cases against it. A case that a carrier cannot keep is skipped
 * with the reason as text.
 */

import type { Link } from "@nearfield/transport";
import {
  CHANNELS,
  type Channel,
  type CloseReason,
  type LinkLimits,
  TransportError,
} from "@nearfield/transport/internal";
import { afterEach, describe, expect, it } from "vitest";

export interface LinkPair {
  readonly client: Link;
  readonly server: Link;
  /** Lets what is under way come a little further; several calls bring everything to its end. */
  turn(): Promise<void>;
  /** Breaks the connection without a goodbye, as a pulled cable would. */
  sever(): void;
  /** Loses the next packet that the client sends on this channel. */
  loseNext?(channel: Channel): void;
  dispose(): Promise<void>;
}

export interface LinkHarness {
  readonly name: string;
  open(limits?: Partial<LinkLimits>): Promise<LinkPair>;
  /** Why this carrier cannot keep a lost packet on one channel from blocking another. */
  readonly lossBlocks?: string;
}

/** Many more turns than any case needs; a case that uses them up has failed. */
const MOST_TURNS = 100_000;

interface Message {
  readonly channel: Channel;
  readonly text: string;
}

/** Everything that came out of one end. */
class Inbox {
  readonly messages: Message[] = [];
  readonly closes: CloseReason[] = [];

  constructor(link: Link) {
    link.onMessage((channel, bytes) => {
      expect(this.closes, "no message after the close").toEqual([]);
      this.messages.push({ channel, text: textOf(bytes) });
    });
    link.onClose((reason) => this.closes.push(reason));
  }

  textsOn(channel: Channel): string[] {
    return this.messages.filter((message) => message.channel === channel).map((message) => message.text);
  }
}

export function describeLinkContract(harness: LinkHarness): void {
  describe(`link contract: ${harness.name}`, () => {
    const pairs: LinkPair[] = [];
    afterEach(async () => {
      for (const pair of pairs.splice(0)) await pair.dispose();
    });

    async function open(limits?: Partial<LinkLimits>): Promise<LinkPair> {
      const pair = await harness.open(limits);
      pairs.push(pair);
      return pair;
    }

    async function until(pair: LinkPair, what: string, isSo: () => boolean): Promise<void> {
      for (let turns = 0; !isSo(); turns += 1) {
        if (turns === MOST_TURNS) throw new Error(`it never came to: ${what}`);
        await pair.turn();
      }
    }

    it("delivers reliable messages once and in order, both ways", async () => {
      const pair = await open();
      const atServer = new Inbox(pair.server);
      const atClient = new Inbox(pair.client);
      const texts = Array.from({ length: 200 }, (_, index) => `message ${index}`);
      for (const text of texts) {
        expect(pair.client.send("reliable", bytesOf(text))).toBe(true);
        expect(pair.server.send("reliable", bytesOf(text))).toBe(true);
      }
      await until(pair, "all arrived", () => atServer.messages.length >= 200 && atClient.messages.length >= 200);
      expect(atServer.textsOn("reliable")).toEqual(texts);
      expect(atClient.textsOn("reliable")).toEqual(texts);
    });

    it("keeps channels apart and carries any bytes, none included", async () => {
      const pair = await open();
      const got: [Channel, number[]][] = [];
      pair.server.onMessage((channel, bytes) => got.push([channel, [...bytes]]));
      const samples = [[], [0], [1, 2, 3], Array.from({ length: 256 }, (_, value) => value)];
      for (const channel of CHANNELS) {
        for (const sample of samples) {
          expect(pair.client.send(channel, Uint8Array.from(sample))).toBe(true);
        }
      }
      await until(pair, "all arrived", () => got.length === CHANNELS.length * samples.length);
      for (const channel of CHANNELS) {
        expect(got.filter(([on]) => on === channel).map(([, bytes]) => bytes)).toEqual(samples);
      }
    });

    it("carries the longest messages and refuses longer ones by name", async () => {
      const pair = await open();
      const lengths: [Channel, number][] = [];
      pair.server.onMessage((channel, bytes) => lengths.push([channel, bytes.length]));
      const { maxReliableBytes, maxUnreliableBytes } = pair.client;
      pair.client.send("unsequenced", new Uint8Array(maxUnreliableBytes));
      pair.client.send("sequenced", new Uint8Array(maxUnreliableBytes));
      pair.client.send("reliable", new Uint8Array(maxReliableBytes));
      for (const channel of CHANNELS) {
        const most = channel === "reliable" ? maxReliableBytes : maxUnreliableBytes;
        const tooLong = () => pair.client.send(channel, new Uint8Array(most + 1));
        expect(tooLong).toThrow(TransportError);
        expect(tooLong).toThrow(`message on channel "${channel}" is ${most + 1} bytes, but at most ${most}`);
      }
      await until(pair, "all arrived", () => lengths.length === 3);
      expect(lengths).toContainEqual(["reliable", maxReliableBytes]);
      expect(pair.client.closeReason).toBeUndefined();
    });

    it("has taken its copy of the bytes when send returns", async () => {
      const pair = await open();
      const inbox = new Inbox(pair.server);
      // A Buffer, whose `slice` shares memory: the trap for a link that copies with it.
      const reused = Buffer.from("first");
      for (const channel of CHANNELS) {
        reused.write("first");
        pair.client.send(channel, reused);
        reused.write("other");
      }
      await until(pair, "all arrived", () => inbox.messages.length === 3);
      expect(inbox.messages.map((message) => message.text)).toEqual(["first", "first", "first"]);
    });

    it("keeps messages that come before there is a handler", async () => {
      const pair = await open();
      for (let index = 0; index < 20; index += 1) pair.client.send("reliable", bytesOf(`kept ${index}`));
      await until(pair, "all at the other side", () => pair.server.traffic.reliable.messagesIn === 20);
      const inbox = new Inbox(pair.server);
      expect(inbox.textsOn("reliable")).toEqual(Array.from({ length: 20 }, (_, index) => `kept ${index}`));
      pair.client.send("reliable", bytesOf("live"));
      await until(pair, "the next arrived", () => inbox.messages.length === 21);
      expect(inbox.messages.at(-1)?.text).toBe("live");
    });

    it("closes with overflow when nobody takes what comes", async () => {
      const pair = await open({ keptBytes: 10_000 });
      const atClient = new Inbox(pair.client);
      for (let index = 0; index < 150; index += 1) pair.client.send("reliable", new Uint8Array(10));
      await until(pair, "both ends closed", () => atClient.closes.length > 0);
      expect(pair.server.closeReason?.code).toBe("overflow");
      expect(atClient.closes.map((reason) => reason.code)).toEqual(["overflow"]);
    });

    it("tells both sides the reason of a close, once", async () => {
      const pair = await open();
      const atServer = new Inbox(pair.server);
      const atClient = new Inbox(pair.client);
      const reason = { code: "kicked", detail: "räuspern „please“ \u{1F47E}" };
      pair.client.close(reason);
      pair.client.close({ code: "again", detail: "ignored" });
      expect(atClient.closes).toEqual([reason]);
      expect(pair.client.closeReason).toEqual(reason);
      await until(pair, "the other side knows", () => atServer.closes.length > 0);
      pair.server.close({ code: "again", detail: "ignored" });
      for (let turns = 0; turns < 20; turns += 1) await pair.turn();
      expect(atServer.closes).toEqual([reason]);
      expect(atClient.closes).toEqual([reason]);
    });

    it("tells a close handler that comes late", async () => {
      const pair = await open();
      pair.client.close({ code: "bye", detail: "" });
      await until(pair, "the other side is closed", () => pair.server.closeReason !== undefined);
      const codes: string[] = [];
      pair.server.onClose((reason) => codes.push(`server ${reason.code}`));
      pair.client.onClose((reason) => codes.push(`client ${reason.code}`));
      pair.client.onClose(() => codes.push("told twice"));
      expect(codes).toEqual(["server bye", "client bye"]);
    });

    it("carries the code of a reason with an endless detail", async () => {
      const pair = await open();
      const atServer = new Inbox(pair.server);
      pair.client.close({ code: "long-story", detail: '\u{1F47E}"\\\u0001'.repeat(500) });
      await until(pair, "the other side knows", () => atServer.closes.length > 0);
      expect(atServer.closes[0]?.code).toBe("long-story");
      expect(atServer.closes[0]?.detail.startsWith('\u{1F47E}"\\\u0001')).toBe(true);
    });

    it("refuses a reason whose code it could not carry", async () => {
      const pair = await open();
      expect(() => pair.client.close({ code: "two words", detail: "" })).toThrow(TransportError);
      expect(pair.client.closeReason).toBeUndefined();
    });

    it("delivers what was sent reliably before a close", async () => {
      const pair = await open();
      const atServer = new Inbox(pair.server);
      for (let index = 0; index < 50; index += 1) pair.client.send("reliable", bytesOf(`last words ${index}`));
      pair.client.close({ code: "done", detail: "" });
      await until(pair, "the other side is closed", () => atServer.closes.length > 0);
      expect(atServer.textsOn("reliable")).toHaveLength(50);
    });

    it("lets the last words be taken after the close, if the message handler comes first", async () => {
      const pair = await open();
      pair.client.send("reliable", bytesOf("refused: the room is full"));
      pair.client.close({ code: "full", detail: "" });
      await until(pair, "the other side is closed", () => pair.server.closeReason !== undefined);
      const inbox = new Inbox(pair.server);
      expect(inbox.textsOn("reliable")).toEqual(["refused: the room is full"]);
      expect(inbox.closes.map((reason) => reason.code)).toEqual(["full"]);
    });

    it("sends nothing after a close, and says so", async () => {
      const pair = await open();
      const atServer = new Inbox(pair.server);
      pair.client.close({ code: "done", detail: "" });
      for (const channel of CHANNELS) expect(pair.client.send(channel, bytesOf("late"))).toBe(false);
      await until(pair, "the other side is closed", () => atServer.closes.length > 0);
      for (const channel of CHANNELS) expect(pair.server.send(channel, bytesOf("late"))).toBe(false);
      expect(atServer.messages).toEqual([]);
      expect(pair.client.traffic.reliable.messagesOut).toBe(0);
    });

    it("hands nothing over after its own close", async () => {
      const pair = await open();
      const atClient = new Inbox(pair.client);
      const atServer = new Inbox(pair.server);
      for (const channel of CHANNELS) pair.server.send(channel, bytesOf("under way"));
      pair.client.close({ code: "done", detail: "" });
      await until(pair, "the other side is closed", () => atServer.closes.length > 0);
      expect(atClient.messages).toEqual([]);
    });

    it("tells both sides that the connection broke", async () => {
      const pair = await open();
      const atServer = new Inbox(pair.server);
      const atClient = new Inbox(pair.client);
      pair.sever();
      await until(pair, "both notice", () => atServer.closes.length > 0 && atClient.closes.length > 0);
      expect(atServer.closes.map((reason) => reason.code)).toEqual(["vanished"]);
      expect(atClient.closes.map((reason) => reason.code)).toEqual(["vanished"]);
    });

    it("never goes back on the sequenced channel", async () => {
      const pair = await open();
      const inbox = new Inbox(pair.server);
      for (let index = 0; index < 300; index += 1) {
        pair.client.send("sequenced", bytesOf(String(index)));
        if (index % 10 === 0) await pair.turn();
      }
      pair.client.send("reliable", bytesOf("fence"));
      await until(pair, "the fence arrived", () => inbox.textsOn("reliable").length === 1);
      const numbers = inbox.textsOn("sequenced").map(Number);
      expect(numbers.length).toBeGreaterThan(0);
      for (const [index, number] of numbers.entries()) {
        if (index > 0) expect(number).toBeGreaterThan(numbers[index - 1]!);
      }
    });

    it.each(["sequenced", "unsequenced"] as const)(
      "drops stale messages on %s while the backlog is long, and takes them again after",
      async (channel) => {
        const pair = await open({ staleAfterBytes: 20_000 });
        const inbox = new Inbox(pair.server);
        const state = new Uint8Array(pair.client.maxUnreliableBytes);
        let [accepted, longest] = [0, 0];
        // In one go, so that little can drain: a real socket first fills the system's own buffers, and WebRTC sends from a thread of its own.
        while (pair.client.send(channel, state) && accepted < 10_000) {
          accepted += 1;
          longest = Math.max(longest, pair.client.backlogBytes);
        }
        expect(accepted).toBeLessThan(10_000);
        expect(longest).toBeGreaterThan(20_000);
        expect(pair.client.traffic[channel].staleOut).toBe(1);
        expect(pair.client.send("reliable", bytesOf("must arrive"))).toBe(true);
        await until(pair, "the backlog is gone", () => inbox.textsOn("reliable").length === 1);
        await until(pair, "the backlog is gone", () => pair.client.backlogBytes === 0);
        expect(pair.client.send(channel, bytesOf("fresh"))).toBe(true);
        await until(pair, "the fresh one arrived", () => inbox.messages.at(-1)?.text === "fresh");
      },
    );

    it("closes with overflow when reliable messages cannot leave", async () => {
      const pair = await open({ overflowAfterBytes: 200_000, maxMessageBytes: 100_000 });
      const atClient = new Inbox(pair.client);
      const chunk = new Uint8Array(100_000);
      let accepted = 0;
      while (pair.client.send("reliable", chunk) && accepted < 1_000) accepted += 1;
      expect(accepted).toBeGreaterThan(0);
      expect(accepted).toBeLessThan(1_000);
      expect(atClient.closes.map((reason) => reason.code)).toEqual(["overflow"]);
    });

    it("counts what went out and came in alike on both sides", async () => {
      const pair = await open();
      const inbox = new Inbox(pair.server);
      pair.client.send("sequenced", new Uint8Array(100));
      pair.client.send("unsequenced", new Uint8Array(30));
      pair.client.send("reliable", new Uint8Array(7));
      pair.client.send("reliable", new Uint8Array(0));
      await until(pair, "all arrived", () => inbox.messages.length === 4);
      const framing = pair.client.inOrder ? 1 : 3;
      expect(pair.client.traffic.sequenced).toMatchObject({ messagesOut: 1, bytesOut: 100 + framing });
      expect(pair.client.traffic.unsequenced).toMatchObject({ messagesOut: 1, bytesOut: 31 });
      expect(pair.client.traffic.reliable).toMatchObject({ messagesOut: 2, bytesOut: 9, messagesIn: 0, bytesIn: 0 });
      for (const channel of CHANNELS) {
        const out = pair.client.traffic[channel];
        expect(pair.server.traffic[channel]).toMatchObject({ messagesIn: out.messagesOut, bytesIn: out.bytesOut });
      }
    });

    it("hands over no more of a batch once its handler has closed the link", async () => {
      const pair = await open();
      const got: string[] = [];
      pair.server.onMessage((_, bytes) => {
        got.push(textOf(bytes));
        if (got.length === 2) pair.server.close({ code: "enough", detail: "" });
      });
      const atClient = new Inbox(pair.client);
      for (let index = 0; index < 5; index += 1) pair.client.send("reliable", bytesOf(String(index)));
      await until(pair, "the sender knows", () => atClient.closes.length > 0);
      expect(got).toEqual(["0", "1"]);
      expect(atClient.closes.map((reason) => reason.code)).toEqual(["enough"]);
    });

    const lossTitle = "a lost packet on one channel never blocks another";
    if (harness.lossBlocks !== undefined) {
      it.skip(`${lossTitle} (${harness.lossBlocks})`, () => undefined);
    } else {
      it.each(CHANNELS)(`${lossTitle}: %s`, async (lossy) => {
        const pair = await open();
        const inbox = new Inbox(pair.server);
        pair.loseNext?.(lossy);
        pair.client.send(lossy, bytesOf("lost"));
        const others = CHANNELS.filter((channel) => channel !== lossy);
        for (const channel of others) pair.client.send(channel, bytesOf("through"));
        await until(pair, "the others arrived", () => others.every((channel) => inbox.textsOn(channel).length === 1));
        expect(inbox.textsOn(lossy)).toEqual([]);
        pair.client.send(lossy, bytesOf("next"));
        await until(pair, "its own next one arrived", () => inbox.textsOn(lossy).includes("next"));
        expect(inbox.textsOn(lossy)).toEqual(lossy === "reliable" ? ["lost", "next"] : ["next"]);
      });
    }
  });
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
