/** Yards on one server, with the same code as on many: an account opens one, another goes in; two who look for an opponent fight it out, and one has won. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Client } from "@nearfield/client";
import { join } from "@nearfield/client/node";
import { SocialClient } from "@nearfield/social/client";
import type { QueuedMatch } from "@nearfield/social/internal";
import { expect, it, onTestFinished, vi } from "vitest";
import { startFrontier } from "../src/node/start-frontier.ts";
import { DUEL, DUEL_OVER, Go, Hero, protocol, ROUND_MS } from "../src/shared.ts";

const PATIENCE = { timeout: 60_000, interval: 20 };

it("players open yards, meet there, and are matched for a duel", async () => {
  const { address, game } = await start();
  const [ann, ben] = [await admit(address, "ann"), await admit(address, "ben")];
  const room = await ann.social.ask("rooms.create", { name: "Ann's yard" });
  expect(room).toMatchObject({ name: "Ann's yard", places: 16 });
  expect(room.address).toBeUndefined();
  expect(await ben.social.ask("rooms.list", {})).toEqual([room]);
  await ben.goTo(room.id);
  await vi.waitUntil(() => ben.client.mine(Hero) !== undefined, PATIENCE);
  expect(game.rooms.get(room.id)!.world.count).toBe(1);

  for (const one of [ann, ben]) await one.social.ask("match.enter", { queue: DUEL });
  await vi.waitUntil(() => [ann, ben].every(({ match }) => match !== undefined), PATIENCE);
  expect(ann.match).toEqual(ben.match);
  for (const one of [ann, ben]) await one.goTo(one.match!.room!.id);
  await vi.waitUntil(() => [...ann.client.world.all(Hero)].length === 2, PATIENCE);
  // Ben stands, Ann shoots.
  ann.client.activity(() => {
    const own = ann.client.mine(Hero);
    const other = [...ann.client.world.all(Hero)].find((hero) => hero.id !== own?.id);
    if (own === undefined || other === undefined) return;
    const heading = Math.atan2(other.y - own.y, other.x - own.x);
    ann.client.send(Go, { moveX: 0, moveY: 0, heading, fires: true });
  });
  await vi.waitUntil(() => [ann, ben].every(({ winner }) => winner === "ann"), PATIENCE);
});

async function start() {
  const http = createServer((request, response) => {
    if (!running.answer(request, response)) response.writeHead(404).end();
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const running = await startFrontier({ server: http, path: "/ws" });
  onTestFinished(async () => {
    await running.close();
    http.close();
  });
  return { address: `127.0.0.1:${(http.address() as AddressInfo).port}`, game: running.game };
}

class Duellist {
  readonly #address: string;
  readonly #name: string;
  readonly #token: string;
  client!: Client;
  social!: SocialClient;
  match: QueuedMatch | undefined;
  winner = "";

  constructor(address: string, name: string, token: string) {
    this.#address = address;
    this.#name = name;
    this.#token = token;
  }

  async goTo(room?: string): Promise<void> {
    this.client?.leave();
    this.client = await join(`ws://${this.#address}/ws`, {
      ...{ protocol, nickname: this.#name, credentials: this.#token, frameMs: ROUND_MS, udp: false },
      ...(room !== undefined && { room }),
    });
    this.social = new SocialClient(this.client);
    this.social.onNews("match", (match) => {
      this.match = match;
    });
    this.social.onGameNews(DUEL_OVER, (news) => {
      this.winner = (news as { winner: string }).winner;
    });
  }
}

async function admit(address: string, name: string): Promise<Duellist> {
  const answer = await fetch(`http://${address}/accounts/guest`, {
    ...{ method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" },
  });
  const duellist = new Duellist(address, name, ((await answer.json()) as { token: string }).token);
  await duellist.goTo();
  onTestFinished(() => duellist.client.leave());
  return duellist;
}
