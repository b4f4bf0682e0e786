/**
 * What clients hold of objects that several servers own in turn: never gone while in range, never older than before, and never further behind than
 * the view's bound, the bus, and the path to the client allow. Judged from the clients' own replicas.
 */

import type { ObjectId } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { seeds } from "../../netlab/test/seeds.ts";
import { ClusterLab, ROUND_MS, Ship, SIZE } from "./cluster-lab.ts";

const BORDER = SIZE / 2;
const LATENCY_MS = 20;
const FRAME_MS = 16;
const MOST_BUS_MS = 3;
/** Beyond zone 0 fewer than this many updates may be missing. */
const SEQUENCE = 4;

/** Two servers with a border between them, and a third one whose slice nobody is near; a player of each looks at the border. */
function watched(seed: number) {
  const cluster = new ClusterLab({ seed });
  for (let i = 0; i < 3; i++) cluster.start();
  cluster.run(1000);
  cluster.servers[0]!.guest.membership.propose((map) =>
    map!.split("r", 0, BORDER, 2).split("r0", 0, 5, 1).assign("r00", 3),
  );
  cluster.run(1000);
  const [low, high] = cluster.servers;
  for (let i = 0; i < 12; i++) {
    const x = BORDER + cluster.dice.range(-20, 20);
    const { world } = (x < BORDER ? low! : high!).lab;
    world.spawn(Ship, { x, y: 500 + cluster.dice.range(-90, 90), vx: cluster.dice.range(150, 400) });
  }
  cluster.clock.every(ROUND_MS, () => {
    for (const { lab } of cluster.servers) {
      for (const ship of lab.world.all(Ship)) {
        if (!lab.world.isForeign(ship) && Math.abs(ship.x - BORDER) > 20 && ship.vx * (ship.x - BORDER) > 0)
          ship.vx = -ship.vx;
      }
    }
  });
  const watchers = cluster.servers.map((server, i) => {
    const { client } = cluster.join(server, `watcher ${i}`, { latencyMs: LATENCY_MS });
    server.lab.server.onJoin((player) => player.setPivots([{ point: [BORDER, 500] }]));
    return {
      server,
      client,
      gone: [] as number[],
      back: [] as string[],
      behind: [] as string[],
      seen: new Map<ObjectId, number>(),
    };
  });
  return { cluster, watchers };
}

describe("clients of a cluster", () => {
  it.each(seeds(1, 6))("keep what they see across a border, on every gateway (seed %i)", (seed) => {
    const { cluster, watchers } = watched(seed);
    cluster.run(1500);
    for (const { client, gone } of watchers) client.onLeave(Ship, ({ id }) => gone.push(id));
    // How old the newest state may be that a replica must have: it waited for its gateway's round, and travelled.
    const oldestMs = MOST_BUS_MS + ROUND_MS + LATENCY_MS + FRAME_MS;
    for (let ms = 0; ms < 4000; ms += 10) {
      cluster.run(10);
      for (const { server, client, back, behind, seen } of watchers) {
        for (const ship of client.world.all(Ship)) {
          const id = server.lab.world.worldIdOf(ship.id);
          if (ship.seen < (seen.get(ship.id) ?? 0)) back.push(`${ship.id}: ${seen.get(ship.id)} then ${ship.seen}`);
          seen.set(ship.id, ship.seen);
          const due = cluster.referee.seenAt(id, cluster.clock.nowMs - oldestMs);
          const isNear = Math.hypot(ship.x - BORDER, ship.y - 500) < 30;
          if (ship.seen < due - (isNear ? 0 : SEQUENCE))
            behind.push(`${ship.id}: ${ship.seen} of ${due} at ${cluster.clock.nowMs}`);
        }
      }
    }
    expect(cluster.referee.crossings).toBeGreaterThan(150);
    for (const { server, client, gone, back, behind } of watchers) {
      expect(gone, `${server.name}: gone`).toEqual([]);
      expect(back, `${server.name}: went back`).toEqual([]);
      expect(behind, `${server.name}: too far behind`).toEqual([]);
      expect([...client.world.all(Ship)], server.name).toHaveLength(12);
    }
  });
});
