/** A report such as a busy server would make, for the fake feed. */
import type { Flow, RecordingState, Report } from "../web/feed-types.ts";

export const FAKE_ROUND_MS = 33;

function flow(now: number, total: number): Flow {
  return { now, mean: now * 0.93, peak: now * 1.6, total };
}

export function fakeReport(options: {
  round: number;
  clients: number;
  objects: number;
  luck: number;
  preset: string | null;
  recording: RecordingState | null;
  isFaulty: boolean;
}): Report {
  const { round, clients, objects, luck, preset, recording, isFaulty } = options;
  const wave = 1 + 0.2 * Math.sin(round / 90) + 0.1 * luck;
  const out = 780 * clients * wave;
  const channel = (share: number) => ({
    bytes: flow(out * share, round * 26 * clients * share),
    messages: flow(30 * clients * share, round * clients),
  });
  const channels = { reliable: channel(0.04), sequenced: channel(0), unsequenced: channel(0.96), all: channel(1) };
  const wire = {
    packets: flow(5 * clients * wave, round * clients),
    bytes: flow(out * 1.9, round * 50 * clients),
    upkeep: flow(20 * clients, round * clients),
  };
  const baseline = (factor: number) => ({
    sendsPerSecond: { now: 5000 * factor, mean: 5000 * factor },
    bytesPerSecond: { now: out * factor, mean: out * factor },
    ratio: { now: factor, mean: factor },
    bytesRatio: { now: factor * 0.9, mean: factor * 0.9 },
    error: 0,
    method: "every update to every client",
  });
  const causeShares = [0.01, 0.52, 0.02, 0.4, 0.04, 0, 0.01];
  return {
    tell: "report",
    room: "main",
    round: round,
    timeMs: round * FAKE_ROUND_MS,
    sinceMs: 0,
    players: clients,
    objects: objects + 1,
    traffic: { out: { ...channels, debug: channel(0) }, in: channels },
    wire: { out: wire, in: wire },
    sends: flow(100 * clients * wave, round * 3 * clients),
    causes: causeShares.map((share) => flow(100 * clients * wave * share, Math.round(round * 3 * clients * share))),
    sendsByZone: [],
    withheld: flow(0, 0),
    updates: flow(30 * clients, round * clients),
    bytesPerSend: { now: 7.9, mean: 8.1 },
    frames: flow(out * 0.95, round * 25 * clients),
    events: flow(4, 900),
    commands: flow(30 * clients, round * clients),
    baselines: { broadcast: baseline(12.8), aura: { ...baseline(5.1), radius: 900, error: 0.012 } },
    rounds: {
      count: 512,
      meanMs: 1.2,
      p50Ms: 1.1 * wave,
      p99Ms: 2.8 * wave,
      maxMs: 4.1,
      stages: [0.1, 0.05, 0.28, 0.02, 0.4, 0.05, 0.25, 0.03],
    },
    process: { cpu: 0.07, rssBytes: 123_456_789, heapBytes: 45_678_901, uptimeMs: round * FAKE_ROUND_MS },
    audit: {
      pairs: clients * objects,
      promised: round * 200,
      heldDecided: clients === 0 ? null : 1,
      heldDelivered: clients === 0 ? null : 0.9998,
      examined: round * 256,
      roundsPerPass: Math.max(1, Math.ceil((clients * objects) / 256)),
      ...fakeFaults(round, isFaulty),
      decided: 0,
      delivered: Math.floor(round / 40),
      open: 0,
      shortfalls:
        clients === 0
          ? []
          : [
              {
                of: "delivered",
                zone: 1,
                cause: "time",
                spells: 5,
                pairRounds: Math.floor(round / 40),
                longestRounds: 9,
              },
            ],
    },
    clients: Array.from({ length: clients }, (_, index) => fakeClient(index, round, wave, preset)),
    clientsInAll: clients,
    clientsRound: round,
    recording,
  };
}

/** Two pairs that are late since round 1,000, one of them in order again, and an object that was sent to one who has left. */
function fakeFaults(round: number, isFaulty: boolean): Pick<Report["audit"], "faults" | "faultKinds" | "faultyPairs"> {
  if (!isFaulty) return { faults: 0, faultKinds: [], faultyPairs: [] };
  const looks = Math.floor((round - 1000) / 3);
  const late = { kind: "late", cause: "time", zone: 1, since: 1000, isOver: false } as const;
  return {
    faults: looks + 5,
    faultKinds: [
      { kind: "late", looks: looks + 4, first: 1000, last: round },
      { kind: "leaked", looks: 1, first: 1100, last: 1100 },
    ],
    faultyPairs: [
      { ...late, player: 2, nickname: "bot-2", object: 7, type: 0, last: 1012, looks: 4, isOver: true },
      {
        ...{ kind: "leaked", cause: "removal", zone: 0, since: 1100, last: 1100, looks: 1, isOver: false },
        ...{ player: 99, nickname: null, object: 4242, type: null },
      },
      { ...late, player: 3, nickname: "bot-3", object: 5, type: 0, last: round, looks },
    ],
  };
}

function fakeClient(index: number, round: number, wave: number, preset: string | null): Report["clients"][number] {
  const now = 600 + ((index * 137) % 500) * wave;
  return {
    player: index + 1,
    nickname: `bot-${index + 1}`,
    role: "player",
    presence: "here",
    address: "127.0.0.1:5000",
    out: flow(now, round * 26),
    in: flow(180, round * 6),
    outByChannel: { reliable: round, sequenced: 0, unsequenced: round * 25, debug: 0 },
    inByChannel: { reliable: round, sequenced: 0, unsequenced: round * 5 },
    sends: flow(100, round * 3),
    withheld: 0,
    network: {
      link: index % 3 === 0 ? "websocket" : "webrtc",
      roundTripMs: 40 + ((index * 31) % 90) + 6 * wave,
      lossNow: 0.004 * (index % 4),
      loss: 0.003 * (index % 4),
      backlogBytes: 0,
      paused: false,
      pausedRounds: 0,
      budget: null,
      linkBytesPerSecond: null,
      outerFactor: index === 5 ? 1.8 : 1,
      innerFactor: 1,
      preset: index === 0 ? preset : null,
    },
  };
}
