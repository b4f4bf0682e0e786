/**
 * The interface behind which consistency models stand (V §3.3): what a server tells them — views, rounds, the fate of what was sent —
 * and what they answer — who must be sent what in this round. Implementations: `ReferenceEngine` (the oracle), `Engine`, and the
 * baselines `Broadcast` and `Aura`. A model observes its world by itself.
 */

import type { ObjectId } from "@nearfield/schema";
import type { Account } from "./account.ts";
import type { Crew } from "./crew.ts";
import type { Metric } from "./metrics.ts";
import type { Pivot, ViewSettings } from "./view.ts";
import type { Visibility, VisibilityChange } from "./visibility.ts";

/** Index of a view in its model; reused after `removeView`. */
export type ViewId = number;

export const DecisionKind = { create: 0, update: 1, leave: 2, destroy: 3 } as const;
export type DecisionKind = (typeof DecisionKind)[keyof typeof DecisionKind];

/**
 * Why a pair was sent. `change`: due on every update (no place in space, or the client's own object); `demand`: asked for by the server;
 * `ripe`: not due, it rode along with what was.
 */
export const Cause = {
  creation: 0,
  time: 1,
  sequence: 2,
  value: 3,
  change: 4,
  demand: 5,
  removal: 6,
  ripe: 7,
} as const;
export type Cause = (typeof Cause)[keyof typeof Cause];
/** The most rounds in a row that a view can sit out (`sitOut`). */
export const MOST_ROUNDS_OUT = 7;

export const CAUSE_NAMES: readonly (keyof typeof Cause)[] = Object.keys(Cause) as (keyof typeof Cause)[];

/** What one view is sent in one round; columns of equal length, valid until the next round. */
export interface Decisions {
  readonly count: number;
  readonly ids: Uint32Array;
  readonly kinds: Uint8Array;
  readonly causes: Uint8Array;
  readonly zones: Uint8Array;
  /**
   * What goes first when bytes run short: highest first, ties by `waits`, then removals, then by id. Filled for budgeted views only, else 0.
   *
   * `Infinity`: what never waits, that is removals, own and non-spatial objects, demands. Zone 0 lies above all other zones by
   * `INNER_FIRST`. An update's urgency is its largest divergence ÷ *stated* bound, at most `OUTER_LIMIT`, or what it has waited, if that is
   * more; a creation in zone 0 lies above its updates, one elsewhere counts as an update at 2 to 3 times its bound; what has waited long
   * outside zone 0 rises among those of zone 0. Exactly: `urgency.ts`.
   */
  readonly urgencies: Float64Array;
  /** Rounds in a row, up to this one, in which it was over its stated bound and not sent. Filled for budgeted views only, else 0. */
  readonly waits: Uint32Array;
  /** 1 where the send puts the client's motion model to rest: under a metric that carries on, and the object did not move in this round. */
  readonly settled: Uint8Array;
  /** How many of these have been withheld. */
  readonly withheld: number;
}

export interface ModelOptions {
  /** Nominal length of a round, ms. */
  roundMs: number;
  /** Metrics that views may name besides the ones in the box. */
  metrics?: readonly Metric[];
  /** What may be known of: an object that is not visible to a view is never sent to it, not even as an id. Default: everything is visible. */
  visible?: Visibility<ViewId>;
  /**
   * When a view has anything due, pairs that have reached this share of their bound are sent with it, where that saves packets (`ripe.ts`).
   * Above 0, at most 1. Default 1: nothing is sent before it is due. A smaller share costs more updates and saves more packets.
   */
  ripe?: number;
  /** Threads that help. Default: none; they pay from some hundred views on (docs/guide/threads.md). */
  crew?: Crew;
}

export interface ViewOptions {
  /** Session whose own objects are due for it on every change, and whose accepted writes are not echoed. Default 0: none. */
  session?: number;
  /** Take every send as received, for a link that loses nothing and a client that never reconnects. Default false. */
  assumeDelivered?: boolean;
  /** Whether the view begins as budgeted (`setBudgeted`). Not together with `assumeDelivered`. Default false. */
  budgeted?: boolean;
  /** The view only answers questions (`zoneAt`, `distanceTo`, `explain`): nothing is judged, sent or audited for it. Default false. */
  questionsOnly?: boolean;
}

/** Everything about one pair now: for the auditor, the overlay and the inspector. */
export interface Explanation {
  readonly id: ObjectId;
  /** Whether the object is in the view's replica. */
  readonly present: boolean;
  readonly zone: number;
  readonly sector: number;
  readonly bound: Readonly<Divergence>;
  readonly divergence: Readonly<Divergence>;
  readonly equal: boolean;
  /** Round of the last send that counts; −1 before the first. */
  readonly lastSend: number;
  readonly sentVersion: number;
  readonly version: number;
}

export interface Divergence {
  time: number;
  sequence: number;
  value: number;
}

export interface ConsistencyModel {
  /** What it knows to be over its bound, by its own account. Whether that is all, an auditor finds out (`Auditor`). */
  readonly account: Account;
  /**
   * What a view is to be judged by, where that is not what it states; `undefined`: the model promises nothing for it. Pure. Default: what
   * the view states.
   */
  promised?(settings: ViewSettings): ViewSettings | undefined;
  addView(settings: ViewSettings, options?: ViewOptions): ViewId;
  changeView(view: ViewId, settings: ViewSettings): void;
  /** Moves the view without judging its other settings anew. */
  setPivots(view: ViewId, pivots: readonly Pivot[]): void;
  removeView(view: ViewId): void;
  /**
   * A paused view is not judged and costs next to nothing; after `resume` all of it is judged, in the next round. Its pairs are not counted
   * meanwhile: whoever pauses a view knows that all of it may be short.
   */
  pause(view: ViewId): void;
  resume(view: ViewId): void;
  /**
   * The view sits out the next round, because time is short: nothing is judged or decided for it, which costs next to nothing. It is served
   * again in the first round in which it does not sit out; everything is then judged by its bounds of that round. Pairs that were over their
   * stated bound before go on being counted meanwhile, in the same cell. Pairs that are over it when the view is served again, and were not
   * before, count in all rounds that it sat out. Call it before each such round. After `MOST_ROUNDS_OUT` of them in a row, and while the
   * view is paused, the call does nothing.
   */
  sitOut(view: ViewId): void;
  /** What `ModelOptions.visible` says of an object, or to a view, can be different from the next round on. */
  visibilityChanged(change: VisibilityChange): void;
  /** Makes a pair due in the next round in which it is not equal, whatever its bound. */
  demand(view: ViewId, id: ObjectId): void;
  /** Places pivots, judges every pair and records what is due as sent (V §3.3: "round triggered"). Rounds count up from 1. */
  round(round: number): void;
  decisions(view: ViewId): Decisions;
  /**
   * From the next round on urgencies are filled in and decisions may be withheld, or not. Costs a little for each decision, so it is for
   * views that are, or may be, short of bytes.
   */
  setBudgeted(view: ViewId, budgeted: boolean): void;
  /**
   * For budgeted views: so many updates surely fit into bytes that no later round could use. In the next rounds ripe pairs ride along if they
   * and what is due are no more than that, and nothing was withheld in the last 32 rounds. 0, the default: none does.
   */
  setSpare(view: ViewId, updates: number): void;
  /**
   * What was decided for `id` in this round was not sent, for want of bytes: the pair stands again on what it stood on before, is judged
   * by that in the next round, and is a decided shortfall. Called after `round`, before the next; for budgeted views.
   */
  withhold(view: ViewId, id: ObjectId): void;
  /** The same for the first `count` of these rows of the view's decisions. Far cheaper than one by one. */
  withholdAll(view: ViewId, rows: Int32Array, count: number): void;
  /**
   * From the next round on the view's pairs are judged by their bounds times a factor: `outer` in zones 1 and up, `inner` in zone 0.
   * 1 ≤ inner ≤ outer, finite; 1 is no loosening. A bound of 0 becomes a time bound of that many rounds (`loosenedBound`). A pair that
   * reached its stated bound and is not sent because of it is a decided shortfall in every such round, and is sent after eight of its
   * paces (`urgency.ts`). Objects that are due on every change or on demand stay so.
   */
  loosen(view: ViewId, outer: number, inner?: number): void;
  /** The send or removal that was decided for `id` in `round` has arrived. */
  acknowledge(view: ViewId, id: ObjectId, round: number): void;
  /** The same for the first `count` of `ids`, which it may reorder: what a packet brought. Far cheaper than one by one. */
  acknowledgeAll(view: ViewId, ids: Uint32Array, count: number, round: number): void;
  /** … is known to be lost: the pair falls back to what the client has and is judged by that. */
  lose(view: ViewId, id: ObjectId, round: number): void;
  /** Newest version the client acknowledged; 0 where it must be sent the whole object. */
  baseVersion(view: ViewId, id: ObjectId): number;
  /**
   * Why the last send that counts was made, the one of round `Explanation.lastSend`. `undefined` where none counts, and in views whose sends are
   * assumed to be delivered.
   */
  lastCause(view: ViewId, id: ObjectId): Cause | undefined;
  /** `undefined` for an object that is not in the world. */
  explain(view: ViewId, id: ObjectId): Explanation | undefined;
  /** Lowest zone in which a point lies for this view, by its first set that has pivots (event filter, F §4.2.3). */
  zoneAt(view: ViewId, point: readonly number[]): number;
  /** Distance from a point to the view's nearest pivot; `Infinity` without pivots. */
  distanceTo(view: ViewId, point: readonly number[]): number;
  /** From the next round on, pairs that have reached this share of their bound ride along (`ModelOptions.ripe`). Throws `ViewError`. */
  setRipe(share: number): void;
  /** Stops observing the world. */
  dispose(): void;
}
