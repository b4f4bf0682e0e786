/**
 * Faults on real NATS nodes and real processes, while bots play: a server is killed, the node that leads NATS's streams is killed, a server or a node is cut
 * off.
 * Play goes on, and no slice ever has two owners. CI plays one small case; the nightly tier all of them with a hundred bots.
 */

import { describe, expect, it } from "vitest";
import type { Cluster } from "../../../scripts/lib/cluster.mjs";
import { natsServer } from "../../../scripts/lib/debian.mjs";
import type { Wiring } from "../../../scripts/lib/nats.mjs";
import { CutProxy } from "../../../test/cut-proxy.ts";
import { NodeWires } from "../../../test/node-wires.ts";
import { Hero } from "../src/shared.ts";
import { type Mason, ObservedCluster } from "./observed-cluster.ts";

const isNightly = process.env["NEARFIELD_NIGHTLY"] === "1";
const [SERVERS, BOTS] = isNightly ? [4, 100] : [3, 9];
/** Players stay connected or are back within this time. */
const BACK_MS = 10_000;

async function withCluster(
  play: (observed: ObservedCluster) => Promise<void>,
  last?: (cluster: Cluster) => Promise<unknown>,
  wiring?: Wiring,
): Promise<void> {
  const observed = new ObservedCluster();
  try {
    await observed.start(SERVERS, BOTS, last, wiring);
    await play(observed);
    expect(observed.faults()).toEqual([]);
    expect(observed.errors()).toEqual([]);
  } catch (error) {
    console.error(observed.cluster.servers.map(({ number, said }) => `server ${number}:\n${said.join("")}`).join("\n"));
    throw error;
  } finally {
    await observed.end();
  }
}

/** The last server reaches NATS through a wire that can be cut. */
async function withWire(
  play: (observed: ObservedCluster, wire: CutProxy) => Promise<void>,
  wiring?: Wiring,
): Promise<void> {
  let wire: CutProxy | undefined;
  const behind = async (cluster: Cluster): Promise<void> => {
    wire = await CutProxy.open(cluster.nats!.servers);
    await cluster.startServer(0, wire.addresses);
  };
  try {
    await withCluster((observed) => play(observed, wire!), behind, wiring);
  } finally {
    wire?.close();
  }
}

/** A mason who stands where the numbers of its gateway and of the owner of that place are as wanted. */
async function masonWhere(
  observed: ObservedCluster,
  isWanted: (gateway: number, owner: number) => boolean,
): Promise<{ readonly mason: Mason; readonly owner: () => number }> {
  for (let tries = 0; tries < 60; tries++) {
    const gateway = observed.cluster.servers[tries % SERVERS]!;
    const mason = await observed.joinMason(gateway);
    await observed.until(() => mason.client.mine(Hero) !== undefined);
    const { x, y } = mason.client.mine(Hero)!;
    const owner = (): number => observed.maps.at(-1)!.at(x, y).owner;
    if (isWanted(gateway.number, owner())) return { mason, owner };
    mason.client.leave();
  }
  throw new Error("60 masons came in, and none at a place as wanted");
}

describe.skipIf(natsServer.find() === undefined && process.env["CI"] === undefined)("while bots play", () => {
  it("a server is killed: the others take over its slices, and players of other gateways go on", () =>
    withCluster(async (observed) => {
      const [gateway, victim] = observed.cluster.servers;
      const walker = await observed.join(gateway!);
      await observed.until(() => walker.isMoving);
      victim!.child.kill("SIGKILL");
      walker.reset();
      await observed.until(() => !observed.owners.includes(victim!.number));
      await observed.until(() => walker.isMoving);
      expect(walker.longestRestMs).toBeLessThan(BACK_MS);
      expect(new Set(observed.owners).size).toBe(SERVERS - 1);
    }));

  it.runIf(isNightly).each([
    { whose: "another gateway", isGateway: false },
    { whose: "its builder's gateway", isGateway: true },
  ])(
    "the server that owns cairns is killed, $whose: each that was told to be safe stands, and none twice",
    ({ isGateway }) =>
      withCluster(async (observed) => {
        const { mason, owner } = await masonWhere(observed, (gateway, owner) => (gateway === owner) === isGateway);
        let raised = 0;
        const raising = setInterval(() => {
          if (mason.client.state === "active") mason.raise(raised++);
        }, 60);
        await observed.until(() => mason.told.size >= 15);
        const victim = observed.cluster.servers.find(({ number }) => number === owner())!;
        victim.child.kill("SIGKILL");
        const told = mason.told.size;
        await observed.until(() => owner() !== victim.number && mason.told.size >= told + 15);
        clearInterval(raising);
        // It need not be told of each: an event of a server that dies may be lost, but not what the event tells of.
        await observed.until(
          () => mason.seen.length >= (mason.wasDown ? mason.client.mine(Hero)!.cairns : raised),
          () => `of ${raised} cairns asked for these are seen: ${mason.seen.join(" ")}`,
        );
        const seen = mason.seen.sort((a, b) => a - b);
        expect(seen).toEqual([...new Set(seen)]);
        expect([...mason.told].filter((number) => !seen.includes(number))).toEqual([]);
        expect(mason.client.mine(Hero)!.cairns).toBe(seen.length);
      }),
  );

  it.runIf(isNightly)("a gateway is killed: its players go on at another one, with the heroes that they had", () =>
    withCluster(async (observed) => {
      const { cluster } = observed;
      const gateway = cluster.servers.at(-1)!;
      const walker = await observed.join(gateway);
      await observed.until(() => walker.isMoving);
      // Longer than a snapshot may be old.
      await observed.renewed([gateway.number], 14);
      const name = walker.client.mine(Hero)!.name;
      gateway.child.kill("SIGKILL");
      walker.reset();
      await observed.until(() => !observed.owners.includes(gateway.number));
      await observed.until(() => walker.isMoving);
      expect(walker.longestRestMs).toBeLessThan(BACK_MS);
      expect(walker.client.mine(Hero)!.name).toBe(name);
      await observed.until(() => cluster.botsReport().active === BOTS);
      expect(cluster.botsReport()).toMatchObject({ active: BOTS, lost: 0 });
    }),
  );

  it.runIf(isNightly)("a server is asked to end: it gives away what it has, and nobody is lost", () =>
    withCluster(async (observed) => {
      const { cluster } = observed;
      const leaver = cluster.servers.at(-1)!;
      const walker = await observed.join(leaver);
      await observed.until(() => walker.isMoving);
      walker.reset();
      leaver.child.kill("SIGTERM");
      await observed.until(() => !cluster.servers.includes(leaver));
      expect(leaver.child.exitCode).toBe(0);
      await observed.until(() => walker.isMoving);
      expect(walker.longestRestMs).toBeLessThan(BACK_MS);
      await observed.until(() => cluster.botsReport().active === BOTS);
      expect(cluster.botsReport()).toMatchObject({ active: BOTS, lost: 0 });
      expect(observed.owners).not.toContain(leaver.number);
    }),
  );

  it.runIf(isNightly)("each node of NATS is killed in turn, one of them the leader: no server loses its place", () =>
    withCluster(async (observed) => {
      const { cluster } = observed;
      const walkers = await Promise.all(cluster.servers.map((server) => observed.join(server)));
      await observed.until(() => walkers.every(({ isMoving }) => isMoving));
      const numbers = cluster.servers.map(({ number }) => number);
      for (const name of cluster.nats!.names) {
        for (const walker of walkers) walker.reset();
        await cluster.nats!.kill(name);
        await observed.renewed(numbers);
        await observed.until(() => walkers.every(({ isMoving }) => isMoving));
        cluster.nats!.restart(name);
        await observed.renewed(numbers);
        expect(Math.max(...walkers.map(({ longestRestMs }) => longestRestMs))).toBeLessThan(BACK_MS);
        expect(cluster.servers.map(({ number }) => number)).toEqual(numbers);
      }
      expect(cluster.botsReport()).toMatchObject({ active: BOTS, lost: 0 });
    }),
  );

  it.runIf(isNightly)("a server is cut off from the others: they take over, and it ends when it hears of that", () =>
    withWire(async (observed, wire) => {
      const { servers } = observed.cluster;
      const victim = servers.at(-1)!;
      const walker = await observed.join(servers[0]!);
      await observed.until(() => walker.isMoving);
      wire.cut();
      walker.reset();
      await observed.until(() => !observed.owners.includes(victim.number));
      await observed.until(() => walker.isMoving);
      expect(walker.longestRestMs).toBeLessThan(BACK_MS);
      wire.mend();
      await observed.until(() => !observed.cluster.servers.includes(victim));
      expect(victim.child.exitCode).toBe(1);
      expect(new Set(observed.owners).size).toBe(SERVERS - 1);
    }),
  );

  it.runIf(isNightly)(
    "the node of NATS that a server is connected to falls silent: the server goes on through another one",
    () =>
      withWire(async (observed, wire) => {
        const { cluster } = observed;
        const server = cluster.servers.at(-1)!;
        const walker = await observed.join(server);
        await observed.until(() => walker.isMoving);
        wire.silence();
        walker.reset();
        await observed.renewed([server.number]);
        await observed.until(() => walker.isMoving);
        expect(walker.longestRestMs).toBeLessThan(BACK_MS);
        expect(cluster.servers).toContain(server);
        expect(observed.owners).toContain(server.number);
        expect(cluster.botsReport()).toMatchObject({ active: BOTS, lost: 0 });
      }),
  );

  it.runIf(isNightly).each([
    ["leads the streams", true],
    ["does not lead them", false],
  ])(
    "a node of NATS that %s loses the other nodes: servers that are connected to it go on through another one",
    async (_, leads) => {
      const wires = new NodeWires();
      const play = async (observed: ObservedCluster, wire: CutProxy): Promise<void> => {
        const { cluster } = observed;
        const nats = cluster.nats!;
        const numbers = cluster.servers.map(({ number }) => number);
        const walkers = await Promise.all(cluster.servers.map((gateway) => observed.join(gateway)));
        await observed.until(() => walkers.every(({ isMoving }) => isMoving));
        const lost = await nodeOf(
          observed,
          wire,
          async (node) => (await nats.leaderOf("KV_frontier")) === nats.names[node],
          leads,
        );
        await observed.renewed(numbers);
        for (const walker of walkers) walker.reset();
        wires.cutOff(lost);
        await observed.until(() => !wire.inUse.has(nats.servers[lost]!));
        await observed.renewed(numbers);
        await observed.until(() => walkers.every(({ isMoving }) => isMoving));
        expect(Math.max(...walkers.map(({ longestRestMs }) => longestRestMs))).toBeLessThan(BACK_MS);
        wires.mend(lost);
        await observed.renewed(numbers);
        await observed.until(() => walkers.every(({ isMoving }) => isMoving));
        expect(cluster.servers.map(({ number }) => number)).toEqual(numbers);
        expect(new Set(observed.owners)).toEqual(new Set(numbers));
        expect(cluster.botsReport()).toMatchObject({ active: BOTS, lost: 0 });
      };
      try {
        await withWire(play, wires.wiring);
      } finally {
        wires.close();
      }
    },
  );
});

/** Breaks the wire until its server has connected to a node that fits: it tries them in turn. Returns the node. */
async function nodeOf(
  observed: ObservedCluster,
  wire: CutProxy,
  isLeader: (node: number) => Promise<boolean>,
  leads: boolean,
): Promise<number> {
  const nodes = observed.cluster.nats!.servers;
  for (;;) {
    await observed.until(() => wire.inUse.size === 1);
    const node = nodes.findIndex((address) => wire.inUse.has(address));
    if ((await isLeader(node)) === leads) return node;
    wire.mend();
    await observed.until(() => !wire.inUse.has(nodes[node]!));
  }
}
