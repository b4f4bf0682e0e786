/** Explanations on the wire: why an object was or was not sent to a view, for the overlay and the inspector. */

import type { Divergence, Explanation } from "@nearfield/core/internal";
import type { BitReader, BitWriter } from "@nearfield/schema/internal";
import { readFlag, readId, readNumber, writeFlag, writeId, writeNumber } from "./primitives.ts";

/** Explanations in one message, and the most bytes that one takes. */
export const MAX_EXPLANATIONS = 64;
export const EXPLANATION_BYTES = 72;

export function writeExplanation(w: BitWriter, explanation: Explanation): void {
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
}

export function readExplanation(r: BitReader): Explanation {
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
  };
}

function writeDivergence(w: BitWriter, divergence: Readonly<Divergence>): void {
  writeNumber(w, divergence.time);
  writeNumber(w, divergence.sequence);
  writeNumber(w, divergence.value);
}

function readDivergence(r: BitReader): Divergence {
  return { time: readNumber(r), sequence: readNumber(r), value: readNumber(r) };
}
