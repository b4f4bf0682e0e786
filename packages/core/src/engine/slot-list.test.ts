import { expect, test } from "vitest";
import { SlotList } from "./slot-list.ts";

const listed = (list: SlotList): number[] => Array.from({ length: list.count }, (_, i) => list.at(i));

test("each slot once, in the order it came", () => {
  const list = new SlotList();
  for (const slot of [5, 3, 5, 900, 3]) list.add(slot);
  expect(listed(list)).toEqual([5, 3, 900]);
});

test("the last one takes the place of one that is removed", () => {
  const list = new SlotList();
  for (const slot of [1, 2, 3, 4]) list.add(slot);
  list.remove(2);
  list.remove(77);
  expect(listed(list)).toEqual([1, 4, 3]);
  list.remove(3);
  list.add(2);
  list.add(4);
  expect(listed(list)).toEqual([1, 4, 2]);
});

test("cleared, it takes the same slots again", () => {
  const list = new SlotList();
  for (let slot = 0; slot < 200; slot++) list.add(slot);
  list.clear();
  expect(list.count).toBe(0);
  list.add(150);
  expect(listed(list)).toEqual([150]);
});
