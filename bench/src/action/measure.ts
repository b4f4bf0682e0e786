/** Plays one fight of 20 peers and counts what their machines simulated. */

import { type MeshOptions, type MeshPeer, playMesh, replayInputs } from "@nearfield/netlab/internal";
import type { StepCounts } from "@nearfield/rollback/internal";
import { type Measured, PLAYERS } from "./patterns.ts";

export interface FightResult extends Measured {
  /** The mean if every final state had been reached by a step of the tail's own, as in the paper. */
  readonly meanWithOwnTail: number;
  /** Per peer and tick. */
  readonly steps: StepCounts;
  /** Corrections that ended later than the paper's schedule for them. */
  readonly late: number;
  readonly bytesPerSecond: number;
}

const TICKS_PER_SECOND = 20;

export function measureFight(options: Omit<MeshOptions, "peers">): FightResult {
  const schedules = Array.from({ length: PLAYERS }, () => new Schedule());
  const story: MeshOptions["story"] = (_tick, peers) => {
    for (const peer of peers) schedules[peer.id]!.look(peer);
  };
  const mesh = { ...options, peers: PLAYERS, story };
  const peers = playMesh(mesh);
  const truth = replayInputs(mesh, peers);
  for (const { checksums } of peers)
    if (!truth.every((sum, state) => checksums[state] === sum))
      throw new Error(`seed ${options.seed}: final states differ`);
  const { steps: ticks } = options;
  const perTick = (of: (counts: StepCounts) => number) =>
    mean(peers.map(({ session }) => of(session.timeline.counts))) / ticks;
  const steps = {
    optimistic: perTick((counts) => counts.optimistic),
    conservative: perTick((counts) => counts.conservative),
    corrective: perTick((counts) => counts.corrective),
    partial: perTick((counts) => counts.partial),
    rollbacks: perTick((counts) => counts.rollbacks),
    patches: perTick((counts) => counts.patches),
  };
  const simulated = steps.optimistic + steps.conservative + steps.corrective;
  return {
    mean: simulated,
    meanWithOwnTail: steps.optimistic + 1 + steps.corrective,
    peak: mean(peers.map(({ stepsByTick }) => Math.max(...stepsByTick))),
    steps,
    late: schedules.reduce((sum, { late }) => sum + late, 0),
    bytesPerSecond: (mean(peers.map(({ bytesOut }) => bytesOut)) / ticks) * TICKS_PER_SECOND,
  };
}

/**
 * Compares the corrections of one peer with the paper's schedule: a copy of the conservative state in the first tick, then three steps in each tick, for the
 * steps from that state to the head. The paper counts the head as it was when the correction began, and so does this.
 */
class Schedule {
  late = 0;
  #ticks = 0;
  #rollbacks = 0;
  #head = 0;
  #tail = 0;
  /** Tick at whose end the correction under way would be over. */
  #dueAt = Number.NaN;

  /** Looks at a peer between two ticks. */
  look({ session: { timeline } }: MeshPeer): void {
    if (timeline.counts.rollbacks > this.#rollbacks)
      this.#dueAt = Math.max(this.#dueAt || 0, this.#ticks + 1 + Math.ceil((this.#head - this.#tail) / 3));
    this.#rollbacks = timeline.counts.rollbacks;
    this.#ticks++;
    if (!timeline.isCorrecting) {
      if (this.#ticks > this.#dueAt) this.late++;
      this.#dueAt = Number.NaN;
    }
    this.#head = timeline.head;
    this.#tail = timeline.tail;
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
