/**
 * Makes a metric of the game's own safe to call in the middle of a round. If the metric throws, the exception is reported, and an answer is
 * used that keeps the promise: an object whose divergence cannot be measured counts as over its bound, so it is sent.
 */

import type { Metric, World } from "@nearfield/core";
import type { ObjectType } from "@nearfield/schema";

/** World units per second. Used if a metric cannot say how fast its picture moves; the pair is then checked in every round. */
const VERY_FAST = 1e9;

export function guardedMetric(metric: Metric, failed: (error: unknown) => void): Metric {
  const guard = <T>(run: () => T, instead: () => T): T => {
    try {
      return run();
    } catch (error) {
      failed(error);
      return instead();
    }
  };
  const { again, byFields, carriesOn, divergeInto, fadingMs, memoryless, missing, sampleSize, velocity } = metric;
  return {
    name: metric.name,
    sample: (world, slot, out, at, sinceMs, settles) =>
      guard(
        () => metric.sample(world, slot, out, at, sinceMs, settles),
        () => {},
      ),
    divergence: (world, slot, sent, at, elapsedMs) =>
      guard(
        () => metric.divergence(world, slot, sent, at, elapsedMs),
        () => Number.POSITIVE_INFINITY,
      ),
    growth: (step) =>
      guard(
        () => metric.growth(step),
        () => Number.POSITIVE_INFINITY,
      ),
    ...(carriesOn !== undefined && {
      carriesOn: (sent: Float64Array, at: number) =>
        guard(
          () => carriesOn.call(metric, sent, at),
          () => true,
        ),
    }),
    ...(velocity !== undefined && {
      velocity: (sent: Float64Array, at: number, elapsedMs: number, out: Float64Array) =>
        guard(
          () => velocity.call(metric, sent, at, elapsedMs, out),
          () => void out.fill(VERY_FAST, 0, 3),
        ),
    }),
    ...(divergeInto !== undefined && {
      divergeInto: (
        world: World,
        slot: number,
        sent: Float64Array,
        at: number,
        elapsedMs: number,
        out: Float64Array,
      ): void =>
        guard(
          () => divergeInto.call(metric, world, slot, sent, at, elapsedMs, out),
          () => void out.fill(Number.POSITIVE_INFINITY, 0, 1),
        ),
    }),
    ...(again !== undefined && {
      again: (sent: Float64Array, at: number, before: Float64Array, sinceMs: number, settles: boolean) =>
        guard(
          () => again.call(metric, sent, at, before, sinceMs, settles),
          () => {},
        ),
    }),
    ...(missing !== undefined && {
      missing: (type: ObjectType) =>
        guard(
          () => missing.call(metric, type),
          () => undefined,
        ),
    }),
    ...(fadingMs !== undefined && { fadingMs }),
    ...(byFields !== undefined && { byFields }),
    ...(memoryless !== undefined && { memoryless }),
    ...(sampleSize !== undefined && { sampleSize }),
  };
}
