/**
 * Answers about single pairs, by the model page's own functions and not by what was planned: `explain`, and the rotating sample by which the
 * engine audits itself.
 */

import type { ObjectId } from "../ids.ts";
import { cellOf, distance, divergenceOf, dueCause, inRange, isEqual, nearest, type PairState } from "../judge.ts";
import { SAMPLE_SIZE } from "../metrics.ts";
import { Cause, type Divergence, type Explanation } from "../model.ts";
import type { ResolvedSet } from "../resolve-view.ts";
import type { EngineView } from "./engine-view.ts";
import { ABSENT } from "./pair-table.ts";
import type { Shared } from "./shared.ts";

const DEFAULT_AUDIT_SAMPLE = 64;

export class Questions {
  readonly #shared: Shared;
  readonly #views: readonly (EngineView | undefined)[];
  /** Where the audit goes on. */
  #auditView = 0;
  #auditPair = 0;

  constructor(shared: Shared, views: readonly (EngineView | undefined)[]) {
    this.#shared = shared;
    this.#views = views;
  }

  explain(view: EngineView, id: ObjectId, round: number): Explanation | undefined {
    const { world, options } = this.#shared;
    const slot = world.store.liveSlot(id);
    if (slot < 0) return undefined;
    const set = setOf(view, slot);
    const spatial = world.isSpatial(slot);
    const own = view.session !== 0 && world.store.owner[slot] === view.session;
    const cell = cellOf(set, view.placed, world.x[slot]!, world.y[slot]!, world.z[slot]!);
    const state = this.#stateOf(view, view.pairs.find(slot), slot);
    return {
      id,
      present: state.present,
      zone: spatial ? cell.zone : 0,
      sector: spatial ? cell.sector : 0,
      bound: spatial && !own ? cell.bound : { time: 0, sequence: 0, value: 0 },
      divergence: divergenceOf(set, world, slot, state, round, options.roundMs),
      equal: isEqual(set, world, slot, state, !spatial || own),
      lastSend: state.lastSend,
      sentVersion: state.sentVersion,
      version: world.version[slot]!,
    };
  }

  /** Whether a spatial object that the view does not have is near enough to be in it. */
  isInRange(view: EngineView, set: ResolvedSet, slot: number): boolean {
    const { x, y, z } = this.#shared.world;
    const { placed } = view;
    const count = set.pivots === undefined ? placed.length : set.pivots.length;
    for (let i = 0; i < count; i++) {
      const pivot = placed[set.pivots === undefined ? i : set.pivots[i]!];
      if (pivot === undefined || !pivot.placed) continue;
      const d = distance(set.shape, x[slot]! - pivot.x, y[slot]! - pivot.y, z[slot]! - pivot.z);
      if (inRange(set, d, false)) return true;
    }
    return set.range === Number.POSITIVE_INFINITY;
  }

  /** Judges a few pairs anew, whatever was planned for them. */
  auditDecided(round: number): void {
    let left = this.#shared.options.auditSample ?? DEFAULT_AUDIT_SAMPLE;
    for (let passed = 0; left > 0 && passed <= this.#views.length; ) {
      const view = this.#views[this.#auditView];
      const high = view === undefined || view.paused || view.questionsOnly ? 0 : view.pairs.high;
      const until = Math.min(high, this.#auditPair + left);
      for (; this.#auditPair < until; this.#auditPair++) {
        left--;
        if (view!.pairs.isLive(this.#auditPair)) this.#audit(view!, view!.pairs.slotOf(this.#auditPair), round);
      }
      if (this.#auditPair < high) return;
      this.#auditPair = 0;
      this.#auditView = this.#auditView + 1 < this.#views.length ? this.#auditView + 1 : 0;
      passed++;
    }
  }

  #audit(view: EngineView, slot: number, round: number): void {
    const { audit, world, options } = this.#shared;
    audit.examined++;
    const explanation = this.explain(view, world.store.idAt(slot), round)!;
    const { present, zone, divergence } = explanation;
    if (this.#shouldExist(view, slot, present) !== present) {
      audit.overBound(zone, present ? Cause.removal : Cause.creation);
      return;
    }
    if (!present || explanation.equal || explanation.lastSend === round) return;
    const bound = view.outer > 1 ? this.#loosenedBound(view, slot, explanation) : explanation.bound;
    const cause =
      explanation.sentVersion === 0 ? Cause.creation : dueCause(setOf(view, slot), bound, divergence, options.roundMs);
    if (cause >= 0) audit.overBound(zone, cause as Cause);
  }

  #loosenedBound(view: EngineView, slot: number, { bound }: Explanation): Readonly<Divergence> {
    const { x, y, z, store } = this.#shared.world;
    const own = view.session !== 0 && store.owner[slot] === view.session;
    if (!this.#shared.world.isSpatial(slot) || own) return bound;
    return cellOf(view.judged.sets[view.setIndexOf(slot)]!, view.placed, x[slot]!, y[slot]!, z[slot]!).bound;
  }

  #shouldExist(view: EngineView, slot: number, present: boolean): boolean {
    const { world, options } = this.#shared;
    if (options.visible !== undefined && !options.visible(view.id, world.store.entityAt(slot))) return false;
    const set = setOf(view, slot);
    const { x, y, z } = world;
    return !world.isSpatial(slot) || inRange(set, nearest(set, view.placed, x[slot]!, y[slot]!, z[slot]!), present);
  }

  #stateOf({ pairs }: EngineView, pair: number, slot: number): PairState & { present: boolean } {
    const sample = new Float64Array(SAMPLE_SIZE);
    if (pair < 0) return { present: false, sentVersion: 0, lastSend: -1, firstMiss: -1, metric: "", sample };
    pairs.readSample(pair, sample, 0);
    const held = pairs.heldOf(pair);
    const isBehind = held > 0 && held !== this.#shared.world.version[slot];
    const noted = pairs.firstMissOf(pair);
    return {
      present: held !== ABSENT,
      sentVersion: Math.max(held, 0),
      lastSend: pairs.lastSendOf(pair),
      firstMiss: isBehind && noted < 0 ? this.#shared.log.roundOf(slot, held + 1) : noted,
      metric: this.#shared.metrics.nameOf(pairs.metricOf(pair)),
      sample,
    };
  }
}

function setOf(view: EngineView, slot: number): ResolvedSet {
  return view.resolved.sets[view.setIndexOf(slot)]!;
}
