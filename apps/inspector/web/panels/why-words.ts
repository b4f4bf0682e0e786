/** The answer to "why?" in sentences. Pure, so that every case has a test. */

import type { BoundFigures, WhyTell } from "../feed-types.ts";
import { milliseconds, short } from "../format.ts";

export interface Verdict {
  readonly text: string;
  readonly tone: "calm" | "due" | "off";
}

export function verdictOf(why: WhyTell): Verdict {
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
  if (why.equal) return { text: "The client has been sent its newest version: nothing is owed.", tone: "calm" };
  const { when, by } = why.nextDue;
  if (when === "now")
    return { text: `Over its bound${by === null ? "" : ` in ${by}`}: due in this round.`, tone: "due" };
  if (when === "never") return { text: "It has changed, but no bound of this cell asks for it.", tone: "calm" };
  return { text: "It has changed and is still within its bound: it waits.", tone: "calm" };
}

export function nextDueText({ nextDue }: WhyTell): string {
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
      return `${when}${by}${nextDue.exact ? "" : " (estimate)"}`;
    }
  }
}

export function lastSendText({ lastSend }: WhyTell): string {
  if (lastSend === null) return "never";
  const cause = lastSend.cause === null ? "" : `, for ${lastSend.cause}`;
  return `${milliseconds(lastSend.agoMs)} ago${cause}${lastSend.arrived ? ", arrived" : ", on the way"}`;
}

/** Share of the bound that is used up; null where nothing is asked for. A bound of 0 is used up by any divergence. */
export function usedShare(divergence: number | null, bound: number | null): number | null {
  if (bound === null || divergence === null) return null;
  if (bound === 0) return divergence > 0 ? 1 : 0;
  return divergence / bound;
}

/** How a dimension is written. */
export function dimensionText(dimension: keyof BoundFigures, value: number | null): string {
  if (value === null) return "∞";
  if (dimension === "time") return milliseconds(value);
  return short(value);
}
