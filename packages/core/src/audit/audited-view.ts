/**
 * One client's view as the auditor knows it: the promised bounds, compiled anew from the authorised settings, and the pivots, placed by the same function
 * that models use. Settings, factors and packets come from the session (`AuditSubject`). Nothing comes from a model.
 */

import type { ObjectId } from "@nearfield/schema";
import type { Entity } from "../entity.ts";
import type { MetricRegistry } from "../metrics.ts";
import { MOST_ROUNDS_OUT } from "../model.ts";
import { hasCentre, isSameCentre, type PlacedPivot, placePivot, replaced } from "../pivots.ts";
import { loosened, type ResolvedSet, type ResolvedView, resolveView } from "../resolve-view.ts";
import type { ObjectSetSettings, Pivot, ViewSettings } from "../view.ts";
import type { World } from "../world.ts";
import type { ObjectLog } from "./object-log.ts";
import type { SentLog } from "./sent-window.ts";

/** A client, as far as an auditor is concerned. */
export interface AuditSubject {
  /** Session number: its own objects are due for it on every change. */
  readonly session: number;
  /** What it was promised, as authorised; `undefined`: nothing. */
  readonly settings: ViewSettings | undefined;
  /** Nothing is sent to it: its link is gone or full. */
  readonly isPaused: boolean;
  /** It sits out this round, because time is short. */
  readonly isOut: boolean;
  /** By which its bounds are multiplied in this round: outside zone 0, and in it. 1: as stated. */
  readonly outer: number;
  readonly inner: number;
  readonly sent: SentLog;
  /** What the game lets it know of. Must not throw. */
  isVisible(entity: Entity): boolean;
  /** From now to `endRound` `isHeldBack` may be asked for objects in these slots. May be called for several runs of slots. */
  beginRound(from: number, to: number): void;
  /** Whether the object was to be sent in this round and was held back for want of bytes, or because too many packets are unacknowledged. */
  isHeldBack(id: ObjectId): boolean;
  /** Whether the model's own account has the pair as short of its bound in this round. */
  isCounted(id: ObjectId, round: number): boolean;
  endRound(): void;
}

export class AuditedView {
  readonly subject: AuditSubject;
  /** As stated, and as loosened in this round. */
  stated!: ResolvedView;
  loose!: ResolvedView;
  /** By set: whether something is promised about its objects wherever they are. */
  promisesAnywhere: readonly boolean[] = [];
  placed: readonly PlacedPivot[] = [];
  /** Pivots whose centre is gone and that the auditor has not followed to their last place. While there are any, nothing is judged. */
  #lostPivots = 0;
  #isLost: boolean[] = [];
  #sets: readonly ObjectSetSettings[] | undefined;
  #pivots: readonly Pivot[] = [];
  #wasPaused = false;
  #roundsOut = 0;
  #outer = 1;
  #inner = 1;

  constructor(subject: AuditSubject) {
    this.subject = subject;
  }

  /** Whether it sits out this round. A view that has sat out more rounds in a row than is allowed is judged as if it did not. */
  get isOut(): boolean {
    return this.#roundsOut > 0 && this.#roundsOut <= MOST_ROUNDS_OUT;
  }

  /** Takes note of pivots that were changed, in every round. Returns whether the view is sent anything at all. */
  follow(world: World): boolean {
    const { isPaused, isOut, settings } = this.subject;
    this.#roundsOut = isOut ? this.#roundsOut + 1 : 0;
    if (isPaused || settings === undefined) {
      this.#wasPaused = true;
      return false;
    }
    if (settings.pivots !== this.#pivots) this.#repivot(settings.pivots, world);
    if (this.#wasPaused) this.#loseGone(world);
    this.#wasPaused = false;
    return true;
  }

  /**
   * An object is about to be destroyed; a pivot that lies on it stays where it was in the last round. That is where it is now, unless it
   * moved since; where it looked cannot be told, since a direction that was written is not told from one that was looked in.
   */
  objectGoes(slot: number, hasMoved: boolean, world: World): void {
    const pivots = this.#pivots;
    for (let i = 0; i < pivots.length; i++) {
      const pivot = pivots[i]!;
      if (!("object" in pivot) || pivot.object !== world.store.idAt(slot)) continue;
      if (hasMoved || this.subject.settings?.sets.some(({ sectors }) => sectors !== undefined)) this.#setLost(i, true);
      else placePivot(pivot, world, this.placed[i]!);
    }
  }

  /** Makes everything ready to judge pairs in this round; false where a pivot's place is not known. Throws `ViewError`. */
  prepare(world: World, metrics: MetricRegistry, log: ObjectLog, roundMs: number): boolean {
    const { settings, outer, inner } = this.subject;
    if (settings!.sets !== this.#sets) {
      this.stated = resolveView(settings!, world, metrics);
      this.#sets = settings!.sets;
      this.#outer = 0;
      this.promisesAnywhere = this.stated.sets.map(boundsEveryCell);
      for (const { metric, metricId } of this.stated.sets) log.heed(metric, metricId);
    }
    if (outer !== this.#outer || inner !== this.#inner) {
      this.loose = loosened(this.stated, outer, inner, roundMs);
      this.#outer = outer;
      this.#inner = inner;
    }
    const pivots = this.#pivots;
    for (let i = 0; i < pivots.length; i++) this.#place(i, world);
    return this.#lostPivots === 0;
  }

  #place(i: number, world: World): void {
    const pivot = this.#pivots[i]!;
    if (hasCentre(pivot, world)) {
      placePivot(pivot, world, this.placed[i]!);
      this.#setLost(i, false);
    } else if ("group" in pivot) {
      this.#setLost(i, true);
    }
  }

  #repivot(pivots: readonly Pivot[], world: World): void {
    const before = this.#pivots;
    this.placed = replaced(before, this.placed, pivots);
    this.#pivots = pivots;
    this.#isLost = pivots.map(() => false);
    this.#lostPivots = 0;
    // It may have been centred on something else meanwhile, and have forgotten its place.
    pivots.forEach((pivot, i) => {
      if (!hasCentre(pivot, world) && before.some((earlier) => isSameCentre(earlier, pivot))) this.#setLost(i, true);
    });
  }

  /** The pivots were not followed: where those are whose centre went meanwhile is not known. */
  #loseGone(world: World): void {
    this.#pivots.forEach((pivot, i) => {
      if (!hasCentre(pivot, world)) this.#setLost(i, true);
    });
  }

  #setLost(i: number, isLost: boolean): void {
    if (this.#isLost[i] === isLost) return;
    this.#isLost[i] = isLost;
    this.#lostPivots += isLost ? 1 : -1;
  }
}

/** Whether an object is in the replica wherever it is, and has a bound there. */
function boundsEveryCell({ range, time, sequence, value }: ResolvedSet): boolean {
  if (range < Number.POSITIVE_INFINITY) return false;
  return time.every((bound, cell) => Math.min(bound, sequence[cell]!, value[cell]!) < Number.POSITIVE_INFINITY);
}
