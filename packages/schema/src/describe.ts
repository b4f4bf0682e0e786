/**
 * Describes objects, commands and events: a name and named fields, from which the types, the codec and the columns follow.
 *
 * Every rule a description must keep is checked here, at start, so the rest of the path trusts what it gets. A described type
 * is frozen and compared by identity.
 * Why so: docs/decisions/0004-no-code-generation-schema.md.
 */

import { IS_DEVELOPMENT } from "#development";
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
const ENTITY_NAMES: ReadonlySet<string> = /* @__PURE__ */ new Set(["id", "type", "tags", "owner", "shown", "alive"]);
const AXIS_KINDS: readonly string[] = ["quantized", "uint", "int", "float32", "float64"];
const ORIENTATION_KINDS: readonly string[] = ["angle", ...AXIS_KINDS];
const WRITE_MODES: ReadonlySet<string> = /* @__PURE__ */ new Set<WriteMode>(["server", "owner", "locked"]);

/** Describes a replicated object. Its fields may not be called `id`, `type`, `tags`, `owner`, `shown` or `alive`. */
export function object<F extends Fields>(name: string, shape: F, options: ObjectOptions<F> = {}): ObjectType<F> {
  const base = describe("object", name, shape);
  const { write = "server" } = options;
  const indices = (names: string | readonly string[] = []): readonly number[] =>
    Object.freeze((typeof names === "string" ? [names] : names).map((field) => base.fieldIndex(field)));
  const roles = {
    position: indices(options.position),
    orientation: indices(options.orientation),
    velocity: indices(options.velocity),
    acceleration: indices(options.acceleration),
    turnRate: indices(options.turnRate),
  };
  if (IS_DEVELOPMENT) checkObject(base, roles, write);
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
  if (IS_DEVELOPMENT) checkDescription(kind, name, shape);
  const fields = Object.entries(shape).map(([fieldName, field], index) =>
    Object.freeze({ name: fieldName, index, field }),
  );
  const indices = new Map(fields.map((field) => [field.name, field.index]));
  const fieldIndex = (fieldName: string): number => {
    const index = indices.get(fieldName);
    if (index === undefined)
      throw new SchemaError(
        "unknown",
        `${name}.${fieldName}`,
        IS_DEVELOPMENT && `is not a field; ${name} has ${namesOf(fields)}`,
      );
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

function lowBits(count: number): number {
  return count === MAX_FIELDS ? 0xffff_ffff : 2 ** count - 1;
}

function namesOf(fields: readonly NamedField[]): string {
  return fields.length === 0 ? "no fields" : fields.map((field) => field.name).join(", ");
}

// ── the rules, in development builds ─────────────────────────────────────────────────────────────────────────────

function checkDescription(kind: DescribedType["kind"], name: string, shape: Fields): void {
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new SchemaError("name", kind, `its name ${NAME_RULE}, got ${show(name)}`);
  }
  if (typeof shape !== "object" || shape === null) {
    throw new SchemaError("parameter", name, `fields must be an object of named fields, got ${show(shape)}`);
  }
  const entries = Object.entries(shape);
  for (const [fieldName, field] of entries) {
    const path = `${name}.${fieldName}`;
    if (!NAME.test(fieldName)) throw new SchemaError("name", path, `a field name ${NAME_RULE}`);
    if (typeof field !== "object" || field === null || typeof field.numeric !== "boolean") {
      throw new SchemaError("parameter", path, `must be made by a field builder such as uint(8), got ${show(field)}`);
    }
  }
  if (entries.length > MAX_FIELDS) {
    const advice = "put like fields into a list, or split the type";
    throw new SchemaError(
      "limit",
      name,
      `has ${entries.length} fields, but at most ${MAX_FIELDS} are possible; ${advice}`,
    );
  }
}

function checkObject(type: DescribedType, roles: Roles, write: WriteMode): void {
  const { name, fields } = type;
  for (const field of fields) {
    if (!ENTITY_NAMES.has(field.name)) continue;
    throw new SchemaError("name", `${name}.${field.name}`, "is a name that every entity has already; choose another");
  }
  if (!WRITE_MODES.has(write))
    throw new SchemaError("parameter", name, `write must be server, owner or locked, got ${show(write)}`);
  for (const [role, indices] of Object.entries(roles)) {
    const kinds = role === "orientation" ? ORIENTATION_KINDS : AXIS_KINDS;
    for (const index of indices) {
      const { name: fieldName, field } = fields[index]!;
      if (kinds.includes(field.kind)) continue;
      const problem = `as ${role} must be one of ${kinds.join(", ")}, got ${field.kind}`;
      throw new SchemaError("role", `${name}.${fieldName}`, problem);
    }
  }
  checkRoles(type, roles);
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
