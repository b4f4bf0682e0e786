/** Servers of a cluster on real NATS nodes with secrets: they share a world, and strangers do not get in. */

import { connect as connectPlain } from "node:net";
import { join } from "@nearfield/client/node";
import type { ViewSettings } from "@nearfield/core";
import { object, Protocol, quantized } from "@nearfield/schema";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { natsServer } from "../../../scripts/lib/debian.mjs";
import { NatsNodes } from "../../../scripts/lib/nats.mjs";
import { type ClusterServer, NatsBus, type NatsBusOptions, serveCluster } from "../src/node/index.ts";

const place = quantized(0, 1000, 0.1);
const Ship = object("ship", { x: place, y: place }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Ship] });
const view: ViewSettings = {
  sets: [{ match: "everything", radii: [100], range: 400, bounds: [{ time: 0 }, { time: 200 }] }],
  pivots: [],
};

const program = natsServer.find();

describe.skipIf(program === undefined && process.env["CI"] === undefined)("a server of a cluster on NATS", () => {
  let nodes: NatsNodes;
  let nats: NatsBusOptions;
  const servers: ClusterServer[] = [];
  const start = async (): Promise<ClusterServer> => {
    const cluster = { nats, lead: 50, balances: false };
    const server = await serveCluster({ protocol, view, roundMs: 50, udp: false, host: "127.0.0.1", cluster });
    servers.push(server);
    return server;
  };

  beforeAll(async () => {
    nodes = await NatsNodes.start({ program: program! });
    nats = { servers: nodes.servers, world: "test", replicas: 3, ...nodes.secrets! };
  }, 60_000);

  afterAll(async () => {
    await Promise.all(servers.map(({ server }) => server.close()));
    await nodes.end();
  });

  it("has a number that no other has, and shares the world with them", async () => {
    const [one, two] = [await start(), await start()];
    expect([one.number, two.number]).toEqual([1, 2]);
    const picture = await vi.waitUntil(
      () => {
        const known = two.sights.picture();
        return known !== undefined && known.servers.length === 2 ? known : undefined;
      },
      { timeout: 20_000, interval: 50 },
    );
    // One of them cut the world for the other, or will be given none: with balancing off the first owns it all.
    expect(picture.slices.map(({ owner }) => owner)).toEqual([1]);
    expect([one.owns(10, 10), two.owns(10, 10)]).toEqual([true, false]);

    // A ship of the second server's player lies in the first one's slice, and is handed over.
    two.server.onJoin((player) =>
      player.pivotOn(two.server.world.spawn(Ship, { x: 500, y: 500 }, { owner: player.id })),
    );
    const client = await join(two.server.url, { protocol, nickname: "ann", udp: false });
    const [ship] = await vi.waitUntil(
      () => {
        const own = [...one.server.world.all(Ship)];
        return own.length === 1 ? own : undefined;
      },
      { timeout: 20_000, interval: 20 },
    );
    expect(one.server.world.isForeign(ship!)).toBe(false);
    ship!.x = 600;
    await vi.waitUntil(() => client.mine(Ship)?.x === 600, { timeout: 20_000, interval: 20 });
    client.leave();
    await vi.waitUntil(() => [...one.server.world.all(Ship)].length === 0, { timeout: 20_000, interval: 20 });
  }, 60_000);

  it("tells an operator what all servers do, and only while somebody looks", async () => {
    const [one] = servers;
    const stop = one!.sights.watch();
    const sights = await vi.waitUntil(
      () => {
        const all = one!.sights.picture()?.servers.map(({ sight }) => sight) ?? [];
        return all.length === 2 && all.every((sight) => sight !== null) ? all : undefined;
      },
      { timeout: 20_000, interval: 50 },
    );
    expect(sights.map((sight) => sight!.isHeld)).toEqual([true, true]);
    const [, second] = sights;
    expect(second!.to.find(({ server }) => server === 1)).toMatchObject({ transfers: 1 });
    stop();
    expect(one!.sights.picture()!.servers.map(({ sight }) => sight)).toEqual([null, null]);
  }, 60_000);

  it("is refused without the password, and without a certificate of this cluster", async () => {
    const { tls, ...rest } = nats;
    const wrong: [string, NatsBusOptions][] = [
      ["no password", { servers: nats.servers, world: "test", tls: tls! }],
      ["another password", { ...nats, password: "guessed" }],
      ["no certificate of its own", { ...rest, tls: { ca: tls!.ca! } }],
      ["no TLS", { ...rest }],
    ];
    for (const [name, options] of wrong) {
      await expect(NatsBus.connect(options), name).rejects.toThrow();
    }
    const cluster = { nats: { ...nats, password: "guessed" }, lead: 50 };
    const refused = serveCluster({ protocol, view, roundMs: 50, udp: false, host: "127.0.0.1", cluster });
    await expect(refused).rejects.toMatchObject({ code: "no-bus" });
  }, 60_000);

  it("speaks TLS between the nodes too: nobody talks to a route in the clear", async () => {
    for (const port of nodes.routePorts) {
      const heard = await new Promise<string>((resolve, reject) => {
        let text = "";
        const socket = connectPlain({ host: "127.0.0.1", port }, () => socket.write("PING\r\n"));
        socket.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        socket.once("error", reject);
        socket.once("close", () => resolve(text));
      });
      // A node without TLS would say who it is, and answer.
      expect(heard).toBe("");
    }
  });

  it("is ready while it holds its lease and stays, and healthy all the while", async () => {
    const [one, two] = servers;
    const asks = async (path: string): Promise<string> => {
      const response = await fetch(`${one!.server.url.replace("ws", "http")}${path}`);
      return `${response.status} ${(await response.text()).trim()}`;
    };
    const says = (path: string, text: string): Promise<void> =>
      expect.poll(() => asks(path), { timeout: 60_000, interval: 100 }).toBe(text);
    await says("/readyz", "200 ok");
    // One node of three cannot write, so nobody's lease is renewed.
    await Promise.all([nodes.kill("node1"), nodes.kill("node2")]);
    await says("/readyz", "503 this server does not hold its lease");
    expect(await asks("/healthz")).toBe("200 ok");
    nodes.restart("node1");
    nodes.restart("node2");
    await says("/readyz", "200 ok");
    // A server that drains is not ready from the first moment on.
    void two!.server.stopJoins("going home");
    await expect
      .poll(async () => (await fetch(`${two!.server.url.replace("ws", "http")}/readyz`)).status, { timeout: 20_000 })
      .toBe(503);
  }, 150_000);
});
