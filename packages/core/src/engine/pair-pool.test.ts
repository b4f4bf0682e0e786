import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PairPool } from "./pair-pool.ts";

function walk(first: number, next: (pair: number) => number): number[] {
  const found: number[] = [];
  for (let pair = first; pair >= 0; pair = next(pair)) found.push(pair);
  return found.sort((a, b) => a - b);
}

describe("pair pool", () => {
  test("a number that is used again remembers nothing", () => {
    const pairs = new PairPool();
    const pair = pairs.take(1, 2);
    pairs.present[pair] = 1;
    pairs.demanded[pair] = 1;
    pairs.sentVersion[pair] = 9;
    pairs.lastSend[pair] = 9;
    pairs.metric[pair] = 3;
    pairs.nextCheck[pair] = 77;
    pairs.base[pair] = 5;
    pairs.rest(pair);
    pairs.free(pair);
    expect([pairs.find(1, 2), pairs.view[pair], pairs.firstResting(2), pairs.count]).toEqual([-1, -1, -1, 0]);
    expect(pairs.take(3, 4)).toBe(pair);
    expect([pairs.present, pairs.demanded, pairs.sentVersion, pairs.metric].map((column) => column[pair])).toEqual([
      0, 0, 0, 0,
    ]);
    expect([pairs.lastSend, pairs.nextCheck, pairs.base, pairs.flightHead].map((column) => column[pair])).toEqual([
      -1, -1, -1, -1,
    ]);
    expect(pairs.resting[pair]).toBe(0);
  });

  test("resting twice or waking twice changes nothing", () => {
    const pairs = new PairPool();
    const pair = pairs.take(0, 0);
    pairs.rest(pair);
    pairs.rest(pair);
    expect(walk(pairs.firstResting(0), (p) => pairs.nextResting(p))).toEqual([pair]);
    pairs.wake(pair);
    pairs.wake(pair);
    expect(pairs.firstResting(0)).toBe(-1);
  });

  test("its three kinds of lists hold what they should, whatever was taken, freed, put to rest and woken", () => {
    const step = fc.tuple(fc.constantFrom("take", "free", "rest", "wake"), fc.nat({ max: 20 }), fc.nat({ max: 90 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 900, size: "max" }), (steps) => {
        const pairs = new PairPool();
        const live = new Map<number, { view: number; slot: number; resting: boolean }>();
        for (const [kind, view, slot] of steps) {
          const pair = pairs.find(view, slot);
          if (kind === "take" && pair < 0) live.set(pairs.take(view, slot), { view, slot, resting: false });
          if (pair < 0) continue;
          if (kind === "free") {
            pairs.free(pair);
            live.delete(pair);
          } else if (kind !== "take") {
            pairs[kind as "rest" | "wake"](pair);
            live.get(pair)!.resting = kind === "rest";
          }
        }
        const having = (test: (pair: { view: number; slot: number; resting: boolean }) => boolean): number[] =>
          [...live].flatMap(([pair, state]) => (test(state) ? [pair] : [])).sort((a, b) => a - b);
        expect(pairs.count).toBe(live.size);
        for (let view = 0; view <= 21; view++) {
          expect(walk(pairs.firstOfView(view), (p) => pairs.nextOfView(p))).toEqual(having((p) => p.view === view));
        }
        for (let slot = 0; slot <= 91; slot++) {
          expect(walk(pairs.firstOfSlot(slot), (p) => pairs.nextOfSlot(p))).toEqual(having((p) => p.slot === slot));
          const resting = having((p) => p.slot === slot && p.resting);
          expect(walk(pairs.firstResting(slot), (p) => pairs.nextResting(p))).toEqual(resting);
        }
      }),
      { numRuns: 30 },
    );
  });
});
