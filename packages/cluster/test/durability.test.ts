/**
 * Servers die at random moments while players pay. What a player was told is there, once; every payment happens once; what nobody had a copy of comes back at
 * most one snapshot old; and players whose gateway died play on within ten seconds.
 */

import type { WorldId } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { seeds } from "../../netlab/test/seeds.ts";
import { decodeEntry } from "../src/journal/entries.ts";
import {
  ClusterLab,
  type ClusterServer,
  Coin,
  Pay,
  protocol,
  ROUND_MS,
  type Roamer,
  Ship,
  SIZE,
  SNAPSHOT_MS,
} from "./cluster-lab.ts";

interface Payer {
  readonly index: number;
  readonly roamer: Roamer;
  /** By payment: the number of the message that asked for it. */
  readonly messages: number[];
}

function acting(cluster: ClusterLab): ClusterServer[] {
  return cluster.living.filter(({ guest }) => guest.membership.isHeld);
}

/** Own coins of all servers that may act: how often each payment happened. */
function paid(cluster: ClusterLab, { index }: Payer): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { lab } of acting(cluster)) {
    for (const coin of lab.world.all(Coin)) {
      if (lab.world.isForeign(coin) || coin.payer !== index) continue;
      counts.set(coin.number, (counts.get(coin.number) ?? 0) + 1);
    }
  }
  return counts;
}

function start(seed: number): { readonly cluster: ClusterLab; readonly payers: Payer[]; readonly rocks: WorldId[] } {
  const cluster = new ClusterLab({ seed });
  cluster.startInColumns(4);
  const { dice, servers } = cluster;
  const rocks: WorldId[] = [];
  for (const { lab, number } of servers) {
    lab.server.onJoin((player) => {
      const x = dice.range(0, SIZE);
      const ship = lab.world.spawn(Ship, { x, y: 500, vx: dice.range(-200, 200) }, { owner: player.id });
      player.pivotOn(ship);
    });
    // Nobody looks there.
    rocks.push(lab.world.worldIdOf(lab.world.spawn(Ship, { x: (SIZE / 4) * (number - 0.5), y: 5 })));
  }
  const payers = servers.map((server, index) => ({
    index,
    roamer: cluster.roam(server, `payer ${index}`),
    messages: [],
  }));
  cluster.run(2000);
  return { cluster, payers, rocks };
}

function pay(cluster: ClusterLab, payers: readonly Payer[], ms: number): void {
  for (let spent = 0; spent < ms; spent += 20) {
    for (const { index, roamer, messages } of payers) {
      if (roamer.client.state === "ended" || !cluster.dice.chance(0.15)) continue;
      messages.push(roamer.client.send(Pay, { payer: index, number: messages.length }));
    }
    cluster.run(20);
  }
}

/** Nothing is in a dead server's log after its seal. */
function brokenSeals(cluster: ClusterLab): number[] {
  return cluster.servers.flatMap(({ number, isDown }) => {
    if (!isDown) return [];
    const kinds = [...cluster.hub.entriesOf(`journal.${number}`)].map(
      ({ payload }) => decodeEntry(protocol, payload).kind,
    );
    return kinds.indexOf("seal") === kinds.length - 1 ? [] : [number];
  });
}

function whatIsWrong(cluster: ClusterLab, payers: readonly Payer[], acknowledged: readonly number[]): string[] {
  return payers.flatMap((payer) => {
    const counts = paid(cluster, payer);
    const twice = [...counts].filter(([, count]) => count > 1).map(([number]) => `${payer.index} paid ${number} twice`);
    const lost = payer.messages.flatMap((_, number) => {
      if (counts.has(number)) return [];
      const told = number < acknowledged[payer.index]! ? ", though it was told so" : "";
      return [`${payer.index} did not pay ${number}${told}`];
    });
    return [...twice, ...lost];
  });
}

function acknowledgedBy(payers: readonly Payer[]): number[] {
  return payers.map(({ roamer, messages }) => messages.filter((number) => number <= roamer.client.confirmed).length);
}

describe("when a server dies", () => {
  it.each(seeds(1, 12))(
    "nothing acknowledged is lost, nothing happens twice, and everybody plays on (seed %i)",
    (seed) => {
      const { cluster, payers, rocks } = start(seed);
      const { dice, servers, referee } = cluster;
      pay(cluster, payers, 1000 + dice.int(1000));
      cluster.run(dice.range(0, ROUND_MS));
      const dead = dice.pick(servers);
      const rock = rocks[dead.number - 1]!;
      cluster.kill(dead);
      const diedMs = cluster.clock.nowMs;
      const seen = referee.seenAt(rock, diedMs);
      const acknowledged = acknowledgedBy(payers);
      let back = 0;
      while (cluster.clock.nowMs < diedMs + 10_000) {
        pay(cluster, payers, 100);
        const [found] = cluster.primaries(rock);
        if (back === 0 && found !== undefined && acting(cluster).includes(found.server)) back = found.ship.seen;
      }
      for (const { roamer } of payers) expect(roamer.client.state).toBe("active");
      cluster.run(3000);
      expect(referee.twice).toBe(0);
      expect(brokenSeals(cluster)).toEqual([]);
      for (const id of rocks) expect(cluster.primaries(id), `rock ${id}`).toHaveLength(1);
      expect(back).toBeGreaterThanOrEqual(seen - (SNAPSHOT_MS + 2 * ROUND_MS) / ROUND_MS);
      expect(whatIsWrong(cluster, payers, acknowledged)).toEqual([]);
      for (const { messages } of payers) expect(messages.length).toBeGreaterThan(50);
    },
  );

  it.each(seeds(501, 12))("the same holds if another one dies before or while that is mended (seed %i)", (seed) => {
    const { cluster, payers, rocks } = start(seed);
    const { dice, servers, referee } = cluster;
    pay(cluster, payers, 1000 + dice.int(1000));
    const [first, second] = dice.shuffle([...servers]);
    cluster.kill(first!);
    const told = acknowledgedBy(payers);
    pay(cluster, payers, dice.pick([0, 100, 1500, 3000, 3200, 3400, 3600]) + dice.int(100));
    cluster.run(dice.range(0, ROUND_MS));
    cluster.kill(second!);
    const acknowledged = acknowledgedBy(payers).map((count, i) => Math.max(count, told[i]!));
    pay(cluster, payers, 12_000);
    cluster.run(3000);
    expect(referee.twice).toBe(0);
    expect(brokenSeals(cluster)).toEqual([]);
    for (const id of rocks) expect(cluster.primaries(id), `rock ${id}`).toHaveLength(1);
    expect(whatIsWrong(cluster, payers, acknowledged)).toEqual([]);
  });

  it("nothing is handed to it any more, however long the map still names it", () => {
    const { cluster, rocks } = start(1001);
    const [survivor, dead] = cluster.servers;
    const { keys } = survivor!.bus;
    const { put } = keys;
    keys.put = (key, value, expected, done) => {
      if (key === "map") cluster.clock.after(ROUND_MS, () => done({ kind: "unknown" }));
      else put(key, value, expected, done);
    };
    for (const server of cluster.servers) if (server !== survivor) cluster.kill(server);
    cluster.run(8000);
    const { membership } = survivor!.guest;
    expect(membership.buried).toContain(dead!.number);
    expect(membership.map!.ofOwner(dead!.number)).not.toEqual([]);
    for (const id of rocks) expect(cluster.primaries(id), `rock ${id}`).toHaveLength(1);
    keys.put = put;
    cluster.run(1000);
    expect(membership.map!.ofOwner(dead!.number)).toEqual([]);
    for (const id of rocks) expect(cluster.primaries(id), `rock ${id}`).toHaveLength(1);
  });
});
