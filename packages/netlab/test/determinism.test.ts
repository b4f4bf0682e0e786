/** A run is a function of its seed: every packet of every client, byte for byte and in the same order. */

import { createHash } from "node:crypto";
import { add } from "@nearfield/client/writing";
import { expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import { ROUGH } from "./conditions.ts";
import { Probe, protocol, Say, Ship, Shot, spawnShip, stir, view } from "./scenario.ts";

function run(seed: number): { hash: string; packets: number } {
  const hash = createHash("sha256");
  let packets = 0;
  const lab = new Lab({
    protocol,
    view,
    roundMs: 50,
    seed,
    clientMayAdd: [Probe],
    onPacket: ({ atMs, client, direction, channel, bytes }) => {
      packets += 1;
      hash.update(`${atMs} ${client} ${direction} ${channel} ${bytes.length} `).update(bytes);
    },
  });
  const dice = lab.dice.fork("game");
  for (let i = 0; i < 40; i++) spawnShip(lab.world, dice);
  lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 500, y: 500 }, { owner: player.id })));
  lab.server.onCommand(Say, (_, { words }) => lab.server.emit(Shot, { x: 1, y: 2, number: words.length }));
  lab.server.onRound((world) => stir(world, dice));
  const [ann, ben] = [lab.join("ann", ROUGH), lab.join("ben", ROUGH)];
  lab.run(2000);
  for (let i = 0; i < 20; i++) {
    ann.client.send(Say, { words: "x".repeat(dice.int(40)) });
    if (i === 5) void add(ben.client, Probe, { x: 5 });
    if (i === 10) ben.breakLink();
    lab.run(dice.int(300));
  }
  lab.join("cay", ROUGH);
  lab.run(3000);
  return { hash: hash.digest("hex"), packets };
}

it("the same seed gives the same bytes, another seed others", () => {
  const first = run(1);
  expect(run(1)).toEqual(first);
  expect(first.packets).toBeGreaterThan(500);
  expect(run(2).hash).not.toBe(first.hash);
});
