/**
 * What rides along costs a client of the arena no more bytes than it saves, headers included. Avatars are due in nearly every round, so nearly
 * nothing rides, and the bytes are never more. `RIDING=1` prints the figures.
 */

import { expect, it } from "vitest";
import { LocalBots } from "../src/index.ts";
import { setUp } from "./arena-lab.ts";
import { atlas } from "./bot-lab.ts";

/** Bots that nobody disturbs, and spectators: so both games are the same. Returns wire bytes and packets a second and client. */
function watch(ripe: number | undefined, seed: number): { wireBytes: number; packets: number; objects: number } {
  const seconds = 20;
  const arena = setUp({ seed }, { frameMs: 33, ...(ripe !== undefined && { ripe }) });
  new LocalBots(arena.host, { atlas, seed, count: 24 });
  for (let i = 0; i < 4; i++) arena.lab.join(`eye ${i}`, { latencyMs: 20 }, { role: "spectator" });
  arena.lab.run(2000);
  const players = [...arena.lab.server.main.players.values()].filter(({ role }) => role === "spectator");
  const sum = (): number[] => [
    players.reduce((all, { telemetry }) => all + telemetry.wireBytesOut, 0),
    players.reduce((all, { telemetry }) => all + telemetry.packetsOut, 0),
  ];
  const before = sum();
  arena.lab.run(seconds * 1000);
  const [wireBytes, packets] = sum().map((after, i) => (after - before[i]!) / seconds / players.length);
  return { wireBytes: wireBytes!, packets: packets!, objects: arena.lab.world.count };
}

it.each([1, 2])("seed %i", (seed) => {
  const usual = watch(undefined, seed);
  const off = watch(1, seed);
  if (process.env["RIDING"] !== undefined) console.log(JSON.stringify({ seed, usual, off }));
  expect(usual.objects).toBe(off.objects);
  expect(usual.wireBytes).toBeLessThanOrEqual(off.wireBytes);
});
