import { expect, it } from "vitest";
import { Alarms } from "./hud/alarms.ts";
import { Marks } from "./orders/marks.ts";
import { Pieces, type SeenCells } from "./picture.ts";
import { Remembered } from "./remembered.ts";

const BUILDING = { x: 40, y: 40, z: 0, kind: "tower", side: 1, health: 80, built: 100 } as const;

function fogThatSees(sees: boolean): SeenCells {
  return { cells: new Uint8Array(0), isSeen: () => sees, wasSeen: () => true };
}

it("a building is remembered until its place is seen without it for a while", () => {
  const memory = new Remembered();
  const pieces = new Pieces();
  memory.keep(9, BUILDING);
  memory.fill(pieces, fogThatSees(false), 1000);
  expect([pieces.count, pieces.id[0], pieces.side[0]]).toEqual([1, 9, 1]);
  memory.fill(pieces, fogThatSees(true), 2000);
  memory.fill(pieces, fogThatSees(false), 2100);
  memory.fill(pieces, fogThatSees(true), 2200);
  memory.fill(pieces, fogThatSees(true), 2900);
  expect(pieces.count).toBe(1);
  memory.fill(pieces, fogThatSees(true), 3100);
  expect([pieces.count, memory.get(9)]).toEqual([0, undefined]);
});

it("a refused order turns its mark red, once", () => {
  const marks = new Marks();
  marks.add("gather", 5, 6, 100);
  expect(marks.refuse(150)).toMatchObject({ what: "gather", x: 5, y: 6, refused: true });
  expect(marks.list).toHaveLength(1);
  expect(marks.refuse(160)).toBeUndefined();
  marks.prune(5000);
  expect(marks.list).toEqual([]);
});

it("an alarm rings once for a place, and again after a while or elsewhere", () => {
  const alarms = new Alarms();
  expect(alarms.add(100, 100, 0)).toBe(true);
  expect(alarms.add(120, 100, 1000)).toBe(false);
  expect(alarms.add(900, 100, 1000)).toBe(true);
  expect(alarms.add(120, 100, 9000)).toBe(true);
  expect(alarms.last).toMatchObject({ x: 120 });
  expect([alarms.isFresh(10_000), alarms.isFresh(30_000)]).toEqual([true, false]);
});
