/**
 * Keeps many JSON values of the same shape in few bytes. The numbers of a value are kept in a column of its own; everything else (names,
 * texts, lists) is its shape, kept once for all values that share it. `null` counts as a number, since figures come and go. A shape is
 * forgotten with the last value that has it.
 *
 * For { name: "ann", out: 5 } and { name: "ann", out: 7 } the shape is { name: "ann", out: ∎ }, the columns are [5] and [7].
 */

interface Shape {
  readonly key: string;
  readonly template: Template;
  uses: number;
}

/** Stands in a shape for a number. */
const HOLE: unique symbol = Symbol("hole");
type Template = typeof HOLE | string | boolean | readonly Template[] | { readonly [key: string]: Template };

export interface Packed {
  readonly shape: Shape;
  readonly numbers: Float64Array;
}

/** Bytes of a packed value besides its numbers and its shape. */
const HEAD_BYTES = 160;
/** Bytes of one character of a shape: one in its key, and about one in its template. */
const CHARACTER_BYTES = 2;

export class Packer {
  readonly #shapes = new Map<string, Shape>();
  #bytes = 0;

  /** Bytes of everything that is packed. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * @param value any JSON value, without NaN and infinity
   * @param like a value that probably has the same shape; then no key has to be written
   */
  pack(value: unknown, like?: Packed): Packed {
    const numbers: number[] = [];
    if (like !== undefined && like.shape.uses > 0 && isLike(like.shape.template, value, numbers)) {
      return this.#keep(like.shape, numbers);
    }
    numbers.length = 0;
    const key = write(value, numbers);
    let shape = this.#shapes.get(key);
    if (shape === undefined) {
      shape = { key, template: templateOf(value), uses: 0 };
      this.#shapes.set(key, shape);
      this.#bytes += key.length * CHARACTER_BYTES;
    }
    return this.#keep(shape, numbers);
  }

  #keep(shape: Shape, numbers: readonly number[]): Packed {
    shape.uses += 1;
    this.#bytes += HEAD_BYTES + 8 * numbers.length;
    return { shape, numbers: Float64Array.from(numbers) };
  }

  /** Releases a value that is no longer needed. */
  forget({ shape, numbers }: Packed): void {
    this.#bytes -= HEAD_BYTES + 8 * numbers.length;
    shape.uses -= 1;
    if (shape.uses > 0) return;
    this.#shapes.delete(shape.key);
    this.#bytes -= shape.key.length * CHARACTER_BYTES;
  }

  unpack({ shape, numbers }: Packed): unknown {
    let at = 0;
    const fill = (template: Template): unknown => {
      if (template === HOLE) {
        const number = numbers[at++]!;
        return Number.isNaN(number) ? null : number;
      }
      if (Array.isArray(template)) return (template as readonly Template[]).map(fill);
      if (typeof template !== "object") return template;
      return Object.fromEntries(Object.entries(template).map(([key, part]) => [key, fill(part as Template)]));
    };
    return fill(shape.template);
  }
}

/** Whether a value has this shape. If so, its numbers are added to the column. */
function isLike(template: Template, value: unknown, numbers: number[]): boolean {
  if (template === HOLE) {
    if (typeof value !== "number" && value !== null) return false;
    numbers.push(value ?? Number.NaN);
    return true;
  }
  if (typeof template !== "object") return template === value;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(template)) {
    if (!Array.isArray(value) || value.length !== template.length) return false;
    for (let i = 0; i < value.length; i++) if (!isLike(template[i] as Template, value[i], numbers)) return false;
    return true;
  }
  let parts = 0;
  for (const key in value) {
    const part = (template as Record<string, Template>)[key];
    if (part === undefined || !isLike(part, (value as Record<string, unknown>)[key], numbers)) return false;
    parts += 1;
  }
  return parts === Object.keys(template).length;
}

/** Writes the key of a value's shape. The numbers are added to the column, in the order in which `fill` reads them. */
function write(value: unknown, numbers: number[]): string {
  if (typeof value === "number" || value === null) {
    numbers.push(value ?? Number.NaN);
    return "#";
  }
  if (typeof value !== "object") return JSON.stringify(value);
  let text = "";
  if (Array.isArray(value)) {
    for (const part of value) text += `${write(part, numbers)},`;
    return `[${text}]`;
  }
  for (const key in value) text += `${key}:${write((value as Record<string, unknown>)[key], numbers)},`;
  return `{${text}}`;
}

function templateOf(value: unknown): Template {
  if (typeof value === "number" || value === null) return HOLE;
  if (Array.isArray(value)) return value.map(templateOf);
  if (typeof value !== "object") return value as string | boolean;
  return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, templateOf(part)]));
}
