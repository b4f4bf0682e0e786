import { describe, expect, test } from "vitest";
import { Ship, smallWorld, viewOf } from "../test/small-world.ts";
import { type ViewLimits, type ViewSettings, zones } from "./index.ts";
import {
  MetricRegistry,
  type ObjectSetSettings,
  refuseUnknownLimitKeys,
  refuseUnknownViewKeys,
  resolveView,
} from "./internal/index.ts";

/** As JavaScript, or a value of type `any`, would bring it. */
function mistaken<T>(value: unknown): T {
  return value as T;
}

describe("a key that nobody knows is refused, with its place and the one that was probably meant", () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ["of a bound", { sets: [{ match: "everything", bounds: [{ tme: 5 }] }], pivots: [] }, "sets[0].bounds[0].tme"],
    [
      "of a bound by sector",
      { sets: [{ match: "everything", bounds: [[{}, { valu: 5 }]] }], pivots: [] },
      "sets[0].bounds[0][1].valu",
    ],
    ["of a set", { sets: [{ match: "everything", bounds: [{}], radius: [5] }], pivots: [] }, "sets[0].radius"],
    ["of a match", { sets: [{ match: { typ: "ship" }, bounds: [{}] }], pivots: [] }, "sets[0].match.typ"],
    ["of a pivot", { sets: [], pivots: [{ point: [1, 2], scael: 2 }] }, "pivots[0].scael"],
    ["of the view", { sets: [], pivots: [], zones: [] }, "zones"],
  ];
  test.each(cases)("%s", (_, settings, at) => {
    const refuse = () => refuseUnknownViewKeys(mistaken<ViewSettings>(settings));
    expect(refuse).toThrow(expect.objectContaining({ name: "ViewError", code: "unknown-key", at }));
    expect(refuse).toThrow(/unknown key "\w+"; (did you mean "\w+"\? K|k)nown: /);
  });

  test("at the call of zones", () => {
    const settings = mistaken<Omit<ObjectSetSettings, "match">>({ bounds: [{ tme: 50 }] });
    expect(() => zones(Ship, settings)).toThrow('view.sets[0].bounds[0].tme: unknown key "tme"; did you mean "time"?');
  });

  test("of limits, in either form", () => {
    const refuse = (limits: unknown) => () => refuseUnknownLimitKeys(mistaken<ViewLimits>(limits));
    expect(refuse({ radii: [], bounds: [{}], sclae: 2 })).toThrow(/limits\.sclae.*"scale"/);
    expect(refuse({ sets: [{ match: "everything", bounds: [{ sequense: 1 }] }] })).toThrow(/limits\.sets\[0\]\.bounds/);
    expect(refuse({ sets: [], group: 5 })).toThrow(/limits\.group.*"groups"/);
    expect(refuse({ radii: [1], bounds: [{}, {}], scale: 2, pivots: 3, groups: 5, range: 9 })).not.toThrow();
  });

  test("whatever a view may say is known", () => {
    const settings: Required<Omit<ObjectSetSettings, "match">> = {
      radii: [1],
      sectors: [],
      bounds: [{ time: 1, sequence: 2, value: 3 }, {}],
      shape: "round",
      clock: "refresh",
      strict: false,
      metric: "path",
      range: 5,
      pivots: [0],
      own: "bounds",
    };
    expect(() =>
      refuseUnknownViewKeys({ ...zones(Ship, settings), pivots: [{ point: [1, 2], orientation: [1, 0], scale: 2 }] }),
    ).not.toThrow();
  });
});

describe("a name that nobody knows", () => {
  const resolve = (set: Partial<ObjectSetSettings>) => () =>
    resolveView(
      { sets: [{ match: "everything", bounds: [{}], ...set }, ...viewOf({ bounds: [{}] }).sets], pivots: [] },
      smallWorld(),
      new MetricRegistry(),
    );

  test("of a type, with the nearest", () => {
    expect(resolve({ match: { type: "shipp" } })).toThrow(
      /no object type is called "shipp"; did you mean "ship"\? Known: ship, /,
    );
  });

  test("of a metric, with the nearest", () => {
    expect(resolve({ metric: "displacment" })).toThrow(/"displacment" is not a metric; did you mean "displacement"\?/);
  });
});
