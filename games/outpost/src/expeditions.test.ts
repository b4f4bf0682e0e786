import type { Player } from "@nearfield/server";
import { describe, expect, test } from "vitest";
import { MOST_PLAYERS } from "./dungeon/numbers.ts";
import { Expeditions, type OpenDungeon } from "./expeditions.ts";
import type { TownHost } from "./town/host.ts";

/** Only what an expedition asks of the town, parties and spaces. */
function setUp(
  options: {
    companions?: number;
    party?: { leader: string; members: string[] };
    keyless?: string;
    fails?: boolean;
  } = {},
) {
  const { companions = MOST_PLAYERS, party, keyless, fails = false } = options;
  const away = new Set<Player>();
  const person = (account: string): Player =>
    ({ identity: { account }, presence: "here", nickname: account }) as unknown as Player;
  const players = new Map(["ann", "bob", "cid"].map((account) => [account, person(account)]));
  const opened: OpenDungeon[] = [];
  const town = {
    get players() {
      return players.values();
    },
    avatarOf: () => ({ bot: false }),
    isAway: (player: Player) => away.has(player),
    setAway: (player: Player, isAway: boolean) => (isAway ? away.add(player) : away.delete(player)),
  };
  const expeditions = new Expeditions({
    town: town as unknown as TownHost,
    paid: {
      open: async (asked) => {
        if (fails) throw new Error("no space");
        opened.push(asked);
      },
    },
    parties: {
      of: (account) =>
        party?.members.includes(account)
          ? { leader: party.leader, members: party.members.map((member) => ({ account: member })) }
          : undefined,
    },
    company: {
      hire: async (count) => Array.from({ length: Math.min(count, companions) }, (_, at) => person(`bot-${at}`)),
    },
    hasKey: ({ nickname }) => nickname !== keyless,
    seed: () => 7,
  });
  return { expeditions, players, opened, away, ann: players.get("ann")! };
}

const refusal = (asking: Promise<unknown>): Promise<string> =>
  asking.then(
    () => "done",
    (error: { code: string }) => error.code,
  );

describe("a party that goes down", () => {
  test("is filled with companions, people first", async () => {
    const { expeditions, opened, ann } = setUp({ party: { leader: "ann", members: ["ann", "bob"] } });
    expect(await expeditions.descend(ann, "ann", 6)).toEqual({ heroes: 6 });
    expect(opened[0]!.players.map((player) => player.identity?.account)).toEqual([
      "ann",
      "bob",
      "bot-0",
      "bot-1",
      "bot-2",
      "bot-3",
    ]);
    expect([...opened[0]!.data!]).toEqual([2]);
  });

  test("may be one alone", async () => {
    const { expeditions, opened, ann } = setUp();
    await expeditions.descend(ann, "ann", 1);
    expect(opened[0]!.players).toHaveLength(1);
  });

  test("is checked by people who stay in town", async () => {
    const { expeditions, opened, players, ann } = setUp({
      party: { leader: "ann", members: ["ann", "bob"] },
      keyless: "dee",
    });
    const dee = { ...players.get("cid")!, nickname: "dee" } as Player;
    players.set("dee", dee);
    await expeditions.descend(ann, "ann", 2);
    expect(opened[0]!.candidates.map(({ nickname }) => nickname)).toEqual(["cid"]);
  });

  test("is told who cannot sign", async () => {
    const { expeditions, away, ann } = setUp({ party: { leader: "ann", members: ["ann", "bob"] }, keyless: "bob" });
    await expect(expeditions.descend(ann, "ann", 4)).rejects.toThrow("bob's page cannot sign");
    expect(away.size).toBe(0);
  });

  test("stays in town if no space can be opened", async () => {
    const { expeditions, away, ann } = setUp({ fails: true });
    await expect(expeditions.descend(ann, "ann", 4)).rejects.toThrow("no space");
    expect([away.size, expeditions.open]).toEqual([0, 0]);
  });

  test("goes when its leader says so, and once", async () => {
    const { expeditions, players, ann } = setUp({ party: { leader: "ann", members: ["ann", "bob"] } });
    expect(await refusal(expeditions.descend(players.get("bob")!, "bob", 4))).toBe("not-leader");
    await expeditions.descend(ann, "ann", 4);
    expect(await refusal(expeditions.descend(ann, "ann", 4))).toBe("busy");
  });

  test("goes with those of the town who are free", async () => {
    const { expeditions, ann } = setUp({ companions: 1 });
    expect(await expeditions.descend(ann, "ann", 4)).toEqual({ heroes: 2 });
  });

  test("is back in the town when the space ends", async () => {
    const { expeditions, opened, away, ann } = setUp();
    await expeditions.descend(ann, "ann", 3);
    expect(away.size).toBe(3);
    expect(expeditions.open).toBe(1);
    opened[0]!.onEnd!({ space: 1, why: "done", seats: [] });
    expect(away.size).toBe(0);
    expect(expeditions.open).toBe(0);
  });
});
