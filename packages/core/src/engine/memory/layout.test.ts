/**
 * The layout of memory holds together: fields of a record overlap nowhere, are aligned, and fit into it. The kernel reads and writes each field as what it
 * is, and knows no offset but those of `layout.ts`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as layout from "./layout.ts";

const BYTES = { u8: 1, i16: 2, i32: 4, f32: 4, f64: 8, i64: 8 } as const;
type Kind = keyof typeof BYTES;
/** A field: its kind; an array of such; or records side by side, whose fields are listed elsewhere. */
type Field = Kind | readonly [kind: Kind, count: number] | { readonly bytes: number };

const values: Record<string, number> = { ...layout };
const { ZONES, SECTORS, CELLS, SUBCELLS } = layout;

const integers = <N extends string>(...names: N[]): Record<N, Kind> =>
  Object.fromEntries(names.map((name) => [name, "i32"])) as Record<N, Kind>;
const reals = <N extends string>(...names: N[]): Record<N, Kind> =>
  Object.fromEntries(names.map((name) => [name, "f64"])) as Record<N, Kind>;

/** By the name of a record: its fields, `RECORD_FIELD` in the layout. */
const RECORDS: Record<string, Record<string, Field>> = {
  BODY: { ...reals("X", "Y", "Z", "WIRE_X", "WIRE_Y", "WIRE_Z"), ...integers("VERSION", "ID", "TRAITS"), SPEED: "f32" },
  MOTION: { ...reals("X", "Y", "Z"), DRIFT: "f32", MOVED_IN: "i32" },
  PAIR: { ...integers("TAG", "HELD", "LAST_SEND", "BASE"), SAMPLE: "f64", SAMPLE_Y: "f64" },
  FURTHER: reals("Z", "VX", "VY", "VZ"),
  FIELD: reals("NOW", "WIRE", "CAP", "BROKEN"),
  WAITING: integers("SINCE", "UNTIL", "SPELL", "CELL", "ROW", "COUNTED"),
  ENDS: integers("OLDEST", "NEWEST"),
  FLIGHT: {
    ...integers("ROUND", "VERSION", "NEXT", "FIRST_MISS"),
    ...{ ZONE: "u8", CAUSE: "u8", METRIC: "u8", SETTLED: "u8", FRESH: "u8" },
    ...reals("SAMPLE", "SAMPLE_Y"),
  },
  SET: {
    EDGES: ["f64", ZONES],
    ...reals("ENTER", "STAY", "FADING"),
    COSINES: ["f64", SECTORS],
    CAREFREE: ["f64", ZONES],
    BITE: ["i32", ZONES],
    ...integers("SECTORS", "METRIC", "SHAPE", "PIVOTS", "MEASURE", "CLOCK", "OWN"),
    CELLS: { bytes: CELLS * layout.CELL },
    TERMS: { bytes: CELLS * layout.TERM },
    MIXES: ["i32", layout.MIXES],
    MIXED_CELLS: { bytes: layout.MIXES * layout.CELL },
  },
  CELL: { ...reals("VALUE", "VALUE_SQUARE", "SAFE"), ...integers("ROUNDS", "MISSED") },
  TERM: reals("TIME", "SEQUENCE", "PACE", "CREATION_PACE"),
  VIEW: {
    ...integers("PIVOTS", "PIVOT_COUNT", "SEEN", "PICTURES"),
    ...integers("NUMBER", "WATCH", "WAS_BUSY", "SWEEPS", "SESSION", "SETS", "FOLLOWS", "ENTERS", "LEAVES"),
    ...reals("TURN", "PACE", "DIR_X", "DIR_Y", "DIR_Z", "OUTER"),
    ...integers("PAIRS", "NEXT", "FIRST_MISS", "MORE", "ENDS", "LEFT", "LEFT_COUNT", "HIGH", "ROOM", "FREE", "USED"),
    ...integers("FLIGHTS", "FLIGHTS_MORE", "FLIGHTS_ROOM", "FLIGHTS_HIGH", "FLIGHTS_FREE"),
    ...integers("IDS", "KINDS", "CAUSES", "ZONES", "SETTLED", "DECIDED", "WITHHELD", "URGENCIES", "WAITED"),
    ...integers("BUDGETED", "LOOSENED", "WAITS", "UNSEEN", "OUT", "DEFERS", "DEFERRED", "ROWS", "INDEX", "INDEX_MASK"),
    ...integers("RIPE", "SILENT", "UNEQUAL", "LEEWAYS", "WOKEN_COUNT"),
    WAY: "f64",
    WOKEN: { bytes: layout.MOST_WOKEN * layout.WOKEN },
  },
  WOKEN: integers("PAIR", "SLOT"),
  REVEALED: integers("SLOT", "SEEN"),
  PIVOT: integers("WATCH", "BIT"),
  LIST: integers("COUNT", "ROOM", "ENTRIES", "CHUNK"),
  WATCHER: integers("VIEW", "PAIR"),
  ENTRY: integers("KEY", "PAIR"),
  SNAPSHOT: {
    ...integers("STARTS", "SHIFT", "ROW_SHIFT", "COUNT", "SLOTS", "SPOTS", "HEIGHTS", "CELLS", "SHORT_X", "SHORT_Y"),
  },
  SPOT: reals("X", "Y", "OLD_X", "OLD_Y"),
  HEIGHT: reals("NOW", "OLD"),
  WATCH: {
    ...reals("X", "Y", "Z", "OLD_X", "OLD_Y", "OLD_Z"),
    ...integers("BORDERS", "BORDER_COUNT", "SLOT", "ID"),
    ...reals("DIR_X", "DIR_Y", "DIR_Z"),
    ...integers("EDGES", "STRIDE", "SNAPSHOT", "FRAME"),
  },
  FRAME: reals("ACROSS_X", "ACROSS_Y", "ALONG_X", "ALONG_Y"),
  BORDER: {
    ...reals("NOW", "OLD"),
    ...integers("OUTWARD", "SHAPE", "ENTRY", "BAND"),
    RINGS: { bytes: SUBCELLS * layout.RING },
  },
  RING: integers("STRIPS", "STRIP_COUNT"),
  STRIP: { ROW: "i16", FIRST: "i16", LAST: "i16" },
  PLACES: integers("FROM", "TO"),
  FOLLOW: integers("WATCH", "WAY"),
  CROSSING: integers("VIEW", "WATCH", "SNAPSHOT"),
  VERDICT: integers("VIEW", "LEFT"),
  THREAD: {
    ...integers("RUNS", "SLOTS", "FOUND", "FOUND_COUNT", "FOUND_ROOM", "DONE", "LOOKS", "TALLY", "SHORT"),
    ...integers("ZONE", "BOUNDS", "MIXED", "ASPECTS", "ASPECTS_MADE"),
    ...reals("NEAREST", "SQUARE"),
    CELL: { bytes: layout.CELL },
  },
  ASPECT: {
    ...integers("LENGTH", "CAMERA_COUNT"),
    CAMERAS: ["i32", layout.MOST_PIVOTS],
    DUOS: { bytes: (layout.MOST_PIVOTS / 2) * layout.DUO },
  },
  DUO: {
    ...{ X: ["f64", 2], Y: ["f64", 2], Z: ["f64", 2] },
    ...{ FIRST: ["f64", 2], SECOND: ["f64", 2], THIRD: ["f64", 2] },
  },
  TALLY: integers("SPELLS", "ROUNDS", "LONGEST", "UNSEEN"),
  FOUND: integers("CROSSING", "SLOT", "PAIR"),
  BEFORE: reals("X", "Y", "Z"),
  LOG: integers("RUNS", "COUNT"),
  RUN: integers("VERSION", "ROUND"),
};

/** What lies before all columns, at addresses of its own: the engine's page, and the batch at hand. */
const FIXED: Record<string, Field> = {
  ...integers("ENGINE_BODIES", "ENGINE_OWNER", "ENGINE_LAST_UPDATE", "ENGINE_LOGS", "ENGINE_ROUND", "ENGINE_MOTIONS"),
  ...integers(
    "ENGINE_BEFORE",
    "ENGINE_SHEETS",
    "ENGINE_WATCHERS",
    "ENGINE_RESTING",
    "ENGINE_TRAVELLED",
    "ENGINE_FIELDS",
  ),
  ...reals("ENGINE_ROW", "ENGINE_ROUND_MS", "ENGINE_STEP", "ENGINE_MARGIN", "ENGINE_WAY"),
  ...integers("BATCH_KIND", "BATCH_ADDRESS", "BATCH_DONE", "BATCH_SIGNAL"),
  BATCH_TAKEN: "i64",
};

/** Names of the layout that are no offsets, although they begin like a record. */
const NUMBERS = new Set(["SET_SHIFT", "SET_MASK", "TALLY_CELLS", "BATCH_SHARE"]);

const bytesOf = (field: Field): number => {
  if (typeof field === "string") return BYTES[field];
  return "bytes" in field ? field.bytes : BYTES[field[0]] * field[1];
};
const alignmentOf = (field: Field): number => {
  if (typeof field === "string") return BYTES[field];
  return "bytes" in field ? 8 : BYTES[field[0]];
};
const kindOf = (field: Field): Kind | undefined =>
  typeof field === "string" ? field : "bytes" in field ? undefined : field[0];

/** What is wrong with fields that lie between two addresses. */
function problemsOf(fields: Record<string, Field>, prefix: string, start: number, end: number): string[] {
  const problems: string[] = [];
  const placed = Object.entries(fields).map(([name, field]) => ({ name, field, at: values[`${prefix}${name}`]! }));
  let free = start;
  for (const { name, field, at } of placed.toSorted((a, b) => a.at - b.at)) {
    if (at === undefined) problems.push(`${prefix}${name} is not in the layout`);
    if (at % alignmentOf(field) !== 0) problems.push(`${prefix}${name} is not aligned`);
    if (at < free) problems.push(`${prefix}${name} begins before the field before it ends`);
    free = at + bytesOf(field);
  }
  if (free > end) problems.push(`the last field of ${prefix} ends at ${free}, after ${end}`);
  return problems;
}

describe("the layout", () => {
  test.each(Object.keys(RECORDS))("%s: its fields overlap nowhere, are aligned and fit", (record) => {
    const size = values[record]!;
    expect(problemsOf(RECORDS[record]!, `${record}_`, 0, size)).toEqual([]);
    // Records lie side by side: the next one must be aligned like this one.
    const widest = Math.max(...Object.values(RECORDS[record]!).map(alignmentOf));
    expect(size % widest).toBe(0);
  });

  test("what lies before all columns overlaps nowhere, and ends where they begin", () => {
    expect(problemsOf(FIXED, "", 0, layout.GIVEN_OUT)).toEqual([]);
    expect(layout.GIVEN_OUT % 64).toBe(0);
  });

  test("records that several threads write, or that a round reads whole, are whole cache lines", () => {
    for (const name of ["BODY", "SET", "VIEW", "SNAPSHOT", "WATCH", "BORDER", "THREAD"])
      expect(values[name]! % 64).toBe(0);
    expect([layout.MOTION, layout.PAIR]).toEqual([32, 32]);
    const lines = [layout.BATCH_KIND, layout.BATCH_DONE, layout.BATCH_TAKEN, layout.BATCH_SIGNAL].map((at) => at >> 6);
    expect(new Set(lines).size).toBe(4);
  });

  test("every name that begins like a record is one of its fields", () => {
    const known = new Set([
      ...Object.entries(RECORDS).flatMap(([record, fields]) => Object.keys(fields).map((name) => `${record}_${name}`)),
      ...Object.keys(FIXED),
      ...NUMBERS,
    ]);
    const prefixes = [...Object.keys(RECORDS), "ENGINE", "BATCH"].map((record) => `${record}_`);
    const fields = Object.keys(values).filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
    expect(fields.filter((name) => !known.has(name))).toEqual([]);
  });

  test("pairs have room for a whole sample: two numbers and the further ones", () => {
    expect(layout.FURTHER).toBe(layout.MORE * 8);
    expect(layout.PAIR - layout.PAIR_SAMPLE).toBe(layout.INLINE * 8);
    expect(layout.CELLS).toBe(ZONES * SECTORS);
    expect(layout.MIXES).toBe(2 ** layout.MIXED_ZONES);
  });
});

describe("the kernel", () => {
  const folder = join(import.meta.dirname, "../../../kernel");
  const sources = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
  const accesses = sources.flatMap(([file, text]) => accessesIn(text).map((access) => ({ file, ...access })));
  const fields = new Map<string, Field>([
    ...Object.entries(RECORDS).flatMap(([record, of]) =>
      Object.entries(of).map(([name, field]): [string, Field] => [`${record}_${name}`, field]),
    ),
    ...Object.entries(FIXED),
  ]);

  test("knows no offset of its own", () => {
    expect(accesses.length).toBeGreaterThan(600);
    const literal = accesses.filter(({ offset }) => /(^|[^\w])\d/.test(offset.replace(/\d+ \* sizeof/g, "sizeof")));
    expect(literal).toEqual([]);
  });

  test("reads and writes every field as what it is", () => {
    const wrong = accesses.filter(({ kind, offset }) => {
      const expected = fields.has(offset) ? kindOf(fields.get(offset)!) : undefined;
      return kind !== "v128" && expected !== undefined && expected !== kind;
    });
    expect(wrong).toEqual([]);
    expect(accesses.filter(({ offset }) => fields.has(offset)).length).toBeGreaterThan(400);
  });
});

interface Access {
  readonly kind: string;
  /** The constant offset, as it is written; empty where there is none. */
  readonly offset: string;
}

/** Every `load<T>(address, offset)` and `store<T>(address, value, offset)` of a source, and the same of `v128` and `atomic`. */
function accessesIn(text: string): Access[] {
  const found: Access[] = [];
  for (const match of text.matchAll(/\b(?:v128\.(load|store)\(|(?:atomic\.)?(load|store)<(\w+)>\()/g)) {
    const isLoad = (match[1] ?? match[2]) === "load";
    const args = argumentsFrom(text, match.index + match[0].length);
    const isAtomic = match[0].startsWith("atomic.");
    // An atomic access names its address alone, and so do the few plain ones of the batch at hand.
    const offset = isAtomic ? args[0]! : (args[isLoad ? 1 : 2] ?? (fieldsAtFixed(args[0]!) ? args[0]! : ""));
    found.push({ kind: match[3] ?? "v128", offset });
  }
  return found;
}

function fieldsAtFixed(address: string): boolean {
  return address in FIXED;
}

/** What stands between the commas up to the closing parenthesis. */
function argumentsFrom(text: string, start: number): string[] {
  const args: string[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; ; at++) {
    const character = text[at]!;
    if ("([".includes(character)) depth++;
    else if (character === "," && depth === 0) {
      args.push(text.slice(from, at).trim());
      from = at + 1;
    } else if (")]".includes(character) && depth-- === 0) {
      args.push(text.slice(from, at).trim());
      return args.filter((one) => one !== "");
    }
  }
}
