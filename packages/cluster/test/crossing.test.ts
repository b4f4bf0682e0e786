/** Objects that cross borders, while clients watch and steer them: none is doubled or lost, none stands still, no command is lost. */

import type { WorldId } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { seeds } from "../../netlab/test/seeds.ts";
import { ClusterLab, Hit, ROUND_MS, Ship, SIZE } from "./cluster-lab.ts";

/** Ships that swing across the borders of servers side by side, and players who steer some of them. */
function commuters(seed: number, seconds: number) {
  const cluster = new ClusterLab({ seed });
  cluster.startInColumns(4);
  const ids: WorldId[] = [];
  for (let i = 0; i < 60; i++) {
    const x = (SIZE / 4) * (1 + cluster.dice.int(3)) + cluster.dice.range(-20, 20);
    const server = cluster.servers[Math.min(3, Math.floor((4 * x) / SIZE))]!;
    const speed = cluster.dice.range(200, 400);
    const ship = server.lab.world.spawn(Ship, {
      x,
      y: cluster.dice.range(0, SIZE),
      vx: cluster.dice.chance(0.5) ? speed : -speed,
    });
    ids.push(server.lab.world.worldIdOf(ship));
  }
  let isResting = false;
  const turn = (): void => {
    for (const { lab } of cluster.servers) {
      for (const ship of lab.world.all(Ship)) {
        if (lab.world.isForeign(ship)) continue;
        if (isResting) ship.vx = 0;
        const nearest = (SIZE / 4) * Math.max(1, Math.min(3, Math.round((4 * ship.x) / SIZE)));
        if (Math.abs(ship.x - nearest) > 20 && ship.vx * (ship.x - nearest) > 0) ship.vx = -ship.vx;
      }
    }
  };
  cluster.clock.every(ROUND_MS, turn);
  const players = cluster.servers.map((server, i) => {
    const lab = cluster.join(server, `player ${i}`);
    const left: string[] = [];
    const world = server.lab.server;
    world.onJoin((player) => {
      const ship = world.world.spawn(Ship, { x: 250 * i + 125, y: 500, vx: 300 }, { owner: player.id });
      ids.push(world.world.worldIdOf(ship));
      player.pivotOn(ship);
    });
    lab.client.onLeave(Ship, (ship) => left.push(`${ship.id}`));
    return { lab, server, left, sent: 0, nickname: `player ${i}` };
  });
  cluster.run(1000);
  const dice = cluster.dice.fork("commands");
  for (let ms = 0; ms < seconds * 1000; ms += 25) {
    for (const player of players) {
      if (player.lab.client.state !== "active" || !dice.chance(0.3)) continue;
      player.lab.client.send(Hit, { number: player.sent });
      player.sent += 1;
    }
    cluster.run(25);
  }
  isResting = true;
  cluster.run(2000);
  return { cluster, ids, players };
}

describe("border crossings", () => {
  it.each(seeds(1, 4))("double nothing, lose nothing and hold nothing up (seed %i)", (seed) => {
    const { cluster, ids, players } = commuters(seed, 9);
    const { referee } = cluster;
    expect(referee.crossings).toBeGreaterThan(2500);
    expect(referee.twice).toBe(0);
    // The next step is due one round after the last one, and comes at most one round and the bus's delay later.
    expect(referee.longestGapMs).toBeLessThanOrEqual(2 * ROUND_MS);
    for (const id of ids) expect(cluster.primaries(id), `object ${id}`).toHaveLength(1);
    for (const { server, nickname, sent } of players) {
      const player = [...server.lab.server.main.players.values()].find((candidate) => candidate.nickname === nickname)!;
      const [avatar] = player.owned(Ship);
      const [primary] = cluster.primaries(server.lab.world.worldIdOf(avatar!));
      expect(sent).toBeGreaterThan(50);
      expect(primary!.ship.hits, `${nickname}'s commands`).toBe(sent);
    }
  });
});
