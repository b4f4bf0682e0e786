/**
 * Describes objects, commands and events: a name and named fields, from which the types, the codec and the columns follow.
 *
 * Every rule a description must keep is checked here, at start, so the rest of the path trusts what it gets. A described type
 * is frozen and compared by identity.
 * Why so: docs/decisions/0004-no-code-generation-schema.md.
 */

import { SchemaError, show } from "./errors.ts";
import type { Field, ValueOf } from "./field.ts";

/** Fields by name, in declaration order. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of a set of fields: `Values<{ x: Field<number> }>` is `{ x: number }`. */
export type Values<F extends Fields> = { -readonly [Name in keyof F]: ValueOf<F[Name]> };

/** The names of the fields whose value is a number: those that can have a role, such as position or velocity. */
export type NumberFieldName<F extends Fields> = {
  [Name in keyof F & string]: ValueOf<F[Name]> extends number ? Name : never;
}[keyof F & string];

export interface NamedField {
  readonly name: string;
  /** The field's place in declaration order, and its bit in a field mask. */
  readonly index: number;
  readonly field: Field<unknown>;
}

/**
 * Who may write an object: `server` (clients send commands), `owner` (the owning client; the server may refuse), or
 * `locked` (any client that holds the object's lock).
 */
export type WriteMode = "server" | "owner" | "locked";

/** What objects, commands and events have in common. */
export interface DescribedType<F extends Fields = Fields> {
  readonly kind: "object" | "command" | "event";
  readonly name: string;
  /** The description as it was given. */
  readonly shape: F;
  readonly fields: readonly NamedField[];
  /** The field mask (unsigned, 32 bits) with every field of the type. */
  readonly allMask: number;
  /** Throws `SchemaError("unknown")` for a name that is not a field. */
  fieldIndex(name: keyof F & string): number;
}

export interface ObjectType<F extends Fields = Fields> extends DescribedType<F> {
  readonly kind: "object";
  /** Field indices, two or three; empty for an object that is not spatial. */
  readonly position: readonly number[];
  /** Field indices: none, the heading, or yaw and pitch. */
  readonly orientation: readonly number[];
  /** Field indices, as many as `position` has, or none. */
  readonly velocity: readonly number[];
  /** Field indices, as many as `position` has, or none. */
  readonly acceleration: readonly number[];
  /** Field indices, as many as `orientation` has, or none. */
  readonly turnRate: readonly number[];
  readonly write: WriteMode;
}

export interface CommandType<F extends Fields = Fields> extends DescribedType<F> {
  readonly kind: "command";
}

export interface EventType<F extends Fields = Fields> extends DescribedType<F> {
  readonly kind: "event";
}

type Axes<Name> = readonly [Name, Name] | readonly [Name, Name, Name];

export interface ObjectOptions<F extends Fields> {
  /** The fields that hold the position, in world units. Default: none, the object is not spatial and goes to everybody. */
  readonly position?: Axes<NumberFieldName<F>>;
  /** Where the object looks, in radians: its heading, or in 3D also yaw and pitch. Default: none. */
  readonly orientation?: NumberFieldName<F> | readonly [NumberFieldName<F>, NumberFieldName<F>];
  /** In world units per second, one field for each axis of the position. Default: none. */
  readonly velocity?: Axes<NumberFieldName<F>>;
  /**
   * In world units per second squared, one field for each axis of the position; needs a velocity. The motion model `accelerated` goes by
   * it. Costs the bytes of its fields in every update in which it changed. Default: none.
   */
  readonly acceleration?: Axes<NumberFieldName<F>>;
  /**
   * In radians per second, counter-clockwise: one field for each of the orientation. A picture with `turning: "sent"` goes by it. Costs the
   * bytes of its fields in every update in which it changed. Default: none.
   */
  readonly turnRate?: NumberFieldName<F> | readonly [NumberFieldName<F>, NumberFieldName<F>];
  /** Default: `server`. */
  readonly write?: WriteMode;
}

/** One 32-bit field mask says which fields an update carries. */
export const MAX_FIELDS = 32;

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const NAME_RULE = "must be a letter, then letters, digits or _, at most 64 characters";
/** What an entity says about itself beside its fields. */
const ENTITY_NAMES: ReadonlySet<string> = new Set(["id", "type", "tags", "owner", "shown", "alive"]);
const AXIS_KINDS: readonly string[] = ["quantized", "uint", "int", "float32", "float64"];
const ORIENTATION_KINDS: readonly string[] = ["angle", ...AXIS_KINDS];
const WRITE_MODES: ReadonlySet<string> = new Set<WriteMode>(["server", "owner", "locked"]);

/** Describes a replicated object. Its fields may not be called `id`, `type`, `tags`, `owner`, `shown` or `alive`. */
export function object<F extends Fields>(name: string, shape: F, options: ObjectOptions<F> = {}): ObjectType<F> {
  const base = describe("object", name, shape);
  for (const field of base.fields) {
    if (!ENTITY_NAMES.has(field.name)) continue;
    throw new SchemaError("name", `${name}.${field.name}`, "is a name that every entity has already; choose another");
  }
  const write = options.write ?? "server";
  if (!WRITE_MODES.has(write))
    throw new SchemaError("parameter", name, `write must be server, owner or locked, got ${show(write)}`);
  const position = roleFields(base, "position", AXIS_KINDS, options.position ?? []);
  const orientation = roleFields(base, "orientation", ORIENTATION_KINDS, asArray(options.orientation));
  const velocity = roleFields(base, "velocity", AXIS_KINDS, options.velocity ?? []);
  const acceleration = roleFields(base, "acceleration", AXIS_KINDS, options.acceleration ?? []);
  const turnRate = roleFields(base, "turnRate", AXIS_KINDS, asArray(options.turnRate));
  const roles = { position, orientation, velocity, acceleration, turnRate };
  checkRoles(base, roles);
  return Object.freeze({ ...base, kind: "object" as const, ...roles, write });
}

/** Describes what a client can ask of the server. */
export function command<F extends Fields>(name: string, shape: F): CommandType<F> {
  return Object.freeze({ ...describe("command", name, shape), kind: "command" as const });
}

/** Describes a message that is not state: a shot, a sound. */
export function event<F extends Fields>(name: string, shape: F): EventType<F> {
  return Object.freeze({ ...describe("event", name, shape), kind: "event" as const });
}

function describe<F extends Fields>(kind: DescribedType["kind"], name: string, shape: F): DescribedType<F> {
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new SchemaError("name", kind, `its name ${NAME_RULE}, got ${show(name)}`);
  }
  if (typeof shape !== "object" || shape === null) {
    throw new SchemaError("parameter", name, `fields must be an object of named fields, got ${show(shape)}`);
  }
  const fields = Object.entries(shape).map(([fieldName, field], index) => namedField(name, fieldName, index, field));
  if (fields.length > MAX_FIELDS) {
    const advice = "put like fields into a list, or split the type";
    throw new SchemaError(
      "limit",
      name,
      `has ${fields.length} fields, but at most ${MAX_FIELDS} are possible; ${advice}`,
    );
  }
  const indices = new Map(fields.map((field) => [field.name, field.index]));
  const fieldIndex = (fieldName: string): number => {
    const index = indices.get(fieldName);
    if (index === undefined)
      throw new SchemaError("unknown", `${name}.${fieldName}`, `is not a field; ${name} has ${namesOf(fields)}`);
    return index;
  };
  return {
    kind,
    name,
    shape: Object.freeze({ ...shape }),
    fields: Object.freeze(fields),
    allMask: lowBits(fields.length),
    fieldIndex,
  };
}

function namedField(typeName: string, name: string, index: number, field: Field<unknown>): NamedField {
  const path = `${typeName}.${name}`;
  if (!NAME.test(name)) throw new SchemaError("name", path, `a field name ${NAME_RULE}`);
  if (typeof field !== "object" || field === null || typeof field.numeric !== "boolean") {
    throw new SchemaError("parameter", path, `must be made by a field builder such as uint(8), got ${show(field)}`);
  }
  return Object.freeze({ name, index, field });
}

function roleFields(
  type: DescribedType,
  role: string,
  kinds: readonly string[],
  names: readonly string[],
): readonly number[] {
  const indices = names.map((name) => {
    const index = type.fieldIndex(name);
    const kind = type.fields[index]!.field.kind;
    if (!kinds.includes(kind)) {
      throw new SchemaError(
        "role",
        `${type.name}.${name}`,
        `as ${role} must be one of ${kinds.join(", ")}, got ${kind}`,
      );
    }
    return index;
  });
  return Object.freeze(indices);
}

type Roles = Pick<ObjectType, "position" | "orientation" | "velocity" | "acceleration" | "turnRate">;

function checkRoles(type: DescribedType, roles: Roles): void {
  const { position, orientation, velocity, acceleration } = roles;
  const refuse = (problem: string): never => {
    throw new SchemaError("role", type.name, problem);
  };
  const dimensions = position.length;
  if (dimensions !== 0 && dimensions !== 2 && dimensions !== 3) {
    refuse(`position must name 2 or 3 fields, got ${dimensions}`);
  }
  if (orientation.length > Math.max(0, dimensions - 1)) {
    const requirement =
      dimensions === 0 ? "needs a position" : `names at most ${dimensions - 1} fields in ${dimensions}D`;
    refuse(`orientation ${requirement}, got ${orientation.length} fields`);
  }
  const checkLength = (role: keyof typeof roles, like: keyof typeof roles): void => {
    const { length } = roles[role];
    const wanted = roles[like].length;
    if (length !== 0 && length !== wanted)
      refuse(`${role} must name as many fields as ${like}, ${wanted}, got ${length}`);
  };
  checkLength("velocity", "position");
  checkLength("acceleration", "position");
  checkLength("turnRate", "orientation");
  if (acceleration.length > 0 && velocity.length === 0)
    refuse("acceleration needs a velocity; name its fields as well");
  const seen = new Set<number>();
  for (const index of Object.values(roles).flat()) {
    if (seen.has(index))
      throw new SchemaError("role", `${type.name}.${type.fields[index]!.name}`, "is named for two roles or axes");
    seen.add(index);
  }
}

function asArray(names: string | readonly string[] | undefined): readonly string[] {
  if (names === undefined) return [];
  return typeof names === "string" ? [names] : names;
}

function lowBits(count: number): number {
  return count === MAX_FIELDS ? 0xffff_ffff : 2 ** count - 1;
}

function namesOf(fields: readonly NamedField[]): string {
  return fields.length === 0 ? "no fields" : fields.map((field) => field.name).join(", ");
}
