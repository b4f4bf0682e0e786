/**
 * A session whose link changes its carrier: both sides on virtual time, over an ordered stream with a lossy data channel beside it that is cut
 * and restored. The session must not notice: nobody reconnects, nothing is lost or doubled, replicas converge.
 */

import { Client, predict } from "@nearfield/client";
import { command, Protocol, quantized } from "@nearfield/schema";
import { Server } from "@nearfield/server";
import { describe, expect, it } from "vitest";
import { FakeNetwork } from "../../transport/test/fake-webrtc.ts";
import { Dice } from "../src/index.ts";
import { VirtualClock } from "../src/internal/index.ts";
import { Chat, primaries, replicas, Say, Ship, protocol as scenario, spawnShip, stir, view } from "./scenario.ts";

const ROUND_MS = 50;
const FRAME_MS = 16;
const Go = command("go", { by: quantized(-10, 10, 0.1) });
const protocol = new Protocol({
  objects: scenario.objects,
  commands: [...scenario.commands, Go],
  events: scenario.events,
});

function move(ship: { x: number }, { by }: { by: number }, dtMs: number): void {
  ship.x = Math.min(900, Math.max(100, ship.x + (by * dtMs) / 100));
}

function stage(seed: number) {
  const clock = new VirtualClock();
  const dice = new Dice(seed);
  const network = new FakeNetwork(clock);
  const losses = dice.fork("losses");
  network.loses = () => losses.chance(0.1);
  const server = new Server({
    protocol,
    view,
    roundMs: ROUND_MS,
    now: () => clock.nowMs,
    tokenSource: () => Uint8Array.from({ length: 16 }, () => dice.int(256)),
    onError: "throw",
  });
  const game = dice.fork("game");
  const flags = { moving: true };
  const said: string[] = [];
  let steps = 0;
  for (let i = 0; i < 30; i++) spawnShip(server.world, game);
  server.onJoin((player) => player.pivotOn(server.world.spawn(Ship, { x: 500, y: 500 }, { owner: player.id })));
  server.onCommand(Say, (_, { words }) => {
    said.push(words);
    server.emit(Chat, { words });
  });
  server.steps(Ship, Go, (ship, values, dtMs) => {
    steps += 1;
    move(ship, values, dtMs);
  });
  server.onRound((world) => {
    if (flags.moving) stir(world, game);
  });
  clock.every(ROUND_MS, () => server.round());

  const states: string[] = [];
  const kinds: (string | undefined)[] = [];
  const heard: string[] = [];
  const client = new Client({
    protocol,
    nickname: "ann",
    now: () => clock.nowMs,
    connect: () => {
      const ends = network.link();
      server.accept(ends.server);
      return ends.client;
    },
  });
  client.onState((state) => states.push(state));
  client.onLink((kind) => kinds.push(kind));
  client.onEvent(Chat, ({ words }) => heard.push(words));
  clock.every(FRAME_MS, () => client.update());
  const player = () => [...server.main.players.values()][0]!;
  return { clock, network, server, client, states, kinds, said, heard, flags, player, steps: () => steps };
}

describe.each([1, 2])("a session over two carriers (seed %i)", (seed) => {
  it("lives through cuts and returns, and loses nothing", () => {
    const { clock, network, server, client, states, kinds, said, heard, flags, player, steps } = stage(seed);
    clock.advance(1000);
    expect([client.linkKind, player().linkKind]).toEqual(["webrtc", "webrtc"]);
    const ownId = player().owned()[0]!.id;
    const prediction = predict(client, [...client.world.all(Ship)].find(({ id }) => id === ownId)!, Go, move);
    let commands = 0;
    const words: string[] = [];
    const stopSteering = clock.every(FRAME_MS, () => {
      if (prediction.command({ by: commands % 7 })) commands += 1;
    });
    for (let second = 0; second < 40; second++) {
      network.isCut = second % 20 >= 5 && second % 20 < 10;
      words.push(`word ${second}`);
      client.send(Say, { words: words.at(-1)! });
      clock.advance(1000);
      if (second === 9) expect([client.linkKind, player().linkKind]).toEqual(["websocket", "websocket"]);
    }
    stopSteering();
    flags.moving = false;
    clock.advance(4000);
    expect(kinds).toEqual(["websocket", "webrtc", "websocket", "webrtc", "websocket", "webrtc"]);
    expect(states).toEqual(["active"]);
    expect(server.main.telemetry.resumes).toBe(0);
    expect(said).toEqual(words);
    expect(heard).toEqual(words);
    expect(steps()).toBe(commands);
    expect(replicas(client.world)).toEqual(primaries(server.world));
  });

  it("is without frames for no longer than it takes to notice a cut", () => {
    const { clock, network, client } = stage(seed);
    clock.advance(5000);
    network.isCut = true;
    let [round, since, longestMs] = [0, clock.nowMs, 0];
    client.activity((world) => {
      if (world.round === round) return;
      longestMs = Math.max(longestMs, clock.nowMs - since);
      [round, since] = [world.round, clock.nowMs];
    });
    clock.advance(8000);
    expect(longestMs).toBeGreaterThan(1000);
    expect(longestMs).toBeLessThan(2200);
    expect(client.state).toBe("active");
  });
});
