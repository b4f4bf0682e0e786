/**
 * Readers of what strangers send as JSON. A reader returns a value of its type or throws `bad-request`, naming the field. A record takes its own
 * keys only, so `__proto__` and the like never reach the game.
 */
import { SocialError } from "../errors.ts";

export type Reader<Value> = (value: unknown, path: string) => Value;
export type Read<R> = R extends Reader<infer Value> ? Value : never;

function bad(path: string, wanted: string): never {
  throw new SocialError("bad-request", `${path}: must be ${wanted}`);
}

/** Text of at most so many UTF-16 units. */
export function textUpTo(most: number): Reader<string> {
  return (value, path) =>
    typeof value === "string" && value.length <= most ? value : bad(path, `text of at most ${most} characters`);
}

export function whole(least: number, most: number): Reader<number> {
  return (value, path) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? (value as number)
      : bad(path, `a whole number from ${least} to ${most}`);
}

export function oneOf<Choice extends string>(...choices: readonly Choice[]): Reader<Choice> {
  return (value, path) =>
    choices.includes(value as Choice) ? (value as Choice) : bad(path, `one of ${choices.join(", ")}`);
}

export const flag: Reader<boolean> = (value, path) => (typeof value === "boolean" ? value : bad(path, "true or false"));

export function listOf<Item>(item: Reader<Item>, most: number): Reader<Item[]> {
  return (value, path) =>
    Array.isArray(value) && value.length <= most
      ? value.map((one, index) => item(one, `${path}[${index}]`))
      : bad(path, `a list of at most ${most}`);
}

type Optional<Value> = Reader<Value | undefined> & { readonly isOptional: true };

/** A key that may be left out. */
export function optional<Value>(reader: Reader<Value>): Optional<Value> {
  return Object.assign((value: unknown, path: string) => (value === undefined ? undefined : reader(value, path)), {
    isOptional: true as const,
  });
}

type Shape = Readonly<Record<string, Reader<unknown>>>;
type OptionalKeys<S extends Shape> = { [K in keyof S]: S[K] extends Optional<unknown> ? K : never }[keyof S];
type RecordOf<S extends Shape> = { readonly [K in Exclude<keyof S, OptionalKeys<S>>]: Read<S[K]> } & {
  readonly [K in OptionalKeys<S>]?: Exclude<Read<S[K]>, undefined>;
};

/** An object with these keys. Other keys are dropped. */
export function record<S extends Shape>(shape: S): Reader<RecordOf<S>> {
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) bad(path, "an object");
    const kept: Record<string, unknown> = {};
    for (const [key, reader] of Object.entries(shape)) {
      const given = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
      const read = reader(given, `${path}.${key}`);
      if (read !== undefined) kept[key] = read;
    }
    return kept as RecordOf<S>;
  };
}

/** Ids of accounts, trades and the like: 32 hexadecimal digits. */
export const id: Reader<string> = (value, path) =>
  typeof value === "string" && /^[0-9a-f]{32}$/.test(value) ? value : bad(path, "an id");
