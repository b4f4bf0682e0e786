/** Steers an own object without waiting for the server. */

import type { Entity } from "@nearfield/core";
import type { CommandType, Fields } from "@nearfield/schema";
import type { StepFunction } from "@nearfield/simulation";
import type { Client } from "./client.ts";
import type { Prediction, PredictOptions } from "./prediction.ts";
import { Predictions } from "./predictions.ts";

/**
 * Steers an own object without waiting for the server. Commands act here at once, through the same step function that the server's
 * `steps` has for this type. If the server comes to another result, the object is corrected.
 */
export function predict<F extends Fields, C extends Fields>(
  { inside }: Client,
  entity: Entity<F>,
  command: CommandType<C>,
  step: StepFunction<F, C>,
  options: PredictOptions = {},
): Prediction<F, C> {
  inside.predictions ??= new Predictions(inside);
  return inside.predictions.begin(entity, command, step, options);
}
