/**
 * Short lives of whole clusters, by dice: servers join, slices are cut by load and move, links between servers are cut or slow, processes are
 * paused, servers die. After everything is well again every object has one owner, and every copy is what its owner has. While no server dies
 * nothing is lost, and no command is lost or carried out twice.
 */

import type { WorldId } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { seeds } from "../../netlab/test/seeds.ts";
import { ClusterLab, type ClusterServer, Hit, ROUND_MS, Ship, SIZE } from "./cluster-lab.ts";

interface Life {
  readonly cluster: ClusterLab;
  readonly ids: readonly WorldId[];
  /** Commands sent, by avatar. */
  readonly sent: ReadonlyMap<WorldId, number>;
}

function live(seed: number, deaths: boolean): Life {
  const cluster = new ClusterLab({ seed, balances: true });
  const { dice, hub, servers } = cluster;
  const ids: WorldId[] = [];
  const sent = new Map<WorldId, number>();
  for (let i = 0; i < 3; i++) cluster.start();
  cluster.run(800);
  for (let i = 0; i < 12; i++) {
    const { world } = dice.pick(servers).lab;
    const velocity = () => dice.range(-300, 300);
    const ship = world.spawn(Ship, { x: dice.range(0, SIZE), y: dice.range(0, SIZE), vx: velocity(), vy: velocity() });
    ids.push(world.worldIdOf(ship));
  }
  const players = servers.map((server, i) => {
    const { client } = cluster.join(server, `player ${i}`);
    const player = { server, client, avatar: 0 as WorldId };
    server.lab.server.onJoin((joined) => {
      const { world } = server.lab;
      const ship = world.spawn(Ship, { x: dice.range(0, SIZE), y: 500, vx: 200, vy: 150 }, { owner: joined.id });
      player.avatar = world.worldIdOf(ship);
      ids.push(player.avatar);
      sent.set(player.avatar, 0);
      joined.pivotOn(ship);
    });
    return player;
  });
  cluster.run(2500);
  for (let step = 0; step < 80; step++) {
    for (const { server, client, avatar } of players) {
      if (server.isDown || client.state !== "active" || !dice.chance(0.5)) continue;
      client.send(Hit, { number: 1 });
      sent.set(avatar, sent.get(avatar)! + 1);
    }
    trouble(cluster, deaths);
    cluster.run(ROUND_MS);
  }
  hub.heal();
  hub.setDelay([0.3, 3]);
  cluster.clock.every(ROUND_MS, () => {
    for (const { lab } of cluster.living)
      for (const ship of lab.world.all(Ship)) if (!lab.world.isForeign(ship)) stop(ship);
  });
  cluster.run(deaths ? 9000 : 6000);
  return { cluster, ids, sent };
}

function stop(ship: { vx: number; vy: number }): void {
  ship.vx = 0;
  ship.vy = 0;
}

/** Something goes wrong, or well again. */
function trouble(cluster: ClusterLab, deaths: boolean): void {
  const { dice, hub } = cluster;
  const roll = dice.next();
  const some = dice.pick(cluster.living);
  if (roll < 0.04) hub.cut(some.name, dice.pick(cluster.living).name);
  else if (roll < 0.1) hub.heal();
  else if (roll < 0.14)
    hub.setDelay(
      dice.pick([
        [0.3, 3],
        [5, 120],
        [0.1, 0.2],
      ]),
    );
  else if (roll < 0.16) {
    some.bus.pause();
    cluster.clock.after(dice.range(50, 700), () => some.bus.resume());
  } else if (deaths && roll < 0.18 && cluster.living.length > 2) cluster.kill(some);
  else if (deaths && roll < 0.2) {
    hub.isolate(some.name);
    cluster.clock.after(dice.range(100, 6000), () => hub.heal());
  } else if (roll < 0.21 && cluster.servers.length < 5) cluster.start();
}

/** Servers that may act. */
function acting(cluster: ClusterLab): ClusterServer[] {
  return cluster.living.filter(({ guest }) => guest.membership.isHeld);
}

/** What is wrong with the copies: of nothing, or different from what the owner has. */
function wrongCopies(cluster: ClusterLab): string[] {
  return acting(cluster).flatMap(({ name, lab }) =>
    [...lab.world.all(Ship)]
      .filter((copy) => lab.world.isForeign(copy))
      .flatMap((copy) => {
        const id = lab.world.worldIdOf(copy);
        const owners = acting(cluster).flatMap((other) => {
          const ship = other.lab.world.byWorldId(id) as typeof copy | undefined;
          return ship === undefined || other.lab.world.isForeign(ship) ? [] : [ship];
        });
        const [ship] = owners;
        if (ship === undefined) return [`${name} has a copy of ${id}, which nobody owns`];
        const isSame = copy.hits === ship.hits && Math.hypot(copy.x - ship.x, copy.y - ship.y) < 0.2;
        return isSame
          ? []
          : [`${name}: ${id} is ${copy.x}, ${copy.y}, ${copy.hits} instead of ${ship.x}, ${ship.y}, ${ship.hits}`];
      }),
  );
}

describe("a cluster", () => {
  it.each(seeds(1, 24))("loses nothing while links are cut or slow and processes pause (seed %i)", (seed) => {
    const { cluster, ids, sent } = live(seed, false);
    expect(cluster.referee.twice).toBe(0);
    for (const id of ids) expect(cluster.primaries(id), `object ${id}`).toHaveLength(1);
    expect(wrongCopies(cluster)).toEqual([]);
    for (const [avatar, count] of sent)
      expect(cluster.primaries(avatar)[0]!.ship.hits, `commands of ${avatar}`).toBe(count);
  });

  it.each(seeds(2001, 16))("agrees on everything that is left after servers died (seed %i)", (seed) => {
    const { cluster, ids } = live(seed, true);
    expect(cluster.referee.twice).toBe(0);
    const owners = ids.map(
      (id) =>
        acting(cluster).filter(({ lab }) => {
          const ship = lab.world.byWorldId(id);
          return ship !== undefined && !lab.world.isForeign(ship);
        }).length,
    );
    expect(Math.max(...owners)).toBeLessThanOrEqual(1);
    expect(wrongCopies(cluster)).toEqual([]);
    const map = acting(cluster)[0]?.guest.membership.map;
    for (const { owner } of map?.slices ?? []) expect(acting(cluster).map(({ number }) => number)).toContain(owner);
  });
});
