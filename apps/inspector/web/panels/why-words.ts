/** The answer to "why?" in sentences. Pure, so that every case has a test. */

import type { BoundFigures, WhyShown } from "../feed-types.ts";
import { milliseconds, short } from "../format.ts";

export interface Verdict {
  readonly text: string;
  readonly tone: "calm" | "due" | "off";
}

export function verdictOf(why: WhyShown): Verdict {
  if (why.state === "gone") return { text: "The object is no longer in the world.", tone: "off" };
  if (why.state === "hidden") {
    return { text: "Not in this client's replica: out of range, or kept from it. Nothing of it is sent.", tone: "off" };
  }
  if (why.everyChange === "own") {
    return { text: "The client owns it, so every change goes out in its round, whatever the bound.", tone: "calm" };
  }
  if (why.everyChange === "no place") {
    return { text: "It has no place in space, so every change goes out in its round.", tone: "calm" };
  }
  if (why.recorded?.isSendKnown === false) return { text: unknownSend(why.recorded.settlesMs), tone: "off" };
  if (why.equal) return { text: "The client has been sent its newest version: nothing is owed.", tone: "calm" };
  const { when, by } = why.nextDue;
  if (when === "now")
    return { text: `Over its bound${by === null ? "" : ` in ${by}`}: due in this round.`, tone: "due" };
  if (when === "never") return { text: "It has changed, but no bound of this cell asks for it.", tone: "calm" };
  // Of what is past only the server could have measured the value.
  if (why.recorded !== undefined && why.judgedBy.value !== null)
    return { text: "It has changed and is within its bound in time; in value, that is not recorded.", tone: "calm" };
  return { text: "It has changed and is still within its bound: it waits.", tone: "calm" };
}

/** A recording begins in the middle of things. */
function unknownSend(settlesMs: number | null): string {
  const when =
    settlesMs === null
      ? "Cells without a time bound may send nothing for long."
      : `What moves is sent again within ${milliseconds(settlesMs)}: move the slider on.`;
  return `Its last send is not in this recording, but before it begins. ${when}`;
}

export function nextDueText({ nextDue, recorded }: WhyShown): string {
  if (recorded?.isSendKnown === false) return "not known";

  switch (nextDue.when) {
    case "now":
      return "now";
    case "never":
      return "never, by this bound";
    case "when it changes":
      return "when it changes";
    case "in": {
      const when = `in ${milliseconds(nextDue.inMs)}`;
      const by = nextDue.by === null ? "" : `, by ${nextDue.by}`;
      if (recorded !== undefined) return `${when} at the latest${by}`;
      return `${when}${by}${nextDue.exact ? "" : " (estimate)"}`;
    }
  }
}

export function lastSendText({ lastSend, recorded }: WhyShown): string {
  if (lastSend === null) return recorded === undefined ? "never" : "before the recording begins";
  const ago = `${milliseconds(lastSend.agoMs)} ago`;
  if (lastSend.cause === null) return `${ago}, lost`;
  const fate = lastSend.arrived === null ? "" : lastSend.arrived ? ", arrived" : ", on the way";
  return `${ago}${causeWords(lastSend.cause)}${fate}`;
}

/** A pair that was ripe was not due: it rode along with what was. */
function causeWords(cause: string): string {
  return cause === "ripe" ? ", it rode along" : `, for ${cause}`;
}

/**
 * Share of the bound that is used up; null where nothing is asked for. A bound of 0 is used up by any divergence. `owesNothing`: the object is
 * sent on every change, and the newest has been sent. What is left then is rounding, less than a step of the field.
 */
export function usedShare(divergence: number | null, bound: number | null, owesNothing = false): number | null {
  if (bound === null || divergence === null) return null;
  if (owesNothing) return 0;
  if (bound === 0) return divergence > 0 ? 1 : 0;
  return divergence / bound;
}

/** How a dimension is written. */
export function dimensionText(dimension: keyof BoundFigures, value: number | null): string {
  if (value === null) return "∞";
  if (dimension === "time") return milliseconds(value);
  return short(value);
}
