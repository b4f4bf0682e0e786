/**
 * Values as text. A value that JSON would change without a word (NaN, a Date, a Map, a hole in an array) is refused, so
 * what is read equals what was written.
 */
import { StoreError } from "./errors.ts";
import { utf8Length } from "./key-order.ts";
import { VALUE_LIMIT } from "./limits.ts";

export function encodeValue(table: string, key: string, value: unknown): string {
  const where = `table ${table}, key ${JSON.stringify(key)}`;
  const refuse = (what: string): never => {
    throw new StoreError("bad-value", `${where}: ${what}; values are plain data that JSON can hold`);
  };
  /** `this` is the object that holds the property; its own value has not been through `toJSON` yet. */
  function check(this: unknown, name: string): unknown {
    const found = (this as Record<string, unknown>)[name];
    const place = name === "" ? "the value" : `property ${name}`;
    if (typeof found === "number" && !Number.isFinite(found)) refuse(`${place} is ${found}`);
    if (typeof found === "bigint" || typeof found === "function" || typeof found === "symbol") {
      refuse(`${place} is a ${typeof found}`);
    }
    if (found === undefined && (name === "" || Array.isArray(this))) refuse(`${place} is undefined`);
    if (typeof found === "object" && found !== null && !isPlain(found)) {
      refuse(`${place} is a ${found.constructor?.name ?? "special object"}`);
    }
    return found;
  }
  let text: string;
  try {
    text = JSON.stringify(value, check);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError("bad-value", `${where}: the value contains itself`, error);
  }
  const bytes = utf8Length(text);
  if (bytes > VALUE_LIMIT) {
    const what = `${where}: the value has ${bytes} bytes as JSON, at most ${VALUE_LIMIT} are possible`;
    throw new StoreError("bad-value", `${what}; spread it over several records`);
  }
  return text;
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
