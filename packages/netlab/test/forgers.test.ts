/**
 * Forgers in seeded fights: one, some, all players but one, and all but one observer. None of them gains goods beyond what the signed inputs yield; who lied is named, and nobody else.
 */

import { isEquivocation, type Reporter, replayLog, verdict } from "@nearfield/rollback/trust";
import { describe, expect, test } from "vitest";
import { END, type ForgedFight, INPUT_BYTES, playForgedFight } from "./forgers/forged-fight.ts";
import { LIES, type Lie, planOf } from "./forgers/plan.ts";
import { courtOf, reportsOf, rulesOf } from "./forgers/reports.ts";
import { seeds } from "./seeds.ts";

/** Lies that are told during the fight; the others are told to the server, which sees them at once. */
const IN_FIGHT: readonly Lie[] = ["state", "inputs", "equivocation", "omission"];
/** Nothing that a machine on a bad connection would not do. */
const HARMLESS: readonly Lie[] = ["late", "silence"];
/** What the leader alone did. */
const OF_LEADER: readonly Lie[] = ["equivocation", "other history"];

/** The goods that the players' own inputs yield at a state, on a machine that knows them all. */
function truth({ plan, fighters }: ForgedFight, state: number): Uint8Array {
  const gone =
    plan.lie === "silence" ? fighters.find(({ id }) => id !== plan.leader)!.session.gone : new Map<number, number>();
  const rows = fighters.map(({ id, rows }) => rows.slice(0, gone.get(id) ?? END));
  const form = { players: plan.players, inputBytes: INPUT_BYTES, hasLags: false };
  return replayLog(rulesOf(plan.players), form, rows, END).find((outcome) => outcome.state === state)!.result;
}

describe.each(LIES)("%s", (lie) => {
  const mine = seeds(1, 104).filter((seed) => planOf(seed).lie === lie);
  test.each(mine)("gains nothing, and is named, seed %i", async (seed) => {
    const plan = planOf(seed);
    const fight = playForgedFight(plan);
    const court = courtOf(fight);
    const { outcome, faults, groups, denied } = await verdict(court, reportsOf(fight));
    const replay = `NEARFIELD_SEED=${seed} npm test -- packages/netlab/test/forgers.test.ts`;

    if (outcome) expect(outcome.result, replay).toEqual(truth(fight, outcome.state));
    // A bought observer can say that it heard somebody who was voted out; then goods are denied from there on.
    const isDoubted = IN_FIGHT.includes(lie) || (lie === "silence" && plan.bought.size > 0);
    // What all players vouched for stands, whatever is signed afterwards: all but the last second or two.
    if (lie === "other history") expect(outcome?.state, replay).toBeGreaterThanOrEqual(END - 40);
    else if (!isDoubted) expect(outcome?.state, replay).toBe(END);

    const liars: Reporter[] = [...plan.liars, ...plan.bought];
    const named = new Set(faults.map(({ by }) => by));
    const guilty = HARMLESS.includes(lie) ? [] : OF_LEADER.includes(lie) ? [plan.leader] : [...plan.liars];
    for (const by of guilty) expect(named.has(by), `${replay}: ${by} of ${liars.join()} is not named`).toBe(true);
    for (const { by, why, isProven } of faults)
      if (isProven || lie !== "silence") expect(liars, `${replay}: ${by} is blamed for ${why}`).toContain(by);
    if (lie === "late") expect(faults, replay).toEqual([]);
    for (const player of denied) expect(plan.liars.has(player), replay).toBe(true);
    if (["state", "result", "inputs"].includes(lie) && plan.liars.size > 1)
      expect(
        groups.some((group) => [...plan.liars].every((player) => group.includes(player))),
        replay,
      ).toBe(true);

    for (const { equivocation } of faults)
      if (equivocation) expect(await isEquivocation(court, equivocation), replay).toBe(true);

    if (!IN_FIGHT.includes(lie)) return;
    expect(fight.noticedMs, replay).toBeDefined();
    expect(fight.noticedMs! - fight.toldMs, replay).toBeLessThanOrEqual(1000 + 2 * fight.slowestMs);
  });
});
