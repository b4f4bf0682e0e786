/** Peers without a host, on rough links: whatever the settings of their timelines, all end in the states that the inputs alone give. */

import { type MeshOptions, type MeshPeer, playMesh, replayInputs } from "@nearfield/netlab/internal";
import { type PeerSessionOptions, TIMELINES } from "@nearfield/rollback";
import { describe, expect, test } from "vitest";

const nightly = process.env["NEARFIELD_NIGHTLY"] === "1";
const SEEDS: readonly number[] = Array.from({ length: nightly ? 250 : 25 }, (_, index) => index + 1);

const WAYS: Record<string, Partial<PeerSessionOptions>> = {
  ...TIMELINES,
  "local lag": { lag: 3 },
  "all corrections at once": { repair: Number.POSITIVE_INFINITY },
  "lag vectors": { hasLags: true },
};

function expectFinal(options: MeshOptions): MeshPeer[] {
  const peers = playMesh(options);
  const truth = replayInputs(options, peers).join();
  for (const { checksums, isAsleep, session } of peers) {
    if (isAsleep) continue;
    expect(checksums.slice(0, options.steps + 1).join(), `seed ${options.seed}`).toBe(truth);
    expect(session.desyncs).toEqual([]);
  }
  return peers;
}

/** Loss, reordering, and now and then a packet that is seconds late. */
function rough(seed: number): MeshOptions {
  return {
    seed,
    peers: 2 + (seed % 4),
    steps: 120,
    loss: (seed % 3) * 0.1,
    delayMs: (_from, _to, dice) => (dice.chance(0.02) ? dice.range(500, 2500) : dice.range(10, 250)),
    spread: seed % 2 ? 120 : 2000,
  };
}

describe.each(Object.entries(WAYS))("%s", (_name, session) => {
  test.each(SEEDS)("final states are those of the inputs, seed %i", (seed) => {
    expectFinal({ ...rough(seed), hasSpheres: seed % 5 > 1, session: { ...session, retracts: false } });
  });
});

test("the same seed gives the same bytes", () => {
  const told = () =>
    playMesh({ ...rough(3), session: TIMELINES.hybrid }).map(({ bytesOut, stepsByTick }) => [bytesOut, ...stepsByTick]);
  expect(told()).toEqual(told());
});

describe("a peer that stalls", () => {
  test.each(SEEDS)("is voted out from the same step by all, seed %i", (seed) => {
    const count = 3 + (seed % 4);
    const isTwo = seed % 2 === 1 && count > 3;
    const peers = expectFinal({
      ...rough(seed),
      peers: count,
      steps: 160,
      session: { stallMs: 1500 },
      delayMs: (_from, _to, dice) => dice.range(10, 250),
      story: (tick, all) => {
        if (tick === 40) all[seed % count]!.isAsleep = true;
        if (tick === 60 && isTwo) all[(seed + 1) % count]!.isAsleep = true;
      },
    });
    const [first, ...others] = peers.filter((peer) => !peer.isAsleep).map(({ session }) => session.gone);
    for (const other of others) expect([...other].sort()).toEqual([...first!].sort());
    expect(first!.size).toBe(isTwo ? 2 : 1);
  });

  test("learns that it was voted out when it wakes", () => {
    const peers = playMesh({
      ...rough(2),
      peers: 3,
      loss: 0,
      session: { stallMs: 1000 },
      story: (tick, all) => {
        all[1]!.isAsleep = tick >= 20 && tick < 70;
      },
    });
    expect(peers.map(({ session }) => session.isVotedOut)).toEqual([false, true, false]);
  });
});
