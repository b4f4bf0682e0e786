import { type ObjectId, slotOf } from "@nearfield/schema";
import { objectId } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bases, NO_ROW } from "./bases.ts";
import { Receipts } from "./receipts.ts";

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
        const bases = new Bases((marks) => {
          for (const { row } of flying.slice(told)) marks[row] = 1;
        });
        const plain = new PlainBases();
        const generations = new Map<number, number>();
        /** Packet by packet what it brought; acknowledged in order, some packets later. */
        const flying: { slot: number; id: ObjectId; row: number }[] = [];
        let told = 0;
        steps.forEach(({ slot, renews, removes, lag }, packet) => {
          if (renews) generations.set(slot, (generations.get(slot) ?? 0) + 1);
          const id = objectId(slot, generations.get(slot) ?? 0);
          const row = bases.claim(id, packet);
          plain.claim(slot, id, packet);
          flying.push({ slot, id, row });
          for (; told < packet - lag; told++) {
            const { slot: of, id: arrived, row: at } = flying[told]!;
            bases.has(at, arrived, told, told + 10, told % 7);
            plain.set(of, arrived, told, told + 10, told % 7);
          }
          const gone = flying[packet - 2];
          if (removes === 0 && gone !== undefined) {
            bases.unsure(bases.rowFor(gone.id, packet), gone.id, packet);
            plain.clear(gone.slot, gone.id, packet);
          }
        });
        for (const { id, round, gaps } of plain.rows.values()) {
          const row = bases.find(slotOf(id));
          expect(bases.isBase(row, id)).toBe(round >= 0);
          if (round >= 0) expect([bases.roundOf(row), bases.gapsOf(row)]).toEqual([round, gaps]);
        }
      }),
    );
  });

  it("has a row at home for each of the first objects, if it is told how many come", () => {
    const bases = new Bases(() => {});
    const receipts = new Receipts(bases);
    bases.reserve(100);
    const rows = Array.from({ length: 100 }, (_, slot) => bases.claim(objectId(slot + 500, 0), 0));
    expect(rows).toEqual(rows.map((_, slot) => (slot + 500) % 256));
    expect(rows.some((row) => receipts.isHeld(row))).toBe(false);
    // Rows that are in use stay where they are.
    bases.reserve(1000);
    expect(bases.capacity).toBe(256);
    expect(rows.map((_, slot) => bases.find(slot + 500))).toEqual(rows);
  });

  it("is nothing of an object, or of a generation, that was never claimed", () => {
    const bases = new Bases(() => {});
    const [old, young] = [objectId(3, 0), objectId(3, 1)];
    expect(bases.find(3)).toBe(NO_ROW);
    expect(bases.isBase(NO_ROW, old)).toBe(false);
    const row = bases.claim(young, 2);
    bases.has(row, old, 3, 3, 0);
    expect([bases.isBase(row, old), bases.isBase(row, young)]).toEqual([false, false]);
    bases.has(row, young, 4, 4, 0);
    expect([bases.isBase(row, old), bases.isBase(row, young)]).toEqual([false, true]);
  });

  it("has the room of what is spoken of: rows of objects that are gone are used again, with their receipts", () => {
    const bases = new Bases(() => {});
    const receipts = new Receipts(bases);
    for (let slot = 0; slot < 10_000; slot++) {
      const id = objectId(slot, 0);
      const row = bases.claim(id, 2 * slot);
      bases.has(row, id, 2 * slot, slot, 0);
      receipts.arrived(row, id, slot, false);
      // Of each ten the first stays.
      if (slot % 10 === 0) continue;
      bases.unsure(row, id, 2 * slot + 1);
      receipts.arrived(row, id, slot, true);
    }
    expect(bases.capacity).toBeLessThanOrEqual(2048);
    for (let slot = 0; slot < 10_000; slot += 10) {
      const row = bases.find(slot);
      expect([bases.isBase(row, objectId(slot, 0)), receipts.isHeld(row)]).toEqual([true, true]);
    }
    const row = bases.claim(objectId(20_000, 0), 30_000);
    expect(receipts.isHeld(row)).toBe(false);
  });
});
