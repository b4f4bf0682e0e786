import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatSettings, parseSettings, type RoomSettings, readSets } from "./settings-file.ts";
import { SETTINGS_SHAPE, settingsSchema } from "./settings-shape.ts";
import { type JsonSchema, type ObjectShape, readShape, type Shape } from "./shape.ts";

function messageOf(text: string): string {
  try {
    parseSettings(text, "nearfield.jsonc");
  } catch (error) {
    expect(error).toMatchObject({ name: "ServerError", code: "bad-settings" });
    return (error as Error).message;
  }
  return "none";
}

const head = '"nearfield": "settings", "version": 1';
const all = '{ "match": "everything", "bounds": [{ "time": 100 }] }';

// ── settings that are valid ──────────────────────────────────────────────────────────────────────────────────────

const figure = fc.double({ min: 0, max: 1e6, noNaN: true }).map((number) => number + 0);
const positive = fc.double({ min: 0.001, max: 1e6, noNaN: true });
const ascending = (most: number, below: number) =>
  fc.uniqueArray(fc.integer({ min: 1, max: below - 1 }), { maxLength: most }).map((list) => list.sort((a, b) => a - b));
const name = fc.string({ minLength: 1, maxLength: 64 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

function without(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** Bounds that loosen outward by being one factor larger in every zone. */
const settingsOfOne = fc
  .record({
    radii: ascending(15, 10_000),
    sectors: optional(ascending(7, 360)),
    bound: fc.record({ time: optional(positive), sequence: optional(positive), value: optional(positive) }),
  })
  .chain(({ radii, sectors, bound }) => {
    const of = (factor: number) => {
      const grown = Object.entries(bound).map(([key, value]) => [
        key,
        value === undefined ? undefined : value * factor,
      ]);
      return without(Object.fromEntries(grown) as object);
    };
    const bounds = Array.from({ length: radii.length + 1 }, (_, zone) =>
      sectors !== undefined && zone % 2 === 0
        ? Array.from({ length: sectors.length + 1 }, () => of(zone + 1))
        : of(zone + 1),
    );
    return fc
      .record({
        shape: optional(fc.constantFrom("round", "square")),
        clock: optional(fc.constantFrom("refresh", "firstMiss")),
        strict: optional(fc.boolean()),
        own: optional(fc.constantFrom("changes", "bounds")),
        metric: optional(name),
        range: optional(positive),
      })
      .map((other) => without({ radii, sectors, bounds, ...other }));
  });

const match = fc.oneof(
  name.map((type) => ({ type })),
  name.map((tag) => ({ tag })),
  name.map((predicate) => ({ predicate })),
);
const pivots = fc.uniqueArray(fc.nat(31), { maxLength: 32 });
const sets = fc
  .tuple(fc.array(fc.tuple(match, settingsOfOne, optional(pivots)), { maxLength: 4 }), settingsOfOne)
  .map(([some, last]) => [
    ...some.map(([which, settings, counted]) => ({ ...without({ pivots: counted }), match: which, ...settings })),
    { match: "everything", ...last },
  ]);
const pivotLimits = fc
  .record({
    scale: optional(positive),
    pivots: optional(fc.nat(32)),
    groups: optional(figure),
    cameras: optional(figure),
  })
  .map(without);
const settings = fc
  .record({
    view: sets.map((list) => ({ sets: list, pivots: [] })),
    viewLimits: optional(
      fc
        .tuple(
          fc.oneof(
            settingsOfOne,
            sets.map((list) => ({ sets: list })),
          ),
          pivotLimits,
        )
        .map(([of, most]) => ({ ...of, ...most })),
    ),
    clientPivots: optional(
      fc.constantFrom(
        {},
        { groupCoefficients: [2, 4], cameraCoefficients: [], cameraMoved: 0.5, pointMoved: 3, restMs: 0 },
      ),
    ),
    budget: optional(positive),
    units: optional(
      fc.constantFrom(
        { join: 5, part: 8 },
        { join: 5, part: 5, turn: 0, partTurn: 180, most: 32, margin: 0, coefficients: [1.5, 3], types: ["ship"] },
      ),
    ),
    ripe: optional(fc.double({ min: 0.001, max: 1, noNaN: true })),
    thresholds: optional(
      fc.uniqueArray(
        fc
          .record({
            name,
            position: positive,
            angle: optional(positive),
            model: optional(fc.constantFrom("linear", "fading", "quadratic")),
            turning: optional(fc.constantFrom("hold", "sent", "derived")),
            preReckoning: optional(
              fc.record({ restSpeed: figure, sharpTurn: fc.double({ min: 0, max: Math.PI, noNaN: true }) }),
            ),
          })
          .map(without),
        { maxLength: 16, selector: (one) => (one as { name: string }).name },
      ),
    ),
  })
  .map((some) => without(some) as unknown as RoomSettings);

describe("a settings file", () => {
  test("is read as it was written", () => {
    const property = fc.property(settings, (stated) => {
      expect(parseSettings(formatSettings(stated))).toEqual(stated);
    });
    fc.assert(property, { numRuns: 300 });
  });

  test("keeps limits without end, and leaves out bounds and ranges without one", () => {
    const view = {
      sets: [{ match: "everything" as const, bounds: [{ time: 1, value: Infinity }], range: Infinity }],
      pivots: [],
    };
    const viewLimits = { bounds: [{ time: 0 }], groups: Infinity, scale: Infinity };
    const read = parseSettings(formatSettings({ view, viewLimits }));
    expect(read.view.sets).toEqual([{ match: "everything", bounds: [{ time: 1 }] }]);
    expect(read.viewLimits).toMatchObject({ groups: Number.MAX_VALUE, scale: Number.MAX_VALUE });
  });

  test("may have comments, and null for what is left out", () => {
    const text = `{
      // what an editor knows
      "$schema": "./settings.schema.json",
      "nearfield": "view", "version": 1,
      "sets": [{ "match": "everything", "bounds": [{ "time": 1, "value": null }], "range": null, }],
      "limits": { "sets": null, "bounds": [{}] }, /* none */ "budget": null,
    }`;
    expect(parseSettings(text)).toEqual({
      view: { sets: [{ match: "everything", bounds: [{ time: 1 }] }], pivots: [] },
      viewLimits: { bounds: [{}] },
    });
  });

  test.each([
    [
      `{\n  ${head},\n  "sets": [\n    ${all.replace("100", "-5")}\n  ]\n}`,
      "4:51 sets[0].bounds[0].time: must be 0 or more, is -5",
    ],
    [
      `{ ${head}, "sets": [${all}],\n "clientPivots": { "cameraCoefficients": [2, 1.5] } }`,
      "2:46 clientPivots.cameraCoefficients[1]: must be above 2, is 1.5",
    ],
    [
      `{ ${head}, "sets": [${all}],\n "clientPivots": { "restMs": -1 } }`,
      "2:30 clientPivots.restMs: must be 0 or more",
    ],
    [`{ ${head}, "sets": [${all}], "buget": 5 }`, '"buget"; did you mean "budget"?'],
    [`{ ${head}, "sets": [${all}], "buget": 5 }`, "nearfield.jsonc:1:108 buget: unknown key"],
    [
      `{ ${head}, "sets": [{ "match": "everything", "bounds": [{ "tme": 1 }] }] }`,
      'bounds[0].tme: unknown key "tme"; did you mean "time"?',
    ],
    [`{ ${head} }`, 'nearfield.jsonc:1:1 needs the key "sets"'],
    [
      `{ "nearfield": "map", "version": 1, "sets": [${all}] }`,
      '1:16 nearfield: must be "settings" or "view", is "map"',
    ],
    [`{ "nearfield": "settings", "version": 2, "sets": [${all}] }`, "version: must be 1, is 2"],
    [`{ ${head}, "sets": [${all}], "ripe": 0 }`, "ripe: must be above 0, is 0"],
    [`{ ${head}, "sets": [${all}], "ripe": 1.5 }`, "ripe: must be at most 1, is 1.5"],
    [`{ ${head}, "sets": [{ "match": {}, "bounds": [{}] }] }`, "sets[0].match: must have one of type, tag, predicate"],
    [`{ ${head}, "sets": [{ "match": 7, "bounds": [{}] }] }`, 'sets[0].match: must be "everything", is 7'],
    [`{ ${head}, "sets": [{ "match": "everything", "bounds": [1] }] }`, "sets[0].bounds[0]: must be an object, is 1"],
    // Rules between values.
    [`{ ${head}, "sets": [${all}], "units": { "join": 9, "part": 5 } }`, "units.part: must be at least join, 9, is 5"],
    [
      `{ ${head}, "sets": [${all}], "units": { "join": 9, "part": 9, "coefficients": [3, 2] } }`,
      "1:161 units.coefficients[1]: must be above 3, is 2",
    ],
    [
      `{ ${head}, "sets": [${all}], "thresholds": [{ "name": "a", "position": 1 }, { "name": "a", "position": 2 }] }`,
      'thresholds[1].name: "a" stands twice',
    ],
    [
      `{ ${head}, "sets": [${all}], "thresholds": [{ "name": "a", "position": 1, "model": "history", "preReckoning": {} }] }`,
      "thresholds[0]: starts and turns are told by velocities, and the model history goes by none",
    ],
    [
      `{ ${head}, "sets": [{ "match": { "tag": "a" }, "bounds": [{}] }] }`,
      'sets[0].match: must be "everything", so that',
    ],
    [
      `{ ${head}, "sets": [{ "match": "everything", "bounds": [{}, {}] }] }`,
      "sets[0].bounds: 1 zones need 1 bounds, got 2",
    ],
    [
      `{ ${head}, "sets": [{ "match": "everything", "radii": [9], "bounds": [{ "time": 5 }, { "time": 3 }] }] }`,
      "1:126 sets[0].bounds[1].time: 3 is stricter than 5 in the zone before",
    ],
    [`{ ${head}, "sets": [${all}], "limits": { "radii": [9, 8], "bounds": [{}, {}, {}] } }`, "limits.radii"],
    [
      `{ ${head}, "sets": [${all}], "limits": { "sets": [{ "match": "everything", "sectors": [90], "bounds": [[{ "time": 5 }, { "time": 3 }]] }] } }`,
      "limits.sets[0].bounds[0][1].time: 3 is stricter than 5 in the sector before",
    ],
    [`{ ${head}, "sets": [${all}] `, "expected , or }, found the end of the text"],
  ])("%s: %s", (text, message) => {
    expect(messageOf(text)).toContain(message);
  });

  test("sets of an operator are checked alike", () => {
    expect(() => readSets([{ match: "everything", bounds: [{ time: "5" }] }])).toThrow(
      'sets[0].bounds[0].time: must be a number, is "5"',
    );
  });
});

// ── the published schema ─────────────────────────────────────────────────────────────────────────────────────────

const published = JSON.parse(
  readFileSync(new URL("../../settings.schema.json", import.meta.url), "utf8"),
) as JsonSchema;

/** A second reader of JSON Schema, of the words that ours uses; any other word fails the test. */
function accepts(schema: JsonSchema, value: unknown): boolean {
  return Object.entries(schema).every(([word, rule]) => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const object = (isObject ? value : {}) as Record<string, unknown>;
    const list = Array.isArray(value) ? (value as unknown[]) : [];
    switch (word) {
      case "$schema":
      case "title":
      case "description":
        return true;
      case "type":
        if (rule === "null") return value === null;
        if (rule === "object") return isObject;
        if (rule === "array") return Array.isArray(value);
        return rule === "integer" ? Number.isInteger(value) : typeof value === rule;
      case "enum":
        return (rule as unknown[]).includes(value);
      case "minimum":
        return (value as number) >= (rule as number);
      case "exclusiveMinimum":
        return (value as number) > (rule as number);
      case "maximum":
        return (value as number) <= (rule as number);
      case "exclusiveMaximum":
        return (value as number) < (rule as number);
      case "minLength":
        return (value as string).length >= (rule as number);
      case "maxLength":
        return (value as string).length <= (rule as number);
      case "minItems":
        return list.length >= (rule as number);
      case "maxItems":
        return list.length <= (rule as number);
      case "items":
        return list.every((entry) => accepts(rule as JsonSchema, entry));
      case "anyOf":
        return (rule as JsonSchema[]).some((each) => accepts(each, value));
      case "not":
        return !accepts(rule as JsonSchema, value);
      case "if":
        return accepts((accepts(rule as JsonSchema, value) ? schema["then"] : schema["else"]) as JsonSchema, value);
      case "then":
      case "else":
        return true;
      case "required":
        return !isObject || (rule as string[]).every((key) => Object.hasOwn(object, key));
      case "properties":
        return Object.entries(rule as Record<string, JsonSchema>).every(
          ([key, each]) => !Object.hasOwn(object, key) || accepts(each, object[key]),
        );
      case "additionalProperties":
        return Object.keys(object).every((key) => Object.hasOwn(schema["properties"] as object, key));
      case "minProperties":
        return Object.keys(object).length >= (rule as number);
      case "maxProperties":
        return Object.keys(object).length <= (rule as number);
      default:
        throw new Error(`the test does not know the word ${word} of JSON Schema`);
    }
  });
}

function isRead(value: unknown): boolean {
  try {
    readShape(value, SETTINGS_SHAPE);
    return true;
  } catch {
    return false;
  }
}

/** One value of the shape. */
function sample(shape: Shape): unknown {
  switch (shape.kind) {
    case "number":
      return shape.most ?? (shape.least ?? shape.above ?? 0) + 1;
    case "text":
      return "a";
    case "choice":
      return shape.of[0];
    case "list":
      return Array.from({ length: Math.max(1, shape.least) }, () => sample(shape.of));
    case "either":
      return sample(shape.of[0]!);
    case "forms":
      return sample(shape.lacking);
    case "object": {
      const keys = shape.onlyOne ? Object.keys(shape.keys).slice(0, 1) : shape.needed;
      return Object.fromEntries(keys.map((key) => [key, sample(shape.keys[key]!)]));
    }
  }
}

/** Values at the limits of a shape and one step beyond, and of every other kind, put in its place by `put`. */
function* probes(shape: Shape, put: (value: unknown) => unknown): Generator<unknown> {
  for (const value of [null, true, "text", "", 7, -7, 0.5, [], [null], {}, { unknown: 1 }]) yield put(value);
  switch (shape.kind) {
    case "number":
      for (const limit of [shape.least, shape.above, shape.most, shape.below]) {
        if (limit !== undefined) for (const step of [-1, -1e-9, 0, 1e-9, 1]) yield put(limit + step);
      }
      return;
    case "text":
      for (const length of [shape.most, shape.most + 1]) yield put("x".repeat(length));
      return;
    case "choice":
      for (const choice of shape.of) yield* [put(choice), put(String(choice)), put(`${choice}!`)];
      return;
    case "list":
      for (const length of [shape.least - 1, shape.least, shape.most, shape.most + 1]) {
        if (length >= 0) yield put(Array.from({ length }, () => sample(shape.of)));
      }
      yield* probes(shape.of, (value) =>
        put([value, ...Array.from({ length: shape.least }, () => sample(shape.of))].slice(0, Math.max(1, shape.least))),
      );
      return;
    case "either":
      for (const each of shape.of) yield* probes(each, put);
      return;
    case "forms":
      yield* probesOfKeys(shape.having, put);
      yield* probesOfKeys(shape.lacking, put);
      return;
    case "object":
      yield* probesOfKeys(shape, put);
  }
}

function* probesOfKeys(shape: ObjectShape, put: (value: unknown) => unknown): Generator<unknown> {
  const whole = sample(shape) as Record<string, unknown>;
  yield put(whole);
  for (const [key, each] of Object.entries(shape.keys)) {
    const { [key]: _, ...others } = whole;
    yield put(others);
    yield put({ ...whole, [`${key}x`]: sample(each) });
    yield* probes(each, (value) => put({ ...(shape.onlyOne ? {} : whole), [key]: value }));
  }
}

describe("the published schema", () => {
  test("is the one that follows from the reader's shape", () => {
    expect(published).toEqual(JSON.parse(JSON.stringify(settingsSchema())));
  });

  test("accepts what the reader accepts, at every key and limit, and nothing else", () => {
    let [accepted, refused] = [0, 0];
    for (const value of probes(SETTINGS_SHAPE, (whole) => whole)) {
      const isAccepted = isRead(value);
      expect([accepts(published, value), value]).toEqual([isAccepted, value]);
      if (isAccepted) accepted++;
      else refused++;
    }
    expect(accepted).toBeGreaterThan(300);
    expect(refused).toBeGreaterThan(1000);
  });

  test("accepts every valid settings file", () => {
    fc.assert(
      fc.property(settings, (stated) => accepts(published, JSON.parse(formatSettings(stated)))),
      { numRuns: 100 },
    );
  });
});
