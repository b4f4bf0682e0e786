/**
 * Reads JSON with comments, as editors know it (JSONC); a comma may stand before a closing bracket. The text is not trusted: its size, its
 * depth and the length of its keys are bounded, and a key that stands twice is refused. Whoever finds a fault in a value asks `placeIn` for
 * the value's place in the text.
 */

export type Path = readonly (string | number)[];

/** Characters of a text, levels of nesting, and characters of a key. */
export const TEXT_CAPACITY = { length: 262_144, depth: 16, key: 128 } as const;

/** A text that is no JSON. `offset` is where reading ended. */
export class TextFault extends Error {
  readonly offset: number;

  constructor(offset: number, problem: string) {
    super(problem);
    this.offset = offset;
  }
}

/** Called for every value, with the offsets of its key (of the value itself, if it has none) and of the value. */
type OnValue = (path: Path, keyAt: number, at: number) => void;

/** Throws `TextFault`. */
export function parseText(text: string, onValue: OnValue = () => {}): unknown {
  if (text.length > TEXT_CAPACITY.length) {
    throw new TextFault(0, `has ${text.length} characters, at most ${TEXT_CAPACITY.length} are read`);
  }
  return new TextReader(text, onValue).read();
}

/** Where the value at `path` begins; with `atKey`, where its key does. If there is no such value: where the nearest one around it begins. */
export function placeIn(text: string, path: Path, atKey = false): number {
  let depth = -1;
  let place = 0;
  parseText(text, (found, keyAt, at) => {
    if (found.length <= depth || found.length > path.length || found.some((step, level) => step !== path[level]))
      return;
    depth = found.length;
    place = atKey && found.length === path.length ? keyAt : at;
  });
  return place;
}

/** Line and column of an offset, both from 1. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** `sets[1].bounds[2].time` */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
    "",
  );
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\n\r]|\\.)*"/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

class TextReader {
  readonly #text: string;
  readonly #onValue: OnValue;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string, onValue: OnValue) {
    this.#text = text;
    this.#onValue = onValue;
    if (text.startsWith("\ufeff")) this.#at = 1;
  }

  read(): unknown {
    this.#skip();
    const value = this.#value(this.#at);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#fault(`expected the end, found ${this.#found()}`);
    return value;
  }

  #value(keyAt: number): unknown {
    this.#onValue(this.#path, keyAt, this.#at);
    const first = this.#text[this.#at];
    if (first === "{") return this.#nested(() => this.#object());
    if (first === "[") return this.#nested(() => this.#list());
    if (first === '"') return this.#string();
    const number = this.#take(NUMBER);
    if (number !== undefined) return this.#finite(number);
    const at = this.#at;
    const value = WORDS.get(this.#take(WORD) ?? "");
    if (value !== undefined) return value;
    this.#at = at;
    throw this.#fault(`expected a value, found ${this.#found()}`);
  }

  #nested<T>(read: () => T): T {
    if (this.#path.length >= TEXT_CAPACITY.depth) throw this.#fault(`is nested deeper than ${TEXT_CAPACITY.depth}`);
    this.#at++;
    return read();
  }

  #object(): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    while (!this.#ends("}")) {
      const keyAt = this.#at;
      if (this.#text[keyAt] !== '"') throw this.#fault(`expected a key in quotes or }, found ${this.#found()}`);
      const key = this.#string();
      if (key.length > TEXT_CAPACITY.key) throw this.#fault(`a key is longer than ${TEXT_CAPACITY.key}`, keyAt);
      if (entries.has(key)) throw this.#fault(`the key "${key}" stands twice`, keyAt);
      this.#skip();
      if (this.#text[this.#at] !== ":") throw this.#fault(`expected : after the key, found ${this.#found()}`);
      this.#at++;
      this.#skip();
      this.#path.push(key);
      entries.set(key, this.#value(keyAt));
      this.#path.pop();
      this.#comma("}");
    }
    // Defined, not assigned: a key "__proto__" stays a key.
    return Object.fromEntries(entries);
  }

  #list(): unknown[] {
    const list: unknown[] = [];
    while (!this.#ends("]")) {
      this.#path.push(list.length);
      list.push(this.#value(this.#at));
      this.#path.pop();
      this.#comma("]");
    }
    return list;
  }

  /** Whether the closing bracket stands here; passes it. */
  #ends(bracket: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== bracket) return false;
    this.#at++;
    return true;
  }

  /** Passes the comma after an entry. There may be none before the closing bracket. */
  #comma(bracket: string): void {
    this.#skip();
    const next = this.#text[this.#at];
    if (next === ",") this.#at++;
    else if (next !== bracket) throw this.#fault(`expected , or ${bracket}, found ${this.#found()}`);
  }

  #string(): string {
    const at = this.#at;
    try {
      return JSON.parse(this.#take(STRING) ?? "") as string;
    } catch {
      throw this.#fault("this text in quotes has no end, or a character that must be escaped", at);
    }
  }

  #finite(number: string): number {
    const value = Number(number);
    if (!Number.isFinite(value)) throw this.#fault(`${number.slice(0, 40)} is too large`, this.#at - number.length);
    return value;
  }

  /** Passes spaces and comments. */
  #skip(): void {
    const text = this.#text;
    for (;;) {
      while (this.#at < text.length && " \t\n\r".includes(text[this.#at]!)) this.#at++;
      if (text.startsWith("//", this.#at)) {
        while (this.#at < text.length && text[this.#at] !== "\n" && text[this.#at] !== "\r") this.#at++;
      } else if (text.startsWith("/*", this.#at)) {
        const end = text.indexOf("*/", this.#at + 2);
        if (end < 0) throw this.#fault("this comment has no end");
        this.#at = end + 2;
      } else return;
    }
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #found(): string {
    if (this.#at >= this.#text.length) return "the end of the text";
    return JSON.stringify(this.#text.slice(this.#at, this.#at + 12).split(/\s/)[0]);
  }

  #fault(problem: string, at: number = this.#at): TextFault {
    return new TextFault(at, problem);
  }
}
