import type { ObjectId } from "@nearfield/schema";
import { describe, expect, test } from "vitest";
import { smallWorld, viewOf } from "../test/small-world.ts";
import type { Bound, Pivot, ViewSettings } from "./index.ts";
import {
  checkPivots,
  MetricRegistry,
  type ObjectSetSettings,
  resolveView,
  VIEW_CAPACITY,
  type ViewErrorCode,
} from "./internal/index.ts";

const UNBOUNDED = Number.POSITIVE_INFINITY;
const world = smallWorld();
world.predicate("weak", () => true);

const resolve = (settings: ViewSettings) => resolveView(settings, world, new MetricRegistry());
const list = <T>(length: number, entry: (index: number) => T): T[] => Array.from({ length }, (_, i) => entry(i));

describe("a view that keeps the rules", () => {
  test("is compiled with every default", () => {
    const [set] = resolve(viewOf({ bounds: [{}] }, [{ point: [0, 0] }, { point: [1, 1] }])).sets;
    expect(set).toMatchObject({
      zoneCount: 1,
      sectorCount: 1,
      shape: "round",
      clock: "refresh",
      strict: false,
      range: UNBOUNDED,
      pivots: undefined,
    });
    expect(set!.metric.name).toBe("displacement");
    expect([...set!.time, ...set!.sequence, ...set!.value]).toEqual([UNBOUNDED, UNBOUNDED, UNBOUNDED]);
  });

  test("has its bounds by cell; one bound for a zone goes for all its sectors", () => {
    const [set] = resolve(
      viewOf({
        radii: [10],
        sectors: [60, 120],
        bounds: [[{ time: 1 }, { time: 2 }, { time: 3 }], list(3, () => ({ time: 4 }))],
      }),
    ).sets;
    expect([set!.zoneCount, set!.sectorCount]).toEqual([2, 3]);
    expect([...set!.time]).toEqual([1, 2, 3, 4, 4, 4]);
    const [flat] = resolve(viewOf({ radii: [10], sectors: [90], bounds: [{ time: 1 }, { time: 2 }] })).sets;
    expect([...flat!.time]).toEqual([1, 1, 2, 2]);
  });

  test("has its sectors as cosines of half the angle", () => {
    const [set] = resolve(viewOf({ sectors: [120, 180, 240], bounds: [{}] })).sets;
    expect([...set!.cosHalf]).toEqual([expect.closeTo(0.5, 12), expect.closeTo(0, 12), expect.closeTo(-0.5, 12)]);
  });

  test("may loosen outward in whatever way, once nothing was let wait", () => {
    for (const first of [{ sequence: 1 }, { time: 0 }, { value: 0 }] as Bound[]) {
      expect(() =>
        resolve(viewOf({ radii: [5], bounds: [first, { time: 500, sequence: 3, value: 2 }] })),
      ).not.toThrow();
    }
  });

  test("may name pivots it does not have yet: they can come with the next ones", () => {
    expect(resolve(viewOf({ bounds: [{}], pivots: [3] }, [])).sets[0]!.pivots).toEqual([3]);
  });
});

describe("a view that breaks a rule is refused, naming the place", () => {
  const set = (more: Partial<ObjectSetSettings>): ViewSettings => viewOf({ bounds: [{}], ...more });
  const cells = (...bounds: unknown[]): ViewSettings =>
    set({
      radii: list(bounds.length - 1, (i) => 10 * (i + 1)),
      ...(Array.isArray(bounds[0]) ? { sectors: list((bounds[0] as unknown[]).length - 1, (i) => 30 * (i + 1)) } : {}),
      bounds: bounds as Bound[],
    });
  const pivot = (broken: unknown): ViewSettings => viewOf({ bounds: [{}] }, [{ point: [0, 0] }, broken as Pivot]);
  const group = (more: object): ViewSettings => pivot({ group: [1 as ObjectId], margin: 0, coefficients: [], ...more });

  const broken: [string, ViewErrorCode, string, ViewSettings][] = [
    ["no sets", "too-many", "sets", { sets: [], pivots: [] }],
    ["17 sets", "too-many", "sets", { sets: list(17, () => ({ match: "everything", bounds: [{}] })), pivots: [] }],
    ["last set is a type", "no-last-set", "sets[0].match", set({ match: { type: "ship" } })],
    ["unknown type", "unknown-match", "sets[0].match.type", set({ match: { type: "boat" } })],
    ["unknown predicate", "unknown-match", "sets[0].match.predicate", set({ match: { predicate: "rich" } })],
    ["unknown metric", "unknown-metric", "sets[0].metric", set({ metric: "speed" })],
    ["radius 0", "bad-radii", "sets[0].radii[0]", set({ radii: [0], bounds: [{}, {}] })],
    ["equal radii", "bad-radii", "sets[0].radii[1]", set({ radii: [5, 5], bounds: [{}, {}, {}] })],
    ["NaN radius", "bad-radii", "sets[0].radii[0]", set({ radii: [Number.NaN], bounds: [{}, {}] })],
    ["infinite radius", "bad-radii", "sets[0].radii[0]", set({ radii: [UNBOUNDED], bounds: [{}, {}] })],
    ["17 zones", "too-many", "sets[0].radii", set({ radii: list(16, (i) => i + 1) })],
    ["sector of 360", "bad-sectors", "sets[0].sectors[0]", set({ sectors: [360] })],
    ["sectors that shrink", "bad-sectors", "sets[0].sectors[1]", set({ sectors: [90, 60] })],
    ["9 sectors", "too-many", "sets[0].sectors", set({ sectors: list(8, (i) => i + 1) })],
    ["range 0", "bad-number", "sets[0].range", set({ range: 0 })],
    ["range NaN", "bad-number", "sets[0].range", set({ range: Number.NaN })],
    ["unknown shape", "bad-number", "sets[0].shape", set({ shape: "oval" as "round" })],
    ["unknown clock", "bad-number", "sets[0].clock", set({ clock: "sun" as "refresh" })],
    ["fewer bounds than zones", "shape-mismatch", "sets[0].bounds", set({ radii: [5], bounds: [{}] })],
    ["more bounds than sectors", "shape-mismatch", "sets[0].bounds[0]", set({ bounds: [[{}, {}]] })],
    ["negative bound", "bad-bound", "sets[0].bounds[0][0].value", cells({ value: -1 })],
    ["bound that is no number", "bad-bound", "sets[0].bounds[1][0].time", cells({}, { time: Number.NaN })],
    ["stricter outer time", "tightens-outward", "sets[0].bounds[1][0].time", cells({ time: 50 }, { time: 49 })],
    [
      "stricter outer sequence",
      "tightens-outward",
      "sets[0].bounds[2][0].sequence",
      cells({ sequence: 2 }, { sequence: 2 }, { sequence: 1 }),
    ],
    [
      "a dimension that only comes farther out",
      "tightens-outward",
      "sets[0].bounds[1][0].value",
      cells({}, { value: 9 }),
    ],
    ["stricter behind", "tightens-outward", "sets[0].bounds[0][1].value", cells([{ value: 3 }, { value: 2 }])],
    [
      "stricter outer cell of one sector",
      "tightens-outward",
      "sets[0].bounds[1][1].time",
      cells([{ time: 5 }, { time: 9 }], [{ time: 5 }, { time: 8 }]),
    ],
    ["a pivot index below 0", "bad-pivot", "sets[0].pivots", set({ pivots: [-1] })],
    ["a pivot index that is none", "bad-pivot", "sets[0].pivots", set({ pivots: [0.5] })],
    ["a pivot index too high", "bad-pivot", "sets[0].pivots", set({ pivots: [VIEW_CAPACITY.pivots] })],
    ["a pivot named twice", "bad-pivot", "sets[0].pivots", set({ pivots: [0, 0] })],
    [
      "33 pivots",
      "too-many",
      "pivots",
      viewOf(
        { bounds: [{}] },
        list(33, () => ({ point: [0, 0] })),
      ),
    ],
    ["a point on a line", "bad-pivot", "pivots[1].point", pivot({ point: [1] })],
    ["a point nowhere", "bad-pivot", "pivots[1].point", pivot({ point: [1, UNBOUNDED] })],
    [
      "a direction that is none",
      "bad-pivot",
      "pivots[1].orientation",
      pivot({ point: [1, 1], orientation: [1, Number.NaN] }),
    ],
    ["no zoom", "bad-pivot", "pivots[1].scale", pivot({ point: [1, 1], scale: 0 })],
    ["endless zoom", "bad-pivot", "pivots[1].scale", pivot({ point: [1, 1], scale: UNBOUNDED })],
    ["an empty group", "too-many", "pivots[1].group", group({ group: [] })],
    ["a group of 257", "too-many", "pivots[1].group", group({ group: list(257, (i) => i) })],
    ["a negative margin", "bad-pivot", "pivots[1].margin", group({ margin: -1 })],
    ["a coefficient of 1", "bad-pivot", "pivots[1].coefficients[0]", group({ coefficients: [1] })],
    ["coefficients that shrink", "bad-pivot", "pivots[1].coefficients[1]", group({ coefficients: [3, 2] })],
    ["too many coefficients", "too-many", "pivots[1].coefficients", group({ coefficients: list(15, (i) => i + 2) })],
  ];

  test.each(broken)("%s", (_, code, at, settings) => {
    expect(() => resolve(settings)).toThrow(expect.objectContaining({ name: "ViewError", code, at }));
  });

  test("the message says what was given and what is required", () => {
    expect(() => resolve(cells({ time: 50 }, { time: 49 }))).toThrow(
      "view.sets[0].bounds[1][0].time: 49 is stricter than 50 in the zone before; bounds may only loosen outward",
    );
    expect(() => resolve(cells({ value: 1 }, { value: 2, time: 1000 }))).toThrow(
      "view.sets[0].bounds[1][0].time: 1000 is stricter than no bound in the zone before; bounds may only loosen outward",
    );
    const behind = cells([{ time: 50 }, { time: 49 }]);
    expect(() => resolve(behind)).toThrow(
      "bounds[0][1].time: 49 is stricter than 50 in the sector before; bounds may only loosen from the front to the back",
    );
  });

  test("pivots alone are checked by the same rules", () => {
    const refused = expect.objectContaining({ code: "bad-pivot", at: "pivots[0].point" });
    expect(() => checkPivots([{ point: [1, 2, 3, 4] }])).toThrow(refused);
  });
});
