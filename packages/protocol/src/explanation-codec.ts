/** Explanations on the wire: why an object was or was not sent to a view, for the overlay and the inspector. */

import { CAUSE_NAMES } from "@nearfield/core";
import type { Divergence, Explanation } from "@nearfield/core/internal";
import { type BitReader, type BitWriter, IS_DEVELOPMENT, WireError } from "@nearfield/schema/internal";
import { readFlag, readId, readNumber, writeFlag, writeId, writeNumber } from "./primitives.ts";

/** Explanations in one message, and the most bytes that one takes. */
export const MAX_EXPLANATIONS = 64;
export const EXPLANATION_BYTES = 72;

/** Bits of a cause: 0 if it is not known, else its place in `CAUSE_NAMES` plus 1. */
const CAUSE_BITS = 4;

/** An explanation, and why the object was last sent. */
export interface ToldExplanation extends Explanation {
  /** The cause of the send in round `lastSend`. "ripe": it was not due and rode along with what was. Undefined if no send counts. */
  readonly cause: (typeof CAUSE_NAMES)[number] | undefined;
}

export function writeExplanation(w: BitWriter, explanation: ToldExplanation): void {
  writeId(w, explanation.id);
  writeFlag(w, explanation.present);
  writeFlag(w, explanation.equal);
  w.writeVar(explanation.zone);
  w.writeVar(explanation.sector);
  writeDivergence(w, explanation.bound);
  writeDivergence(w, explanation.divergence);
  w.writeVar(explanation.lastSend + 1);
  w.writeVar(explanation.sentVersion);
  w.writeVar(explanation.version);
  w.writeBits(explanation.cause === undefined ? 0 : CAUSE_NAMES.indexOf(explanation.cause) + 1, CAUSE_BITS);
}

export function readExplanation(r: BitReader): ToldExplanation {
  return {
    id: readId(r),
    present: readFlag(r),
    equal: readFlag(r),
    zone: r.readVar(),
    sector: r.readVar(),
    bound: readDivergence(r),
    divergence: readDivergence(r),
    lastSend: r.readVar() - 1,
    sentVersion: r.readVar(),
    version: r.readVar(),
    cause: readCause(r),
  };
}

function readCause(r: BitReader): ToldExplanation["cause"] {
  const code = r.readBits(CAUSE_BITS);
  if (code > CAUSE_NAMES.length) throw new WireError("range", IS_DEVELOPMENT && `cause ${code}`);
  return CAUSE_NAMES[code - 1];
}

function writeDivergence(w: BitWriter, divergence: Readonly<Divergence>): void {
  writeNumber(w, divergence.time);
  writeNumber(w, divergence.sequence);
  writeNumber(w, divergence.value);
}

function readDivergence(r: BitReader): Divergence {
  return { time: readNumber(r), sequence: readNumber(r), value: readNumber(r) };
}
