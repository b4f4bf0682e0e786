/** The queue: who is matched with whom and when, teams that are even, parties that stay together, and the same again from the same seed. */
import { Dice } from "@nearfield/netlab";
import { describe, expect, it } from "vitest";
import { refusal } from "../../test/stand-ins.ts";
import { type Match, MatchQueue, type Ticket } from "./queue.ts";
import { divide } from "./teams.ts";

let tickets = 0;
function ticket(rating: number, sinceMs = 0, members?: string[]): Ticket {
  tickets += 1;
  const id = `t${String(tickets).padStart(4, "0")}`;
  return { id, members: members ?? [id], rating, sinceMs };
}

describe("a duel", () => {
  it("is between those nearest in skill, and widens while they wait", () => {
    const queue = new MatchQueue({}, () => 0);
    const [ann, ben, cid] = [ticket(1500), ticket(1590), ticket(1900)];
    for (const one of [ann, ben, cid]) queue.enter(one);
    expect(queue.tick(0)[0]!.teams.flat().sort()).toEqual([ann.id, ben.id]);
    const dan = ticket(1500, 0);
    queue.enter(dan);
    expect(queue.tick(29_000)).toEqual([]);
    expect(queue.tick(30_000)[0]!.teams.flat().sort()).toEqual([cid.id, dan.id]);
    expect(queue.size).toBe(0);
  });

  it("needs both to allow the difference", () => {
    const queue = new MatchQueue({}, () => 0);
    queue.enter(ticket(1500, 0));
    queue.enter(ticket(1900, 30_000));
    expect(queue.tick(30_000)).toEqual([]);
    expect(queue.tick(60_000)).toHaveLength(1);
  });

  it("never goes beyond the most that is allowed", () => {
    const queue = new MatchQueue({ mostDifference: 300 }, () => 0);
    queue.enter(ticket(1500, 0));
    queue.enter(ticket(1801, 0));
    expect(queue.tick(1e9)).toEqual([]);
  });
});

describe("teams", () => {
  it("are even, and parties stay together", () => {
    const queue = new MatchQueue({ teamSize: 3, difference: 1000 }, () => 0);
    const party = ticket(1800, 0, ["a", "b"]);
    for (const one of [party, ticket(1600), ticket(1700), ticket(1500), ticket(1900)]) queue.enter(one);
    const [match] = queue.tick(0);
    expect(match!.teams.map((team) => team.length)).toEqual([3, 3]);
    const withParty = match!.teams.find((team) => team.includes("a"))!;
    expect(withParty).toContain("b");
  });

  it("wait where parties do not fit", () => {
    const queue = new MatchQueue({ teamSize: 3, difference: 1000 }, () => 0);
    for (const members of [
      ["a", "b"],
      ["c", "d"],
      ["e", "f"],
    ])
      queue.enter(ticket(1500, 0, members));
    expect(queue.tick(0)).toEqual([]);
    queue.enter(ticket(1500, 0, ["g"]));
    expect(queue.tick(0)).toEqual([]);
    queue.enter(ticket(1500, 0, ["h"]));
    expect(queue.tick(0)[0]!.teams.flat()).toHaveLength(6);
    expect(queue.size).toBe(1);
  });

  it("are divided as evenly as any division can be", () => {
    const groups = [1, 2, 3, 4, 5, 6].map((rating) => ({ id: `${rating}`, size: 1, rating }));
    const teams = divide(groups, 2, 3)!;
    const sums = teams.map((team) => team.reduce((sum, index) => sum + groups[index]!.rating, 0));
    expect(Math.abs(sums[0]! - sums[1]!)).toBe(1);
    expect(
      divide(
        [
          { id: "a", size: 2, rating: 1 },
          { id: "b", size: 2, rating: 1 },
          { id: "c", size: 2, rating: 1 },
        ],
        2,
        3,
      ),
    ).toBeUndefined();
  });

  it("of 4 × 5 single players are found within bounds", () => {
    const dice = new Dice(1);
    const groups = Array.from({ length: 20 }, (_, id) => ({ id: `${id}`, size: 1, rating: 1000 + dice.int(1000) }));
    const teams = divide(groups, 4, 5)!;
    const sums = teams.map((team) => team.reduce((sum, index) => sum + groups[index]!.rating, 0));
    expect(teams.map((team) => team.length)).toEqual([5, 5, 5, 5]);
    expect(Math.max(...sums) - Math.min(...sums)).toBeLessThan(400);
  });
});

it("refuses parties that are too large, those who wait already, and too many", async () => {
  const queue = new MatchQueue({ teamSize: 2, most: 2 }, () => 0);
  expect(await refusal(() => queue.enter(ticket(1500, 0, ["a", "b", "c"])))).toBe("too-many");
  queue.enter(ticket(1500, 0, ["a", "b"]));
  expect(await refusal(() => queue.enter(ticket(1500, 0, ["b"])))).toBe("in-queue");
  expect(queue.leave("b")).toEqual(["a", "b"]);
  expect(queue.leave("b")).toEqual([]);
  queue.enter(ticket(1500));
  queue.enter(ticket(1500));
  expect(await refusal(() => queue.enter(ticket(1500)))).toBe("busy");
});

it.each([1, 2, 3])("seed %i: a crowd is matched evenly, everybody once, and the same again", (seed) => {
  const run = (): Match[] => {
    const dice = new Dice(seed);
    const queue = new MatchQueue({ teamSize: 2, widenPerSecond: 20 }, () => dice.next());
    const ratings = new Map<string, number>();
    const matches: Match[] = [];
    for (let second = 0; second < 120; second++) {
      for (let one = 0; one < 5 && second < 60; one++) {
        const id = `${second}-${one}`;
        const members = dice.int(3) === 0 ? [`${id}a`, `${id}b`] : [`${id}a`];
        const rating = 1200 + dice.int(600);
        for (const member of members) ratings.set(member, rating);
        queue.enter({ id, members, rating, sinceMs: second * 1000 });
      }
      matches.push(...queue.tick(second * 1000));
    }
    const played = matches.flatMap(({ teams }) => teams.flat());
    expect(new Set(played).size).toBe(played.length);
    expect(played.length).toBeGreaterThan(0.95 * ratings.size);
    for (const { teams } of matches) {
      expect(teams.map((team) => team.length)).toEqual([2, 2]);
      for (const member of teams.flat()) {
        const partner = member.endsWith("a") ? `${member.slice(0, -1)}b` : `${member.slice(0, -1)}a`;
        if (ratings.has(partner)) expect(teams.find((team) => team.includes(member))).toContain(partner);
      }
    }
    return matches;
  };
  expect(run()).toEqual(run());
});
