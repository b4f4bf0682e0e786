/** A bus whose node of NATS loses the other nodes, while it writes a log: the outcome of what was on its way is unknown, and every entry is written once. */

import { expect, it, onTestFinished, vi } from "vitest";
import { natsServer } from "../../../scripts/lib/debian.mjs";
import { NatsNodes } from "../../../scripts/lib/nats.mjs";
import { CutProxy } from "../../../test/cut-proxy.ts";
import { NodeWires } from "../../../test/node-wires.ts";
import type { Bus } from "../src/internal/index.ts";
import { LogWriter } from "../src/journal/log-writer.ts";
import { NatsBus } from "../src/node/index.ts";

const program = natsServer.find();
const PATIENCE = { timeout: 60_000, interval: 20 };
const SERVER = 1;

it.skipIf(program === undefined && process.env["CI"] === undefined)(
  "a bus goes on through another node, and writes nothing twice",
  async () => {
    const wires = new NodeWires();
    onTestFinished(() => wires.close());
    const nodes = await NatsNodes.start({ program: program!, hasSecrets: false, wiring: wires.wiring, isHidden: true });
    onTestFinished(() => nodes.end());
    const wire = await CutProxy.open(nodes.servers);
    onTestFinished(() => wire.close());
    const open = async (servers: readonly string[]): Promise<NatsBus> => {
      // Nodes that have just chosen a leader still refuse streams for a moment.
      const bus = await vi.waitFor(() => NatsBus.connect({ servers, world: "lost", replicas: 3 }), PATIENCE);
      onTestFinished(() => bus.close());
      return bus;
    };
    const bus = await open(wire.addresses);
    const writer = new LogWriter(bus, SERVER);
    const [before, after] = [20, 180];
    let [said, written, all] = [0, 0, Number.POSITIVE_INFINITY];
    const saying = setInterval(() => {
      if (said === all) return;
      writer.append(Uint8Array.of(said >> 8, said & 0xff), () => {
        written += 1;
      });
      said += 1;
    }, 10);
    onTestFinished(() => clearInterval(saying));
    await vi.waitUntil(() => written >= before, PATIENCE);
    const lost = nodes.servers.findIndex((address) => wire.inUse.has(address));
    wires.cutOff(lost);
    all = said + after;
    await vi.waitUntil(() => written === all, PATIENCE);
    expect(wire.inUse).not.toContain(nodes.servers[lost]);
    expect(await entriesOf(bus)).toEqual(Array.from({ length: all }, (_, i) => i));
    // The node that was lost takes part again, and knows the same.
    wires.mend(lost);
    const late = await open([nodes.servers[lost]!]);
    await vi.waitUntil(async () => (await entriesOf(late))?.length === all, PATIENCE);
  },
  120_000,
);

/** Undefined while no node leads the log. */
function entriesOf(bus: Bus): Promise<number[] | undefined> {
  const entries: number[] = [];
  return new Promise((resolve) =>
    bus.logs.read(
      `journal.${SERVER}`,
      0,
      ([high, low]) => void entries.push((high! << 8) | low!),
      (isWhole) => resolve(isWhole ? entries : undefined),
    ),
  );
}
