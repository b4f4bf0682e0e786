/** One lobby for all servers: the contract of every lobby, and what becomes of tickets and matches when servers die, are cut off, or pause. */

import type { QueuedMatch } from "@nearfield/social/internal";
import { describe, expect, it } from "vitest";
import { CONTRACT_QUEUES, lobbyContract } from "../../social/test/lobby-contract.ts";
import { OPEN_MS, TELL_MS } from "../src/rooms/lobby-keeper.ts";
import { decode, encode, MOST_BYTES, readers } from "../src/rooms/messages.ts";
import { RoomsLab, type RoomsServer } from "./rooms-lab.ts";

describe("SharedLobby", () =>
  lobbyContract(async () => {
    const lab = new RoomsLab({ seed: 1, queues: CONTRACT_QUEUES });
    for (let i = 0; i < 3; i++) lab.start();
    await lab.run(2000);
    const serverOf = (account: string): RoomsServer => lab.servers[account.charCodeAt(0) % 3]!;
    return {
      of: (account) => {
        serverOf(account).enter(account);
        return serverOf(account).lobby;
      },
      note: (account, isHere) => (isHere ? serverOf(account).enter(account) : serverOf(account).leave(account)),
      run: (ms) => lab.run(ms),
      answered: (ask) => lab.answered(ask),
      heard: (account) => lab.heard.filter((one) => one.account === account),
    };
  }));

describe("a lobby over servers that fail", () => {
  const count = process.env["NEARFIELD_NIGHTLY"] === undefined ? 30 : 500;
  for (let seed = 1; seed <= count; seed++)
    it(`seats nobody twice, loses no ticket, and leaves no match half open: seed ${seed}`, () => storm(seed));
});

/** Players on five servers enter a queue again and again, while servers die, pause, and are cut off. Then all is quiet, and everybody who waits is matched. */
async function storm(seed: number): Promise<void> {
  const lab = new RoomsLab({ seed, queues: { duel: { difference: 1000 } }, doubled: 0.2 });
  const dice = lab.dice.fork("storm");
  for (let i = 0; i < 5; i++) lab.start();
  await lab.run(3000);
  /** For each account and each time that it entered: what it was told of. */
  const entries = new Map<string, number>();
  const enter = (server: RoomsServer, account: string): void => {
    const asked = server.lobby.enter("duel", { members: [account], rating: 1500 });
    asked.then(
      () => entries.set(account, (entries.get(account) ?? 0) + 1),
      // `busy`: it may have been carried out. What was asked for counts then.
      (error: { code: string }) => {
        if (error.code === "busy") entries.set(account, (entries.get(account) ?? 0) + 1);
      },
    );
  };
  for (let account = 0; account < 20; account++) dice.pick(lab.servers).enter(`p${account}`);
  for (let step = 0; step < 60; step++) {
    for (const server of lab.living)
      for (const account of server.here) if (!server.isPaused && dice.chance(0.1)) enter(server, account);
    const fault = dice.next();
    const { living } = lab;
    const server = dice.pick(living);
    if (fault < 0.04 && living.length > 2) server.kill();
    else if (fault < 0.1) lab.hub.cut(server.name, dice.pick(living).name);
    else if (fault < 0.14) lab.hub.isolate(server.name);
    else if (fault < 0.18) server.pause();
    else if (fault < 0.6) {
      lab.hub.heal();
      for (const one of lab.living) if (one.isPaused) one.resume();
    }
    await lab.run(dice.range(100, 1500));
  }
  lab.hub.heal();
  for (const one of lab.living) if (one.isPaused) one.resume();
  await lab.run(20_000);
  // Everybody who is left enters once more. Some wait already.
  for (const server of lab.living) for (const account of server.here) enter(server, account);
  await lab.run(OPEN_MS + 15_000);

  const places = new Map<string, Set<string | undefined>>();
  for (const { body } of lab.heard.filter(({ kind }) => kind === "match")) {
    const { id, room } = body as QueuedMatch;
    places.set(id, (places.get(id) ?? new Set()).add(room?.address));
  }
  // Whoever is told of a match is told one place, and there the match has begun, once.
  for (const [id, addresses] of places) {
    expect(addresses.size, id).toBe(1);
    const begun = lab.begun.filter(({ match, server }) => match.id === id && addresses.has(`ws://${server}`));
    expect(begun, id).toHaveLength(1);
  }
  for (let number = 0; number < 20; number++) {
    const account = `p${number}`;
    const matches = new Set(lab.matchesOf(account).map(({ body }) => (body as QueuedMatch).id));
    expect(matches.size, `${account} entered ${entries.get(account)} times`).toBeLessThanOrEqual(
      entries.get(account) ?? 0,
    );
  }
  // Nobody who is here is left out of a match of which others were told.
  const present = new Set(lab.living.flatMap(({ here }) => [...here]));
  const lateMs = lab.clock.nowMs - TELL_MS;
  for (const id of places.keys()) {
    const { match, atMs } = lab.begun.find((one) => one.match.id === id)!;
    if (atMs > lateMs) continue;
    const told = new Set(
      lab.heard.filter(({ body }) => (body as QueuedMatch | undefined)?.id === id).map((one) => one.account),
    );
    for (const account of match.teams.flat()) if (present.has(account)) expect(told, id).toContain(account);
  }
  // At most one who entered still waits.
  const waits = [...present].filter((account) => {
    const last = lab.heard.findLast(
      (one) => one.account === account && (one.kind === "match" || one.kind === "waiting"),
    );
    return last?.kind === "waiting" && last.body === true;
  });
  expect(lab.begun.length).toBeGreaterThan(5);
  expect(waits.length).toBeLessThanOrEqual(1);
}

describe("a keeper that is not sure of its log any more", () => {
  it("goes on with a new fence: a question that arrives twice is not carried out twice, and its news is heard", async () => {
    const lab = new RoomsLab({ seed: 1, queues: { duel: { difference: 1000 } } });
    const servers = [lab.start(), lab.start()];
    await lab.run(3000);
    const { fence, keeper } = servers[0]!.election;
    const other = servers.find(({ number }) => number !== keeper)!;
    const enter = (account: string): Promise<unknown> =>
      lab.answered(() => other.lobby.enter("duel", { members: [account], rating: 1500 }));
    for (const account of ["ann", "ben"]) other.enter(account);
    await enter("ann");
    // Refused, so it changes nothing, and the log knows nothing of it.
    const questions: Uint8Array[] = [];
    lab.servers[keeper - 1]!.bus.subscribe(`lobby-ask.${keeper}`, (payload) => void questions.push(payload));
    await lab.run(100);
    await expect(enter("ann")).rejects.toMatchObject({ code: "in-queue" });
    // The keeper is cut off while it writes, for less than its lease.
    const isAsked = enter("ben").catch(() => {});
    lab.hub.isolate(`server ${keeper}`);
    await lab.run(1100);
    lab.hub.heal();
    await isAsked;
    await lab.until(() => other.election.fence > fence && lab.matchesOf("ann").length === 1);
    expect(other.election.keeper).toBe(keeper);
    for (const question of questions) other.bus.publish(`lobby-ask.${keeper}`, question);
    await lab.run(1000);
    const told = lab.heard.findLast(({ account, kind }) => account === "ann" && kind !== "party");
    expect(told).toMatchObject({ kind: "match" });
  });
});

describe("messages", () => {
  it("are read only within their bounds", () => {
    const asked = { from: 1, fence: 1, number: 1, asks: [{ kind: "enter", account: "ann", rating: 1500 }] };
    expect(decode(encode(asked), readers.asked)).toEqual(asked);
    expect(decode(encode({ ...asked, asks: Array(65).fill(asked.asks[0]) }), readers.asked)).toBeUndefined();
    expect(decode(encode({ ...asked, asks: [{ kind: "other", account: "ann" }] }), readers.asked)).toBeUndefined();
    expect(decode(encode({ ...asked, from: -1 }), readers.asked)).toBeUndefined();
    expect(
      decode(encode({ ...asked, asks: [{ kind: "here", account: "a".repeat(201) }] }), readers.asked),
    ).toBeUndefined();
    expect(decode(new Uint8Array(MOST_BYTES + 1).fill(0x20), readers.asked)).toBeUndefined();
    expect(decode(Uint8Array.of(0xff, 0xfe), readers.asked)).toBeUndefined();
  });

  it("of a keeper whose place was taken are not obeyed", async () => {
    const lab = new RoomsLab({ seed: 1, queues: CONTRACT_QUEUES });
    const [one, two] = [lab.start(), lab.start()];
    await lab.run(3000);
    const { fence, keeper } = one.election;
    expect(keeper).toBeGreaterThan(0);
    const other = keeper === 1 ? two : one;
    other.enter("ann");
    const match = { id: "forged", queue: "duel", teams: [["ann"], ["ben"]] };
    other.bus.publish("lobby-news", encode({ fence: fence - 1, number: 1e6, match }));
    await lab.run(500);
    expect(lab.matchesOf("ann")).toEqual([]);
    other.bus.publish("lobby-news", encode({ fence, number: 1e6, match }));
    await lab.run(500);
    expect(lab.matchesOf("ann")).toHaveLength(1);
    const refused = await new Promise<Uint8Array>((resolve) => {
      other.bus.request("room.1", encode({ kind: "match", fence: fence - 1, match }), (answer) =>
        resolve(answer.kind === "reply" ? answer.payload : new Uint8Array(0)),
      );
      void lab.run(500);
    });
    expect(decode(refused, readers.answered)?.refused).toBe("failed");
    expect(lab.begun).toEqual([]);
  });
});
