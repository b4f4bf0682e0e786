/**
 * Faults on real NATS nodes and real processes, while bots play: a server is killed, the node that leads NATS's streams is killed, a server is cut off.
 * Play goes on, and no slice ever has two owners. CI plays one small case; the nightly tier all of them with a hundred bots.
 */

import { describe, expect, it } from "vitest";
import { natsServer } from "../../../scripts/lib/debian.mjs";
import { ObservedCluster } from "./observed-cluster.ts";

const isNightly = process.env["NEARFIELD_NIGHTLY"] === "1";
const [SERVERS, BOTS] = isNightly ? [4, 100] : [3, 9];
/** Players stay connected or are back within this time. */
const BACK_MS = 10_000;

async function withCluster(play: (observed: ObservedCluster) => Promise<void>): Promise<void> {
  const observed = new ObservedCluster();
  try {
    await observed.start(SERVERS, BOTS);
    await play(observed);
    expect(observed.faults()).toEqual([]);
  } catch (error) {
    console.error(observed.cluster.servers.map(({ number, said }) => `server ${number}:\n${said.join("")}`).join("\n"));
    throw error;
  } finally {
    await observed.end();
  }
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
});
