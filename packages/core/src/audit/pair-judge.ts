/**
 * What a client must be sent of one object in this round. It is found with the plain functions of `judge.ts`, from the auditor's own memory of the object and the
 * round in which the client was last sent it. Changes nothing and allocates nothing.
 *
 * Where the auditor cannot know something, it assumes what speaks for the server. So every fault that it reports is one, and some faults stay
 * unreported: docs/decisions/0018-the-auditor.md lists them.
 */

import {
  divergenceOf,
  dueCause,
  goesOn,
  isOnChange,
  isReached,
  Measured,
  matchIndex,
  measure,
  type PairState,
} from "../judge.ts";
import { LARGEST_SAMPLE } from "../metrics.ts";
import { Cause, type Divergence } from "../model.ts";
import type { ResolvedSet } from "../resolve-view.ts";
import type { World } from "../world.ts";
import type { AuditedView } from "./audited-view.ts";
import { type ObjectLog, TOO_OLD } from "./object-log.ts";
import { NEVER_SENT } from "./sent-window.ts";

/**
 * `nothing`: whatever is sent is right. `send`: it must be sent in this round. `remove`: the client must be told that it is gone. `hide`: it
 * must not be sent. `loosened`: it has reached its bound as stated, and not as loosened, so it is short, knowingly.
 */
export const Demand = { nothing: 0, send: 1, remove: 2, hide: 3, loosened: 4 } as const;
export type Demand = (typeof Demand)[keyof typeof Demand];

export class PairJudge {
  /** What was found. */
  zone = 0;
  cause: Cause = Cause.creation;
  /** Whether a removal does as well as a send: the object is beyond the range, on its way out. */
  mayLeave = false;
  /** Whether the view promises anything about the pair: the object is to be in the replica, in a cell that has a bound. */
  isPromised = false;
  isVisible = false;
  readonly #world: World;
  readonly #log: ObjectLog;
  readonly #roundMs: number;
  readonly #cell = new Measured();
  readonly #looseCell = new Measured();
  readonly #divergence: Divergence = { time: 0, sequence: 0, value: 0 };
  readonly #pair: PairState = {
    sentVersion: 0,
    lastSend: 0,
    firstMiss: 0,
    metric: "",
    sample: new Float64Array(LARGEST_SAMPLE),
  };
  #isSampled = false;
  #isEqual = false;

  constructor(world: World, log: ObjectLog, roundMs: number) {
    this.#world = world;
    this.#log = log;
    this.#roundMs = roundMs;
  }

  /** @param sentRound round of the newest send that counts; `NEVER_SENT` where the client does not have the object. */
  judge(view: AuditedView, slot: number, sentRound: number, round: number): Demand {
    const world = this.#world;
    const { stated, placed, subject } = view;
    const index = matchIndex(stated, slot);
    const set = stated.sets[index]!;
    const spatial = world.isSpatial(slot);
    const isHeld = sentRound !== NEVER_SENT;
    const isDueOnChange = isOnChange(set, world, slot, subject.session);
    const cell = this.#cell;
    this.zone = 0;
    this.cause = Cause.removal;
    this.mayLeave = false;
    this.isVisible = subject.isVisible(world.store.entityAt(slot));
    this.isPromised = this.isVisible;
    if (!this.isVisible) return isHeld ? Demand.remove : Demand.hide;
    if (isHeld) this.#recall(set, slot, sentRound, subject.session);
    const isAtRest = isHeld && this.#isEqual && !(spatial && this.#goesOn(set));
    // Where it lies matters to what is promised at most, which takes long to find out among many pivots.
    if (isAtRest && (!spatial || view.promisesAnywhere[index] === true)) return Demand.nothing;
    if (spatial) measure(set, placed, world, slot, cell);
    this.mayLeave = spatial && !isReached(set, cell, false);
    this.isPromised = !spatial || isReached(set, cell, isHeld);
    if (spatial && !isReached(set, cell, true)) return isHeld ? Demand.remove : Demand.hide;
    if (spatial) {
      this.zone = cell.zone;
      if (!isDueOnChange && !asks(cell.bound)) this.isPromised = false;
    }
    if (!isHeld) {
      this.cause = Cause.creation;
      return this.mayLeave ? Demand.nothing : Demand.send;
    }
    if (isAtRest) return Demand.nothing;
    // Of what did not change only the picture goes on, and bounds decide.
    if (isDueOnChange && !this.#isEqual) {
      this.cause = Cause.change;
      return Demand.send;
    }
    return this.#judgeBounds(view, index, slot, round);
  }

  #judgeBounds(view: AuditedView, index: number, slot: number, round: number): Demand {
    const set = view.stated.sets[index]!;
    this.#diverge(set, slot, round);
    const short = dueCause(set, this.#cell.bound, this.#divergence, this.#roundMs);
    if (short < 0) return Demand.nothing;
    this.cause = short as Cause;
    if (view.loose === view.stated) return Demand.send;
    const loose = view.loose.sets[index]!;
    measure(loose, view.placed, this.#world, slot, this.#looseCell);
    const due = dueCause(loose, this.#looseCell.bound, this.#divergence, this.#roundMs);
    if (due < 0) return Demand.loosened;
    this.cause = due as Cause;
    return Demand.send;
  }

  /** What the client has, if it was sent the object in that round: version, first miss, sample. */
  #recall(set: ResolvedSet, slot: number, sentRound: number, session: number): void {
    const log = this.#log;
    const pair = this.#pair;
    pair.lastSend = sentRound;
    let place = log.find(slot, sentRound);
    this.#isSampled = log.sample(slot, place, sentRound, set.metricId, pair.sample);
    let next = log.after(slot, place);
    // A client that had the newest version before its own write has it after the write, too.
    while (next !== TOO_OLD && log.isWork(slot, next, session)) {
      this.#isSampled = false;
      place = next;
      next = log.after(slot, place);
    }
    this.#isEqual = next === TOO_OLD;
    pair.metric = this.#isSampled ? set.metric.name : "";
    if (this.#isEqual) {
      pair.sentVersion = this.#world.version[slot]!;
      pair.firstMiss = sentRound;
      return;
    }
    const isExact = place !== TOO_OLD && !log.mayBeWork(slot, next, session);
    pair.sentVersion = isExact ? log.versionOf(slot, place) : log.versionOf(slot, next) - 1;
    pair.firstMiss = log.roundOf(slot, next);
  }

  #goesOn(set: ResolvedSet): boolean {
    return this.#isSampled && goesOn(set, this.#pair);
  }

  /** Fills in the divergence; its value is 0 where it is not known. */
  #diverge(set: ResolvedSet, slot: number, round: number): void {
    const pair = this.#pair;
    if (this.#isSampled) {
      divergenceOf(set, this.#world, slot, pair, round, this.#roundMs, this.#divergence);
      return;
    }
    const since = set.clock === "refresh" ? pair.lastSend : pair.firstMiss;
    this.#divergence.time = (round - since) * this.#roundMs;
    this.#divergence.sequence = this.#world.version[slot]! - pair.sentVersion;
    this.#divergence.value = 0;
  }
}

function asks({ time, sequence, value }: Divergence): boolean {
  return Math.min(time, sequence, value) !== Number.POSITIVE_INFINITY;
}
