import { objectId } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolved, smallWorld, viewOf } from "../test/small-world.ts";
import { type Bound, limitsOf, type Pivot, type ViewLimits, type ViewSettings } from "./index.ts";
import {
  clampView,
  type Match,
  MetricRegistry,
  metricFits,
  type ObjectSetSettings,
  type PivotLimits,
  setsOf,
} from "./internal/index.ts";
import { cellOf, dueCause } from "./judge.ts";
import { placePivot, replaced } from "./pivots.ts";
import { isStrongest } from "./view.ts";

type OneForAll = { readonly radii: readonly number[]; readonly bounds: readonly Bound[] };
const UNBOUNDED = Number.POSITIVE_INFINITY;
const world = smallWorld();
const LIMITS: ViewLimits = {
  radii: [100, 300],
  bounds: [{ time: 50, value: 1 }, { time: 200, value: 5 }, { time: 1000 }],
  range: 500,
  scale: 2,
};

describe("clamping", () => {
  test("leaves alone what asks for no more than it may", () => {
    const settings = viewOf({ radii: [100, 300], bounds: [{ time: 50, value: 1 }, { time: 200 }, {}], range: 500 });
    expect(clampView(settings, LIMITS)).toEqual({ view: settings, clamped: [] });
  });

  test("takes the looser of both in each cell, with the edges of both, and says so", () => {
    const { view, clamped } = clampView(
      viewOf({ radii: [101], bounds: [{ time: 50, value: 9 }, { time: 60 }] }),
      LIMITS,
    );
    expect(view.sets[0]).toMatchObject({
      radii: [100, 101, 300],
      bounds: [{ time: 50, value: 9 }, { time: 200, value: 9 }, { time: 200 }, { time: 1000 }],
      range: 500,
    });
    expect(clamped).toEqual([
      "sets[0].range: everything is farther than 500",
      "sets[0].radii: the room's own are added: 100, 300",
      "sets[0].bounds[1].time: 50 is stricter than 200",
      "sets[0].bounds[2].time: 60 is stricter than 200",
      "sets[0].bounds[3].time: 60 is stricter than 1000",
    ]);
  });

  test("takes away a dimension that may not be asked for", () => {
    const { view } = clampView(viewOf({ bounds: [{ time: 2000, sequence: 5, value: 50 }], range: 1 }), LIMITS);
    expect(view.sets[0]!.bounds).toEqual([{ time: 2000, value: 50 }, { time: 2000, value: 50 }, { time: 2000 }]);
  });

  test("what is told ends after 32 sentences with how many more there are", () => {
    const radii = Array.from({ length: 15 }, (_, i) => i + 1);
    const bounds = Array.from({ length: 16 }, () => ({ time: 1, sequence: 2, value: 0.1 }));
    const { clamped } = clampView(viewOf({ radii, bounds, range: 1 }), LIMITS);
    expect(clamped).toHaveLength(33);
    expect(clamped.at(-1)).toMatch(/^and \d+ more$/);
  });

  test("whoever asks that no update waits gets the limit", () => {
    for (const bound of [{ sequence: 1 }, { time: 0 }, { value: 0 }, { time: 0, value: 7 }] as Bound[]) {
      const { view } = clampView(viewOf({ radii: [100], bounds: [bound, { time: 1500 }], range: 1 }), LIMITS);
      expect(view.sets[0]!.bounds[0]).toMatchObject({ time: 50 });
      expect(view.sets[0]!.bounds[0]).not.toHaveProperty("sequence");
    }
  });

  test("where no update waits anyway, nothing is too strict", () => {
    const open: ViewLimits = { radii: [], bounds: [{ sequence: 1 }] };
    const settings = viewOf({ bounds: [{ time: 0, sequence: 0, value: 0 }] });
    expect(clampView(settings, open)).toEqual({ view: settings, clamped: [] });
  });

  test("sectors are clamped one by one", () => {
    const bounds = [[{ time: 10 }, { time: 60 }]];
    const settings: ObjectSetSettings = { match: "everything", sectors: [90], bounds, range: 1 };
    const { view } = clampView({ sets: [settings], pivots: [] }, { radii: [], bounds: [{ time: 50 }] });
    expect(view.sets[0]!.bounds).toEqual([[{ time: 50 }, { time: 60 }]]);
  });

  test("zoom is clamped; what is left of it is granted on top", () => {
    const settings = viewOf({ radii: [60, 300], bounds: [{ time: 50 }, { time: 200 }, {}], range: 1 }, [
      { point: [0, 0], scale: 9 },
    ]);
    const { view, clamped } = clampView(settings, LIMITS);
    expect(view).toEqual({ ...settings, pivots: [{ point: [0, 0], scale: 2 }] });
    expect(clamped).toEqual(["pivots[0].scale: 9 is more than 2"]);
  });

  test("so many pivots as are granted, one by default", () => {
    const pivots = [{ point: [0, 0] }, { point: [500, 0] }, { point: [0, 500] }];
    const settings = viewOf({ radii: [100, 300], bounds: [{}, {}, {}], range: 1 }, pivots);
    const one = clampView(settings, LIMITS);
    expect(one.view.pivots).toEqual(pivots.slice(0, 1));
    expect(one.clamped).toEqual([
      "pivots[1]: is one more than the 1 that is granted",
      "pivots[2]: is one more than the 1 that is granted",
    ]);
    expect(clampView(settings, { ...LIMITS, pivots: 3 }).view.pivots).toEqual(pivots);
  });

  const group = { group: [objectId(1, 0), objectId(2, 0)], margin: 500, coefficients: [2, 50, 60] };
  const inTwoZones = viewOf({ radii: [100, 300], bounds: [{}, {}, {}], range: 1 }, [group]);

  test("a group becomes a pivot on its first member where groups are not granted", () => {
    const { view, clamped } = clampView(inTwoZones, LIMITS);
    expect(view.pivots).toEqual([{ object: objectId(1, 0) }]);
    expect(clamped).toEqual(["pivots[0].group: groups are not granted; it is centred on its first member"]);
  });

  test("where they are, its margin and coefficients are clamped like radii, and it covers members near its centre only", () => {
    const { view } = clampView(inTwoZones, { ...LIMITS, groups: 40 });
    expect(view.pivots).toEqual([{ ...group, margin: 100, coefficients: [2, 50, 60], spread: 40 }]);
    const narrow = viewOf({ radii: [100, 150], bounds: [{}, {}, {}], range: 1 }, [group]);
    expect(clampView(narrow, { ...LIMITS, groups: 40 }).view.pivots).toMatchObject([{ coefficients: [1.5, 50, 60] }]);
  });
});

describe("cameras", () => {
  const camera = { camera: [3, 4], size: [160, 90], coefficients: [2, 90] } as const;
  const asked = (sets: ViewSettings["sets"]): ViewSettings => ({ sets, pivots: [camera] });
  const { sets } = { sets: [{ match: "everything", radii: [10, 30], bounds: [{}, {}, {}] }] } as const;

  test("a camera becomes a point where cameras are not granted", () => {
    const { view, clamped } = clampView(asked(sets), { sets });
    expect(view.pivots).toEqual([{ point: [3, 4] }]);
    expect(clamped).toEqual(["pivots[0].camera: cameras are not granted; it is centred on its point"]);
  });

  test("where they are, a rectangle that is too long is made smaller in proportion, and so are its outer zones", () => {
    const { view } = clampView(asked(sets), { sets, cameras: 4 });
    expect(view.pivots).toEqual([{ camera: [3, 4], size: [80, 45], rotation: 0, coefficients: [2, 90] }]);
    const inTwoZones = [{ match: "everything", radii: [10, 30, 60], bounds: [{}, {}, {}, {}] }] as const;
    expect(clampView(asked(inTwoZones), { sets: inTwoZones, cameras: 20 }).view.pivots).toMatchObject([
      { size: [160, 90], coefficients: [2, 6] },
    ]);
  });
});

describe("what cannot be compared gives way to the room's own", () => {
  const bounds = [
    { time: 100, value: 2 },
    { time: 500, value: 20 },
  ];
  const room = viewOf({ radii: [100], bounds });
  const asking = (more: Partial<ObjectSetSettings>) =>
    clampView(viewOf({ radii: [100], bounds, ...more }), limitsOf(room));

  test.each([
    [{ shape: "square" }, { shape: "round" }, "sets[0].shape: square is not granted, round is"],
    [{ strict: true }, { strict: false }, "sets[0].strict: is not granted"],
    [
      { metric: "path" },
      { metric: "displacement" },
      "sets[0].metric: path is not granted, displacement is, with its bounds by value",
    ],
    [
      { metric: "predicted" },
      { metric: "displacement" },
      "sets[0].metric: predicted is not granted, displacement is, with its bounds by value",
    ],
  ] as const)("%j", (more, instead, words) => {
    const { view, clamped } = asking(more);
    expect(view.sets[0]).toMatchObject({ radii: [100], bounds, ...instead });
    expect(clamped).toEqual([words]);
  });

  test("refresh where firstMiss is granted; the other way round it is less", () => {
    const late = viewOf({ radii: [100], bounds, clock: "firstMiss" });
    const { view, clamped } = clampView(room, limitsOf(late));
    expect(view.sets[0]).toMatchObject({ clock: "firstMiss", bounds });
    expect(clamped).toEqual(["sets[0].clock: refresh is not granted, firstMiss is"]);
    expect(clampView(late, limitsOf(room))).toEqual({ view: late, clamped: [] });
  });

  test("own objects on every change where they are granted by bounds; the other way round it is less", () => {
    const army = viewOf({ radii: [100], bounds, own: "bounds" });
    const { view, clamped } = clampView(room, limitsOf(army));
    expect(view.sets[0]).toMatchObject({ own: "bounds", bounds });
    expect(clamped).toEqual(["sets[0].own: changes is not granted, bounds is"]);
    expect(clampView(army, limitsOf(room))).toEqual({ view: army, clamped: [] });
  });

  test("a room grants what its limits say: square, strict, another metric", () => {
    const most: ViewLimits = { radii: [100], bounds, shape: "square", strict: true, metric: "predicted" };
    const settings = viewOf({ radii: [100], bounds, shape: "square", strict: true, metric: "predicted" });
    expect(clampView(settings, most)).toEqual({ view: settings, clamped: [] });
    const less = viewOf({ radii: [100], bounds, shape: "round", metric: "predicted:linear" });
    expect(clampView(less, most).view.sets[0]).toMatchObject({ shape: "round", bounds });
  });

  test("fewer sectors get the room's, and behind what is granted behind", () => {
    const rows = [[{ time: 50 }, { time: 400 }]];
    const seen: ObjectSetSettings = { match: "everything", sectors: [90], bounds: rows };
    const { view } = clampView(viewOf({ bounds: [{ time: 50 }] }), limitsOf({ sets: [seen], pivots: [] }));
    expect(view.sets[0]).toMatchObject({ sectors: [90], bounds: rows });
  });
});

describe("sets", () => {
  const boss: ObjectSetSettings = { match: { tag: "boss" }, bounds: [{ time: 0 }] };
  const ship: ObjectSetSettings = { match: { type: "ship" }, radii: [50], bounds: [{ time: 100 }, { time: 300 }] };
  const rest: ObjectSetSettings = { match: "everything", bounds: [{ time: 2000 }] };
  const granted = limitsOf({ sets: [boss, ship, rest], pivots: [] });
  const clampedSets = (...sets: ObjectSetSettings[]) => clampView({ sets, pivots: [] }, granted).view.sets;

  test("are held against every set that can hold the same object", () => {
    // A ship may be a boss or not; whatever is no ship may be a boss, too.
    expect(
      clampedSets({ ...ship, bounds: [{ time: 0 }, { time: 0 }] }, { ...boss, match: "everything" }),
    ).toMatchObject([
      { match: { type: "ship" }, bounds: [{ time: 100 }, { time: 300 }] },
      { match: "everything", bounds: [{ time: 2000 }] },
    ]);
  });

  test("in another order bring nobody more: of two that meet the looser counts", () => {
    const [first, second] = clampedSets(ship, boss, rest);
    expect(first).toEqual(ship);
    // What is a boss and no ship.
    expect(second).toMatchObject({ match: { tag: "boss" }, bounds: [{ time: 0 }] });
  });

  test("that exclude each other are not compared", () => {
    const crate: ObjectSetSettings = { match: { type: "crate" }, bounds: [{ time: 2500 }] };
    expect(clampedSets(boss, crate, ship, rest)).toMatchObject([boss, crate, ship, rest]);
  });

  test("that are never reached are left out", () => {
    expect(clampedSets(boss, ship, rest, rest)).toEqual([boss, ship, rest]);
  });

  test("no bound by value where the granted metric does not fit the objects of the set", () => {
    const limits = limitsOf(viewOf({ bounds: [{ time: 100, value: 2 }], metric: "predicted" }));
    const crate: ObjectSetSettings = { match: { type: "crate" }, bounds: [{ time: 100, value: 2 }] };
    const fits = (name: string, match: Match) => metricFits(name, match, world.protocol, new MetricRegistry());
    const { view } = clampView({ sets: [crate, ...setsOf(limits)], pivots: [] }, limits, fits);
    expect(view.sets[0]).toMatchObject({ match: { type: "crate" }, bounds: [{ time: 100 }] });
    expect(view.sets[0]!.bounds).toEqual([{ time: 100 }]);
    expect(() => resolved(world, view)).not.toThrow();
  });

  test("no bound by value where the room's metrics differ by object", () => {
    const limits = limitsOf({
      sets: [
        { ...ship, metric: "path" },
        { ...rest, bounds: [{ value: 3 }] },
      ],
      pivots: [],
    });
    const { view } = clampView(viewOf({ bounds: [{ time: 5, value: 1 }] }), limits);
    expect(view.sets[0]).toEqual({ match: "everything", radii: [50], sectors: [], bounds: [{}, {}] });
  });
});

describe("limitsOf", () => {
  test("a view's own limits let that view through", () => {
    const settings = {
      sets: [
        {
          match: { type: "ship" },
          radii: [50, 200],
          bounds: [{ sequence: 1 }, { time: 100 }, { time: 900, value: 3 }],
        },
        { match: "everything", radii: [120], bounds: [{ time: 70 }, {}], range: 900 },
      ] as ObjectSetSettings[],
      pivots: [],
    };
    expect(clampView(settings, limitsOf(settings))).toEqual({ view: settings, clamped: [] });
  });

  test("grants as many pivots as the view has, at least one, and what is said besides", () => {
    const settings = viewOf({ bounds: [{}] }, [{ point: [0, 0] }, { point: [1, 1] }]);
    expect(limitsOf(settings)).toEqual({ sets: settings.sets, pivots: 2 });
    expect(limitsOf({ ...settings, pivots: [] }, 4)).toEqual({ sets: settings.sets, pivots: 1, scale: 4 });
    expect(limitsOf(settings, { groups: 50, pivots: 8 })).toEqual({ sets: settings.sets, pivots: 8, groups: 50 });
  });

  test("a grant must end with a set for everything", () => {
    const limits = { sets: [{ match: { type: "ship" }, bounds: [{}] }] };
    expect(() => clampView(viewOf({ bounds: [{}] }), limits)).toThrow(/limits\.sets/);
  });
});

describe("the claim", () => {
  const figure = fc.oneof(fc.constantFrom(0, 1, UNBOUNDED), fc.integer({ min: 0, max: 30 }));
  const radii = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }).map((r) => r.sort((a, b) => a - b));

  /** `count` bounds that loosen from one to the next. */
  const ladder = (count: number): fc.Arbitrary<Bound[]> =>
    fc.array(fc.tuple(figure, figure, figure), { minLength: count, maxLength: count }).map((steps) => {
      const reached = [0, 0, 0];
      return steps.map((step) => {
        const [time, sequence, value] = step.map((by, i) => (reached[i] = Math.max(reached[i]!, by)));
        const bound: Bound = {};
        if (time !== UNBOUNDED) bound.time = time!;
        if (sequence !== UNBOUNDED) bound.sequence = sequence!;
        if (value !== UNBOUNDED) bound.value = value!;
        return bound;
      });
    });

  const set: fc.Arbitrary<ObjectSetSettings> = fc
    .record({ radii, shape: fc.constantFrom("round" as const, "square" as const) })
    .chain(({ radii: edges, shape }) =>
      fc.record({
        match: fc.constant("everything" as const),
        radii: fc.constant(edges),
        shape: fc.constant(shape),
        bounds: fc
          .tuple(ladder(edges.length + 1), fc.boolean())
          .map(([bounds, everyUpdateFirst]) =>
            everyUpdateFirst && bounds.length > 1 ? [{ sequence: 1 }, ...bounds.slice(1)] : bounds,
          ),
      }),
    );
  const limits: fc.Arbitrary<PivotLimits & OneForAll> = radii.chain((edges) =>
    fc.record({ radii: fc.constant(edges), bounds: ladder(edges.length + 1), scale: fc.constantFrom(1, 2) }),
  );
  const pivot: fc.Arbitrary<Pivot> = fc.record({
    point: fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: -40, max: 40 })),
    scale: fc.constantFrom(0.5, 1, 2, 8),
  });

  const complete = ({ time = UNBOUNDED, sequence = UNBOUNDED, value = UNBOUNDED }: Bound) => ({
    time,
    sequence,
    value,
  });

  test("nowhere is a clamped view stricter than the limits at that distance, zoom taken out, and it can still be resolved", () => {
    fc.assert(
      fc.property(
        fc.array(set, { minLength: 1, maxLength: 2 }),
        fc.array(pivot, { minLength: 1, maxLength: 3 }),
        limits,
        fc.array(fc.tuple(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -90, max: 90 })), { minLength: 1 }),
        (sets, pivots, allowed, places) => {
          const { view } = clampView({ sets, pivots }, allowed);
          const compiled = resolved(world, view);
          const placed = replaced([], [], view.pivots);
          for (const [i, each] of view.pivots.entries()) placePivot(each, world, placed[i]!);
          for (const compiledSet of compiled.sets) {
            for (const [x, y] of places) {
              const { bound } = cellOf(compiledSet, placed, x, y, 0);
              const d = Math.min(
                ...placed.map((p) => {
                  const [dx, dy] = [Math.abs(x - p.x), Math.abs(y - p.y)];
                  return (compiledSet.shape === "square" ? Math.max(dx, dy) : Math.hypot(dx, dy)) / p.scale;
                }),
              );
              const ring = allowed.radii.findIndex((edge) => d <= edge);
              const limit = allowed.bounds.at(ring)!;
              if (isStrongest(limit)) continue;
              const least = complete(limit);
              expect(bound.time).toBeGreaterThanOrEqual(least.time);
              expect(bound.sequence).toBeGreaterThanOrEqual(least.sequence);
              expect(bound.value).toBeGreaterThanOrEqual(least.value);
            }
          }
        },
      ),
    );
  });

  test("isStrongest: any update makes such a pair due, and only such a pair", () => {
    const plain = resolved(world, viewOf({ bounds: [{}] })).sets[0]!;
    fc.assert(
      fc.property(ladder(1), ([bound]) => {
        const cause = dueCause(plain, complete(bound!), { time: 0, sequence: 1, value: 0 }, 1e-9);
        expect(cause >= 0).toBe(isStrongest(bound!));
      }),
    );
  });
});
