/**
 * How figures travel to a page: values one after another in one array, and a shape that says what each of them is. An array of whole numbers is written many
 * times faster than objects with names, and is shorter. The shape is told once, values again and again.
 */

import type { Flow } from "./feed/report.ts";

export type Value = number | string | boolean | null;

/**
 * As `T`, but where a value stands in `T`, its index stands here; where a flow stands, the index of the first of its four numbers, in brackets: now, mean and peak
 * in hundredths, and the total.
 */
export type Shape<T> = T extends Value
  ? number
  : T extends Flow
    ? readonly [number]
    : T extends readonly (infer One)[]
      ? readonly Shape<One>[]
      : { readonly [Name in keyof T]-?: Shape<Exclude<T[Name], undefined>> };

/** Numbers of a flow. */
export const FLOW_LENGTH = 4;

/** @param from index of the first value that belongs to the shape. */
export function filled<T>(shape: Shape<T>, values: readonly Value[], from: number): T {
  return fill(shape, values, from) as T;
}

function fill(shape: unknown, values: readonly Value[], from: number): unknown {
  if (typeof shape === "number") return values[from + shape];
  if (!Array.isArray(shape)) {
    const entries = Object.entries(shape as object);
    return Object.fromEntries(entries.map(([name, part]) => [name, fill(part, values, from)]));
  }
  const [first] = shape as unknown[];
  return typeof first === "number" ? flowAt(values, from + first) : shape.map((part) => fill(part, values, from));
}

function flowAt(values: readonly Value[], at: number): Flow {
  const [now, mean, peak, total] = values.slice(at, at + FLOW_LENGTH) as [number, number, number, number];
  return { now: now / 100, mean: mean / 100, peak: peak / 100, total };
}
