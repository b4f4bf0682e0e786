/** The life cycle: who shot whom, in the order of the shots, whatever the order in which they arrive. */

import type { ObjectId } from "@nearfield/schema";
import { objectId } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Blow, type Hit, LifeCycle } from "./life-cycle.ts";

const [A, B, C] = [objectId(0, 0), objectId(1, 0), objectId(2, 0)];

function begun(windowMs = 200, maxHeld?: number): LifeCycle {
  const life = new LifeCycle({ windowMs, ...(maxHeld !== undefined && { maxHeld }) });
  for (const id of [A, B, C]) life.enter(id, 100, 0);
  return life;
}

const blow = (atMs: number, attacker: ObjectId | undefined, target: ObjectId, damage = 100): Blow => ({
  atMs,
  attacker,
  target,
  damage,
});

function settled(life: LifeCycle, nowMs: number, earliestMs?: number): Hit[] {
  const hits: Hit[] = [];
  life.settle(nowMs, (hit) => hits.push(hit), earliestMs);
  return hits;
}

describe("the life cycle", () => {
  it("publishes only A shoots B, though B shoots C was heard first", () => {
    const life = begun();
    expect(life.strike(blow(1050, B, C))).toBe("held");
    expect(settled(life, 1100)).toEqual([]);
    expect(life.strike(blow(1000, A, B))).toBe("held");
    expect(settled(life, 1300)).toEqual([{ ...blow(1000, A, B), left: 0, killed: true }]);
    expect([life.isAlive(A), life.isAlive(B), life.isAlive(C), life.voided]).toEqual([true, false, true, 1]);
  });

  it("waits no longer than the window, and then does not look back", () => {
    const life = begun();
    life.strike(blow(1050, B, C));
    expect(settled(life, 1250).map(({ target }) => target)).toEqual([C]);
    expect(life.strike(blow(1000, A, B))).toBe("late");
    expect([life.isAlive(B), life.isAlive(C), life.refused]).toEqual([true, false, 1]);
  });

  it("publishes at once where nothing earlier can come", () => {
    const life = begun();
    life.strike(blow(1050, B, C));
    expect(settled(life, 1060, 1049)).toEqual([]);
    expect(settled(life, 1060, 1050)).toHaveLength(1);
  });

  it("lets two kill each other in the same moment", () => {
    const life = begun();
    life.strike(blow(1000, B, A));
    life.strike(blow(1000, A, B));
    expect(settled(life, 2000).map(({ target, killed }) => [target, killed])).toEqual([
      [B, true],
      [A, true],
    ]);
  });

  it("counts hit points down, heals up to what was there, and says what is to be expected", () => {
    const life = begun();
    life.strike(blow(1000, A, B, 70));
    life.strike(blow(1010, undefined, B, -90));
    life.strike(blow(1020, C, B, 30));
    expect([life.hitPoints(B), life.expected(B)]).toEqual([100, 70]);
    expect(settled(life, 2000).map(({ left }) => left)).toEqual([30, 100, 70]);
    expect([life.hitPoints(B), life.expected(B), life.held]).toEqual([70, 70, 0]);
  });

  it("lets blows of an earlier life not touch the next", () => {
    const life = begun();
    life.strike(blow(1000, A, B));
    settled(life, 1200);
    expect([life.strike(blow(1150, A, B)), life.strike(blow(1150, B, A))]).toEqual(["unknown", "unknown"]);
    life.enter(B, 50, 1300);
    life.strike(blow(1250, A, B));
    life.strike(blow(1250, B, A));
    expect(settled(life, 2000)).toEqual([]);
    expect([life.hitPoints(A), life.hitPoints(B)]).toEqual([100, 50]);
  });

  it("refuses past its bound, and what cannot work", () => {
    const life = begun(200, 1);
    expect([life.strike(blow(1000, A, B, 1)), life.strike(blow(1000, A, C, 1))]).toEqual(["held", "full"]);
    life.leave(B);
    expect([life.strike(blow(1000, A, B)), settled(life, 2000)]).toEqual(["unknown", []]);
    expect(() => new LifeCycle({ windowMs: Number.NaN })).toThrow("windowMs is NaN");
    expect(() => life.enter(A, 0, 0)).toThrow("0 hit points");
    expect(() => life.strike(blow(Number.NaN, A, C))).toThrow("NaN");
  });

  it("publishes the same whatever the order in which blows are heard of", () => {
    const ids = [A, B, C];
    const one = fc.record({
      atMs: fc.integer({ min: 1000, max: 1020 }),
      attacker: fc.constantFrom<ObjectId | undefined>(undefined, ...ids),
      target: fc.constantFrom(...ids),
      damage: fc.integer({ min: -20, max: 100 }),
    });
    const told = fc
      .array(one, { maxLength: 20 })
      .chain((blows) => fc.tuple(fc.constant(blows), fc.shuffledSubarray(blows, { minLength: blows.length })));
    fc.assert(
      fc.property(told, ([blows, shuffled]) => {
        const runs = [blows, shuffled].map((order) => {
          const life = begun();
          for (const each of order) life.strike(each);
          return { hits: settled(life, 3000), left: ids.map((id) => life.hitPoints(id)) };
        });
        expect(runs[1]).toEqual(runs[0]);
        const died = new Map<ObjectId | undefined, number>();
        for (const { atMs, attacker, target, killed } of runs[0]!.hits) {
          expect(died.get(attacker) ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(atMs);
          expect(died.has(target)).toBe(false);
          if (killed) died.set(target, atMs);
        }
      }),
    );
  });
});
