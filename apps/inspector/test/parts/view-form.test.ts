import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Sets } from "../../web/feed-types.ts";
import {
  addSector,
  addZone,
  moveRadius,
  moveSector,
  narrowed,
  problemsOf,
  removeSector,
  removeZone,
  withBound,
  withSet,
} from "../../web/view/edit.ts";
import { Editor } from "../../web/view/editor.ts";
import { formOf, type SetForm, setsOf, type ViewForm } from "../../web/view/form.ts";
import { FAKE_SETS } from "../fake-feed.ts";

const bound = fc.option(fc.integer({ min: 0, max: 5000 }), { nil: null });
const cell = fc.record({ time: bound, sequence: bound, value: bound });
const ascending = (most: number, length: number) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: most }), { maxLength: length })
    .map((list) => list.toSorted((a, b) => a - b));

const setForm = fc.tuple(ascending(3000, 4), ascending(359, 3)).chain(([radii, sectors]) =>
  fc.record({
    match: fc.constantFrom("everything" as const, { type: "ship" }, { tag: "boss" }, { predicate: "wounded" }),
    radii: fc.constant(radii),
    sectors: fc.constant(sectors),
    bounds: fc.array(fc.array(cell, { minLength: sectors.length + 1, maxLength: sectors.length + 1 }), {
      minLength: radii.length + 1,
      maxLength: radii.length + 1,
    }),
    shape: fc.constantFrom("round" as const, "square" as const),
    clock: fc.constantFrom("refresh" as const, "firstMiss" as const),
    strict: fc.boolean(),
    metric: fc.constantFrom("displacement", "predicted"),
    range: fc.option(fc.integer({ min: 1, max: 9000 }), { nil: null }),
    pivots: fc.option(fc.constant([0]), { nil: null }),
  }),
);

describe("a view as a form", () => {
  test("a form becomes sets and the same form again, also through JSON", () => {
    fc.assert(
      fc.property(fc.array(setForm, { minLength: 1, maxLength: 3 }), (sets) => {
        const form: ViewForm = { sets };
        expect(formOf(setsOf(form))).toEqual(form);
        expect(formOf(JSON.parse(JSON.stringify(setsOf(form))) as Sets)).toEqual(form);
      }),
    );
  });

  test("sets are written the short way, and mean the same", () => {
    expect(setsOf(formOf(FAKE_SETS))).toEqual(FAKE_SETS);
    const infinite: Sets = [
      { match: "everything", bounds: [{ time: Number.POSITIVE_INFINITY, value: 3 }], range: Number.POSITIVE_INFINITY },
    ];
    expect(setsOf(formOf(infinite))).toEqual([{ match: "everything", bounds: [{ value: 3 }] }]);
  });

  test("one row of bounds for all sectors is spread over them", () => {
    const [set] = formOf([{ match: "everything", sectors: [90], bounds: [{ time: 5 }] }]).sets;
    expect(set!.bounds).toEqual([
      [
        { time: 5, sequence: null, value: null },
        { time: 5, sequence: null, value: null },
      ],
    ]);
  });

  test("zones and sectors come and go, and the table of bounds with them", () => {
    fc.assert(
      fc.property(
        setForm,
        fc.array(fc.constantFrom(addZone, removeZone, addSector, removeSector), { maxLength: 8 }),
        (set, changes) => {
          const changed = changes.reduce<SetForm>((one, change) => change(one), set);
          expect(changed.bounds.length).toBe(changed.radii.length + 1);
          for (const row of changed.bounds) expect(row.length).toBe(changed.sectors.length + 1);
        },
      ),
    );
  });

  test("the outermost zone keeps its bounds when the edge before it goes", () => {
    const [set] = formOf([
      { match: "everything", radii: [10, 20], bounds: [{ time: 0 }, { time: 100 }, { time: 900 }] },
    ]).sets;
    expect(setsOf({ sets: [removeZone(set!)] })).toEqual([
      { match: "everything", radii: [10], bounds: [{ time: 0 }, { time: 900 }] },
    ]);
  });

  test("edges stay between their neighbours", () => {
    const [set] = formOf(FAKE_SETS).sets;
    expect(moveRadius(set!, 1, 650).radii).toEqual([200, 650, 900]);
    expect(moveRadius(set!, 1, 50).radii[1]).toBeCloseTo(200.1);
    expect(moveRadius(set!, 1, 5000).radii[1]).toBeCloseTo(899.9);
    expect(moveSector(set!, 0, 300).sectors).toEqual([179, 180]);
    expect(moveSector(set!, 1, 500).sectors).toEqual([90, 359]);
  });

  test("what tightens outward is named by its cell; a cell that lets nothing wait may be followed by anything", () => {
    const form = formOf(FAKE_SETS);
    expect(problemsOf(form)).toEqual([]);
    const tight = withSet(form, 0, withBound(form.sets[0]!, 2, 1, "time", 50));
    expect(problemsOf(tight)).toEqual([
      "avatar: zone 2, sector 1: time is stricter than nearer by; bounds may only loosen outward",
    ]);
    expect(problemsOf(formOf([{ match: "everything", radii: [5], bounds: [{ time: 0 }, { value: 3 }] }]))).toEqual([]);
    expect(problemsOf(formOf([{ match: "everything", radii: [5, 4], bounds: [{}, {}, {}] }]))).toHaveLength(1);
  });

  test("a zoom narrows sectors and leaves the view that is saved as it was", () => {
    expect(narrowed(formOf(FAKE_SETS), 2).sets[0]!.sectors).toEqual([45, 90]);
    const editor = new Editor();
    editor.open(3, FAKE_SETS);
    expect(editor.isChanged).toBe(false);
    editor.zoom = 2;
    expect(editor.candidate).toMatchObject({ scale: 2, unlimited: true });
    expect(editor.candidate!.sets[0]!.sectors).toEqual([45, 90]);
    expect(editor.sets).toEqual(FAKE_SETS);
    expect(editor.isChanged).toBe(true);
  });

  test("a dragged handle changes the open set; under zoom a sector is what it is without", () => {
    const editor = new Editor();
    editor.open(3, FAKE_SETS);
    editor.moveHandle("radius", 0, 321);
    expect(editor.set!.radii[0]).toBe(321);
    editor.zoom = 2;
    editor.moveHandle("sector", 0, 30);
    expect(editor.set!.sectors[0]).toBe(60);
  });

  test("nothing is previewed or saved while something is wrong", () => {
    const editor = new Editor();
    editor.open(3, FAKE_SETS);
    editor.change(withBound(editor.set!, 3, 2, "time", 1));
    expect(editor.candidate).toBeUndefined();
    expect(editor.sets).toBeUndefined();
  });
});
