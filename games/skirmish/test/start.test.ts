/** Skirmish on a web server: a real socket on a free port. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "@nearfield/client/node";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { protocol, Unit } from "../src/index.ts";
import { type RunningSkirmish, startSkirmish } from "../src/node/index.ts";

/** Ms in which a client is in on any machine; only ends what hangs. */
const PATIENCE = { timeout: 60_000, interval: 50 };

let server: Server;
let skirmish: RunningSkirmish;

beforeEach(async () => {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  skirmish = await startSkirmish({ server, path: "/skirmish/ws", seed: 1, map: "small", sides: 2 });
});

afterEach(async () => {
  await skirmish.close();
  await new Promise((resolve) => server.close(resolve));
});

it("lets bots play by themselves, and a client take a side; its status tells of both", async () => {
  await vi.waitFor(() => expect(skirmish.status()).toEqual({ people: 0, bots: 2, phase: "play" }), PATIENCE);
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/skirmish/ws`;
  const client = await join(url, { protocol, nickname: "ann" });
  await vi.waitFor(() => expect([...client.world.all(Unit)].length).toBeGreaterThan(0), PATIENCE);
  expect(skirmish.status()).toEqual({ people: 1, bots: 1, phase: "waiting" });
  client.leave();
  await vi.waitFor(() => expect(skirmish.status()).toMatchObject({ people: 0, bots: 2 }), PATIENCE);
});
