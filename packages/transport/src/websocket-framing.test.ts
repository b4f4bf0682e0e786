import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHANNELS } from "./link.ts";
import { decodeReason, encodeReason, frameMessage, unframeMessage } from "./websocket-framing.ts";

describe("frames", () => {
  it("come back as they were sent", () => {
    fc.assert(
      fc.property(fc.constantFrom(...CHANNELS), fc.uint8Array({ maxLength: 300 }), (channel, bytes) => {
        const frame = frameMessage(channel, bytes);
        expect(frame.length).toBe(bytes.length + 1);
        expect(unframeMessage(frame, 300)).toEqual({ kind: channel, bytes });
      }),
    );
  });

  it("keep their channel bytes: changing them breaks deployed clients", () => {
    const kinds = [...CHANNELS, "signal", "numbered"] as const;
    expect(kinds.map((kind) => frameMessage(kind, new Uint8Array(0))[0])).toEqual([1, 2, 3, 4, 5]);
  });

  it("never throw, whatever the peer sent", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const message = unframeMessage(bytes, 10);
        if ("fault" in message) expect(["empty", "unknown-channel", "oversized"]).toContain(message.fault.code);
        else expect(frameMessage(message.kind, message.bytes)).toEqual(bytes);
      }),
    );
  });

  it("name what is wrong", () => {
    expect(unframeMessage(new Uint8Array(0), 10)).toMatchObject({ fault: { code: "empty" } });
    expect(unframeMessage(Uint8Array.of(0, 1), 10)).toMatchObject({ fault: { code: "unknown-channel" } });
    expect(unframeMessage(Uint8Array.of(6), 10)).toMatchObject({ fault: { code: "unknown-channel" } });
    expect(unframeMessage(new Uint8Array(12).fill(1), 10)).toMatchObject({ fault: { code: "oversized" } });
    expect(unframeMessage(new Uint8Array(11).fill(1), 10)).toMatchObject({ kind: "reliable" });
  });
});

describe("close reasons", () => {
  it("fit a control frame, keep their code, and keep as much of the detail as fits", () => {
    const codes = fc.integer({ min: 1, max: 40 }).map((length) => "x".repeat(length));
    const details = fc.string({ unit: "binary", maxLength: 200 });
    fc.assert(
      fc.property(codes, details, (code, text) => {
        const encoded = encodeReason({ code, detail: text });
        expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(123);
        const decoded = decodeReason(4000, encoded);
        expect(decoded.code).toBe(code);
        expect(text.startsWith(decoded.detail)).toBe(true);
        if (Buffer.byteLength(JSON.stringify({ code, detail: text })) <= 123) expect(decoded.detail).toBe(text);
      }),
    );
  });

  it("do not cut a character in half", () => {
    const decoded = decodeReason(4000, encodeReason({ code: "x", detail: "\u{1F47E}".repeat(60) }));
    expect(decoded.detail).toMatch(/^(\u{1F47E})+$/u);
  });

  it("that are not ours become a code of the transport, and never throw", () => {
    expect(decodeReason(1006, "")).toMatchObject({ code: "vanished" });
    expect(decodeReason(1009, "")).toMatchObject({ code: "oversized" });
    expect(decodeReason(1002, "")).toMatchObject({ code: "malformed" });
    expect(decodeReason(1001, "")).toEqual({ code: "closed", detail: "WebSocket status 1001" });
    expect(decodeReason(1000, "so long")).toEqual({ code: "closed", detail: "so long" });
    for (const text of ["", "not json", "null", "7", '{"code":7,"detail":""}', '{"code":"two words","detail":""}']) {
      expect(decodeReason(4000, text)).toEqual({ code: "closed", detail: text });
    }
    fc.assert(
      fc.property(fc.nat(), fc.string({ unit: "binary" }), (status, text) => {
        expect(decodeReason(status, text).code).toMatch(/^[A-Za-z]/);
      }),
    );
  });
});
