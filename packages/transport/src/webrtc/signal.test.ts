import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Description, MAX_CANDIDATES, readSdp, writeSdp } from "./description.ts";
import { decodeSignal, encodeSignal, MAX_SIGNAL_BYTES, type Signal } from "./signal.ts";

const bytePairs = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 32, maxLength: 32 });
const iceText = (least: number) =>
  fc.string({
    unit: fc.constantFrom(..."ABCXYZabcxyz0129+/"),
    minLength: least,
    maxLength: 40,
  });
const descriptions: fc.Arbitrary<Description> = fc.record({
  ufrag: iceText(4),
  pwd: iceText(22),
  fingerprint: bytePairs.map((bytes) =>
    bytes.map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(":"),
  ),
  candidates: fc.array(
    fc.record({
      address: fc.oneof(fc.ipV4(), fc.ipV6()),
      port: fc.integer({ min: 1, max: 65_535 }),
      type: fc.constantFrom("host" as const, "srflx" as const, "prflx" as const, "relay" as const),
      priority: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    }),
    { maxLength: MAX_CANDIDATES },
  ),
});
const attempts = fc.integer({ min: 1, max: 1000 });
const signals: fc.Arbitrary<Signal> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("offer" as const, "answer" as const),
    attempt: attempts,
    description: descriptions,
  }),
  fc.record({
    kind: fc.constant("close" as const),
    attempt: attempts,
    why: fc.string({ unit: "binary", maxLength: 50 }),
  }),
);

const description = fc.sample(descriptions, { numRuns: 1, seed: 1 })[0]!;

describe("descriptions", () => {
  it("come back from the session descriptions that are made of them", () => {
    fc.assert(
      fc.property(descriptions, fc.constantFrom("offer" as const, "answer" as const), (made, type) => {
        expect(readSdp(writeSdp(made, type))).toEqual(made);
      }),
    );
  });

  it("are read from a browser's session description, without names that somebody would have to look up", () => {
    const fingerprint = Array.from({ length: 32 }, () => "0a").join(":");
    const sdp = [
      "v=0",
      "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
      "a=candidate:1 1 udp 2113937151 0b5a2f7c-aaaa-4bbb-8ccc-123456789abc.local 51000 typ host generation 0",
      "a=candidate:2 1 UDP 1677729535 203.0.113.7 51000 typ srflx raddr 0.0.0.0 rport 0 generation 0",
      "a=candidate:3 1 tcp 1518280447 192.0.2.1 9 typ host tcptype active",
      "a=ice-ufrag:abcd",
      "a=ice-pwd:0123456789abcdefghijkl",
      `a=fingerprint:sha-256 ${fingerprint}`,
      "a=mid:0",
    ].join("\r\n");
    expect(readSdp(sdp)?.candidates).toEqual([
      { address: "203.0.113.7", port: 51_000, type: "srflx", priority: 1_677_729_535 },
    ]);
    expect(readSdp(sdp.replace("sha-256", "sha-1"))).toBeUndefined();
    expect(readSdp("nonsense")).toBeUndefined();
  });
});

describe("signals", () => {
  it("come back as they were sent, in plain ASCII", () => {
    fc.assert(
      fc.property(signals, (signal) => {
        const bytes = encodeSignal(signal);
        expect(bytes.every((byte) => byte < 0x80)).toBe(true);
        expect(decodeSignal(bytes)).toEqual(signal);
      }),
    );
  });

  it("fit, also the longest that a server makes", () => {
    const candidate = {
      address: "2001:0db8:1234:5678:9abc:def0:1234:5678",
      port: 65_535,
      type: "srflx",
      priority: 2 ** 32 - 1,
    };
    const longest = {
      ...description,
      ufrag: "a".repeat(32),
      pwd: "b".repeat(64),
      candidates: Array(8).fill(candidate),
    };
    expect(encodeSignal({ kind: "answer", attempt: 1e6, description: longest }).length).toBeLessThan(MAX_SIGNAL_BYTES);
  });

  it("never throw, whatever the peer sent", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json().map(ascii)), (bytes) => {
        const signal = decodeSignal(bytes);
        if ("fault" in signal) expect(signal.fault.code).toBe("signal");
      }),
    );
  });

  it.each<[string, unknown]>([
    ["no object", 7],
    ["null", null],
    ["no kind", {}],
    ["an unknown kind", { kind: "candidate", attempt: 1 }],
    ["attempt 0", { kind: "close", attempt: 0, why: "" }],
    ["half an attempt", { kind: "close", attempt: 1.5, why: "" }],
    ["a long why", { kind: "close", attempt: 1, why: "x".repeat(257) }],
    ["no description", { kind: "offer", attempt: 1 }],
    ["a line break in the ufrag", { kind: "offer", attempt: 1, description: { ...description, ufrag: "ab\r\na=x" } }],
    ["a short pwd", { kind: "offer", attempt: 1, description: { ...description, pwd: "short" } }],
    ["a wrong fingerprint", { kind: "offer", attempt: 1, description: { ...description, fingerprint: "AA:BB" } }],
    ["a name as address", offerTo("victim.example")],
    ["a line break in the address", offerTo("1.2.3.4\r\n")],
    ["too many candidates", { kind: "offer", attempt: 1, description: { ...description, candidates: candidates(17) } }],
    ["a URL of another kind", { kind: "available", iceServers: [{ url: "https://game.example" }] }],
    ["too many servers", { kind: "available", iceServers: Array(5).fill({ url: "stun:stun.example:3478" }) }],
  ])("refuse %s", (_, value) => {
    expect(decodeSignal(ascii(JSON.stringify(value)))).toMatchObject({ fault: { code: "signal" } });
  });

  it("refuse by length before anything else", () => {
    expect(decodeSignal(new Uint8Array(MAX_SIGNAL_BYTES + 1))).toMatchObject({
      fault: { code: "signal", detail: `${MAX_SIGNAL_BYTES + 1} bytes, limit ${MAX_SIGNAL_BYTES}` },
    });
  });

  it("name servers of both kinds", () => {
    const iceServers = [
      { url: "stun:stun.example:3478" },
      { url: "turn:turn.example:3478?transport=udp", username: "ann", credential: "s3crét" },
    ];
    expect(decodeSignal(encodeSignal({ kind: "available", iceServers }))).toEqual({ kind: "available", iceServers });
  });
});

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}

function candidates(count: number, address = "192.0.2.1"): unknown[] {
  return Array(count).fill({ address, port: 9, type: "host", priority: 1 });
}

function offerTo(address: string): unknown {
  return { kind: "offer", attempt: 1, description: { ...description, candidates: candidates(1, address) } };
}
