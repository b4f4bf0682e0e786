/**
 * The engine's side of the views that the kernel judges. Most views are such: `displacement`, `path`, `relative` or `predicted`,
 * and nothing demanded or paused. This file tells the kernel where everything lies, and does the rare things that the kernel leaves.
 */

import type { EngineContext } from "../engine-context.ts";
import type { EngineView } from "../engine-view.ts";
import type { Kernel } from "../memory/kernel.ts";
import {
  ABSENT,
  ENGINE_BEFORE,
  ENGINE_BODIES,
  ENGINE_FIELDS,
  ENGINE_LAST_UPDATE,
  ENGINE_LOGS,
  ENGINE_MOTIONS,
  ENGINE_OWNER,
  ENGINE_ROUND,
  ENGINE_ROUND_MS,
  ENGINE_TRAVELLED,
  FARTHEST_PLAN,
  LEFT_LEAVE,
  LEFT_MISS,
  LEFT_PAIR,
  LEFT_REST,
  LEFT_SHIFT,
} from "../memory/layout.ts";
import type { Memory } from "../memory/memory.ts";
import type { Sends } from "../sends/sends.ts";
import type { GeneralJudge } from "./general.ts";

export class PlainJudge {
  readonly #context: EngineContext;
  readonly #sends: Sends;
  readonly #general: GeneralJudge;
  readonly #memory: Memory;
  readonly #kernel: Pick<Kernel, "rest">;

  constructor(
    context: EngineContext,
    sends: Sends,
    general: GeneralJudge,
    memory: Memory,
    kernel: Pick<Kernel, "rest">,
  ) {
    this.#kernel = kernel;
    this.#context = context;
    this.#sends = sends;
    this.#general = general;
    this.#memory = memory;
  }

  /** Tells the kernel where everything lies in this round. */
  locate(round: number): void {
    const { bodies, fields, log, options } = this.#context;
    const { engine } = this.#memory;
    engine[ENGINE_BODIES / 4] = bodies.reals.byteOffset;
    engine[ENGINE_BEFORE / 4] = bodies.before.byteOffset;
    engine[ENGINE_OWNER / 4] = bodies.owner.byteOffset;
    engine[ENGINE_LAST_UPDATE / 4] = bodies.lastUpdate.byteOffset;
    engine[ENGINE_LOGS / 4] = log.entries.byteOffset;
    engine[ENGINE_MOTIONS / 4] = bodies.motion.byteOffset;
    engine[ENGINE_TRAVELLED / 4] = bodies.travelled.byteOffset;
    engine[ENGINE_FIELDS / 4] = fields.addresses.byteOffset;
    engine[ENGINE_ROUND / 4] = round;
    this.#memory.engineReals[ENGINE_ROUND_MS / 8] = options.roundMs;
  }

  /** Does what is left to be done for a view that the kernel has judged. */
  finish(view: EngineView, round: number): void {
    if (view.removals.size > 0) this.#forgetRemovals(view);
    this.finishPairs(view, round);
  }

  /** An object that the kernel decided to send is not to be removed any more. Few are to be removed, and many are sent. */
  #forgetRemovals(view: EngineView): void {
    for (const id of view.removals.keys()) this.#sends.forgetRemovalIfSent(view, id);
  }

  /**
   * Sees to the pairs that the kernel left. Most of those that are to rest the kernel can list by itself, once no other thread works.
   *
   * @param isRipe whether the pairs that the kernel could not judge are ripe ones to be sent.
   */
  finishPairs(view: EngineView, round: number, isRipe = false): void {
    const { pairs } = view;
    const { left } = pairs.page;
    const end = pairs.start + this.#kernel.rest(view.address);
    for (let at = pairs.start; at < end; at++) {
      const pair = left[at]! & LEFT_PAIR;
      const what = left[at]! >>> LEFT_SHIFT;
      if (what === LEFT_REST) this.#rest(view, pair);
      else if (what === LEFT_MISS) this.#sends.noteMiss(view, pair, FARTHEST_PLAN);
      else if (what === LEFT_LEAVE) this.#leave(view, pair);
      else if (isRipe) this.#general.sendRipe(view, pair, round);
      else if (isHidden(view, pair)) this.#leave(view, pair);
      else this.#general.judge(view, pair, round);
    }
  }

  #rest(view: EngineView, pair: number): void {
    view.pairs.unplan(pair);
    this.#context.observers.rest(view.pairs.slotOf(pair), view.id, pair, view.pairs);
  }

  #leave(view: EngineView, pair: number): void {
    this.#sends.leave(view, pair);
    if (view.wide) view.pairs.unplan(pair);
    else this.#sends.release(view, pair);
  }
}

/** Whether the client has an object that it may not know of any more. Hundreds can be lost from sight at once; where they lie does not matter then. */
function isHidden({ seen, wide, pairs }: EngineView, pair: number): boolean {
  return wide && seen !== undefined && pairs.heldOf(pair) !== ABSENT && !seen.has(pairs.slotOf(pair));
}
