import type { ObjectId } from "@nearfield/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PackedClaim } from "./claim.ts";
import { unpackClaim } from "./unpack-claim.ts";

const ROUND = 33;
const TARGET = 7 as ObjectId;

/** As `Sights.claimOn` packs it. */
function pack(renderMs: number, appliedMs: number, round: number): PackedClaim {
  return {
    target: 1,
    seenQuarters: Math.round(renderMs * 4) % 65_536,
    appliedQuarters: Math.min(16_383, Math.round((renderMs - appliedMs) * 4)),
    roundLag: Math.min(255, Math.floor(renderMs / ROUND) - round),
  };
}

describe("a claim", () => {
  it("comes back to a quarter of a millisecond, however long the server runs and whichever way clocks differ", () => {
    const time = fc.double({ min: 20_000, max: 4e9, noNaN: true });
    const away = fc.double({ min: -5000, max: 5000, noNaN: true });
    const age = fc.double({ min: 0, max: 3000, noNaN: true });
    fc.assert(
      fc.property(time, away, age, (nowMs, awayMs, ageMs) => {
        const renderMs = nowMs + awayMs;
        const round = Math.floor((renderMs - ageMs) / ROUND);
        const claim = unpackClaim(pack(renderMs, renderMs - ageMs, round), TARGET, nowMs, ROUND);
        expect(Math.abs(claim.renderMs - renderMs)).toBeLessThanOrEqual(0.126);
        expect(Math.abs(claim.appliedMs! - (renderMs - ageMs))).toBeLessThanOrEqual(0.26);
        expect(Math.abs(claim.round! - round)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("of nobody says when it was, and nothing else", () => {
    expect(unpackClaim(pack(50_000, 49_000, 1), undefined, 50_020, ROUND)).toEqual({ renderMs: 50_000 });
  });

  it("that lies stays a time near now: the server clamps it", () => {
    fc.assert(
      fc.property(fc.nat(65_535), fc.nat(16_383), fc.nat(255), (seenQuarters, appliedQuarters, roundLag) => {
        const claim = unpackClaim({ target: 1, seenQuarters, appliedQuarters, roundLag }, TARGET, 1e6, ROUND);
        expect(Math.abs(claim.renderMs - 1e6)).toBeLessThanOrEqual(8192);
        expect(claim.round).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
