/**
 * How far a picture that stays as it was sent is off from its object. A set measures that in one of three ways (`SET_MEASURE`): as the distance between the two
 * (`displacement`), as the way that the object has travelled since (`path`), or as the change of a number in percent (`relative`). The arithmetic is that of `metrics.ts`.
 * Distances are compared as squares, ways and changes as they are; so are the bounds (`CELL_VALUE_SQUARE`).
 */

import {
  BODY_WIRE_X,
  BODY_WIRE_Y,
  BODY_X,
  BODY_Y,
  BODY_Z,
  DISTANCE,
  ENGINE_FIELDS,
  ENGINE_TRAVELLED,
  FIELD,
  FIELD_CAP,
  FIELD_NOW,
  FIELD_WIRE,
  FURTHER,
  FURTHER_Z,
  METRIC_MASK,
  METRIC_SHIFT,
  PAIR_SAMPLE,
  PAIR_SAMPLE_Y,
  PERCENT,
  SET_MEASURE,
  SET_METRIC,
  SLOT_MASK,
} from "../src/engine/memory/layout";

/** As bounds are compared with it; infinite where another metric took the sample. */
export function apartOf(pair: usize, tag: i32, set: usize, body: usize, more: usize, number: i32): f64 {
  return isSampled(set, tag) ? apartFromStill(pair, tag, set, body, more, number) : Infinity;
}

/** Whether the metric of the set took the sample that was last sent. A pair can have come to another set since. */
export function isSampled(set: usize, tag: i32): bool {
  return ((tag >>> METRIC_SHIFT) & METRIC_MASK) == load<i32>(set, SET_METRIC);
}

/** The same of a sample that the metric of the set took. */
export function apartFromStill(pair: usize, tag: i32, set: usize, body: usize, more: usize, number: i32): f64 {
  const measure = load<i32>(set, SET_MEASURE);
  if (measure != DISTANCE) return measure == PERCENT ? percentOf(pair, tag, set) : wayOf(pair, tag);
  const dx = load<f64>(body, BODY_X) - load<f64>(pair, PAIR_SAMPLE);
  const dy = load<f64>(body, BODY_Y) - load<f64>(pair, PAIR_SAMPLE_Y);
  const dz = load<f64>(body, BODY_Z) - (more == 0 ? 0 : load<f64>(more + number * FURTHER, FURTHER_Z));
  return dx * dx + dy * dy + dz * dz;
}

/** The same as bounds are stated: a distance, a way or a percentage. */
export function valueOf(set: usize, apart: f64): f64 {
  return load<i32>(set, SET_MEASURE) == DISTANCE ? sqrt(apart) : apart;
}

/** The two numbers that a send leaves as the sample. */
export function sampleOf(set: usize, slot: i32, body: usize): f64 {
  const measure = load<i32>(set, SET_MEASURE);
  if (measure == DISTANCE) return load<f64>(body, BODY_WIRE_X);
  return measure == PERCENT ? load<f64>(fieldOf(set, slot), FIELD_WIRE) : travelledBy(slot);
}

export function secondSampleOf(set: usize, body: usize): f64 {
  return load<i32>(set, SET_MEASURE) == DISTANCE ? load<f64>(body, BODY_WIRE_Y) : 0;
}

/** What a percentage can grow by in a round at most, given the number as it was sent. */
export function percentGrowth(set: usize, slot: i32, sent: f64): f64 {
  const cap = load<f64>(fieldOf(set, slot), FIELD_CAP);
  return cap == 0 ? 0 : (cap / abs(sent)) * 100;
}

/** How far a number is off right after it was sent, in percent. */
export function percentAfterSend(set: usize, slot: i32): f64 {
  const field = fieldOf(set, slot);
  return changeIn(load<f64>(field, FIELD_NOW), load<f64>(field, FIELD_WIRE));
}

/** As it was sent last, or is sent now. */
export function sentNumber(pair: usize): f64 {
  return load<f64>(pair, PAIR_SAMPLE);
}

function wayOf(pair: usize, tag: i32): f64 {
  return travelledBy(tag & SLOT_MASK) - load<f64>(pair, PAIR_SAMPLE);
}

function percentOf(pair: usize, tag: i32, set: usize): f64 {
  return changeIn(load<f64>(fieldOf(set, tag & SLOT_MASK), FIELD_NOW), load<f64>(pair, PAIR_SAMPLE));
}

function changeIn(now: f64, before: f64): f64 {
  const change = abs(now - before);
  if (change == 0) return 0;
  return before == 0 ? Infinity : (change / abs(before)) * 100;
}

function travelledBy(slot: i32): f64 {
  return load<f64>(<usize>load<i32>(0, ENGINE_TRAVELLED) + ((<usize>slot) << 3));
}

function fieldOf(set: usize, slot: i32): usize {
  const columns = <usize>load<i32>(0, ENGINE_FIELDS);
  return <usize>load<i32>(columns + (load<i32>(set, SET_METRIC) << 2)) + slot * FIELD;
}
