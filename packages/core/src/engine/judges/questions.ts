/** Answers questions about single pairs, such as `explain`, with the functions of `judge.ts`. Plans play no part in the answers. */

import type { ObjectId } from "@nearfield/schema";
import { cellOf, divergenceOf, isEqual, isOnChange, type PairState } from "../../judge.ts";
import { LARGEST_SAMPLE } from "../../metrics.ts";
import type { Explanation } from "../../model.ts";
import type { ResolvedSet } from "../../resolve-view.ts";
import type { EngineContext } from "../engine-context.ts";
import type { EngineView } from "../engine-view.ts";
import { ABSENT } from "../memory/layout.ts";

export class Questions {
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  explain(view: EngineView, id: ObjectId, round: number): Explanation | undefined {
    const { world, options } = this.#context;
    const slot = world.store.liveSlot(id);
    if (slot < 0) return undefined;
    const set = setOf(view, slot);
    const spatial = world.isSpatial(slot);
    const onChange = isOnChange(set, world, slot, view.session);
    const cell = cellOf(set, view.placed, world.x[slot]!, world.y[slot]!, world.z[slot]!);
    const state = this.#stateOf(view, view.pairs.find(slot), slot);
    return {
      id,
      present: state.present,
      zone: spatial ? cell.zone : 0,
      sector: spatial ? cell.sector : 0,
      bound: onChange ? { time: 0, sequence: 0, value: 0 } : cell.bound,
      divergence: divergenceOf(set, world, slot, state, round, options.roundMs),
      equal: isEqual(set, world, slot, state),
      lastSend: state.lastSend,
      sentVersion: state.sentVersion,
      version: world.version[slot]!,
    };
  }

  #stateOf({ pairs }: EngineView, pair: number, slot: number): PairState & { present: boolean } {
    const sample = new Float64Array(LARGEST_SAMPLE);
    if (pair < 0) return { present: false, sentVersion: 0, lastSend: -1, firstMiss: -1, metric: "", sample };
    pairs.readSample(pair, sample, 0);
    const held = pairs.heldOf(pair);
    const isBehind = held > 0 && held !== this.#context.world.version[slot];
    const noted = pairs.firstMissOf(pair);
    return {
      present: held !== ABSENT,
      sentVersion: Math.max(held, 0),
      lastSend: pairs.lastSendOf(pair),
      firstMiss: isBehind && noted < 0 ? this.#context.log.roundOf(slot, held + 1) : noted,
      metric: this.#context.metrics.nameOf(pairs.metricOf(pair)),
      sample,
    };
  }
}

function setOf(view: EngineView, slot: number): ResolvedSet {
  return view.resolved.sets[view.setIndexOf(slot)]!;
}
