/** What every lobby promises, on one server or over several: players on different servers are asked for by different lobbies, which are one. */
import { expect, it } from "vitest";
import type { Lobby, QueuedMatch } from "../src/internal/index.ts";
import { refusal } from "./stand-ins.ts";

export interface LobbyStage {
  /** The lobby as the account's own server has it. The account is here from its first question on. */
  of(account: string): Lobby;
  /** The account comes or goes. */
  note(account: string, isHere: boolean): void;
  /** Lets time pass. */
  run(ms: number): Promise<void>;
  /** Waits for an answer; time passes meanwhile. */
  answered<Value>(ask: () => Value | Promise<Value>): Promise<Value>;
  /** What the account was told, oldest first: `party`, `invited`, `waiting`, `match`. */
  heard(account: string): readonly { readonly kind: string; readonly body: unknown }[];
}

/** Queues that a stage must have. */
export const CONTRACT_QUEUES = { duel: {}, pairs: { teamSize: 2 } };

const person = (account: string): { account: string; name: string } => ({ account, name: account.toUpperCase() });

export function lobbyContract(open: () => Promise<LobbyStage>): void {
  const solo = (stage: LobbyStage, queue: string, account: string): Promise<unknown> =>
    stage.answered(() => stage.of(account).enter(queue, { members: [account], rating: 1500 }));
  const matches = (stage: LobbyStage, account: string): QueuedMatch[] =>
    stage.heard(account).flatMap(({ kind, body }) => (kind === "match" ? [body as QueuedMatch] : []));
  const team = async (stage: LobbyStage, leader: string, member: string): Promise<void> => {
    const { id } = await stage.answered(() => stage.of(leader).invite(person(leader), member));
    await stage.answered(() => stage.of(member).join(person(member), id));
  };

  it("two who wait are matched, both are told the same, and neither waits any more", async () => {
    const stage = await open();
    expect(await solo(stage, "duel", "ann")).toEqual(["ann"]);
    expect(await refusal(solo(stage, "duel", "ann"))).toBe("in-queue");
    expect(await refusal(solo(stage, "none", "cid"))).toBe("bad-request");
    await solo(stage, "duel", "ben");
    await stage.run(5000);
    const [found] = matches(stage, "ann");
    expect(found?.teams.flat().sort()).toEqual(["ann", "ben"]);
    expect(matches(stage, "ben")).toEqual([found]);
    expect(matches(stage, "ann")).toHaveLength(1);
    expect(await solo(stage, "duel", "ann")).toEqual(["ann"]);
  });

  it("a party whose members are anywhere is matched as one team", async () => {
    const stage = await open();
    await team(stage, "ann", "ben");
    await stage.run(100);
    expect(stage.heard("ben").map(({ kind }) => kind)).toContain("party");
    expect((await stage.answered(() => stage.of("ben").partyOf("ben")))?.leader).toBe("ann");
    expect(stage.of("ben").knownPartyOf("ben")?.members).toHaveLength(2);
    expect(await refusal(stage.answered(() => stage.of("cid").join(person("cid"), "0".repeat(32))))).toBe(
      "no-invitation",
    );
    await stage.answered(() => stage.of("ann").enter("pairs", { members: ["ann", "ben"], rating: 1500 }));
    await solo(stage, "pairs", "cid");
    await solo(stage, "pairs", "dan");
    await stage.run(5000);
    for (const account of ["ann", "ben", "cid", "dan"]) expect(matches(stage, account)).toHaveLength(1);
    expect(matches(stage, "dan")[0]!.teams.map((members) => [...members].sort())).toContainEqual(["ann", "ben"]);
  });

  it("a party that changes, or a member of which goes, waits no longer; a party goes on without who stays away", async () => {
    const stage = await open();
    await team(stage, "ann", "ben");
    const enters = (): unknown =>
      stage.answered(() => stage.of("ann").enter("pairs", { members: ["ann", "ben"], rating: 1500 }));
    const waits = (): unknown => stage.heard("ann").findLast(({ kind }) => kind === "waiting")?.body;
    await enters();
    await stage.run(100);
    expect(waits()).toBe(true);
    stage.note("ben", false);
    await stage.run(1000);
    expect(waits()).toBe(false);
    stage.note("ben", true);
    await stage.run(1000);
    await enters();
    await stage.answered(() => stage.of("ann").passLead("ann", "ben"));
    await stage.run(100);
    expect(waits()).toBe(false);
    expect(await refusal(stage.answered(() => stage.of("ann").expel("ann", "ben")))).toBe("not-leader");
    const before = stage.answered(() => stage.of("ben").enter("pairs", { members: ["ben"], rating: 1500 }));
    expect(await refusal(before)).toBe("busy");
    stage.note("ann", false);
    await stage.run(65_000);
    expect((await stage.answered(() => stage.of("ben").partyOf("ben")))?.members).toHaveLength(1);
    await stage.answered(() => stage.of("ben").leaveParty("ben"));
    expect(await stage.answered(() => stage.of("ben").partyOf("ben"))).toBeUndefined();
    expect(await refusal(stage.answered(() => stage.of("ben").leaveParty("ben")))).toBe("no-party");
  });
}
