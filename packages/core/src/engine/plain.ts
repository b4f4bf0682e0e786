/**
 * Has the kernel judge views that are plain — one pivot, round zones, `displacement` or `predicted`, the `refresh` clock, nothing budgeted, loosened,
 * hidden, demanded or paused — which is what most views are, and does what it leaves: all that is rare.
 */

import type { DecisionList } from "../decision-list.ts";
import type { ObjectId } from "../ids.ts";
import type { EngineView } from "./engine-view.ts";
import type { GeneralJudge } from "./general.ts";
import {
  ENGINE_BEFORE,
  ENGINE_BODIES,
  ENGINE_LAST_UPDATE,
  ENGINE_LOGS,
  ENGINE_MOTIONS,
  ENGINE_OWNER,
  ENGINE_ROUND,
  ENGINE_ROUND_MS,
  FARTHEST_PLAN,
  LEFT_LEAVE,
  LEFT_MISS,
  LEFT_PAIR,
  LEFT_REST,
  LEFT_SHIFT,
  VIEW_CAUSES,
  VIEW_DECIDED,
  VIEW_DIR_X,
  VIEW_DIR_Y,
  VIEW_DIR_Z,
  VIEW_ENTERS,
  VIEW_IDS,
  VIEW_KINDS,
  VIEW_LEAVES,
  VIEW_LEFT_COUNT,
  VIEW_LOOKS,
  VIEW_SETS,
  VIEW_SETTLED,
  VIEW_SWEEPS,
  VIEW_X,
  VIEW_Y,
  VIEW_Z,
  VIEW_ZONES,
} from "./layout.ts";
import type { Memory } from "./memory.ts";
import type { Sends } from "./sends.ts";
import type { Shared } from "./shared.ts";
import type { Thresholds } from "./thresholds.ts";

// Places in a view's sheet. A constant of the module itself compiles to a number; an import is looked up at every use.
const [X, Y, Z] = [VIEW_X / 8, VIEW_Y / 8, VIEW_Z / 8];
const [DIR_X, DIR_Y, DIR_Z] = [VIEW_DIR_X / 8, VIEW_DIR_Y / 8, VIEW_DIR_Z / 8];
const [SETS, SWEEPS, LOOKS, LEFT_COUNT] = [VIEW_SETS / 4, VIEW_SWEEPS / 4, VIEW_LOOKS / 4, VIEW_LEFT_COUNT / 4];
const [ENTERS, LEAVES] = [VIEW_ENTERS / 4, VIEW_LEAVES / 4];
const [DECIDED, IDS] = [VIEW_DECIDED / 4, VIEW_IDS / 4];

export class PlainJudge {
  readonly #shared: Shared;
  readonly #sends: Sends;
  readonly #general: GeneralJudge;
  readonly #memory: Memory;

  constructor(shared: Shared, sends: Sends, general: GeneralJudge, memory: Memory) {
    this.#shared = shared;
    this.#sends = sends;
    this.#general = general;
    this.#memory = memory;
  }

  /** Tells the kernel where everything lies in this round. */
  locate(round: number): void {
    const { bodies, log, options } = this.#shared;
    const { engine } = this.#memory;
    engine[ENGINE_BODIES / 4] = bodies.reals.byteOffset;
    engine[ENGINE_BEFORE / 4] = bodies.before.byteOffset;
    engine[ENGINE_OWNER / 4] = bodies.owner.byteOffset;
    engine[ENGINE_LAST_UPDATE / 4] = bodies.lastUpdate.byteOffset;
    engine[ENGINE_LOGS / 4] = log.entries.byteOffset;
    engine[ENGINE_MOTIONS / 4] = bodies.motion.byteOffset;
    engine[ENGINE_ROUND / 4] = round;
    this.#memory.engineReals[ENGINE_ROUND_MS / 8] = options.roundMs;
  }

  /** Does what is left to be done for a view that the kernel has judged; returns how many pairs it looked at. */
  finish(view: EngineView, round: number): number {
    this.#takeOver(view);
    this.#finishPairs(view, round);
    return view.sheetInts[LOOKS]!;
  }

  /** Tells the kernel what it needs to know of a view. */
  brief(view: EngineView, thresholds: Thresholds): void {
    const { decisions, flights, sheet, sheetInts: ints } = view;
    const { x, y, z, dirX, dirY, dirZ } = view.placed[0]!;
    sheet[X] = x;
    sheet[Y] = y;
    sheet[Z] = z;
    sheet[DIR_X] = dirX;
    sheet[DIR_Y] = dirY;
    sheet[DIR_Z] = dirZ;
    ints[SETS] = thresholds.reals.byteOffset;
    ints[SWEEPS] = view.sweeps ? 1 : 0;
    ints[ENTERS] = view.resolved.sets.length === 1 ? 1 : 0;
    ints[LEAVES] = flights === undefined && !view.wide ? 1 : 0;
    decisions.reserve(view.pairs.high);
    if (ints[IDS] !== decisions.ids.byteOffset) briefDecisions(ints, decisions);
    ints[DECIDED] = decisions.count;
    if (view.pairs.isDeep) flights?.deepen();
  }

  /** What the kernel decided; it is not to be removed. */
  #takeOver(view: EngineView): void {
    const { decisions, sheetInts: ints } = view;
    const first = decisions.count;
    decisions.count = ints[DECIDED]!;
    if (view.removals.size === 0) return;
    for (let row = first; row < decisions.count; row++) {
      this.#sends.forgetRemoval(view, decisions.ids[row]! as ObjectId);
    }
  }

  /** All that the kernel leaves. */
  #finishPairs(view: EngineView, round: number): void {
    const { pairs } = view;
    const { left } = pairs.page;
    const end = pairs.start + view.sheetInts[LEFT_COUNT]!;
    for (let at = pairs.start; at < end; at++) {
      const pair = left[at]! & LEFT_PAIR;
      const what = left[at]! >>> LEFT_SHIFT;
      if (what === LEFT_REST) this.#rest(view, pair);
      else if (what === LEFT_MISS) this.#sends.noteMiss(view, pair, FARTHEST_PLAN);
      else if (what === LEFT_LEAVE) this.#leave(view, pair);
      else this.#general.judge(view, pair, round);
    }
  }

  #rest(view: EngineView, pair: number): void {
    view.pairs.unplan(pair);
    this.#shared.observers.rest(view.pairs.slotOf(pair), view.id, pair, view.pairs);
  }

  #leave(view: EngineView, pair: number): void {
    this.#sends.leave(view, pair);
    if (view.wide) view.pairs.unplan(pair);
    else this.#sends.release(view, pair);
  }
}

function briefDecisions(ints: Int32Array, { ids, kinds, causes, zones, settled }: DecisionList): void {
  ints[IDS] = ids.byteOffset;
  ints[VIEW_KINDS / 4] = kinds.byteOffset;
  ints[VIEW_CAUSES / 4] = causes.byteOffset;
  ints[VIEW_ZONES / 4] = zones.byteOffset;
  ints[VIEW_SETTLED / 4] = settled.byteOffset;
}
