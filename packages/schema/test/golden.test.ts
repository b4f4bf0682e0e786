/** Golden bytes: the wire format as it stands. A change here breaks old clients and needs a new codec version. */

import { expect, it } from "vitest";
import {
  angle,
  bool,
  bytes,
  enumeration,
  event,
  float32,
  float64,
  int,
  list,
  quantized,
  text,
  uint,
} from "../src/index.ts";
import { BitReader, BitWriter, readRecord, writeRecord } from "../src/internal/index.ts";

const Everything = event("everything", {
  flag: bool(),
  small: uint(5),
  large: uint(53),
  signed: int(12),
  half: float32(),
  double: float64(),
  place: quantized(-100, 100, 0.25),
  heading: angle(10),
  team: enumeration("red", "green", "blue"),
  name: text(20),
  key: bytes(6),
  scores: list(int(6), 9),
  words: list(text(7), 3),
});

const values = {
  flag: true,
  small: 21,
  large: 2 ** 52 + 12_345,
  signed: -1234,
  half: 0.5,
  double: -1.1,
  place: 12.25,
  heading: -Math.PI / 2,
  team: "blue" as const,
  name: "née 😀",
  key: Uint8Array.of(0xde, 0xad, 0xbe, 0xef),
  scores: [-32, 0, 31],
  words: ["", "ab"],
};

const GOLDEN = "6b0e0c0000000074190000801fcdccccccccccf8dfe00036b90da79681c07f6202d2bbd5f77d00f0170a1303";

it("writes every kind of field as it always did", () => {
  const writer = new BitWriter();
  writeRecord(writer, Everything, values);
  expect(Buffer.from(writer.finish()).toString("hex")).toBe(GOLDEN);
});

it("reads what was written by an older version", () => {
  const reader = new BitReader(Buffer.from(GOLDEN, "hex"));
  expect(readRecord(reader, Everything)).toEqual(values);
  reader.end();
});
