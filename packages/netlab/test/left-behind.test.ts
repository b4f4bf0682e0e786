/** A player is voted out whom an observer heard for a little longer than the voters did: nobody is to blame, and the observer's log stands before the server. */

import { LabKeys } from "@nearfield/netlab/internal";
import { verdict } from "@nearfield/rollback/trust";
import { expect, test } from "vitest";
import { Fighter, STEP_MS, Watcher } from "./forgers/forged-fight.ts";
import type { Plan } from "./forgers/plan.ts";
import { courtOf, reportsOf } from "./forgers/reports.ts";

const PLAYERS = 3;
const GONE = 2;
/** From this tick on the voters hear nothing of the player, and the observer nothing from the later one. */
const [SILENT, LOST] = [40, 52];
/** Meanwhile the observer hears nothing of another one: nothing is final for it before it hears of the vote. */
const MUTE = 0;
const isMute = (id: number, tick: number): boolean => id === MUTE && tick > 36 && tick < 120;

test("an observer that has more of a player than the vote says is no forger", async () => {
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
  for (let tick = 0; tick < 190; tick++) {
    const nowMs = Math.min(tick + 1, 128) * STEP_MS;
    for (const { id, session, replica } of fighters) {
      if (id === GONE && tick >= LOST) continue;
      replica.carryOut(session.tick(nowMs, Uint8Array.of(tick % 5)));
      const isHeard = id !== GONE || tick < SILENT;
      for (const to of fighters) if (to.id !== id && isHeard) to.session.receive(id, session.messageTo(to.id));
      if (!isMute(id, tick)) oda.observer.receive(id, session.signedRows(oda.observer.needs(id)));
    }
    oda.replica.carryOut(oda.observer.tick());
  }
  const step = oda.observer.gone.get(GONE)!;
  const log = oda.observer.signedLog.players[GONE]!;
  expect(oda.observer.omissions).toEqual([]);
  expect(log.seal!.through).toBeGreaterThan(step);
  const fight = { plan, keys, fighters, watchers: [oda], toldMs: 0, noticedMs: undefined, slowestMs: 0 };
  // The players are silent, so inputs are replayed, and the observer's log must do.
  const [report] = reportsOf(fight).filter(({ by }) => by === "oda");
  const { faults, outcome } = await verdict(courtOf(fight), [report!]);
  expect(faults.filter(({ isProven }) => isProven)).toEqual([]);
  expect(outcome).toEqual(report!.outcome);
});
