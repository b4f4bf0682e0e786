import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHANNELS } from "../link.ts";
import { frameMessage } from "../websocket-framing.ts";
import {
  beatFrame,
  MAX_CHANNEL_MESSAGE_BYTES,
  readChannelFrame,
  readNumbered,
  sequencedFrame,
  unsequencedFrame,
  withNumber,
} from "./channel-framing.ts";

const messages = fc.uint8Array({ maxLength: MAX_CHANNEL_MESSAGE_BYTES });
const numbers = fc.integer({ min: 0, max: 65_535 });

describe("frames of a data channel", () => {
  it("come back as they were sent", () => {
    fc.assert(
      fc.property(messages, numbers, (bytes, number) => {
        expect(readChannelFrame(sequencedFrame(number, bytes))).toEqual({ kind: "sequenced", number, bytes });
        expect(readChannelFrame(unsequencedFrame(bytes))).toEqual({ kind: "unsequenced", bytes });
        expect(readChannelFrame(beatFrame("beat", number))).toEqual({ kind: "beat", number });
        expect(readChannelFrame(beatFrame("answer", number))).toEqual({ kind: "answer", number });
        expect(readNumbered(withNumber(number, bytes))).toEqual({ number, bytes });
      }),
    );
  });

  it("keep their bytes: changing them breaks deployed clients", () => {
    expect([...sequencedFrame(0x0102, Uint8Array.of(9))]).toEqual([2, 2, 1, 9]);
    expect([...unsequencedFrame(Uint8Array.of(9))]).toEqual([3, 9]);
    expect([...beatFrame("beat", 0x0102), ...beatFrame("answer", 0x0102)]).toEqual([6, 2, 1, 7, 2, 1]);
  });

  it("never throw, whatever the peer sent", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), (bytes) => {
        const frame = readChannelFrame(bytes);
        if ("fault" in frame) expect(["empty", "unknown-channel", "malformed"]).toContain(frame.fault.code);
      }),
    );
  });

  it.each([
    [[], "empty"],
    [[1, 0, 0], "unknown-channel"],
    [[8], "unknown-channel"],
    [[2, 0], "malformed"],
    [[6, 0], "malformed"],
    [[7, 0, 0, 0], "malformed"],
    [Array(MAX_CHANNEL_MESSAGE_BYTES + 4).fill(3), "oversized"],
  ])("name what is wrong with %j", (bytes, code) => {
    expect(readChannelFrame(Uint8Array.from(bytes))).toMatchObject({ fault: { code } });
  });

  it("want a number where there must be one", () => {
    expect(readNumbered(Uint8Array.of(1))).toMatchObject({ fault: { code: "malformed" } });
  });
});

describe("docs/wire-format.md", () => {
  it("names the first bytes of both carriers", () => {
    const page = readFileSync(new URL("../../../../docs/wire-format.md", import.meta.url), "utf8");
    const table = page.slice(page.indexOf("## Carriers"), page.indexOf("## Messages"));
    const rows = [...table.matchAll(/^\| (\d) +\| (.*?) +\| (.*?) +\|$/gm)].map(([, byte, ...cells]) => [
      Number(byte),
      ...cells,
    ]);
    const has = (column: 1 | 2) => rows.filter((row) => row[column] !== "").map(([byte]) => byte);
    const onSocket = [...CHANNELS, "signal", "numbered"] as const;
    expect(has(1)).toEqual(onSocket.map((kind) => frameMessage(kind, new Uint8Array(0))[0]));
    const message = new Uint8Array(1);
    const onChannel = [
      sequencedFrame(0, message),
      unsequencedFrame(message),
      beatFrame("beat", 0),
      beatFrame("answer", 0),
    ];
    expect(has(2)).toEqual(onChannel.map((frame) => frame[0]));
  });
});
