/** Two servers of a cluster on real NATS nodes, with one social space: players of both are matched and meet, and both list the same rooms. */

import { join } from "@nearfield/client/node";
import type { ViewSettings } from "@nearfield/core";
import { object, Protocol, quantized } from "@nearfield/schema";
import { SocialClient, socialMessages } from "@nearfield/social/client";
import type { QueuedMatch } from "@nearfield/social/internal";
import { type NodeSocial, openSocial } from "@nearfield/social/node";
import { MemoryStore } from "@nearfield/store/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { natsServer } from "../../../scripts/lib/debian.mjs";
import { PlainPasswords } from "../../social/test/stand-ins.ts";
import { type ClusterServer, serveCluster } from "../src/node/index.ts";
import { spreadRooms } from "../src/rooms/index.ts";
import { type NatsNodes, startNats } from "./nats-nodes.ts";

const place = quantized(0, 1000, 0.1);
const Hero = object("hero", { x: place, y: place }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Hero], ...socialMessages });
const view: ViewSettings = {
  sets: [{ match: "everything", radii: [100], range: 400, bounds: [{ time: 0 }, { time: 200 }] }],
  pivots: [],
};
const program = natsServer.find();

describe.skipIf(program === undefined && process.env["CI"] === undefined)("rooms over two servers on NATS", () => {
  let nodes: NatsNodes;
  const store = new MemoryStore();
  const towns: { cluster: ClusterServer; social: NodeSocial; begun: QueuedMatch[] }[] = [];

  const start = async (port: number): Promise<void> => {
    const social = openSocial({
      store,
      secret: "only for tests: thirty-two bytes or more",
      passwords: new PlainPasswords(),
      queues: { duel: { difference: 1000 } },
    });
    const cluster = await serveCluster({
      protocol,
      view,
      roundMs: 20,
      udp: false,
      host: "127.0.0.1",
      port,
      authenticate: social.authenticate,
      cluster: {
        nats: { servers: nodes.servers, world: "rooms", replicas: 3 },
        lead: 50,
        balances: false,
        address: `ws://127.0.0.1:${port}`,
      },
    });
    const begun: QueuedMatch[] = [];
    social.attach(cluster.server.main);
    spreadRooms(cluster, social, { prepare: () => {}, prepareMatch: () => {} });
    social.matching.onMatch((match) => void begun.push(match));
    towns.push({ cluster, social, begun });
  };

  const logIn = async (at: number, name: string) => {
    const { account, token } = await towns[at]!.social.accounts.register(
      name,
      "a good password",
      `10.0.0.${name.length}`,
    );
    const client = await join(towns[at]!.cluster.server.url, {
      protocol,
      nickname: name,
      credentials: token,
      udp: false,
    });
    const social = new SocialClient(client);
    const matches: QueuedMatch[] = [];
    social.onNews("match", (match) => matches.push(match));
    return { account, token, client, social, matches };
  };

  const holds = (condition: () => boolean | Promise<boolean>): Promise<void> =>
    expect.poll(condition, { timeout: 30_000, interval: 50 }).toBe(true);

  beforeAll(async () => {
    nodes = await startNats(program!);
    for (const port of await freePorts(2)) await start(port);
  }, 60_000);

  afterAll(async () => {
    await Promise.all(towns.map(({ cluster }) => cluster.server.close()));
    await nodes.end();
  });

  it("players at different servers are matched and meet in one room; both servers list the same; a dead one's rooms are gone", async () => {
    const [ann, ben, eve] = [await logIn(0, "ann"), await logIn(1, "bennn"), await logIn(1, "eveeee")];
    await ann.social.ask("match.enter", { queue: "duel" });
    await ben.social.ask("match.enter", { queue: "duel" });
    await holds(() => ann.matches.length === 1 && ben.matches.length === 1);
    expect(ann.matches).toEqual(ben.matches);
    const { id, address } = ann.matches[0]!.room!;
    expect(towns.flatMap(({ begun }) => begun.map((match) => match.id))).toEqual([ann.matches[0]!.id]);
    // Both come, each with its own account; somebody else does not get in.
    const enter = (who: { token: string }, nickname: string) =>
      join(address!, { protocol, nickname, credentials: who.token, room: id, udp: false });
    await enter(ann, "ann");
    await enter(ben, "ben");
    await expect(enter(eve, "eve")).rejects.toMatchObject({ code: "denied" });
    const holder = towns.find(({ cluster }) => cluster.place.address === address)!;
    expect(holder.cluster.server.rooms.get(id)!.players.size).toBe(2);

    // The match's server has more to do, so the next room opens on the other one. Whoever asks, the list is the same.
    const room = await ann.social.ask("rooms.create", { name: "Ann's" });
    expect(room.address).not.toBe(address);
    const lists = (): Promise<unknown[]> => Promise.all([ann, ben].map(({ social }) => social.ask("rooms.list", {})));
    await holds(async () => JSON.stringify(await lists()) === JSON.stringify([[room], [room]]));
    await join(room.address!, { protocol, nickname: "ann", credentials: ann.token, room: room.id, udp: false });
    await holds(async () => (await ben.social.ask("rooms.get", { room: room.id })).taken === 1);
    // An operator sees both rooms at either server, once the servers have heard of each other's players.
    for (const { cluster } of towns) {
      const seen = () => cluster.sights.picture()!.rooms!;
      const listed = () => seen().rooms.map(({ kind, players, places }) => `${kind} ${players}/${places}`);
      await expect.poll(() => listed().sort(), { timeout: 30_000, interval: 50 }).toEqual(["match 2/2", "public 1/20"]);
      expect(towns.map(({ cluster: { number } }) => number)).toContain(seen().keeper);
      expect(seen().roomsInAll).toBe(2);
    }

    // The server that has Ann's room ends without a word.
    const doomed = towns.findIndex(({ cluster }) => cluster.place.address === room.address);
    const left = [ann, ben][1 - doomed]!;
    await towns[doomed]!.cluster.server.close();
    await holds(async () => (await left.social.ask("rooms.list", {})).length === 0);
    await expect(left.social.ask("rooms.get", { room: room.id })).rejects.toMatchObject({ code: "no-room" });
    // Whoever kept the lobby: it goes on.
    await holds(async () => {
      try {
        await left.social.ask("match.enter", { queue: "duel" });
        return true;
      } catch (error) {
        return (error as { code: string }).code === "in-queue";
      }
    });
  }, 120_000);
});

async function freePorts(count: number): Promise<number[]> {
  const { createServer } = await import("node:net");
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) =>
          server.once("listening", () => resolve((server.address() as { port: number }).port)),
        ),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
