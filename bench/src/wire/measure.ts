/** Runs a scene through frames and measures: bits exactly, times in blocks. It checks that what arrived is what was sent. */

import { BlockTimes, inBlocks, type Pace } from "../pace.ts";
import { mean, median } from "../statistics.ts";
import { FrameLoop } from "./frame-loop.ts";
import { EVERYTHING, type Scene } from "./scene.ts";

export interface Volume {
  readonly updates: number;
  readonly updatesPerRound: number;
  readonly bitsPerUpdate: number;
  readonly bytesPerRound: number;
  readonly packetsPerRound: number;
}

/** Rounds before anything is counted: every object is created and acknowledged. */
const WARM_UP_ROUNDS = 60;

/** What one client is sent, frame headers included, over so many rounds. */
export function measureVolume(scene: Scene, rounds: number): Volume {
  const { loop, step } = begin(scene, 1);
  const tallies = Array.from({ length: rounds }, () => {
    play(loop, step);
    return loop.tally();
  });
  requireEqualReplicas(loop, scene);
  const updates = tallies.reduce((sum, tally) => sum + tally.updates, 0);
  const bytes = tallies.reduce((sum, tally) => sum + tally.bytes, 0);
  return {
    updates,
    updatesPerRound: updates / rounds,
    bitsPerUpdate: (bytes * 8) / updates,
    bytesPerRound: bytes / rounds,
    packetsPerRound: mean(tallies.map(({ packets }) => packets)),
  };
}

export interface Effort {
  readonly clients: number;
  /** Per update and client, in nanoseconds: the median of five blocks. */
  readonly encodeNs: number;
  readonly decodeNs: number;
  /** Share of updates whose bits were ready because another client needed the same. */
  readonly hitShare: number;
}

export function measureEffort(scene: Scene, clients: number, pace: Pace): Effort {
  const { loop, step } = begin(scene, clients);
  const encode = new BlockTimes();
  const decode = new BlockTimes();
  const updates: number[] = [];
  const { hits, misses } = loop.cache;
  inBlocks(pace, (block) => {
    step();
    loop.begin();
    loop.judge();
    encode.time(block, () => loop.encode());
    decode.time(block, () => loop.decode());
    updates.push(loop.tally().updates);
  });
  const perUpdate = (times: BlockTimes): number => (times.over(median) * 1e6) / mean(updates);
  const looked = loop.cache.hits - hits + loop.cache.misses - misses;
  return {
    clients,
    encodeNs: perUpdate(encode),
    decodeNs: perUpdate(decode),
    hitShare: (loop.cache.hits - hits) / looked,
  };
}

function begin(scene: Scene, clients: number): { loop: FrameLoop; step: () => void } {
  const loop = new FrameLoop({ protocol: scene.protocol, view: EVERYTHING, roundMs: scene.roundMs, clients });
  const step = scene.begin(loop.world);
  for (let round = 0; round < WARM_UP_ROUNDS; round++) play(loop, step);
  return { loop, step };
}

function play(loop: FrameLoop, step: () => void): void {
  step();
  loop.begin();
  loop.judge();
  loop.encode();
  loop.decode();
}

/** In wire form, field by field. */
function requireEqualReplicas({ world, clients }: FrameLoop, scene: Scene): void {
  for (const { replicas } of clients) {
    if (replicas.count !== world.count)
      throw new Error(`${scene.name}: ${replicas.count} replicas of ${world.count} objects`);
    for (const { id, type } of replicas.objects()) {
      const slot = world.store.liveSlot(id);
      for (const { index, name, field } of type.fields) {
        if (!field.sameWire(replicas.wireOf(id, index), world.wireAt(slot, index))) {
          throw new Error(`${scene.name}: ${name} of object ${id} arrived as something else`);
        }
      }
    }
  }
}
