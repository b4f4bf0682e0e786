/**
 * The two ways a description and its bytes can go wrong.
 *
 * `SchemaError` is a programmer's mistake (a bad description, a value that does not fit its field): it is thrown where the
 * mistake is made and names the field. `WireError` is a mistake in received bytes: whoever owns the connection ends it with
 * the code as the typed reason. No decoder of this package throws anything but `WireError`, whatever the bytes.
 */

/**
 * - `truncated`: the bytes end before the value does
 * - `range`: a value outside what its field allows, or not in its one canonical form
 * - `length`: a text, byte array or list longer than its field's maximum
 * - `utf8`: text that is not well-formed UTF-8
 * - `trailing`: bytes, or set padding bits, after the last value
 * - `unknown`: a type index that the protocol does not have
 */
export type WireErrorCode = "truncated" | "range" | "length" | "utf8" | "trailing" | "unknown";

export class WireError extends Error {
  override readonly name: string = "WireError";
  readonly code: WireErrorCode;

  /** @param detail false in a production build (`development.ts`). */
  constructor(code: WireErrorCode, detail: string | false) {
    super(detail === false ? code : `${code}: ${detail}`);
    this.code = code;
  }
}

/**
 * - `name`: a type, field or label name that is not allowed, or is taken
 * - `parameter`: a builder's argument, such as a width or a step
 * - `role`: a field that cannot have the role it is named for (position, orientation, velocity, …), or a type without the role it needs
 * - `limit`: more fields, labels or types than there is room for
 * - `value`: a value that does not fit its field
 * - `unknown`: a field or type that the description does not have
 */
export type SchemaErrorCode = "name" | "parameter" | "role" | "limit" | "value" | "unknown";

export class SchemaError extends Error {
  override readonly name: string = "SchemaError";
  readonly code: SchemaErrorCode;
  /** What is wrong, as a path: `ship.hull`, `chat.words[3]`, or the builder: `uint`. */
  readonly field: string;

  /** @param problem false in a production build (`development.ts`). */
  constructor(code: SchemaErrorCode, field: string, problem: string | false) {
    super(`${field}: ${problem === false ? code : problem}`);
    this.code = code;
    this.field = field;
  }
}

const SHOWN_CHARACTERS = 40;

/** A value as it appears in an error: short, and telling `"5"` from `5`. */
export function show(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value);
  }
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "number" || typeof value === "boolean" || value === undefined || value === null)
    return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return `a value of type ${typeof value}`;
}
