/** `threads` of `serve`, and that a game sends the same bytes with them as without. */

import { setImmediate as nextTick } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { zones } from "@nearfield/core";
import { type Crew, CrewError, type Engine } from "@nearfield/core/internal";
import { WorkerCrew } from "@nearfield/core/node";
import { Lab } from "@nearfield/netlab";
import { object, Protocol, quantized } from "@nearfield/schema";
import { expect, it, onTestFinished, vi } from "vitest";
import { serve } from "./serve.ts";

const place = quantized(0, 1000, 0.1);
const Ship = object("ship", { x: place, y: place }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Ship] });
const view = zones(Ship, { radii: [100, 300], bounds: [{ time: 0 }, { time: 200 }, { time: 1000 }] });
const options = { protocol, view, roundMs: 50, host: "127.0.0.1" };

const helpers = ({ model }: { readonly model: unknown }): number => (model as Engine).doneByCrew.length;

it("has none by default, and so many for each room where asked", async () => {
  const plain = await serve(options);
  onTestFinished(() => plain.close());
  expect(helpers(plain.main)).toBe(0);

  const terminate = vi.spyOn(Worker.prototype, "terminate");
  onTestFinished(() => void vi.restoreAllMocks());
  const server = await serve({ ...options, threads: 1 });
  const arena = server.createRoom("arena");
  expect([helpers(server.main), helpers(arena)]).toEqual([1, 1]);
  server.closeRoom("arena");
  expect(terminate).toHaveBeenCalledTimes(1);
  await server.close();
  expect(terminate).toHaveBeenCalledTimes(2);
  await Promise.all(terminate.mock.results.map(({ value }) => value as Promise<number>));
});

it.each([-1, 65, 1.5, Number.NaN])("refuses %d threads, and leaves the port free", async (threads) => {
  const refused = serve({ ...options, threads });
  await expect(refused).rejects.toThrow(CrewError);
  const server = await serve(options);
  const port = Number(new URL(server.url).port);
  await server.close();
  await expect(serve({ ...options, port, threads })).rejects.toThrow(CrewError);
  const again = await serve({ ...options, port });
  await again.close();
});

/** Sixty players who drift about, for as long as the condition holds; what was sent, packet by packet. */
async function play(
  goesOn: (rounds: number, done: number) => boolean,
  crew?: () => Crew,
): Promise<{ sent: string[]; rounds: number; done: number }> {
  const sent: string[] = [];
  let done = 0;
  const lab = new Lab({
    ...{ protocol, view, roundMs: 50, seed: 3, frameMs: 50, ...(crew && { crew }) },
    onPacket: ({ atMs, client, direction, bytes }) =>
      sent.push(`${atMs} ${client} ${direction} ${Buffer.from(bytes).toString("hex")}`),
  });
  const dice = lab.dice.fork("game");
  const launch = (owner: number) =>
    lab.world.spawn(Ship, { x: dice.range(0, 1000), y: dice.range(0, 1000) }, { owner });
  for (let index = 0; index < 200; index += 1) launch(0);
  lab.server.onJoin((player) => player.pivotOn(launch(player.id)));
  lab.server.onRound((world) => {
    for (const ship of world.all(Ship)) ship.x = (ship.x + dice.range(0, 5)) % 1000;
  });
  for (let index = 0; index < 60; index += 1) lab.join(`player ${index}`, { latencyMs: 30, loss: 0.05 });
  let rounds = 0;
  for (; goesOn(rounds, done); rounds += 1) {
    lab.step();
    await nextTick();
    [done = 0] = (lab.server.main.model as Engine).doneByCrew;
  }
  await lab.server.close();
  return { sent, rounds, done };
}

it("makes no difference to what is sent", async () => {
  const helped = await play(
    (rounds, done) => rounds < 40 || (done === 0 && rounds < 2000),
    () => new WorkerCrew(1),
  );
  const alone = await play((rounds) => rounds < helped.rounds);
  expect(alone.sent.length).toBeGreaterThan(2000);
  expect(helped.done).toBeGreaterThan(0);
  expect(helped.sent).toEqual(alone.sent);
});
