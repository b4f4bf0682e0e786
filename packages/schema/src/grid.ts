/**
 * The points a quantised field can hold: min, min + step, min + 2 × step, … and always max itself, numbered from 0.
 *
 * Claim: `quantize(dequantize(w)) === w` for every w from 0 to `steps`, so a replica that is quantised again does not drift.
 * Sketch: let M be the largest magnitude in play. `step ≥ 8 × M × 2⁻⁵²` is required, so no w is above 2⁵⁰ and each of the
 * four roundings on the way there and back moves a point by at most 1/16 of a step; together they stay below one half.
 *
 * The step is kept as a fraction, because 3 × 0.1 is 0.30000000000000004 but 3 ÷ 10 is 0.3: where 1 ÷ step is a whole
 * number, decimal values come back as they were written in the source.
 */

import { IS_DEVELOPMENT } from "#development";
import { SchemaError, show } from "./errors.ts";

/** Steps finer than this many roundings of the largest value could not be told apart. */
const ROUNDINGS_PER_STEP = 8;

export class Grid {
  readonly min: number;
  readonly max: number;
  /** The least and the most that may be written. Half a step beyond an end counts as a rounding error and becomes the end itself on the wire. */
  readonly least: number;
  readonly most: number;
  /** The number of the last point, which is max. */
  readonly steps: number;
  private readonly numerator: number;
  private readonly denominator: number;
  /** Where min lies, counted in steps from zero. */
  private readonly origin: number;
  /** From here upwards max is the nearest point; the last step may be shorter than the others. */
  private readonly topFrom: number;

  constructor(min: number, max: number, step: number) {
    const range = max - min;
    const rounding = Math.max(Math.abs(min), Math.abs(max), range) * Number.EPSILON;
    if (IS_DEVELOPMENT) checkRange(min, max, step, rounding);
    const perUnit = Math.round(1 / step);
    const isReciprocal = perUnit >= 1 && 1 / perUnit === step;
    this.numerator = isReciprocal ? 1 : step;
    this.denominator = isReciprocal ? perUnit : 1;
    this.min = min + 0;
    this.max = max + 0;
    this.least = min - step / 2;
    this.most = max + step / 2;
    const origin = this.inSteps(min);
    this.origin =
      Math.abs(origin - Math.round(origin)) <= Math.abs(origin) * Number.EPSILON ? Math.round(origin) + 0 : origin;
    const steps = Math.ceil(this.inSteps(range));
    const lastStep = max - this.point(steps - 1);
    this.steps = lastStep <= (ROUNDINGS_PER_STEP / 2) * rounding ? steps - 1 : steps;
    this.topFrom = max - (max - this.point(this.steps - 1)) / 2;
  }

  /** The number of the nearest point; what lies outside the range is clamped to its end. */
  quantize(value: number): number {
    if (value >= this.topFrom) return this.steps;
    if (value > this.min) return Math.round(this.inSteps(value) - this.origin) + 0;
    return 0;
  }

  dequantize(wire: number): number {
    if (wire >= this.steps) return this.max;
    if (wire > 0) return this.point(wire);
    return this.min;
  }

  private inSteps(value: number): number {
    return (value * this.denominator) / this.numerator;
  }

  /** The value of a point that is neither the first nor the last. */
  point(wire: number): number {
    return ((wire + this.origin) * this.numerator) / this.denominator;
  }
}

/** What `dequantize` says of a wire number in one column, written into another. */
export function dequantizeInto(grid: Grid, wires: Float64Array, row: number, values: Float64Array, at: number): void {
  const wire = wires[row]!;
  if (wire >= grid.steps) values[at] = grid.max;
  else values[at] = wire > 0 ? grid.point(wire) : grid.min;
}

/** @param rounding how far rounding may move the largest value in play. */
function checkRange(min: number, max: number, step: number, rounding: number): void {
  const refuse = (requirement: string): never => {
    throw new SchemaError("parameter", "quantized", `${requirement}, got (${show(min)}, ${show(max)}, ${show(step)})`);
  };
  const range = max - min;
  if (!Number.isFinite(min) || !Number.isFinite(max)) refuse("min and max must be finite");
  if (!(range > 0 && range < Infinity)) refuse("min must be below max, by a finite difference");
  if (!(step > 0 && step <= range)) refuse(`step must be above 0 and at most max - min, ${range}`);
  const finest = ROUNDINGS_PER_STEP * rounding;
  if (step < finest) refuse(`step must be at least ${finest} for numbers up to ${rounding / Number.EPSILON}`);
}
