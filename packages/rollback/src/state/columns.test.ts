import { describe, expect, test } from "vitest";
import { Columns, checksumOf, perPlayer, shared } from "./columns.ts";

function make() {
  const state = new Columns(3, {
    x: perPlayer(Float64Array),
    ammo: perPlayer(Uint8Array, 2),
    score: shared(Int32Array),
  });
  return { state, saved: () => copyOf(state) };
}

function copyOf(state: Columns<never> | ReturnType<typeof make>["state"]): Uint8Array {
  const bytes = new Uint8Array(state.byteLength);
  state.save(bytes);
  return bytes;
}

describe("Columns", () => {
  test("a loaded state is the saved one, in every column", () => {
    const { state, saved } = make();
    state.at.x.set([1.5, -2, 3]);
    state.at.ammo.set([1, 2, 3, 4, 5, 6]);
    state.at.score[0] = -7;
    const before = saved();
    state.at.x.fill(0);
    state.at.ammo.fill(0);
    state.at.score[0] = 0;
    state.load(before);
    expect([...state.at.x, ...state.at.ammo, ...state.at.score]).toEqual([1.5, -2, 3, 1, 2, 3, 4, 5, 6, -7]);
  });

  test("rows of one player are copied, and nothing else", () => {
    const { state, saved } = make();
    const into = saved();
    state.at.x.set([1, 2, 3]);
    state.at.ammo.set([1, 1, 2, 2, 3, 3]);
    state.at.score[0] = 9;
    state.saveRows(1, into);
    state.load(into);
    expect([...state.at.x]).toEqual([0, 2, 0]);
    expect([...state.at.ammo]).toEqual([0, 0, 2, 2, 0, 0]);
    expect(state.at.score[0]).toBe(0);
  });

  test("the first difference is named by column, row and both values", () => {
    const { state, saved } = make();
    const before = saved();
    state.at.ammo[3] = 200;
    state.at.score[0] = 4;
    expect(state.difference(before, saved())).toEqual({ column: "ammo", row: 3, values: [0, 200] });
    expect(state.difference(before, before)).toBeUndefined();
  });

  test("the checksum changes with any one bit", () => {
    const { saved } = make();
    const bytes = saved();
    const sums = new Set([checksumOf(bytes)]);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      sums.add(checksumOf(bytes));
      bytes[bit >> 3]! ^= 1 << (bit & 7);
    }
    expect(sums.size).toBe(bytes.length * 8 + 1);
  });

  test("what is not a number is found", () => {
    const { state } = make();
    state.at.x[2] = Number.NaN;
    expect(state.firstNaN()).toEqual({ column: "x", row: 2 });
  });

  test("a column without rows is refused", () => {
    expect(() => new Columns(2, { x: perPlayer(Float64Array, 0) })).toThrow(
      "column x: rows must be a whole number above 0, not 0",
    );
  });
});
