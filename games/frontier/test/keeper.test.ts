/**
 * The server that keeps the queues of all servers is killed, on real NATS nodes and real processes, while players enter a queue. Another server takes over:
 * every player is in one match, and each match has one room.
 */

import { join as joinPath } from "node:path";
import { join } from "@nearfield/client/node";
import { SocialClient } from "@nearfield/social/client";
import type { QueuedMatch } from "@nearfield/social/internal";
import { openSocial, tokenSecret } from "@nearfield/social/node";
import { openStore } from "@nearfield/store/node";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ServerProcess } from "../../../scripts/lib/cluster.mjs";
import { natsServer } from "../../../scripts/lib/debian.mjs";
import { DUEL, protocol, ROUND_MS } from "../src/shared.ts";
import { ObservedCluster } from "./observed-cluster.ts";

const isNightly = process.env["NEARFIELD_NIGHTLY"] === "1";
const SERVERS = 3;
const PLAYERS = isNightly ? 60 : 12;

interface Duellist {
  readonly token: string;
  readonly social: SocialClient;
  readonly matches: QueuedMatch[];
}

describe.skipIf(natsServer.find() === undefined && process.env["CI"] === undefined)(
  "while players enter a queue",
  () => {
    it("its keeper is killed: another server takes over, no match is opened twice, and none is lost", async () => {
      const observed = new ObservedCluster();
      onTestFinished(() => observed.end());
      await observed.start(SERVERS, 0);
      const { cluster } = observed;
      await observed.until(() => observed.keeper !== 0);
      const victim = cluster.servers.find(({ number }) => number === observed.keeper)!;
      const survivors = cluster.servers.filter((server) => server !== victim);
      const duellists = await admit(joinPath(cluster.nats!.folder, "accounts"), survivors);

      // One waits already: its ticket is in the old keeper's log, and in nobody's memory soon.
      await enter(duellists[0]!);
      const [first, second] = [duellists.slice(1, PLAYERS / 2), duellists.slice(PLAYERS / 2)];
      const entering = first.map(enter);
      victim.child.kill("SIGKILL");
      entering.push(...second.map(enter));
      await Promise.all(entering);
      await observed.until(() => observed.keeper !== victim.number);
      await observed.until(() => duellists.every(({ matches }) => matches.length > 0));

      const told = duellists.flatMap(({ matches }) => matches);
      const ids = new Set(told.map(({ id }) => id));
      expect(told).toHaveLength(PLAYERS);
      expect(ids.size).toBe(PLAYERS / 2);
      for (const id of ids) {
        const players = duellists.filter(({ matches }) => matches[0]!.id === id);
        const [{ room }, other] = players.map(({ matches }) => matches[0]!) as [QueuedMatch, QueuedMatch];
        expect(other.room).toEqual(room);
        // Its room is there, and on no other server.
        for (const { token } of players) await goTo(room!.address!, room!.id, token);
        for (const { port } of survivors) {
          const address = `http://127.0.0.1:${port}/`;
          if (address === room!.address) continue;
          await expect(goTo(address, room!.id, players[0]!.token)).rejects.toMatchObject({ code: "room" });
        }
      }
      expect(observed.errors()).toEqual([]);
    });
  },
);

/** Players with accounts at these servers in turn. Accounts are made in the store itself: servers make only a few for one address. */
async function admit(folder: string, servers: readonly ServerProcess[]): Promise<Duellist[]> {
  const store = await openStore(folder);
  onTestFinished(() => store.close());
  const accounts = openSocial({ store, secret: await tokenSecret(store, "frontier") }).accounts;
  const duellists: Duellist[] = [];
  for (let i = 0; i < PLAYERS; i++) {
    const { token } = await accounts.guest(`10.0.0.${i}`);
    const { port } = servers[i % servers.length]!;
    const client = await join(`ws://127.0.0.1:${port}/ws`, {
      ...{ protocol, nickname: `duellist ${i}`, credentials: token, frameMs: ROUND_MS, udp: false },
    });
    onTestFinished(() => client.leave());
    const social = new SocialClient(client);
    const matches: QueuedMatch[] = [];
    social.onNews("match", (match) => void matches.push(match));
    duellists.push({ token, social, matches });
  }
  return duellists;
}

/** Until the lobby says that the player waits. "busy" says that it may, or may not. */
async function enter({ social, matches }: Duellist): Promise<void> {
  while (matches.length === 0)
    try {
      await social.ask("match.enter", { queue: DUEL });
      return;
    } catch (error) {
      const { code } = error as { code: string };
      if (code === "in-queue") return;
      if (code !== "busy") throw error;
    }
}

async function goTo(page: string, room: string, credentials: string): Promise<void> {
  const url = new URL("ws", page);
  url.protocol = "ws:";
  const client = await join(url.href, { protocol, nickname: "duellist", credentials, room, udp: false });
  client.leave();
}
