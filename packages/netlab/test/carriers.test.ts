/** The same scenario over memory and over real sockets: same game, same seed, and a link that breaks in the middle. */

import { Client } from "@nearfield/client";
import { Server } from "@nearfield/server";
import type { Link } from "@nearfield/transport";
import { type Listener, MemoryListener } from "@nearfield/transport/internal";
import { connectWebSocket, WebSocketListener } from "@nearfield/transport/node";
import { describe, expect, it } from "vitest";
import { Dice } from "../src/index.ts";
import { Chat, primaries, protocol, replicas, Say, Ship, spawnShip, stir, view } from "./scenario.ts";

const ROUND_MS = 50;
const MOST_TURNS = 50;

interface Carrier {
  readonly listener: Listener;
  connect(): Link | Promise<Link>;
  /** Moves what can be moved by hand. */
  flush(): void;
}

const carriers: Record<string, () => Promise<Carrier>> = {
  memory: async () => {
    const listener = new MemoryListener();
    return { listener, connect: () => listener.connect(), flush: () => void listener.flush() };
  },
  websocket: async () => {
    const listener = await WebSocketListener.listen({ port: 0, host: "127.0.0.1", heartbeatMs: 0 });
    return { listener, connect: () => connectWebSocket(listener.url), flush: () => {} };
  },
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function play(
  carrier: Carrier,
): Promise<{ said: string[]; heard: string[][]; resumes: number; acksPerRound: number }> {
  const dice = new Dice(1);
  const server = new Server({
    protocol,
    view,
    roundMs: ROUND_MS,
    tokenSource: () => Uint8Array.from({ length: 16 }, () => dice.int(256)),
    onError: "throw",
  });
  const game = dice.fork("game");
  const said: string[] = [];
  let moving = true;
  for (let i = 0; i < 30; i++) spawnShip(server.world, game);
  server.listen(carrier.listener);
  server.onJoin((player) => player.pivotOn(server.world.spawn(Ship, { x: 500, y: 500 }, { owner: player.id })));
  server.onCommand(Say, (player, { words }) => {
    said.push(`${player.nickname} ${words}`);
    server.emit(Chat, { words });
  });
  server.onRound((world) => {
    if (moving) stir(world, game);
  });

  let nowMs = 0;
  const links: Link[] = [];
  const connected = async (): Promise<Link> => {
    const link = await carrier.connect();
    links.push(link);
    return link;
  };
  const clients = ["ann", "ben"].map(
    (nickname) => new Client({ protocol, nickname, connect: connected, now: () => nowMs, random: () => 1 }),
  );
  const heard = clients.map((client) => {
    const words: string[] = [];
    client.onEvent(Chat, (chat) => words.push(chat.words));
    return words;
  });
  /** One round, and as many turns of the event loop as it takes until every client has it. A round that sends a client nothing never comes. */
  const step = async (): Promise<void> => {
    nowMs += ROUND_MS;
    server.round();
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      carrier.flush();
      await turn();
      for (const client of clients) client.update();
      if (clients.every(({ state, world }) => state !== "active" || world.round === server.roundNumber)) return;
    }
  };
  for (const [index, client] of clients.entries()) {
    client.update();
    while (server.main.players.size <= index || client.state !== "active") await step();
  }
  for (let round = 0; round < 100; round++) {
    if (round % 10 === 0) clients[0]!.send(Say, { words: `word ${round}` });
    if (round === 50) links[0]!.close({ code: "vanished", detail: "cut by the test" });
    await step();
  }
  moving = false;
  while (clients.some(({ state }) => state !== "active")) await step();
  for (let round = 0; round < 40; round++) await step();

  const truth = primaries(server.world);
  for (const client of clients) expect(replicas(client.world)).toEqual(truth);
  const { resumes } = server.main.telemetry;
  const acks = Math.max(...[...server.main.players.values()].map(({ telemetry }) => telemetry.sequenced.messagesIn));
  await server.close();
  for (const client of clients) client.leave();
  return { said, heard, resumes, acksPerRound: acks / server.roundNumber };
}

describe.each(Object.keys(carriers))("over %s", (name) => {
  it("replicas converge, commands and events arrive once, a broken link is taken up again", async () => {
    const { said, heard, resumes, acksPerRound } = await play(await carriers[name]!());
    const words = Array.from({ length: 10 }, (_, i) => `word ${i * 10}`);
    expect(said).toEqual(words.map((word) => `ann ${word}`));
    expect(heard).toEqual([words, words]);
    expect(resumes).toBe(1);
    // A link that loses nothing needs fewer.
    if (name === "memory") expect(acksPerRound).toBeGreaterThan(0.5);
    else expect(acksPerRound).toBeLessThan(0.7);
  });
});
