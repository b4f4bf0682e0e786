/** The bus over NATS: the contract of every bus, on three nodes that each hold everything. */

import { describe, expect, it, vi } from "vitest";
import { natsServer } from "../../../scripts/lib/debian.mjs";
import { NatsBus } from "../src/node/index.ts";
import { busContract } from "./bus-contract.ts";
import { startNats } from "./nats-nodes.ts";

const program = natsServer.find();

if (program === undefined) {
  describe("NatsBus", () => {
    if (process.env["CI"] === undefined) it.skip("there is no nats-server here (Debian: apt-get install nats-server)");
    else it("needs nats-server in CI", () => expect.fail("there is no nats-server here"));
  });
} else {
  busContract("NatsBus", async () => {
    const nodes = await startNats(program);
    const opened: NatsBus[] = [];
    const errors: unknown[] = [];
    return {
      open: async () => {
        // Nodes that have just chosen a leader still refuse streams for a moment.
        const bus = await vi.waitFor(
          () =>
            NatsBus.connect({
              servers: [nodes.servers[opened.length % 3]!],
              world: "contract",
              replicas: 3,
              onError: (error) => void errors.push(error),
            }),
          { timeout: 60_000, interval: 50 },
        );
        opened.push(bus);
        return bus;
      },
      until: (condition) => vi.waitUntil(condition, { timeout: 60_000, interval: 5 }).then(() => {}),
      reached: async (bus) => {
        await (bus as NatsBus).flush();
        // A subscription is known on its own node now. The other nodes have heard of it when a request through each comes back.
        await crossed(opened);
      },
      end: async () => {
        for (const bus of opened) bus.close();
        await nodes.end();
        expect(errors).toEqual([]);
      },
    };
  });
}

let marks = 0;

/** Every member has heard a message of every other one on a subject that is newer than all others. */
async function crossed(buses: readonly NatsBus[]): Promise<void> {
  const subject = `mark.${marks++}`;
  const heard = new Set<string>();
  const alive = buses.filter((bus) => isOpen(bus));
  const offs = alive.map((bus, to) => bus.subscribe(subject, ([from]) => heard.add(`${from} ${to}`)));
  await vi.waitUntil(
    () => {
      for (const [from, bus] of alive.entries()) bus.publish(subject, Uint8Array.of(from));
      return heard.size === alive.length ** 2;
    },
    { timeout: 60_000, interval: 5 },
  );
  for (const off of offs) off();
}

function isOpen(bus: NatsBus): boolean {
  try {
    bus.publish("open", new Uint8Array(0));
    return true;
  } catch {
    return false;
  }
}
