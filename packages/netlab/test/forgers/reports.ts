/** What players and observers of a forged fight tell the server: honest ones what they have, forgers what their plan says. */

import { Pods } from "@nearfield/netlab/internal";
import {
  type Outcome,
  type Report,
  type Reporter,
  replayLog,
  type SignedLog,
  type VerdictOptions,
} from "@nearfield/rollback/trust";
import { altered, END, type ForgedFight, INPUT_BYTES, SPACE, signAnew } from "./forged-fight.ts";

const OTHER_SPACE: Uint8Array = new Uint8Array(16).fill(9);

export function courtOf({ plan, keys, fighters }: ForgedFight): VerdictOptions {
  const honest = fighters.find(({ id }) => !plan.liars.has(id)) ?? fighters[0]!;
  const isThere = (player: number) => plan.lie === "omission" || !honest.session.gone.has(player);
  const players = fighters.map(({ id }) => id).filter(isThere);
  return {
    space: SPACE,
    keys: keys.publicKeys,
    verifier: keys,
    inputBytes: INPUT_BYTES,
    expected: [...players, ...plan.observers],
    ...rulesOf(plan.players),
  };
}

export function rulesOf(players: number): Pick<VerdictOptions, "fight" | "result"> {
  return { fight: () => new Pods(players, 120), result: (fight) => (fight as Pods).goods };
}

export function reportsOf(fight: ForgedFight): Report[] {
  const { plan, fighters, watchers } = fight;
  const reports: Report[] = [];
  const told = (by: Reporter, outcomes: readonly Outcome[], log: SignedLog): Report | undefined => {
    const outcome = outcomes.filter(({ state }) => state <= END).at(-1);
    return outcome && { by, outcome, log };
  };
  const ofLiars = lieOf(
    fight,
    told(plan.leader, fighters[plan.leader]!.outcomes, fighters[plan.leader]!.session.signedLog!),
  );
  for (const { id, outcomes, session } of fighters) {
    const report = plan.liars.has(id) ? ofLiars && { ...ofLiars, by: id } : told(id, outcomes, session.signedLog!);
    if (report) reports.push(report);
  }
  for (const name of plan.bought) if (ofLiars) reports.push({ ...ofLiars, by: name });
  for (const { name, outcomes, observer } of watchers) {
    const report = told(name, outcomes, observer.signedLog);
    if (report) reports.push({ ...report, omissions: observer.omissions });
  }
  return reports;
}

/** What the leader makes of the truth; all who lie with it tell the same. */
function lieOf({ plan, keys }: ForgedFight, truth: Report | undefined): Report | undefined {
  if (!truth || plan.lie === "withheld") return undefined;
  const { by, outcome, log } = truth;
  if (plan.lie === "result")
    return { by, log: log!, outcome: { ...outcome, result: richer(outcome.result, plan.leader) } };
  if (plan.lie === "time")
    return { by, log: log!, outcome: { ...outcome, state: END + 8, result: richer(outcome.result, plan.leader) } };
  if (plan.lie === "log") return withLog(plan.players, alteredLog(log!, plan.victim, plan.step), by);
  if (plan.lie === "other history") {
    const other = alteredLog(log!, plan.leader, plan.step);
    const players = other.players.map((rows) =>
      rows.player === plan.leader && rows.seal ? { ...rows, seal: signAnew(keys, rows.seal, rows.rows, SPACE) } : rows,
    );
    return withLog(plan.players, { ...other, players }, by);
  }
  if (plan.lie === "old fight" || plan.lie === "renamed fight") {
    const players = log!.players.map((rows) =>
      rows.seal ? { ...rows, seal: signAnew(keys, rows.seal, rows.rows, OTHER_SPACE) } : rows,
    );
    const space = plan.lie === "old fight" ? OTHER_SPACE : SPACE;
    return {
      by,
      log: { ...log!, players, space },
      outcome: { ...outcome, result: richer(outcome.result, plan.leader) },
    };
  }
  return truth;
}

function alteredLog(log: SignedLog, player: number, step: number): SignedLog {
  return { ...log, players: log.players.map((rows) => (rows.player === player ? altered(rows, step) : rows)) };
}

/** A report of what that log would yield. */
function withLog(players: number, log: SignedLog, by: Reporter): Report | undefined {
  const form = { players, inputBytes: INPUT_BYTES, hasLags: false };
  const rows = log.players.map((player) => player.rows);
  const steps = Math.min(...rows.map(({ length }) => length));
  const outcome = replayLog(rulesOf(players), form, rows, steps).at(-1);
  return outcome && { by, outcome, log };
}

function richer(goods: Uint8Array, player: number): Uint8Array {
  const more = goods.slice();
  more[player * 2]! += 50;
  return more;
}
