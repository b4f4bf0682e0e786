/** The store in memory keeps the contract; its rows stay sorted through any changes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../src/internal/index.ts";
import { SortedRows } from "../src/memory/sorted-rows.ts";
import { storeContract } from "./contract.ts";

storeContract("MemoryStore", {
  ground: async () => ({ open: async () => new MemoryStore(), remove: async () => {} }),
  keeps: false,
  cases: 50,
});

describe("SortedRows", () => {
  it("hold what a plain list holds, over many chunks, and old ones do not change", () => {
    const row = (key: string) => ({ key, version: 1, form: 1, text: key });
    const key = fc.nat(999).map((n) => String(n).padStart(3, "0"));
    const change = fc.record({ key, removes: fc.boolean() });
    const bulk = fc.constant(
      Array.from({ length: 700 }, (_, i) => ({ key: String((i * 7) % 1000).padStart(3, "0"), removes: false })),
    );
    const changes = fc.tuple(bulk, fc.array(change, { maxLength: 400 })).map(([a, b]) => [...a, ...b]);
    const property = fc.property(changes, key, key, fc.boolean(), (changes, from, before, reverse) => {
      let rows = SortedRows.empty;
      let model: readonly string[] = [];
      const read = (from: SortedRows) => from.scan({ from: "", before: undefined, reverse: false, limit: 10_000 });
      let kept = rows;
      let keptModel = model;
      changes.forEach(({ key, removes }, i) => {
        if (i === 600) [kept, keptModel] = [rows, model];
        rows = removes ? rows.without(key) : rows.with(row(key));
        model = [...model.filter((one) => one !== key), ...(removes ? [] : [key])];
      });
      expect(read(rows).map(({ key }) => key)).toEqual([...model].sort());
      expect(read(kept).map(({ key }) => key)).toEqual([...keptModel].sort());
      expect(rows.get(from)?.key).toBe(model.includes(from) ? from : undefined);
      const inside = model.filter((key) => key >= from && key < before).sort();
      const found = rows.scan({ from, before, reverse, limit: 50 }).map(({ key }) => key);
      expect(found).toEqual((reverse ? inside.reverse() : inside).slice(0, 50));
    });
    fc.assert(property, { numRuns: 30 });
  });
});
