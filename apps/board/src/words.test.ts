import { expect, it } from "vitest";
import { NOTE_BYTES } from "./shared.ts";
import { bytesOf, cleanWords, fitting } from "./words.ts";

it("words lose what cannot be seen, and keep lines and joined emoji", () => {
  expect(cleanWords("a\r\nb\rc\td\u0000\u202e\ufeff")).toBe("a\nb\nc  d");
  expect(cleanWords("👩‍🚀 é ж")).toBe("👩‍🚀 é ж");
});

it("bytes are those of UTF-8", () => {
  const words = "aéж€👩‍🚀";
  expect(bytesOf(words)).toBe(new TextEncoder().encode(words).length);
});

it("what fits is cut between characters", () => {
  expect(fitting("short")).toBe("short");
  const long = "👩".repeat(200);
  expect(bytesOf(fitting(long))).toBeLessThanOrEqual(NOTE_BYTES);
  expect(fitting(long)).toBe("👩".repeat(NOTE_BYTES / 4));
});
