import { BitReader, BitWriter } from "@nearfield/schema/internal";
import { expect, test } from "vitest";
import { MAX_TEXT_BYTES, readText, writeText } from "./primitives.ts";

function there(words: string): string {
  const writer = new BitWriter();
  writeText(writer, words);
  return readText(new BitReader(writer.finish()));
}

test("text that fits arrives whole, whatever its characters weigh", () => {
  for (const words of [
    "",
    "a".repeat(MAX_TEXT_BYTES),
    "é".repeat(MAX_TEXT_BYTES / 2),
    "😀".repeat(MAX_TEXT_BYTES / 4),
  ]) {
    expect(there(words)).toBe(words);
  }
});

test("text that does not fit is cut between characters and says so", () => {
  for (const [character, weight] of [
    ["a", 1],
    ["é", 2],
    ["€", 3],
    ["😀", 4],
  ] as const) {
    const arrived = there(character.repeat(MAX_TEXT_BYTES + 1));
    expect(arrived.replaceAll(character, "")).toBe("…");
    expect(arrived.length).toBeGreaterThan((MAX_TEXT_BYTES / weight - 4) * character.length);
  }
});
