/** Telegraph's side, as its README says: local input, synchronised inputs, one step, `advanceFrame`, `afterTick`. Its messages are JSON, as its socket asks PeerJS for. */

import { Dice } from "@nearfield/netlab";
import { Pods } from "@nearfield/netlab/internal";
import { checksumOf, EVERYBODY } from "@nearfield/rollback/session";
import { type Contest, type Cost, inputsOf, quantile, WARM_UP } from "./contestant.ts";
import { DuelNetwork } from "./duel-network.ts";
import type { TelegraphLibrary } from "./telegraph.ts";

/** Ticks until all have found each other: they exchange five round trips first. */
const MOST_SYNC_TICKS = 2000;

interface Player {
  readonly own: number;
  hear(from: number, text: string): void;
  tick(input: number): boolean;
  readonly counts: { loads: number; redone: number };
}

export function playTelegraph(contest: Contest, telegraph: TelegraphLibrary): Cost {
  const { players: count, ticks, tickMs, delayMs, loss } = contest;
  telegraph.nowMs = 0;
  const network = new DuelNetwork<string>(count, delayMs, loss, new Dice(3));
  const inputs = inputsOf(contest);
  const finalStates = new Map<number, number>();
  const players = Array.from({ length: count }, (_, own) =>
    playerOf(telegraph, contest, own, finalStates, (to, text) =>
      network.send(own, to, text, new TextEncoder().encode(text).length, telegraph.nowMs),
    ),
  );
  const frames = players.map(() => 0);
  const times: number[] = [];
  let stalled = 0;
  let counted = { bytes: 0, messages: 0, loads: 0, redone: 0 };
  const now = () => ({
    bytes: sum(network.bytes),
    messages: sum(network.messages),
    loads: sum(players.map(({ counts }) => counts.loads)),
    redone: sum(players.map(({ counts }) => counts.redone)),
  });
  let first = Number.POSITIVE_INFINITY;
  for (let tick = 0; tick < MOST_SYNC_TICKS + ticks + WARM_UP; tick++) {
    telegraph.nowMs = tick * tickMs;
    if (tick - first === ticks + WARM_UP) break;
    if (tick - first === WARM_UP) counted = now();
    const isCounted = tick - first >= WARM_UP;
    for (const player of players) {
      const arrived = network.take(player.own, telegraph.nowMs);
      const startMs = performance.now();
      for (const { from, message } of arrived) player.hear(from, message);
      const hasAdvanced = player.tick(inputs[player.own]![Math.min(frames[player.own]!, ticks + WARM_UP - 1)]!);
      if (isCounted) times.push((performance.now() - startMs) * 1000);
      if (hasAdvanced) frames[player.own]!++;
      else if (isCounted) stalled++;
    }
    if (first === Number.POSITIVE_INFINITY && frames.every((frame) => frame > 0)) first = tick;
  }
  if (first === Number.POSITIVE_INFINITY) throw new Error("the players of Telegraph did not find each other");
  const end = now();
  const perSecond = (value: number) => value / count / ((ticks * tickMs) / 1000);
  return {
    bytesPerSecond: perSecond(end.bytes - counted.bytes),
    messagesPerSecond: perSecond(end.messages - counted.messages),
    rollbacksPerSecond: perSecond(end.loads - counted.loads),
    patchesPerSecond: 0,
    redonePerSecond: perSecond(end.redone - counted.redone),
    tickUs: quantile(times, 0.5),
    tickP99Us: quantile(times, 0.99),
    stalled: stalled / (ticks * count),
    finalStates,
  };
}

function playerOf(
  telegraph: TelegraphLibrary,
  { players: count }: Contest,
  own: number,
  finalStates: Map<number, number>,
  send: (to: number, text: string) => void,
): Player {
  const pods = new Pods(count, 400);
  const row = new Uint8Array(1);
  const counts = { loads: 0, redone: 0 };
  const hears: ((data: unknown) => void)[] = [];
  let frame = 0;
  const others = Array.from({ length: count }, (_, other) => other).filter((other) => other !== own);
  const connections = Object.fromEntries(
    others.map((other) => [
      `p${other}`,
      [
        {
          peer: `p${other}`,
          on: (kind: string, hear: (data: unknown) => void) => {
            if (kind === "data") hears[other] = hear;
          },
          send: (message: unknown) => send(other, JSON.stringify(message)),
        },
      ],
    ]),
  );
  const advance = (): boolean => {
    const { code, value } = library.syncInput();
    if (code !== "ok" || value === null) return false;
    const of = (player: number) => {
      row[0] = value.inputs[player]?.[0] ?? 0;
      return row;
    };
    pods.advance(frame, { of, lag: () => 0 }, EVERYBODY);
    frame++;
    library.advanceFrame();
    return true;
  };
  const library = telegraph.make({
    peer: { connections, on: () => {} },
    numPlayers: count,
    disconnectTimeout: 0,
    disconnectNotifyStart: 0,
    callbacks: {
      onSaveState: () => {
        const state = new Uint8Array(pods.state.byteLength);
        pods.state.save(state);
        if (own === 0) finalStates.set(frame, checksumOf(state));
        return { state: { saved: state, frame }, checksum: null };
      },
      onLoadState: (state) => {
        counts.loads++;
        pods.state.load(state.saved);
        frame = state.frame;
      },
      onAdvanceFrame: () => {
        counts.redone++;
        advance();
      },
      onEvent: () => {},
    },
  });
  const handle = library.addPlayer({ type: 0, playerNumber: own + 1 }).value;
  for (const other of others) library.addPlayer({ type: 1, playerNumber: other + 1, remote: { peerId: `p${other}` } });
  return {
    own,
    counts,
    hear: (from, text) => hears[from]?.(JSON.parse(text)),
    tick: (input) => {
      const hasAdvanced = library.addLocalInput(handle, [input]).code === "ok" && advance();
      library.afterTick();
      return hasAdvanced;
    },
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
