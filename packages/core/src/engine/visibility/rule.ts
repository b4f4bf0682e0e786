/**
 * What the engine asks of a rule that hides objects. A rule keeps a bit for each view and object (`Seen`), which is right whenever views are judged, and has a
 * pair looked at when its bit changes. So a pair whose bit stays is planned as if nothing were ever hidden.
 * Why so: docs/decisions/0027-visibility.md.
 */

import type { EngineView } from "../engine-view.ts";

export interface VisibilityRule {
  /** Whether it can tell of every object that a view may come to have, so that the kernel may begin pairs by itself. */
  readonly knowsAll: boolean;
  /** All of the view is judged anew in this round, after this: it is new, or its rules or its pivots are others. */
  renew(view: EngineView): void;
  /** A view is gone. */
  forget(view: EngineView): void;
  /** A pair has begun in this round. */
  begin(view: EngineView, slot: number): void;
  /** What the world tells, between rounds. */
  spawned(slot: number): void;
  destroyed(slot: number): void;
  /** Answers about the object, or all answers to a view, can be others from now on. */
  objectChanged(slot: number): void;
  viewChanged(view: EngineView): void;
  /** A round begins; these objects moved since the last one. Nothing has been decided yet. */
  takeMoves(slots: Int32Array, count: number): void;
  /** All pairs of this round have begun: those whose bits changed are marked. */
  settle(round: number): void;
}
