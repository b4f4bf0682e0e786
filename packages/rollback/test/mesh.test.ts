import { TIMELINES, type TimelineSettings } from "@nearfield/rollback";
import { describe, expect, test } from "vitest";
import { type MeshOptions, type Peer, playMesh, replayed } from "./mesh.ts";

const WAYS: Record<string, Partial<TimelineSettings>> = {
  ...TIMELINES,
  localLag: { lag: 3 },
  atOnce: { repair: Number.POSITIVE_INFINITY },
  spheres: { drift: 5 },
};

/** What no machine disputes, whatever the settings: the final states that the inputs alone give. */
function expectFinal(options: MeshOptions): Peer[] {
  const peers = playMesh(options);
  const truth = replayed(options, peers).join();
  for (const { checksums, isAsleep } of peers)
    if (!isAsleep) expect(checksums.slice(0, options.steps + 1).join(), `seed ${options.seed}`).toBe(truth);
  return peers;
}

const rough = (seed: number): MeshOptions => ({
  seed,
  peers: 2 + (seed % 4),
  steps: 120,
  loss: (seed % 3) * 0.1,
  delayMs: (_from, _to, dice) => (dice.next() < 0.02 ? dice.between(500, 2500) : dice.between(10, 250)),
  spread: seed % 2 ? 120 : 2000,
});

describe.each(Object.entries(WAYS))("%s", (_name, settings) => {
  test.each(Array.from({ length: 25 }, (_, seed) => seed + 1))(
    "all final states are those of the inputs, seed %i",
    (seed) => {
      expectFinal({ ...rough(seed), settings: { ...settings, retracts: false } });
    },
  );
});

test("the counts of the hybrid model, for the eye", () => {
  for (const [name, settings] of Object.entries(WAYS)) {
    if (settings.retracts || settings.ahead === 0) continue;
    const peers = playMesh({
      seed: 7,
      peers: 20,
      steps: 400,
      settings,
      delayMs: (_f, _t, dice) => dice.between(150, 300),
      changes: 0.05,
    });
    const mean = peers.reduce((sum, peer) => sum + peer.steps / 400, 0) / 20;
    const peak = peers.reduce((sum, peer) => sum + peer.busiest, 0) / 20;
    console.log(
      name,
      mean.toFixed(2),
      peak.toFixed(2),
      JSON.stringify(peers[0]!.session.timeline.counts),
      (peers[0]!.bytes / 20).toFixed(0),
    );
  }
});

describe("a peer that stalls", () => {
  test.each(Array.from({ length: 20 }, (_, seed) => seed + 1))(
    "is voted out at the same step by all, seed %i",
    (seed) => {
      const peers = 3 + (seed % 4);
      const played = expectFinal({
        ...rough(seed),
        peers,
        steps: 160,
        session: { stallMs: 1500 },
        delayMs: (_from, _to, dice) => dice.between(10, 250),
        story: (tick, all) => {
          if (tick === 40) all[seed % peers]!.isAsleep = true;
          if (tick === 60 && seed % 2 && peers > 3) all[(seed + 1) % peers]!.isAsleep = true;
        },
      });
      const sets = played
        .filter((peer) => !peer.isAsleep)
        .map(({ session }) => JSON.stringify([...session.gone].sort()));
      expect(new Set(sets).size).toBe(1);
      expect(JSON.parse(sets[0]!)).toHaveLength(seed % 2 && peers > 3 ? 2 : 1);
    },
  );
});
