/** Reads parsed JSON that nobody has checked yet. Each call says what it expects; if that is not there, the error names the place in the file. */

import { LevelError } from "./level-error.ts";

export class Reader {
  /** Where in the file, for people: `the map.layers[2]`. */
  readonly at: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(value: unknown, at: string) {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new LevelError("malformed", at, `is ${kindOf(value)}, but must be a JSON object`);
    this.at = at;
    this.#fields = value as Readonly<Record<string, unknown>>;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#fields, name) && this.#fields[name] !== undefined;
  }

  value(name: string): unknown {
    return this.has(name) ? this.#fields[name] : undefined;
  }

  flag(name: string): boolean {
    return this.value(name) === true;
  }

  text(name: string, initial?: string): string {
    const value = this.value(name) ?? initial;
    if (typeof value === "string") return value;
    throw this.#wrong(name, value, "a text");
  }

  number(name: string, initial?: number): number {
    const value = this.value(name) ?? initial;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw this.#wrong(name, value, "a finite number");
  }

  whole(name: string, least: number, most: number): number {
    const value = this.value(name);
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
    throw this.#wrong(name, value, `a whole number from ${least} to ${most}`);
  }

  /** The objects of a list. */
  list(name: string, most: number): Reader[] {
    const value = this.value(name);
    if (!Array.isArray(value)) throw this.#wrong(name, value, "a list");
    if (value.length > most)
      throw new LevelError(
        "too-large",
        `${this.at}.${name}`,
        `has ${value.length} entries, but at most ${most} are allowed`,
      );
    return value.map((entry: unknown, i) => new Reader(entry, `${this.at}.${name}[${i}]`));
  }

  #wrong(name: string, value: unknown, expected: string): LevelError {
    return new LevelError("malformed", `${this.at}.${name}`, `is ${kindOf(value)}, but must be ${expected}`);
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  return Array.isArray(value) ? "a list" : "an object";
}
