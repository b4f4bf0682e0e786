import { type ObjectId, objectId } from "@nearfield/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bases } from "./bases.ts";

/** The same, kept plainly: by slot an id, and the round of its base or since which packet there is none. */
class PlainBases {
  readonly rows = new Map<number, { id: ObjectId; round: number; gaps: number; since: number }>();

  claim(slot: number, id: ObjectId, packet: number): void {
    if (this.rows.get(slot)?.id !== id) this.rows.set(slot, { id, round: -1, gaps: 0, since: packet - 1 });
  }

  clear(slot: number, id: ObjectId, packet: number): void {
    const row = this.rows.get(slot);
    if (row?.id === id) Object.assign(row, { round: -1, since: packet });
  }

  set(slot: number, id: ObjectId, packet: number, round: number, gaps: number): void {
    const row = this.rows.get(slot);
    if (row?.id === id && (row.round >= 0 || packet > row.since)) Object.assign(row, { round, gaps });
  }
}

describe("what a client is known to have", () => {
  it("is what was acknowledged since it was claimed, however many objects come and go", () => {
    const step = fc.record({
      slot: fc.nat(400),
      renews: fc.boolean(),
      removes: fc.integer({ min: 0, max: 3 }),
      lag: fc.integer({ min: 0, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 600 }), (steps) => {
        const bases = new Bases();
        const plain = new PlainBases();
        const generations = new Map<number, number>();
        /** Packet by packet what it brought; acknowledged in order, some packets later. */
        const flying: { slot: number; id: ObjectId }[] = [];
        let told = 0;
        steps.forEach(({ slot, renews, removes, lag }, packet) => {
          if (renews) generations.set(slot, (generations.get(slot) ?? 0) + 1);
          const id = objectId(slot, generations.get(slot) ?? 0);
          bases.claim(id, packet);
          plain.claim(slot, id, packet);
          flying.push({ slot, id });
          for (; told < packet - lag; told++) {
            const { slot: of, id: arrived } = flying[told]!;
            bases.set(arrived, told, told + 10, told % 7);
            plain.set(of, arrived, told, told + 10, told % 7);
          }
          const gone = flying[packet - 2];
          if (removes === 0 && gone !== undefined) {
            bases.clear(gone.id, packet);
            plain.clear(gone.slot, gone.id, packet);
          }
        });
        for (const { id, round, gaps } of plain.rows.values()) {
          expect(bases.find(id)).toBe(round >= 0);
          if (round >= 0) expect([bases.round, bases.gaps]).toEqual([round, gaps]);
        }
      }),
    );
  });

  it("is nothing of an object, or of a generation, that was never claimed", () => {
    const bases = new Bases();
    bases.set(objectId(3, 0), 1, 1, 0);
    expect(bases.find(objectId(3, 0))).toBe(false);
    bases.claim(objectId(3, 1), 2);
    bases.set(objectId(3, 0), 3, 3, 0);
    expect(bases.find(objectId(3, 0))).toBe(false);
    expect(bases.find(objectId(3, 1))).toBe(false);
    bases.set(objectId(3, 1), 4, 4, 0);
    expect(bases.find(objectId(3, 1))).toBe(true);
  });
});
