/**
 * Short lives of whole clusters, by dice: servers join, slices are cut by load and move; in some lives links between servers are cut or slow, processes are
 * paused, servers die or leave. Clients that go to other gateways play all along, and an auditor reads their replicas.
 *
 * Without faults no promise is broken, ever. With faults every shortfall is counted, and none is left ten seconds after the last fault; then every object has one
 * owner, nothing that was older than a snapshot is lost, and every copy is what its owner has. While no server dies no command is lost or carried out twice.
 */

import type { WorldId } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { seeds } from "../../netlab/test/seeds.ts";
import { ClusterLab, Hit, ROUND_MS, Ship, SIZE } from "./cluster-lab.ts";
import { ReplicaAuditor, type Watched } from "./replica-auditor.ts";
import { acting, makeTrouble, type Trouble } from "./troubles.ts";

interface Life {
  readonly cluster: ClusterLab;
  readonly auditor: ReplicaAuditor;
  readonly ids: readonly WorldId[];
  /** Commands sent, by avatar. */
  readonly sent: ReadonlyMap<WorldId, number>;
}

const LATENCY_MS = 20;
const BUS_MS = 3;
const HEALED_MS = 10_000;

function live(seed: number, trouble: Trouble): Life {
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
  const players: Watched[] = servers.map((server, i) => {
    const watched: Watched = { roamer: cluster.roam(server, `player ${i}`, LATENCY_MS), avatar: 0 as WorldId };
    server.lab.server.onJoin((joined) => {
      const { world } = server.lab;
      const ship = world.spawn(Ship, { x: dice.range(0, SIZE), y: 500, vx: 200, vy: 150 }, { owner: joined.id });
      watched.avatar = world.worldIdOf(ship);
      ids.push(watched.avatar);
      sent.set(watched.avatar, 0);
      joined.pivotOn(ship);
    });
    return watched;
  });
  cluster.run(2500);
  const auditor = new ReplicaAuditor(cluster, LATENCY_MS, BUS_MS);
  const play = (): void => {
    cluster.run(ROUND_MS);
    auditor.look(players);
  };
  for (let step = 0; step < 80; step++) {
    for (const { roamer, avatar } of players) {
      if (roamer.client.state !== "active" || !dice.chance(0.5)) continue;
      roamer.client.send(Hit, { number: 1 });
      sent.set(avatar, sent.get(avatar)! + 1);
    }
    if (trouble === "none") {
      if (dice.chance(0.01) && servers.length < 5) cluster.start();
    } else makeTrouble(cluster, trouble);
    play();
  }
  if (trouble === "none") return { cluster, auditor, ids, sent };
  hub.heal();
  hub.setDelay([0.3, BUS_MS]);
  const endMs = cluster.clock.nowMs + HEALED_MS;
  while (cluster.clock.nowMs < endMs) play();
  return { cluster, auditor, ids, sent };
}

/** Everything stands still for a moment, so that copies can be compared with their originals. */
function rest(cluster: ClusterLab): void {
  cluster.clock.every(ROUND_MS, () => {
    for (const { lab } of cluster.living) {
      for (const ship of lab.world.all(Ship)) if (!lab.world.isForeign(ship)) Object.assign(ship, { vx: 0, vy: 0 });
    }
  });
  cluster.run(2500);
}

/** What is wrong with the objects: lost, or with several owners; and with the copies: of nothing, or different from what the owner has. */
function faults(cluster: ClusterLab, ids: readonly WorldId[]): string[] {
  const owners = (id: WorldId) =>
    acting(cluster).flatMap(({ lab }) => {
      const ship = lab.world.byWorldId(id);
      return ship === undefined || lab.world.isForeign(ship) ? [] : [ship as unknown as Values];
    });
  const wrongOwners = ids.flatMap((id) => (owners(id).length === 1 ? [] : [`${id} has ${owners(id).length} owners`]));
  const wrongCopies = acting(cluster).flatMap(({ name, lab }) =>
    [...lab.world.all(Ship)].flatMap((copy) => {
      if (!lab.world.isForeign(copy)) return [];
      const id = lab.world.worldIdOf(copy);
      const [ship] = owners(id);
      if (ship === undefined) return [`${name} has a copy of ${id}, which nobody owns`];
      const isSame = copy.hits === ship.hits && Math.hypot(copy.x - ship.x, copy.y - ship.y) < 0.2;
      return isSame
        ? []
        : [`${name}: ${id} is ${copy.x}, ${copy.y}, ${copy.hits}, not ${ship.x}, ${ship.y}, ${ship.hits}`];
    }),
  );
  return [...wrongOwners, ...wrongCopies];
}

/** What is wrong at two moments, three rounds apart: an object that is on its way between two servers at one of them has arrived at the other. */
function lastingFaults(cluster: ClusterLab, ids: readonly WorldId[]): string[] {
  const first = new Set(faults(cluster, ids));
  cluster.run(3 * ROUND_MS);
  return faults(cluster, ids).filter((fault) => first.has(fault));
}

/** The object at its owner. Slices still move, so it may be on its way for a few rounds. */
function ownerOf(cluster: ClusterLab, id: WorldId): ReturnType<ClusterLab["primaries"]>[number] | undefined {
  for (let i = 0; i < 3 && cluster.primaries(id).length === 0; i++) cluster.run(ROUND_MS);
  return cluster.primaries(id)[0];
}

/** Every shortfall has ended, every object is there once, and so is every command. */
function expectNothingLost({ cluster, auditor, ids, sent }: Life): void {
  expect(auditor.open).toEqual([]);
  rest(cluster);
  expect(cluster.referee.twice).toBe(0);
  expect(lastingFaults(cluster, ids)).toEqual([]);
  for (const [avatar, count] of sent) expect(ownerOf(cluster, avatar)?.ship.hits, `commands of ${avatar}`).toBe(count);
}

interface Values {
  readonly x: number;
  readonly y: number;
  readonly hits: number;
}

/** Lives that went wrong once, by rules that are mended. */
const MENDED = { none: [463075156], deaths: [204509613, 463073356, 463073420] };

describe("a cluster", () => {
  it.each([...seeds(4001, 80), ...MENDED.none])("breaks no promise while nothing fails (seed %i)", (seed) => {
    const { cluster, auditor, ids } = live(seed, "none");
    expect(auditor.judged).toBeGreaterThan(100);
    expect(auditor.seen).toEqual([]);
    expect(cluster.referee.twice).toBe(0);
    expect(ids.filter((id) => cluster.primaries(id).length > 1)).toEqual([]);
  });

  it.each(seeds(1, 60))("loses nothing while links are cut or slow and processes pause (seed %i)", (seed) => {
    expectNothingLost(live(seed, "links"));
  });

  it.each(seeds(6001, 40))("loses nothing while servers leave, over links that are cut or slow (seed %i)", (seed) => {
    expectNothingLost(live(seed, "leaves"));
  });

  it.each([...seeds(2001, 60), ...MENDED.deaths])("brings everything back after servers died (seed %i)", (seed) => {
    const { cluster, auditor, ids } = live(seed, "deaths");
    expect(auditor.open).toEqual([]);
    rest(cluster);
    expect(cluster.referee.twice).toBe(0);
    expect(lastingFaults(cluster, ids)).toEqual([]);
    const map = acting(cluster)[0]?.guest.membership.map;
    for (const { owner } of map?.slices ?? []) expect(acting(cluster).map(({ number }) => number)).toContain(owner);
  });
});
