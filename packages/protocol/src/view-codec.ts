/**
 * View settings on the wire, in a few bits. Structure and sizes are checked while reading (`VIEW_CAPACITY`). Whether the settings make
 * sense is checked by `resolveView`; whether they are allowed is decided by the server.
 */

import type { Bound, Pivot, ViewSettings } from "@nearfield/core";
import {
  areClientPivots,
  type Match,
  type ObjectSetSettings,
  type ResolvedClientPivots,
  VIEW_CAPACITY,
} from "@nearfield/core/internal";
import { type BitReader, BitWriter, IS_DEVELOPMENT, WireError } from "@nearfield/schema/internal";
import {
  readCount,
  readFlag,
  readId,
  readName,
  readNumber,
  writeFlag,
  writeId,
  writeName,
  writeNumber,
} from "./primitives.ts";

export function writeView(w: BitWriter, view: ViewSettings): void {
  w.writeVar(view.sets.length);
  for (const set of view.sets) writeSet(w, set);
  writePivots(w, view.pivots);
}

/** How long a view is on the wire. */
export function viewBytes(view: ViewSettings): number {
  const w = new BitWriter(256);
  writeView(w, view);
  return w.byteLength;
}

export function readView(r: BitReader): ViewSettings {
  const sets = readMany(r, VIEW_CAPACITY.sets, "sets", readSet);
  return { sets, pivots: readPivots(r) };
}

export function writePivots(w: BitWriter, pivots: readonly Pivot[]): void {
  w.writeVar(pivots.length);
  for (const pivot of pivots) writePivot(w, pivot);
}

export function readPivots(r: BitReader): Pivot[] {
  return readMany(r, VIEW_CAPACITY.pivots, "pivots", readPivot);
}

export function writeClientPivots(w: BitWriter, rules: ResolvedClientPivots): void {
  writeOptional(w, rules.groupCoefficients, writeNumbers);
  writeOptional(w, rules.cameraCoefficients, writeNumbers);
  writeNumber(w, rules.cameraMoved);
  writeNumber(w, rules.pointMoved);
  writeNumber(w, rules.restMs);
}

/** Rules that no server can state are refused with `WireError`. */
export function readClientPivots(r: BitReader): ResolvedClientPivots {
  const numbers = (reader: BitReader): number[] => readMany(reader, VIEW_CAPACITY.zones, "coefficients", readNumber);
  const groupCoefficients = readOptional(r, numbers);
  const cameraCoefficients = readOptional(r, numbers);
  const [cameraMoved, pointMoved, restMs] = [readNumber(r), readNumber(r), readNumber(r)];
  const rules = { groupCoefficients, cameraCoefficients, cameraMoved, pointMoved, restMs };
  if (!areClientPivots(rules))
    throw new WireError("range", IS_DEVELOPMENT && "clientPivots: rules that no room can state");
  return rules;
}

// ── object sets ──────────────────────────────────────────────────────────────────────────────────────────────────

function writeSet(w: BitWriter, set: ObjectSetSettings): void {
  writeMatch(w, set.match);
  writeNumbers(w, set.radii ?? []);
  writeNumbers(w, set.sectors ?? []);
  w.writeVar(set.bounds.length);
  const bySector = Array.isArray(set.bounds[0]);
  writeFlag(w, bySector);
  for (const row of set.bounds) {
    const bounds = bySector ? (row as readonly Bound[]) : [row as Bound];
    if (bySector) w.writeVar(bounds.length);
    for (const bound of bounds) writeBound(w, bound);
  }
  writeFlag(w, set.shape === "square");
  writeFlag(w, set.clock === "firstMiss");
  writeFlag(w, set.strict === true);
  writeFlag(w, set.own === "bounds");
  writeOptional(w, set.metric, writeName);
  writeOptional(w, set.range, writeNumber);
  writeOptional(w, set.pivots, writeNumbers);
}

function readSet(r: BitReader): ObjectSetSettings {
  const match = readMatch(r);
  const radii = readMany(r, VIEW_CAPACITY.zones, "radii", readNumber);
  const sectors = readMany(r, VIEW_CAPACITY.sectors, "sectors", readNumber);
  const zones = readCount(r, VIEW_CAPACITY.zones, "zones");
  const bySector = readFlag(r);
  const flat: Bound[] = [];
  const rows: Bound[][] = [];
  for (let zone = 0; zone < zones; zone++) {
    if (bySector) rows.push(readMany(r, VIEW_CAPACITY.sectors, "bounds", readBound));
    else flat.push(readBound(r));
  }
  const shape = readFlag(r) ? "square" : "round";
  const clock = readFlag(r) ? "firstMiss" : "refresh";
  const strict = readFlag(r);
  const own = readFlag(r) ? "bounds" : "changes";
  const metric = readOptional(r, readName);
  const range = readOptional(r, readNumber);
  const pivots = readOptional(r, (reader) => readMany(reader, VIEW_CAPACITY.pivots, "pivots of a set", readNumber));
  return {
    match,
    radii,
    sectors,
    bounds: bySector ? rows : flat,
    shape,
    clock,
    strict,
    own,
    ...(metric !== undefined && { metric }),
    ...(range !== undefined && { range }),
    ...(pivots !== undefined && { pivots }),
  };
}

function writeMatch(w: BitWriter, match: Match): void {
  if (match === "everything") {
    w.writeBits(0, 2);
  } else if ("type" in match) {
    w.writeBits(1, 2);
    writeName(w, match.type);
  } else if ("tag" in match) {
    w.writeBits(2, 2);
    writeName(w, match.tag);
  } else {
    w.writeBits(3, 2);
    writeName(w, match.predicate);
  }
}

function readMatch(r: BitReader): Match {
  switch (r.readBits(2)) {
    case 0:
      return "everything";
    case 1:
      return { type: readName(r) };
    case 2:
      return { tag: readName(r) };
    default:
      return { predicate: readName(r) };
  }
}

function writeBound(w: BitWriter, bound: Bound): void {
  for (const value of [bound.time, bound.sequence, bound.value]) {
    writeOptional(w, value === Number.POSITIVE_INFINITY ? undefined : value, writeNumber);
  }
}

function readBound(r: BitReader): Bound {
  const bound: Bound = {};
  if (readFlag(r)) bound.time = readNumber(r);
  if (readFlag(r)) bound.sequence = readNumber(r);
  if (readFlag(r)) bound.value = readNumber(r);
  return bound;
}

// ── pivots ───────────────────────────────────────────────────────────────────────────────────────────────────────

function writePivot(w: BitWriter, pivot: Pivot): void {
  writeOptional(w, pivot.scale, writeNumber);
  if ("object" in pivot) {
    w.writeBits(0, 2);
    writeId(w, pivot.object);
  } else if ("point" in pivot) {
    w.writeBits(1, 2);
    writeNumbers(w, pivot.point);
    writeNumbers(w, pivot.orientation ?? []);
  } else if ("group" in pivot) {
    w.writeBits(2, 2);
    w.writeVar(pivot.group.length);
    for (const id of pivot.group) writeId(w, id);
    writeNumber(w, pivot.margin);
    writeNumbers(w, pivot.coefficients);
    writeOptional(w, pivot.spread, writeNumber);
  } else {
    w.writeBits(3, 2);
    for (const number of [...pivot.camera, ...pivot.size]) writeNumber(w, number);
    writeOptional(w, pivot.rotation, writeNumber);
    writeNumbers(w, pivot.coefficients);
  }
}

function readPivot(r: BitReader): Pivot {
  const scale = readOptional(r, readNumber);
  const scaled = scale === undefined ? {} : { scale };
  switch (r.readBits(2)) {
    case 0:
      return { object: readId(r), ...scaled };
    case 1: {
      const point = readMany(r, 3, "coordinates", readNumber);
      const orientation = readMany(r, 3, "coordinates", readNumber);
      return { point, ...(orientation.length > 0 && { orientation }), ...scaled };
    }
    case 2: {
      const group = readMany(r, VIEW_CAPACITY.groupMembers, "group members", readId);
      const margin = readNumber(r);
      const coefficients = readMany(r, VIEW_CAPACITY.zones, "coefficients", readNumber);
      const spread = readOptional(r, readNumber);
      return { group, margin, coefficients, ...(spread !== undefined && { spread }), ...scaled };
    }
    default: {
      const camera: [number, number] = [readNumber(r), readNumber(r)];
      const size: [number, number] = [readNumber(r), readNumber(r)];
      const rotation = readOptional(r, readNumber);
      const coefficients = readMany(r, VIEW_CAPACITY.zones, "coefficients", readNumber);
      return { camera, size, ...(rotation !== undefined && { rotation }), coefficients, ...scaled };
    }
  }
}

// ── parts ────────────────────────────────────────────────────────────────────────────────────────────────────────

function writeNumbers(w: BitWriter, numbers: readonly number[]): void {
  w.writeVar(numbers.length);
  for (const number of numbers) writeNumber(w, number);
}

function readMany<T>(r: BitReader, most: number, what: string, read: (r: BitReader) => T): T[] {
  const items: T[] = [];
  for (let left = readCount(r, most, what); left > 0; left--) items.push(read(r));
  return items;
}

function writeOptional<T>(w: BitWriter, value: T | undefined, write: (w: BitWriter, value: T) => void): void {
  writeFlag(w, value !== undefined);
  if (value !== undefined) write(w, value);
}

function readOptional<T>(r: BitReader, read: (r: BitReader) => T): T | undefined {
  return readFlag(r) ? read(r) : undefined;
}
