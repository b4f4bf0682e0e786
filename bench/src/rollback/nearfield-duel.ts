/** Nearfield's side: a `PeerSession` and a `Replica` for each player, as `enterSpace` makes them. */

import { Dice } from "@nearfield/netlab";
import { Pods } from "@nearfield/netlab/internal";
import { checksumOf, PeerSession, Replica, TIMELINES } from "@nearfield/rollback/session";
import { type Contest, type Cost, inputsOf, quantile, WARM_UP } from "./contestant.ts";
import { DuelNetwork } from "./duel-network.ts";

export function playNearfield(contest: Contest): Cost {
  const { players, ticks, tickMs, delayMs, loss } = contest;
  const network = new DuelNetwork<Uint8Array>(players, delayMs, loss, new Dice(3));
  const inputs = inputsOf(contest);
  const finalStates = new Map<number, number>();
  const peers = Array.from({ length: players }, (_, own) => {
    // A GGPO-like library corrects everything in one tick, so the same is asked of this one.
    const timeline = { ...TIMELINES.hybrid, repair: Number.POSITIVE_INFINITY };
    const session = new PeerSession({ own, players, inputBytes: 1, stepMs: tickMs, startMs: 0, ...timeline });
    const replica = new Replica(session.timeline, new Pods(players, 400), (state, checksum, saved) => {
      session.settled(state, checksum);
      if (own === 0) finalStates.set(state, checksumOf(saved));
    });
    return { session, replica };
  });
  const times: number[] = [];
  let stalled = 0;
  const counted = { bytes: 0, messages: 0, rollbacks: 0, patches: 0, corrective: 0 };
  const now = () => ({
    bytes: sum(network.bytes),
    messages: sum(network.messages),
    rollbacks: sum(peers.map(({ session }) => session.timeline.counts.rollbacks)),
    patches: sum(peers.map(({ session }) => session.timeline.counts.patches)),
    corrective: sum(peers.map(({ session }) => session.timeline.counts.corrective)),
  });
  for (let tick = 0; tick < ticks + WARM_UP; tick++) {
    if (tick === WARM_UP) Object.assign(counted, now());
    const nowMs = tick * tickMs;
    peers.forEach(({ session, replica }, own) => {
      const arrived = network.take(own, nowMs);
      const { head } = session.timeline;
      const startMs = performance.now();
      for (const { from, message } of arrived) session.receive(from, message);
      // Half a step later, so that rounding does not decide which step it is.
      replica.carryOut(session.tick(nowMs + 1.5 * tickMs, inputs[own]!.subarray(tick, tick + 1)));
      const messages = peers.map((_, to) => (to === own ? undefined : session.messageTo(to)));
      if (tick >= WARM_UP) times.push((performance.now() - startMs) * 1000);
      messages.forEach((message, to) => {
        if (message) network.send(own, to, message, message.length, nowMs);
      });
      if (tick >= WARM_UP && session.timeline.head === head) stalled++;
    });
  }
  const end = now();
  const perSecond = (value: number) => value / players / ((ticks * tickMs) / 1000);
  return {
    bytesPerSecond: perSecond(end.bytes - counted.bytes),
    messagesPerSecond: perSecond(end.messages - counted.messages),
    rollbacksPerSecond: perSecond(end.rollbacks - counted.rollbacks),
    patchesPerSecond: perSecond(end.patches - counted.patches),
    redonePerSecond: perSecond(end.corrective - counted.corrective),
    tickUs: quantile(times, 0.5),
    tickP99Us: quantile(times, 0.99),
    stalled: stalled / (ticks * players),
    finalStates,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
