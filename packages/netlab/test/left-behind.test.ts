/** A player is voted out whom an observer heard for a little longer than the voters did: nobody is to blame, and the observer's log stands before the server. */

import { LabKeys } from "@nearfield/netlab/internal";
import { verdict } from "@nearfield/rollback/trust";
import { expect, test } from "vitest";
import { END, Fighter, STEP_MS, Watcher } from "./forgers/forged-fight.ts";
import type { Plan } from "./forgers/plan.ts";
import { courtOf, reportsOf } from "./forgers/reports.ts";

const PLAYERS = 3;
const GONE = 2;
/** From this tick on the voters hear nothing of the player. */
const SILENT = 40;

test.each([
  // `lost`: the tick from which the observer hears nothing of the player either; two seals more than the voters at most. `mute`: the ticks in which it hears nothing of player 0.
  { what: "hears the others all the time", lost: 52, mute: [0, 0] },
  { what: "has a seal that vouches for a state after the vote's step", lost: 60, mute: [0, 0] },
  { what: "hears another one late", lost: 52, mute: [37, 120] },
  { what: "hears one voter late, and of a state without the player from the other", lost: 60, mute: [61, 120] },
])("an observer that has more of a player than the vote says, and $what, follows the vote", async ({ lost, mute }) => {
  const plan: Plan = {
    seed: 1,
    lie: "silence",
    players: PLAYERS,
    observers: ["oda"],
    leader: GONE,
    liars: new Set(),
    bought: new Set(),
    victim: 0,
    step: SILENT,
    slowestMs: 0,
    loss: 0,
  };
  const keys = new LabKeys(1, PLAYERS);
  const fighters = Array.from({ length: PLAYERS }, (_, id) => new Fighter(id, plan, keys));
  const oda = new Watcher("oda", plan, keys);
  let old: Uint8Array = new Uint8Array(0);
  for (let tick = 0; tick < 190; tick++) {
    const nowMs = Math.min(tick + 1, END) * STEP_MS;
    for (const { id, session, replica } of fighters) {
      if (id === GONE && tick >= lost) continue;
      replica.carryOut(session.tick(nowMs, Uint8Array.of(tick % 5)));
      const isHeard = id !== GONE || tick < SILENT;
      for (const to of fighters) if (to.id !== id && isHeard) to.session.receive(id, session.messageTo(to.id));
      const isMute = id === 0 && tick >= mute[0]! && tick < mute[1]!;
      if (!isMute) oda.observer.receive(id, session.signedRows(oda.observer.needs(id)));
      if (id === 1 && tick === SILENT) old = session.signedRows(oda.observer.needs(id));
    }
    // A message that was overtaken takes no word of the vote back.
    if (tick > SILENT) oda.observer.receive(1, old);
    oda.replica.carryOut(oda.observer.tick());
  }
  oda.replica.carryOut(oda.observer.finish());
  const step = oda.observer.gone.get(GONE)!;
  const log = oda.observer.signedLog.players[GONE]!;
  expect(oda.observer.omissions).toEqual([]);
  expect(oda.observer.disputes).toEqual([]);
  expect(log.seal!.through).toBeGreaterThan(step);
  const fight = { plan, keys, fighters, watchers: [oda], toldMs: 0, noticedMs: undefined, slowestMs: 0 };
  // The voters are silent, so inputs are replayed, and the logs of the observer and of the player who is gone must do.
  const reports = reportsOf(fight).filter(({ by }) => by === "oda" || by === GONE);
  const { faults, outcome } = await verdict(courtOf(fight), reports);
  expect(faults.filter(({ isProven }) => isProven)).toEqual([]);
  expect(outcome).toEqual(reports.find(({ by }) => by === "oda")!.outcome);
  expect(outcome!.state).toBe(END);
});
