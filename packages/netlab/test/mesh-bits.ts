/**
 * Whole fights of peers, with loss and late packets, whose every final state and every byte that was sent goes into checksums: equal in every engine, or peers could not fight each
 * other. Touches nothing of Node or of a page.
 */

import { playMesh } from "@nearfield/netlab/internal";
import { TIMELINES } from "@nearfield/rollback/session";

/** By fight: the checksum of its last final state, and of the bytes that each peer sent. */
export type MeshBits = Readonly<Record<string, readonly number[]>>;

const STEPS = 160;

export function meshBits(): MeshBits {
  return {
    hybrid: fightBits(1, { ...TIMELINES.hybrid }, false),
    "hybrid, signed": fightBits(2, { ...TIMELINES.hybrid }, true),
    "lockstep, signed": fightBits(3, { ...TIMELINES.lockstep }, true),
    "lag vectors": fightBits(4, { hasLags: true }, false),
  };
}

function fightBits(seed: number, session: object, isSealed: boolean): number[] {
  const peers = playMesh({
    seed,
    peers: 4,
    steps: STEPS,
    loss: 0.1,
    changes: 0.2,
    spread: 150,
    isSealed,
    session,
    delayMs: (_from, _to, dice) => (dice.chance(0.02) ? dice.range(500, 1500) : dice.range(10, 250)),
  });
  const [first] = peers;
  if (
    peers.some(({ checksums }) => checksums.slice(0, STEPS + 1).join() !== first!.checksums.slice(0, STEPS + 1).join())
  )
    throw new Error(`seed ${seed}: peers have different final states`);
  return [first!.checksums[STEPS]!, ...peers.map(({ sentSum }) => sentSum >>> 0)];
}
