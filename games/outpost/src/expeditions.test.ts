import type { Player } from "@nearfield/server";
import type { ActionSpaces } from "@nearfield/social/spaces";
import { describe, expect, test } from "vitest";
import { MOST_PLAYERS } from "./dungeon/numbers.ts";
import { Expeditions } from "./expeditions.ts";
import type { TownHost } from "./town/host.ts";

/** Only what an expedition asks of the town, the social space and the spaces. */
function setUp(options: { companions?: number; party?: { leader: string; members: string[] } } = {}) {
  const { companions = MOST_PLAYERS, party } = options;
  const away = new Set<Player>();
  const person = (account: string): Player => ({ identity: { account }, presence: "here" }) as unknown as Player;
  const players = new Map(["ann", "bob", "cid"].map((account) => [account, person(account)]));
  const opened: { players: readonly Player[]; data: Uint8Array; onEnd: (outcome: { space: number }) => void }[] = [];
  const settled: { id: string; goods: unknown }[] = [];
  const errors: unknown[] = [];
  const town = {
    players: players.values(),
    isAway: (player: Player) => away.has(player),
    setAway: (player: Player, isAway: boolean) => (isAway ? away.add(player) : away.delete(player)),
  };
  const expeditions = new Expeditions({
    town: town as unknown as TownHost,
    spaces: {
      open: (asked: (typeof opened)[number]) => ({ id: opened.push(asked) }),
    } as unknown as ActionSpaces,
    social: {
      parties: {
        of: (account) =>
          party?.members.includes(account)
            ? { leader: party.leader, members: party.members.map((member) => ({ account: member })) }
            : undefined,
      },
      settle: async (id, { accepted }) => {
        settled.push({ id, goods: accepted });
      },
    },
    company: {
      hire: async (count) => Array.from({ length: Math.min(count, companions) }, (_, at) => person(`bot-${at}`)),
    },
    seed: () => 7,
    randomId: () => "x1",
    onError: (error) => errors.push(error),
  });
  return { expeditions, players, opened, settled, away, errors, ann: players.get("ann")! };
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
    expect([...opened[0]!.data]).toEqual([2]);
  });

  test("takes a companion along even if it is full, for somebody must have seen it", async () => {
    const { expeditions, opened, ann } = setUp();
    await expeditions.descend(ann, "ann", 1);
    expect(opened[0]!.players).toHaveLength(2);
  });

  test("goes when its leader says so, and once", async () => {
    const { expeditions, players, ann } = setUp({ party: { leader: "ann", members: ["ann", "bob"] } });
    expect(await refusal(expeditions.descend(players.get("bob")!, "bob", 4))).toBe("not-leader");
    await expeditions.descend(ann, "ann", 4);
    expect(await refusal(expeditions.descend(ann, "ann", 4))).toBe("busy");
  });

  test("is told if nobody of the town is free", async () => {
    const { expeditions, ann } = setUp({ companions: 0 });
    expect(await refusal(expeditions.descend(ann, "ann", 4))).toBe("busy");
  });

  test("is back in the town when the space ends", async () => {
    const { expeditions, opened, away, ann } = setUp();
    await expeditions.descend(ann, "ann", 3);
    expect(away.size).toBe(3);
    expect(expeditions.open).toBe(1);
    opened[0]!.onEnd({ space: 1 });
    expect(away.size).toBe(0);
    expect(expeditions.open).toBe(0);
  });
});

describe("what is carried out", () => {
  const loot = { gold: 12, amber: 0, ruby: 1, relic: 0 };

  test("is settled under an id of the expedition and the slot", async () => {
    const { expeditions, settled, ann } = setUp();
    await expeditions.descend(ann, "ann", 3);
    expeditions.paid(1, 0, loot);
    const goods = [
      { good: "gold", count: 12 },
      { good: "ruby", count: 1 },
    ];
    expect(settled).toEqual([{ id: "dungeon-x1-0", goods: [{ account: "ann", goods }] }]);
  });

  test("is nothing for companions, and for dungeons that nobody opened", async () => {
    const { expeditions, settled, ann } = setUp();
    await expeditions.descend(ann, "ann", 3);
    expeditions.paid(1, 2, loot);
    expeditions.paid(9, 0, loot);
    expect(settled).toEqual([]);
  });
});
