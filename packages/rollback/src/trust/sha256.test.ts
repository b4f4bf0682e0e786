import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sha256 } from "./sha256.ts";

test("is what the host's own gives, for every length around the blocks", () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 37 + length) & 255);
    expect(Buffer.from(sha256(bytes)).toString("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
  }
});

test("reads a part of a larger buffer", () => {
  const large = Uint8Array.from({ length: 300 }, (_, at) => at & 255);
  expect(sha256(large.subarray(3, 150))).toEqual(sha256(large.slice(3, 150)));
});
