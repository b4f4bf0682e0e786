/** What rides along never costs a client of Pac-Man more bytes than it saves, headers included. `RIDING=1` prints the figures. */

import { Lab } from "@nearfield/netlab";
import { expect, it } from "vitest";
import { PacmanHost, protocol, ROUND_MS, view } from "../src/index.ts";

/** A crowd of the server's bots, and players who do not steer: so both games are the same. Returns wire bytes and packets a second and client. */
function watch(ripe: number | undefined, seed: number): { wireBytes: number; packets: number; x: number } {
  const seconds = 20;
  const lab = new Lab({
    protocol,
    view,
    roundMs: ROUND_MS,
    frameMs: ROUND_MS,
    seed,
    ...(ripe !== undefined && { ripe }),
  });
  new PacmanHost(lab.server, { seed, bots: 40 });
  for (let i = 0; i < 4; i++) lab.join(`eye ${i}`, { latencyMs: 20 });
  lab.run(2000);
  const players = [...lab.server.main.players.values()];
  const sum = (): number[] => [
    players.reduce((all, { telemetry }) => all + telemetry.wireBytesOut, 0),
    players.reduce((all, { telemetry }) => all + telemetry.packetsOut, 0),
  ];
  const before = sum();
  lab.run(seconds * 1000);
  const [wireBytes, packets] = sum().map((after, i) => (after - before[i]!) / seconds / players.length);
  const x = lab.world.x.subarray(0, lab.world.store.slotHigh).reduce((all, each) => all + each, 0);
  return { wireBytes: wireBytes!, packets: packets!, x };
}

it.each([1, 2])("seed %i", (seed) => {
  const usual = watch(undefined, seed);
  const off = watch(1, seed);
  if (process.env["RIDING"] !== undefined) console.log(JSON.stringify({ seed, usual, off }));
  expect(usual.x).toBe(off.x);
  expect(usual.wireBytes).toBeLessThanOrEqual(off.wireBytes);
});
