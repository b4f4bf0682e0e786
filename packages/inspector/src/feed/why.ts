/** The answer to "why does this client see that object so?": one pair of a view and an object, now and lately. */

import type { BoundFigures } from "./map.ts";

/** Everything about one pair now. */
export interface WhyTell {
  tell: "why";
  room: string;
  round: number;
  timeMs: number;
  player: number;
  object: number;
  /** Index into `Welcome.types`; −1 when the object is gone. */
  type: number;
  /** "gone", "hidden" (out of range, or kept from this client), "shown". */
  state: "gone" | "hidden" | "shown";
  distance: number | null;
  /** Index of the set that holds it, and what it matches. */
  set: number;
  match: string;
  metric: string;
  zone: number;
  sector: number;
  /** Sent on every change: "own", "no place", or `null`: by its bound. */
  everyChange: "own" | "no place" | null;
  /** As stated, and as it is judged now, loosening included. */
  bound: BoundFigures;
  judgedBy: BoundFigures;
  divergence: { time: number; sequence: number; value: number | null };
  /** The client has been sent the newest version. */
  equal: boolean;
  version: number;
  sentVersion: number;
  ackedVersion: number;
  lastSend: LastSend | null;
  nextDue: NextDue;
  /** Newest first, at most 20, since this pair is watched. */
  history: PastSend[];
}

export interface LastSend {
  round: number;
  agoMs: number;
  /** Why; `null` if it was sent before anybody watched. */
  cause: string | null;
  /** Whether the client is known to have it. */
  arrived: boolean;
}

export interface PastSend {
  round: number;
  kind: "create" | "update" | "leave" | "destroy";
  cause: string;
  zone: number;
  /**
   * "overtaken": a later one arrived before anything was heard of it. "withheld": there were no bytes for it. "sent": a removal, whose
   * arrival shows in nothing.
   */
  fate: "on the way" | "arrived" | "overtaken" | "lost" | "withheld" | "sent";
}

/**
 * The earliest round in which the pair can be due if it stays in its cell. "never": no bound asks for it. "when it changes": it is equal, or
 * every change is sent; `round` is then when it would be due by time if it changed at once.
 */
export interface NextDue {
  when: "now" | "in" | "never" | "when it changes";
  round: number | null;
  inMs: number | null;
  by: "time" | "sequence" | "value" | null;
  /** The time bound is exact; the others suppose that the object goes on as it did since the last send. */
  exact: boolean;
  /** Ms until each bound is reached; `null`: not by this one. */
  byTimeMs: number | null;
  bySequenceMs: number | null;
  byValueMs: number | null;
}
