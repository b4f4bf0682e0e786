/** The answer to "why does this client see that object as it does?": one pair of a view and an object, now and in the last rounds. */

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
  /** "gone": the object does not exist. "hidden": out of range, or not visible to this client. "shown": in the client's replica. */
  state: "gone" | "hidden" | "shown";
  distance: number | null;
  /** Index of the set that holds it, and what it matches. */
  set: number;
  match: string;
  metric: string;
  zone: number;
  sector: number;
  /** Why it is sent on every change: "own" or "no place". `null`: it is sent by its bound. */
  everyChange: "own" | "no place" | null;
  /** The bound as the view states it, and as it is judged now, loosening included. */
  bound: BoundFigures;
  judgedBy: BoundFigures;
  divergence: { time: number; sequence: number; value: number | null };
  /** Whether the client has been sent the newest version. */
  equal: boolean;
  version: number;
  sentVersion: number;
  ackedVersion: number;
  lastSend: LastSend | null;
  nextDue: NextDue;
  /** Newest first, at most 20, from when this pair was first watched. */
  history: PastSend[];
}

export interface LastSend {
  round: number;
  agoMs: number;
  /** The cause of the send; `null` if it was lost, and so was all that was sent before. */
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
   * "overtaken": a later send arrived before anything was heard of this one. "withheld": there were no bytes for it. "sent": a removal; its
   * arrival cannot be seen.
   */
  fate: "on the way" | "arrived" | "overtaken" | "lost" | "withheld" | "sent";
}

/**
 * The earliest round in which the pair can be due, if it stays in its cell. "never": no bound asks for it. "when it changes": it is equal,
 * or every change is sent; `round` is then when it would be due by time if it changed at once.
 */
export interface NextDue {
  when: "now" | "in" | "never" | "when it changes";
  round: number | null;
  inMs: number | null;
  by: "time" | "sequence" | "value" | null;
  /** The time bound gives an exact round. The other bounds assume that the object goes on as it did since the last send. */
  exact: boolean;
  /** Ms until each bound is reached; `null`: this bound is not reached. */
  byTimeMs: number | null;
  bySequenceMs: number | null;
  byValueMs: number | null;
}
