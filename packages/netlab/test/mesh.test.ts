/** Peers without a host, on rough links: whatever the settings of their timelines, all end in the states that the inputs alone give. */

import { Dice } from "@nearfield/netlab";
import { LabKeys, type MeshOptions, MeshPeer, Pods, playMesh, replayInputs } from "@nearfield/netlab/internal";
import {
  type PeerSessionOptions,
  Replica,
  readSnapshot,
  SEAL_STEPS,
  Spectator,
  TIMELINES,
} from "@nearfield/rollback/internal";
import { Observer } from "@nearfield/rollback/trust";
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

  test.each(SEEDS.filter((seed) => seed % 5 === 0))("and so they are when inputs are signed, seed %i", (seed) => {
    const peers = expectFinal({ ...rough(seed), isSealed: true, hasSpheres: seed % 5 > 1, session: { ...session } });
    expect(peers.flatMap(({ session }) => session.disputes)).toEqual([]);
  });
});

describe("whatever befalls them", () => {
  const ways = Object.values(WAYS);

  /** Loss, reordering, packets that are seconds late, a peer that stalls, leaves by the others' vote and comes back, and another that stalls for a while. */
  function play(seed: number): { readonly peers: MeshPeer[]; readonly wasBack: boolean } {
    const count = 3 + (seed % 3);
    const session = { ...ways[seed % ways.length], retracts: false, stallMs: 4000, kept: 256 };
    const options: MeshOptions = {
      ...rough(seed),
      peers: count,
      steps: 320,
      changes: 0.2,
      isSealed: seed % 2 === 0,
      hasSpheres: seed % 5 > 1,
      session,
    };
    const [stalls, dozes] = [1 + (seed % (count - 1)), 1 + ((seed + 1) % (count - 1))];
    let phase = "there" as "there" | "asked" | "back";
    const peers = playMesh({
      ...options,
      story: (tick, all) => {
        const sponsor = all[0]!;
        if (tick === 20) all[stalls]!.isAsleep = true;
        if (stalls !== dozes) all[dozes]!.isAsleep = tick >= 30 && tick < 50;
        if (phase === "there" && sponsor.session.gone.has(stalls)) {
          sponsor.session.admit(stalls);
          phase = "asked";
        } else if (phase === "asked" && !sponsor.session.gone.has(stalls)) {
          all[stalls] = new MeshPeer(stalls, options, sponsor.snapshot());
          phase = "back";
        }
      },
    });
    return { peers, wasBack: phase === "back" };
  }

  const befalls = Array.from({ length: nightly ? 1000 : 8 }, (_, index) => index + 1);
  test.each(befalls)("all final states are equal, and every byte is the same in a second run, seed %i", (seed) => {
    const { peers, wasBack } = play(seed);
    const replay = `NEARFIELD_NIGHTLY=1 npm test -- packages/netlab/test/mesh.test.ts -t "second run, seed ${seed}"`;
    expect(wasBack, replay).toBe(true);
    const [first, ...others] = peers.filter(({ isAsleep }) => !isAsleep);
    for (const { checksums } of others)
      checksums.forEach((sum, state) => {
        expect(sum, `${replay}: state ${state}`).toBe(first!.checksums[state]);
      });
    expect(first!.checksums.length, replay).toBeGreaterThanOrEqual(320);
    for (const { session } of peers) expect([...session.desyncs, ...session.disputes], replay).toEqual([]);
    const sums = ({ peers }: ReturnType<typeof play>) => peers.map(({ sentSum }) => sentSum);
    expect(sums(play(seed)), replay).toEqual(peers.map(({ sentSum }) => sentSum));
  });
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

describe("a sponsor whom one peer suspects before it hears that somebody is let in", () => {
  test.each([
    { isSealed: false, later: 10 },
    { isSealed: true, later: 10 },
    // As long as it takes until the server rules, by decision 0036.
    { isSealed: true, later: 90 },
  ])(
    "is voted out, and the others go on: signed $isSealed, the others suspect it $later steps later",
    ({ isSealed, later }) => {
      const [SPONSOR, LATE] = [0, 3];
      let wasGone = false;
      let admittedAt = Number.POSITIVE_INFINITY;
      const peers = playMesh({
        seed: 1,
        peers: 4,
        steps: 304,
        isSealed,
        session: { stallMs: 1000 },
        delayMs: () => 60,
        story: (tick, all) => {
          const { session } = all[SPONSOR]!;
          if (tick === 30) all[LATE]!.isAsleep = true;
          if (session.gone.has(LATE)) {
            session.admit(LATE);
            wasGone = true;
          } else if (wasGone) admittedAt = Math.min(admittedAt, tick);
          if (tick === admittedAt) all[1]!.session.suspect(SPONSOR);
          if (tick === admittedAt + later) {
            all[SPONSOR]!.isAsleep = true;
            for (const peer of [1, 2]) for (const gone of [SPONSOR, LATE]) all[peer]!.session.suspect(gone);
          }
        },
      });
      const [one, two] = [peers[1]!, peers[2]!];
      expect(admittedAt).toBeLessThan(150);
      expect([...one.session.gone].sort()).toEqual([...two.session.gone].sort());
      expect(one.checksums).toEqual(two.checksums);
      expect([...one.session.disputes, ...two.session.disputes]).toEqual([]);
    },
  );
});

/** Whether a sponsor lets a player in with one of its last inputs. */
function hasLetIn({ timeline }: MeshPeer["session"], sponsor: number, player: number): boolean {
  const end = timeline.throughOf(sponsor);
  const rows = Array.from({ length: 2 * SEAL_STEPS }, (_, back) => timeline.rowOf(sponsor, end - 1 - back, false));
  return rows.some((row) => row?.[1] === player + 1);
}

describe("a sponsor that fails while only some have the input that lets somebody in", () => {
  const [SPONSOR, DEAF, LATE] = [0, 1, 3];

  test.each(SEEDS)("is voted out by all, and the others go on, seed %i", (seed) => {
    const failsAfter = 1 + (seed % 9);
    let wasGone = false;
    let letInAt = Number.POSITIVE_INFINITY;
    let sponsor: MeshPeer | undefined;
    const peers = playMesh({
      ...rough(seed),
      peers: 4,
      steps: 304,
      isSealed: true,
      session: { stallMs: 1000 },
      loss: 0,
      delayMs: (from, to, dice) => {
        // From that input on one peer hears nothing of the sponsor, and the others hear every other message.
        const isCut = from === SPONSOR && wasGone && hasLetIn(sponsor!.session, SPONSOR, LATE);
        return isCut && (to === DEAF || dice.chance(0.5)) ? Number.POSITIVE_INFINITY : dice.range(10, 90);
      },
      story: (tick, all) => {
        sponsor = all[SPONSOR]!;
        const { session } = sponsor;
        if (tick === 30) all[LATE]!.isAsleep = true;
        if (session.gone.has(LATE) && !wasGone) {
          wasGone = true;
          session.admit(LATE);
        }
        if (wasGone && hasLetIn(session, SPONSOR, LATE)) letInAt = Math.min(letInAt, tick);
        if (tick === letInAt + failsAfter) all[SPONSOR]!.isAsleep = true;
      },
    });
    expect(letInAt).toBeLessThan(150);
    const [one, two] = [peers[1]!, peers[2]!];
    expect([...one.session.gone].sort()).toEqual([...two.session.gone].sort());
    expect(one.session.gone.has(SPONSOR)).toBe(true);
    expect(one.checksums).toEqual(two.checksums);
    expect([...one.session.disputes, ...two.session.disputes]).toEqual([]);
  });
});

/** An observer that replays a mesh; `ask` brings it what it needs of a player. */
class MeshWatcher {
  readonly observer: Observer;
  readonly replica: Replica;
  readonly checksums: number[] = [];

  constructor({ seed, peers: players, spread }: MeshOptions) {
    const keys = new LabKeys(seed, players);
    const seals = { space: new Uint8Array(16).fill(7), keys: keys.publicKeys, verifier: keys };
    this.observer = new Observer({ players, inputBytes: 1, seals });
    this.replica = new Replica(this.observer.timeline, new Pods(players, spread), (state, checksum, saved) => {
      this.observer.settled(state, saved);
      this.checksums[state] = checksum();
    });
  }

  tick(): void {
    this.replica.carryOut(this.observer.tick());
  }

  /** It came to the end of the fight, saw the same states, and nobody is to blame. */
  expectWhole(peer: MeshPeer, steps: number): void {
    const { observer, checksums } = this;
    expect([...observer.omissions, ...observer.disputes]).toEqual([]);
    expect(checksums.length).toBeGreaterThan(steps - 4 * SEAL_STEPS);
    expect(checksums).toEqual(peer.checksums.slice(0, checksums.length));
  }
}

test.each(SEEDS)("an observer follows the vote on a sponsor whose last seal it alone has, seed %i", (seed) => {
  const [SPONSOR, NEXT, LATE] = [0, 1, 3];
  const options: MeshOptions = {
    ...rough(seed),
    peers: 4,
    steps: 304,
    isSealed: true,
    session: { stallMs: 1000 },
    loss: 0,
  };
  const watcher = new MeshWatcher(options);
  let sponsorPeer: MeshPeer | undefined;
  let letInAt = Number.POSITIVE_INFINITY;
  let phase = "there" as "there" | "offered" | "asked" | "back";
  const peers = playMesh({
    ...options,
    delayMs: (from, _to, dice) => {
      const isCut = from === SPONSOR && phase !== "there" && hasLetIn(sponsorPeer!.session, SPONSOR, LATE);
      return isCut ? Number.POSITIVE_INFINITY : dice.range(10, 90);
    },
    story: (tick, all) => {
      sponsorPeer = all[SPONSOR]!;
      const [sponsor, next] = [all[SPONSOR]!.session, all[NEXT]!.session];
      if (tick === 30) all[LATE]!.isAsleep = true;
      if (phase === "there" && sponsor.gone.has(LATE)) {
        sponsor.admit(LATE);
        phase = "offered";
      }
      if (phase === "offered" && hasLetIn(sponsor, SPONSOR, LATE)) letInAt = Math.min(letInAt, tick);
      if (tick === letInAt + SEAL_STEPS) all[SPONSOR]!.isAsleep = true;
      if (phase === "offered" && next.gone.has(SPONSOR) && tick >= letInAt + 60) {
        next.admit(LATE);
        phase = "asked";
      } else if (phase === "asked" && !next.gone.has(LATE)) {
        all[LATE] = new MeshPeer(LATE, options, all[NEXT]!.snapshot());
        phase = "back";
      }
      for (const { id, session, isAsleep } of all)
        if (!isAsleep) watcher.observer.receive(id, session.signedRows(watcher.observer.needs(id)));
      watcher.tick();
    },
  });
  expect(phase).toBe("back");
  expect([...watcher.observer.gone.keys()]).toEqual([SPONSOR]);
  watcher.expectWhole(peers[NEXT]!, options.steps);
});

test.each(SEEDS)(
  "an observer far away, which misses the time in which a player is gone, hears of the vote, seed %i",
  (seed) => {
    const LATE = 1 + (seed % 2);
    const options: MeshOptions = {
      ...rough(seed),
      peers: 3 + (seed % 3),
      steps: 320,
      isSealed: true,
      session: { stallMs: 1000 },
      delayMs: (_from, _to, dice) => dice.range(10, 60),
    };
    const watcher = new MeshWatcher(options);
    const dice = new Dice(seed).fork("watcher");
    const asks: { readonly at: number; readonly of: number; readonly needs: number }[] = [];
    const answers: { readonly at: number; readonly of: number; readonly bytes: Uint8Array }[] = [];
    const arrivesAt = (tick: number): number =>
      dice.chance(options.loss!) ? Number.POSITIVE_INFINITY : tick + 1 + dice.int(6);
    const watch = (tick: number, peers: readonly MeshPeer[]): void => {
      for (const { id, session, isAsleep } of peers) {
        asks.push({ at: arrivesAt(tick), of: id, needs: watcher.observer.needs(id) });
        if (isAsleep) continue;
        for (const { at, of, needs } of asks)
          if (of === id && at === tick) answers.push({ at: arrivesAt(tick), of, bytes: session.signedRows(needs) });
      }
      for (const { at, of, bytes } of answers) if (at === tick) watcher.observer.receive(of, bytes);
      watcher.tick();
    };
    let last = 0;
    let phase = "there" as "there" | "asked" | "back";
    const peers = playMesh({
      ...options,
      story: (tick, all) => {
        const sponsor = all[0]!;
        if (tick === 30) all[LATE]!.isAsleep = true;
        if (phase === "there" && sponsor.session.gone.has(LATE)) {
          sponsor.session.admit(LATE);
          phase = "asked";
        } else if (phase === "asked" && !sponsor.session.gone.has(LATE)) {
          all[LATE] = new MeshPeer(LATE, options, sponsor.snapshot());
          phase = "back";
        }
        watch(tick, all);
        last = tick;
      },
    });
    for (let more = 1; more < 80; more++) watch(last + more, peers);
    expect(phase).toBe("back");
    expect([...watcher.observer.gone]).toEqual([]);
    watcher.expectWhole(peers[0]!, options.steps);
  },
);

describe("somebody who comes later", () => {
  /** The checksums that all have in common, from the first state of the last comer on. */
  function expectAlike(peers: readonly MeshPeer[], late: MeshPeer, steps: number): void {
    const first = late.checksums.findIndex((sum) => sum !== undefined);
    expect(first).toBeGreaterThan(0);
    const told = peers.map(({ checksums }) => checksums.slice(first, steps + 1).join());
    expect(new Set(told).size).toBe(1);
    expect(peers.flatMap(({ session }) => session.desyncs)).toEqual([]);
  }

  test.each(SEEDS)("a player who was voted out comes back into the running fight, seed %i", (seed) => {
    const options: MeshOptions = { ...rough(seed), peers: 3, steps: 240, session: { stallMs: 1000 }, changes: 0.2 };
    let phase: "asleep" | "asked" | "back" = "asleep";
    const peers = playMesh({
      ...options,
      delayMs: (_from, _to, dice) => dice.range(10, 250),
      story: (tick, all) => {
        const sponsor = all[0]!;
        if (tick === 30) all[1]!.isAsleep = true;
        if (phase === "asleep" && sponsor.session.gone.has(1)) {
          sponsor.session.admit(1);
          phase = "asked";
        } else if (phase === "asked" && !sponsor.session.gone.has(1)) {
          all[1] = new MeshPeer(1, options, sponsor.snapshot());
          phase = "back";
        }
      },
    });
    expect(phase).toBe("back");
    expectAlike(peers, peers[1]!, options.steps);
    expect(peers[0]!.session.timeline.enteredAt(1)).toBeLessThan(options.steps - 50);
  });

  test.each(SEEDS)("a spectator sees the same fight, also when a player is voted out, seed %i", (seed) => {
    const options: MeshOptions = { ...rough(seed), peers: 3, steps: 160, session: { stallMs: 1000 } };
    const checksums: number[] = [];
    let spectator: Spectator | undefined;
    let replica: Replica | undefined;
    const watch = (tick: number, [, , peer]: readonly MeshPeer[]) => {
      if (!spectator || !replica) return;
      // Every third message is lost.
      if (tick % 3 > 0) spectator.receive(peer!.session.finalRows(spectator.needs));
      replica.carryOut(spectator.tick(tick * 50));
    };
    const peers = playMesh({
      ...options,
      delayMs: (_from, _to, dice) => dice.range(10, 250),
      story: (tick, all) => {
        if (tick === 40) {
          const pods = new Pods(3, options.spread);
          const form = { players: 3, inputBytes: 1, stepMs: 50, startMs: 0 };
          const snapshot = readSnapshot({ ...form, stateBytes: pods.state.byteLength }, all[2]!.snapshot());
          pods.state.load(snapshot.saved);
          spectator = new Spectator({ ...form, snapshot });
          replica = new Replica(spectator.timeline, pods, (state, checksum) => {
            checksums[state] = checksum();
          });
        }
        if (tick === 60) all[1]!.isAsleep = true;
        watch(tick, all);
      },
    });
    for (let more = 0; spectator!.timeline.tail < options.steps; more++) watch(1000 + more, peers);
    const first = checksums.findIndex((sum) => sum !== undefined);
    expect(first).toBeLessThan(60);
    expect(checksums.slice(first, options.steps + 1)).toEqual(peers[2]!.checksums.slice(first, options.steps + 1));
  });

  test("who is not let in by the snapshot is told to take it later", () => {
    const options: MeshOptions = { ...rough(1), peers: 3, steps: 100, session: { stallMs: 1000 } };
    const story: MeshOptions["story"] = (tick, all) => {
      all[1]!.isAsleep = tick > 20;
    };
    const peers = playMesh({ ...options, story });
    expect(() => new MeshPeer(1, options, peers[0]!.snapshot())).toThrow("player 1 is not let in by this snapshot");
  });
});
