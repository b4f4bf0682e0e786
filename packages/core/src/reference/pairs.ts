/** What the oracle remembers of a view, and of each pair of a view and an object: the whole history of sends, in plain objects. */

import type { ObjectId } from "@nearfield/schema";
import type { DepartedSends } from "../account.ts";
import type { DecisionList } from "../decision-list.ts";
import type { PairState } from "../judge.ts";
import { LARGEST_SAMPLE, type Metric } from "../metrics.ts";
import type { Cause, DecisionKind, ViewId, ViewOptions } from "../model.ts";
import type { PlacedPivot } from "../pivots.ts";
import type { ResolvedView } from "../resolve-view.ts";
import type { Rhythm } from "../ripe.ts";
import type { Pivot } from "../view.ts";

/** One send whose fate is not known, or the last one that arrived. */
export interface Send {
  readonly round: number;
  readonly version: number;
  readonly metric: Metric;
  sample: Float64Array;
  readonly settles: boolean;
  readonly zone: number;
  cause: Cause;
}

export interface Pair extends PairState {
  /** In the replica, as decided. With `sentVersion` 0 the client must be sent the whole object (again). */
  present: boolean;
  demanded: boolean;
  inFlight: Send[];
  base: Send | undefined;
}

interface Removal {
  readonly kind: DecisionKind;
  /** Round in which it was last decided; −1 while it waits. */
  round: number;
  /** Told before and lost: the auditor counts the client as behind already. */
  wasLost: boolean;
  /** Round since which it is withheld; 0 = it is not. */
  since: number;
}

/** A pair that is over its bound and not sent: since which round, and up to which. */
interface Wait {
  since: number;
  until: number;
}

export interface View {
  readonly id: ViewId;
  options: ViewOptions;
  /** As stated, and as loosened: what is due is decided by the latter. */
  resolved: ResolvedView;
  judged: ResolvedView;
  outer: number;
  inner: number;
  /** Updates that fit into bytes which would go unused, and the last round in which something was withheld. For budgeted views. */
  spare: number;
  shortIn: number;
  pivots: readonly Pivot[];
  placed: PlacedPivot[];
  paused: boolean;
  /** It sits out the next round, or the one that runs; and how many rounds in a row it has sat out since it was last served. */
  isOut: boolean;
  roundsOut: number;
  readonly pairs: Map<ObjectId, Pair>;
  readonly removals: Map<ObjectId, Removal>;
  readonly waits: Map<ObjectId, Wait>;
  readonly departed: DepartedSends;
  /** Objects created in this round of which the client had nothing before, and was not being told to remove anything. */
  readonly fresh: Set<ObjectId>;
  readonly rhythm: Rhythm;
  readonly decisions: DecisionList;
}

export function pairOf(view: View, id: ObjectId): Pair {
  let pair = view.pairs.get(id);
  if (pair === undefined) {
    const sample = new Float64Array(LARGEST_SAMPLE);
    const nothing: PairState = { sentVersion: 0, lastSend: -1, firstMiss: -1, metric: "", sample };
    pair = { ...nothing, present: false, demanded: false, inFlight: [], base: undefined };
    view.pairs.set(id, pair);
  }
  return pair;
}

/** The newest send that counts: one on its way, or the base where none on its way is newer. */
export function groundOf({ inFlight, base }: Pair): Send | undefined {
  const newest = inFlight.at(-1);
  return newest !== undefined && newest.round > (base?.round ?? -1) ? newest : base;
}

/** The client is taken to have this send, and nothing newer. */
export function holds(pair: Pair, send: Send): void {
  pair.sentVersion = send.version;
  pair.lastSend = send.round;
  pair.metric = send.metric.name;
  pair.sample = send.sample.slice();
}

/** Rounds in a row, up to this one, in which the pair was over its bound and not sent. */
export function roundsWaited(view: View, id: ObjectId, round: number): number {
  const wait = view.waits.get(id);
  return wait?.until === round - 1 ? round - wait.since : 0;
}

/** The view is served again in this round: what waited when it began to sit out has waited until now. */
export function waitOn({ waits, roundsOut }: View, round: number): void {
  for (const wait of waits.values()) if (wait.until === round - 1 - roundsOut) wait.until = round - 1;
}

export function noteWait(view: View, id: ObjectId, round: number): void {
  const since = round - roundsWaited(view, id, round);
  view.waits.set(id, { since, until: round });
}
