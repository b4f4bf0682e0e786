import {
  bool,
  bytes,
  command,
  enumeration,
  event,
  float64,
  int,
  object,
  Protocol,
  quantized,
  text,
  type WorldId,
} from "@nearfield/schema";
import { worldId } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "./messages.ts";
import { decodeMessage, encodeMessage } from "./messages-codec.ts";

const Thing = object(
  "thing",
  {
    x: quantized(0, 100, 0.1),
    exact: float64(),
    on: bool(),
    mode: enumeration("a", "b"),
    name: text(20),
    raw: bytes(8),
  },
  { position: ["x", "exact"] },
);
const Crate = object("crate", { n: int(8) }, { write: "locked" });
const Other = object("other", { n: int(8) });
const Do = command("do", { n: int(8), words: text(10) });
const Boom = event("boom", { n: int(8) });
const protocol = new Protocol({ objects: [Thing, Crate, Other], commands: [Do], events: [Boom] });
const type = protocol.objects[0]!;
const crate = protocol.objects[1]!;
const boom = protocol.events[0]!;
const id = worldId(3, 77);

const anObject = {
  id,
  type,
  hop: 1,
  tags: [],
  player: 0 as WorldId,
  applied: 0,
  stepped: 0,
  said: 0,
  written: 0,
  claims: [],
  nickname: "",
  heldMs: 0,
  values: [0.123456789, Math.PI, 1, 1, "x", Uint8Array.of(9)],
};

const messages: Message[] = [
  { kind: "interest", from: 1, isAfresh: true, lists: [], areas: [] },
  {
    kind: "interest",
    from: 8191,
    isAfresh: false,
    lists: [
      [{ match: "everything", range: 500 }],
      [
        { match: { tag: "ünï" }, range: -1 },
        { match: { predicate: "p" }, range: 0 },
        { match: { type: "thing" }, range: 1.5 },
      ],
    ],
    areas: [{ x: -1.5, y: 2, z: 0, list: 1 }],
  },
  {
    kind: "news",
    from: 2,
    sequence: 9,
    isWhole: false,
    slices: [{ id: "r01", fence: 12 }],
    entries: [
      {
        id,
        type,
        hop: 3,
        tags: ["a", "b"],
        player: worldId(2, 5),
        applied: 7,
        stepped: 3,
        said: 9,
        written: 4,
        claims: [],
        version: 4,
        unsafe: 2,
        slice: 0,
        wires: [55, 0.1, 1, 1, "ä", Uint8Array.of(1, 2)],
      },
    ],
    gone: [{ id, hop: 0, reason: "ceded" }],
  },
  {
    kind: "handover",
    from: 2,
    epoch: 5,
    object: anObject,
    copies: [3, 8191],
  },
  { kind: "taken", from: 1, id, hop: 4 },
  {
    kind: "commands",
    from: 1,
    player: id,
    nickname: "ann",
    avatar: id,
    confirmed: 7,
    after: 12,
    list: [{ number: 14, type: protocol.commands[0]!, values: { n: -3, words: "hi" } }],
  },
  {
    kind: "steps",
    from: 1,
    player: id,
    nickname: "ann",
    avatar: id,
    confirmed: 7,
    after: 12,
    list: [{ number: 13, said: 40, type: protocol.commands[0]!, values: { n: -3, words: "hi" }, stepMs: 16 }],
  },
  {
    kind: "writes",
    from: 1,
    player: id,
    nickname: "ann",
    avatar: id,
    confirmed: 7,
    after: 12,
    list: [
      { number: 13, write: { type, mask: 0b10101, wires: [55, 1, "ä"] } },
      { number: 15, write: undefined },
    ],
  },
  { kind: "writeRefused", from: 1, player: id, id: worldId(3, 78), number: 13, refusal: "invalid" },
  {
    kind: "locks",
    from: 1,
    player: id,
    nickname: "ann",
    avatar: worldId(3, 78),
    hop: 6,
    requests: [
      { ticket: 4, release: { type: crate, mask: 1, wires: [7] } },
      { ticket: 5, release: undefined },
    ],
  },
  {
    kind: "handover",
    from: 2,
    epoch: 5,
    object: {
      ...anObject,
      type: crate,
      values: [7],
      claims: [
        { player: worldId(2, 5), ticket: 3, state: "timeout" },
        { player: worldId(2, 6), ticket: 9, state: "held" },
        { player: id, ticket: 1, state: "waiting" },
      ],
      heldMs: 340,
    },
    copies: [],
  },
  { kind: "left", from: 1, player: id },
  { kind: "inquest", from: 4, dead: 2, part: 1, listed: [{ id, hop: 3, version: 900 }] },
  {
    kind: "testimony",
    from: 4,
    dead: 2,
    part: 1,
    isLast: true,
    words: [
      { kind: "own", id },
      { kind: "movedOn", id, hop: 4 },
      { kind: "open", id, hop: 5 },
      { kind: "state", id, object: { ...anObject, version: 8 } },
    ],
  },
  { kind: "seek", from: 4, token: Uint8Array.of(1, 2, 255) },
  {
    kind: "found",
    from: 4,
    session: { player: id, token: Uint8Array.of(9), nickname: "ann", isSpectator: false, account: "a", base: 3 },
  },
  { kind: "renamed", from: 4, player: id, to: worldId(4, 1) },
  { kind: "heard", from: 4, type: boom, values: { n: 1 }, unreliable: true, hearers: { kind: "all" } },
  { kind: "heard", from: 4, type: boom, values: { n: 1 }, unreliable: false, hearers: { kind: "to", players: [id] } },
  {
    kind: "heard",
    from: 4,
    type: boom,
    values: { n: 1 },
    unreliable: false,
    hearers: { kind: "near", point: [1, 2, 0], radius: 5.5 },
  },
  {
    kind: "heard",
    from: 4,
    type: boom,
    values: { n: 1 },
    unreliable: false,
    hearers: { kind: "along", from: [1, 2, 0], to: [0, -1, 3], zone: 2 },
  },
];

describe("messages between servers", () => {
  it.each(messages.map((message) => [message.kind, message] as const))("bring %s whole", (_, message) => {
    expect(decodeMessage(protocol, encodeMessage(protocol, message))).toEqual(message);
  });

  it("hand an object over without rounding it", () => {
    const moved = decodeMessage(protocol, encodeMessage(protocol, messages[3]!));
    expect(moved.kind === "handover" && moved.object.values[0]).toBe(0.123456789);
  });

  it("that are cut short or changed are refused, or are other messages; nothing else happens", () => {
    const refusal = expect.objectContaining({ code: expect.any(String) });
    fc.assert(
      fc.property(
        fc.constantFrom(...messages),
        fc.nat(),
        fc.nat({ max: 255 }),
        fc.nat(),
        (message, at, value, length) => {
          const bytes = encodeMessage(protocol, message);
          bytes[at % bytes.length] = value;
          for (const given of [bytes, bytes.subarray(0, length % bytes.length)]) {
            try {
              decodeMessage(protocol, given);
            } catch (error) {
              expect(error).toEqual(refusal);
            }
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
