import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolved, smallWorld, viewOf } from "../test/small-world.ts";
import {
  type Bound,
  clampView,
  limitsOf,
  type ObjectSetSettings,
  objectId,
  type Pivot,
  type ViewLimits,
} from "./index.ts";
import { cellOf, dueCause } from "./judge.ts";
import { placePivot, replaced } from "./pivots.ts";
import { isStrongest } from "./view.ts";

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

  test("loosens each dimension to the limit at the zone's outer edge, and says so", () => {
    const { view, clamped } = clampView(
      viewOf({ radii: [101], bounds: [{ time: 50, value: 9 }, { time: 60 }] }),
      LIMITS,
    );
    expect(view.sets[0]!.bounds).toEqual([{ time: 200, value: 9 }, { time: 1000 }]);
    expect(clamped).toEqual([
      "sets[0].bounds[0].time: 50 is stricter than 200",
      "sets[0].bounds[1].time: 60 is stricter than 1000",
      "sets[0].range: everything is farther than 500",
    ]);
    expect(view.sets[0]!.range).toBe(500);
  });

  test("takes away a dimension that may not be asked for", () => {
    const { view } = clampView(viewOf({ bounds: [{ time: 2000, sequence: 5, value: 50 }], range: 1 }), LIMITS);
    expect(view.sets[0]!.bounds).toEqual([{ time: 2000 }]);
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
    const settings = viewOf({ radii: [60], bounds: [{ time: 50 }, {}], range: 1 }, [{ point: [0, 0], scale: 9 }]);
    const { view, clamped } = clampView(settings, LIMITS);
    expect(view.pivots).toEqual([{ point: [0, 0], scale: 2 }]);
    expect(view.sets[0]!.bounds[0]).toEqual({ time: 50 });
    expect(clamped).toEqual(["pivots[0].scale: 9 is more than 2"]);
  });

  test("a group's margin and coefficients are clamped like radii", () => {
    const group = { group: [objectId(1, 0)], margin: 500, coefficients: [2, 50, 60] };
    const { view } = clampView(viewOf({ bounds: [{}], range: 1 }, [group]), {
      radii: [100, 300],
      bounds: [{}, {}, {}],
    });
    expect(view.pivots).toEqual([{ group: [objectId(1, 0)], margin: 100, coefficients: [2, 3] }]);
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

  test("takes the strictest of all sets and of the first sector, ring by ring", () => {
    const limits = limitsOf({
      sets: [
        {
          match: { type: "ship" },
          sectors: [90],
          radii: [50],
          bounds: [
            [{ time: 60 }, { time: 80 }],
            [{ time: 500 }, {}],
          ],
        },
        {
          match: "everything",
          radii: [120],
          bounds: [
            { time: 70, value: 2 },
            { time: 700, value: 9 },
          ],
          range: 300,
        },
      ],
      pivots: [],
    });
    expect(limits).toEqual({
      radii: [50, 120],
      bounds: [
        { time: 60, value: 2 },
        { time: 70, value: 2 },
        { time: 500, value: 9 },
      ],
      range: UNBOUNDED,
      scale: 1,
    });
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
  const limits: fc.Arbitrary<ViewLimits> = radii.chain((edges) =>
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
