import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanNickname, NICKNAME_BYTES, NICKNAME_CHARACTERS } from "./nickname.ts";
import { text } from "./sequences.ts";

const RUNS = 10 * (fc.readConfigureGlobal().numRuns ?? 100);
const nickname = text(NICKNAME_BYTES);

const anyName = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc
    .array(fc.constantFrom("a", "ﬁ", "é", "e\u0301", "中", "😀", "\u202e", "\u200b", "\u0301", " ", "\ud83d", "㊙"), {
      maxLength: 60,
    })
    .map((parts) => parts.join("")),
);

describe("cleanNickname", () => {
  it.each([
    ["ann", "ann"],
    ["  ann  lee\t", "ann lee"],
    ["e\u0301ve", "éve"],
    ["ａｎｎ", "ann"],
    ["\u202enna", "nna"],
    ["a\u200bn\u200dn\ufeff", "ann"],
    ["ann\u2066\u2069\u061c", "ann"],
    ["a\u3164n\u115fn\u2800", "ann"],
    ["z\u0301\u0302\u0303\u0304\u0305a", "ź\u0302\u0303a"],
    ["\u0301ann", "ann"],
    ["line\nbreak\u2028here", "line break here"],
    ["\u0000\u001f", ""],
    ["👩‍🚀", "👩🚀"],
  ])("makes %j to %j", (wanted, cleaned) => {
    expect(cleanNickname(wanted)).toBe(cleaned);
  });

  it("cuts by characters and by bytes, never within a character", () => {
    expect(cleanNickname("a".repeat(40))).toBe("a".repeat(32));
    expect(cleanNickname("中".repeat(40))).toBe("中".repeat(32));
    expect(cleanNickname("😀".repeat(40))).toBe("😀".repeat(24));
  });

  it("leaves room for a suffix", () => {
    expect(cleanNickname("中".repeat(40), "-2")).toBe(`${"中".repeat(30)}-2`);
    expect(cleanNickname("😀".repeat(40), "-12")).toBe(`${"😀".repeat(23)}-12`);
  });

  it("fits its field, shows no invisible character and is clean already, whatever came", () => {
    fc.assert(
      fc.property(anyName, fc.constantFrom("", "-2", "-137"), (wanted, suffix) => {
        const cleaned = cleanNickname(wanted, suffix);
        expect(() => nickname.check(cleaned, "name")).not.toThrow();
        expect([...cleaned].length).toBeLessThanOrEqual(NICKNAME_CHARACTERS);
        expect(cleaned).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u);
        expect(cleanNickname(cleaned)).toBe(cleaned);
      }),
      { numRuns: RUNS },
    );
  });
});
