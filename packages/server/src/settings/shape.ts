/**
 * Says what a piece of JSON may be, once, for both uses: `readShape` checks a value by it, and `schemaOf` makes JSON Schema of it. So an
 * editor that knows the schema accepts what the server accepts. Rules between values (bounds may only loosen outward) are no shape.
 */

import { unknownKeyOf, unknownKeyProblem } from "@nearfield/schema/internal";
import type { Path } from "./json-text.ts";

interface Described {
  /** For the person who edits the file. */
  readonly about?: string;
}

export type Shape =
  | (Described & {
      readonly kind: "number";
      readonly least?: number;
      readonly above?: number;
      readonly most?: number;
      readonly below?: number;
      readonly whole?: true;
    })
  | (Described & { readonly kind: "text"; readonly most: number })
  | (Described & { readonly kind: "choice"; readonly of: readonly (string | number | boolean)[] })
  | (Described & { readonly kind: "list"; readonly of: Shape; readonly least: number; readonly most: number })
  | ObjectShape
  /** The first shape of the value's own kind counts: a list, an object, or neither. */
  | (Described & { readonly kind: "either"; readonly of: readonly Shape[] })
  /** Two forms of one object, told apart by whether it has a key. */
  | (Described & {
      readonly kind: "forms";
      readonly key: string;
      readonly having: ObjectShape;
      readonly lacking: ObjectShape;
    });

/** An object. A key that is not needed may be `null`, which is the same as leaving it out. */
export type ObjectShape = Described & {
  readonly kind: "object";
  readonly keys: Readonly<Record<string, Shape>>;
  readonly needed: readonly string[];
  /** Exactly one of the keys is there. */
  readonly onlyOne?: true;
};

/** A value that is not of its shape. */
export class ShapeFault extends Error {
  readonly path: Path;
  /** The fault is the key itself, not its value. */
  readonly isKey: boolean;

  constructor(path: Path, problem: string, isKey = false) {
    super(problem);
    this.path = path;
    this.isKey = isKey;
  }
}

// ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** A copy of the value without keys that are `null`. Throws `ShapeFault`. */
export function readShape(value: unknown, shape: Shape, path: Path = []): unknown {
  switch (shape.kind) {
    case "number":
      return readNumber(value, shape, path);
    case "text":
      if (typeof value === "string" && value.length > 0 && value.length <= shape.most) return value;
      throw new ShapeFault(path, `must be a text of 1 to ${shape.most} characters, is ${show(value)}`);
    case "choice":
      if (shape.of.includes(value as string)) return value;
      throw new ShapeFault(path, `must be ${shape.of.map(show).join(" or ")}, is ${show(value)}`);
    case "list":
      if (!Array.isArray(value)) throw new ShapeFault(path, `must be a list, is ${show(value)}`);
      if (value.length < shape.least || value.length > shape.most) {
        const problem = `must have ${shape.least} to ${shape.most} entries, has ${value.length}`;
        throw new ShapeFault(path, problem);
      }
      return value.map((entry, index) => readShape(entry, shape.of, [...path, index]));
    case "object":
      return readObject(value, shape, path);
    case "either": {
      const fitting = shape.of.find((each) => kindOf(each) === kindOfValue(value)) ?? shape.of.at(-1)!;
      return readShape(value, fitting, path);
    }
    case "forms":
      return readObject(value, isGiven(value, shape.key) ? shape.having : shape.lacking, path);
  }
}

function readNumber(value: unknown, shape: Extract<Shape, { kind: "number" }>, path: Path): number {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw new ShapeFault(path, `must be a number, is ${show(value)}`);
  }
  const { least, above, most, below, whole } = shape;
  const rules: [boolean, string][] = [
    [whole === undefined || Number.isInteger(value), "a whole number"],
    [least === undefined || value >= least, `${least} or more`],
    [above === undefined || value > above, `above ${above}`],
    [most === undefined || value <= most, `at most ${most}`],
    [below === undefined || value < below, `below ${below}`],
  ];
  const broken = rules.find(([holds]) => !holds);
  if (broken !== undefined) throw new ShapeFault(path, `must be ${broken[1]}, is ${value}`);
  return value;
}

function readObject(value: unknown, { keys, needed, onlyOne }: ObjectShape, path: Path): Record<string, unknown> {
  if (kindOfValue(value) !== "object") throw new ShapeFault(path, `must be an object, is ${show(value)}`);
  const object = value as Record<string, unknown>;
  const known = Object.keys(keys);
  const unknown = unknownKeyOf(object, known);
  if (unknown !== undefined) throw new ShapeFault([...path, unknown], unknownKeyProblem(unknown, known), true);
  if (onlyOne && Object.keys(object).length !== 1) throw new ShapeFault(path, `must have one of ${known.join(", ")}`);
  const read: Record<string, unknown> = {};
  for (const key of known) {
    const isNeeded = needed.includes(key);
    if (isNeeded && !Object.hasOwn(object, key)) throw new ShapeFault(path, `needs the key "${key}"`);
    const isThere = isNeeded || onlyOne ? Object.hasOwn(object, key) : isGiven(object, key);
    if (isThere) read[key] = readShape(object[key], keys[key]!, [...path, key]);
  }
  return read;
}

function isGiven(value: unknown, key: string): boolean {
  if (kindOfValue(value) !== "object" || !Object.hasOwn(value as object, key)) return false;
  const entry = (value as Record<string, unknown>)[key];
  return entry !== null && entry !== undefined;
}

function kindOfValue(value: unknown): "list" | "object" | "plain" {
  if (Array.isArray(value)) return "list";
  return typeof value === "object" && value !== null ? "object" : "plain";
}

function kindOf({ kind }: Shape): "list" | "object" | "plain" {
  if (kind === "list") return "list";
  return kind === "object" || kind === "forms" ? "object" : "plain";
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "missing").slice(0, 40);
}

// ── JSON Schema ──────────────────────────────────────────────────────────────────────────────────────────────────

export type JsonSchema = { readonly [key: string]: unknown };

/** JSON Schema 2020-12 that accepts exactly what `readShape` accepts. */
export function schemaOf(shape: Shape): JsonSchema {
  const about = shape.about === undefined ? {} : { description: shape.about };
  switch (shape.kind) {
    case "number":
      return {
        ...about,
        type: shape.whole ? "integer" : "number",
        ...(shape.least !== undefined && { minimum: shape.least }),
        ...(shape.above !== undefined && { exclusiveMinimum: shape.above }),
        ...(shape.most !== undefined && { maximum: shape.most }),
        ...(shape.below !== undefined && { exclusiveMaximum: shape.below }),
      };
    case "text":
      return { ...about, type: "string", minLength: 1, maxLength: shape.most };
    case "choice":
      return { ...about, enum: shape.of };
    case "list":
      return { ...about, type: "array", minItems: shape.least, maxItems: shape.most, items: schemaOf(shape.of) };
    case "object":
      return { ...about, ...objectSchema(shape) };
    case "either":
      return { ...about, anyOf: shape.of.map(schemaOf) };
    case "forms":
      return {
        ...about,
        // `null` is the same as leaving the key out.
        if: { required: [shape.key], properties: { [shape.key]: { not: { type: "null" } } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: objectSchema(shape.having),
        else: objectSchema(shape.lacking),
      };
  }
}

function objectSchema({ keys, needed, onlyOne }: ObjectShape): JsonSchema {
  const properties = Object.entries(keys).map(([key, shape]) => {
    const schema = schemaOf(shape);
    if (needed.includes(key) || onlyOne) return [key, schema];
    const { description, ...rest } = schema;
    return [key, { ...(description !== undefined && { description }), anyOf: [rest, { type: "null" }] }];
  });
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(properties) as JsonSchema,
    ...(needed.length > 0 && { required: needed }),
    ...(onlyOne && { minProperties: 1, maxProperties: 1 }),
  };
}
