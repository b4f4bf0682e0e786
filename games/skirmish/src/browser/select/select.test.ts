import { expect, it } from "vitest";
import { KIND } from "../../rules/kinds.ts";
import type { Field } from "../field.ts";
import { OWN, Pieces, SELECTED } from "../picture.ts";
import { ControlGroups } from "./control-groups.ts";
import { pickAt } from "./pick.ts";
import { Selection } from "./selection.ts";
import { Squad } from "./squad.ts";

function fieldOf(...units: readonly { kind: number; x: number; y: number; flags?: number; id: number }[]): Field {
  const [pieces, buildings, remembered, ore] = [new Pieces(), new Pieces(), new Pieces(), new Pieces()];
  for (const { kind, x, y, id, flags = OWN } of units) {
    const row = pieces.add();
    Object.assign(pieces.kind, { [row]: kind });
    pieces.id[row] = id;
    pieces.x[row] = x;
    pieces.y[row] = y;
    pieces.flags[row] = flags;
    pieces.health[row] = 100;
  }
  return { units: pieces, buildings, remembered, ore } as unknown as Field;
}

it("a control group is set, extended, recalled, and recalled twice goes there", () => {
  const groups = new ControlGroups();
  groups.set(3, [7, 8]);
  groups.add(3, [8, 9]);
  expect(groups.recall(3, 1000)).toEqual({ ids: [7, 8, 9], isDouble: false });
  expect(groups.recall(3, 1200).isDouble).toBe(true);
  expect(groups.recall(3, 2000).isDouble).toBe(false);
  groups.prune((id) => id !== 8);
  expect(groups.sizeOf(3)).toBe(2);
});

it("a selection forgets what is gone, and tells when it changed", () => {
  const selection = new Selection();
  selection.set([1, 2]);
  selection.toggle(2);
  selection.toggle(3);
  const { version } = selection;
  selection.prune((id) => id === 3);
  expect([...selection.ids]).toEqual([3]);
  expect(selection.version).toBeGreaterThan(version);
});

it("what is under the pointer is the nearest unit, within reach", () => {
  const field = fieldOf({ kind: KIND.tank, x: 100, y: 100, id: 1 }, { kind: KIND.scout, x: 108, y: 100, id: 2 });
  expect(pickAt(field, 107, 100, 4)?.id).toBe(2);
  expect(pickAt(field, 98, 100, 4)?.id).toBe(1);
  expect(pickAt(field, 150, 100, 4)).toBeUndefined();
});

it("a squad counts kinds, puts fighters before builders, and goes from kind to kind", () => {
  const flags = OWN | SELECTED;
  const field = fieldOf(
    { kind: KIND.builder, x: 0, y: 0, id: 1, flags },
    { kind: KIND.builder, x: 0, y: 0, id: 2, flags },
    { kind: KIND.tank, x: 30, y: 60, id: 3, flags },
    { kind: KIND.scout, x: 0, y: 0, id: 4 },
  );
  const squad = new Squad();
  squad.read(field);
  expect([squad.total, squad.focus, squad.firstId]).toEqual([3, KIND.tank, 3]);
  expect([squad.x, squad.y]).toEqual([10, 20]);
  squad.cycle();
  squad.read(field);
  expect([squad.focus, squad.firstId]).toEqual([KIND.builder, 1]);
});
