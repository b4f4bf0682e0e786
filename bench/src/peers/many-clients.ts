/**
 * 2,000 walkers and 1,000 clients on links in memory: the time of whole server rounds, from what clients sent to the bytes that leave. The clients
 * are real and run in the same process, between the rounds; neither their time nor the collection of their garbage is counted.
 */

import { Client } from "@nearfield/client";
import { MemoryListener } from "@nearfield/transport/internal";
import { BlockTimes, collectYoungGarbage, inBlocks, type Pace } from "../pace.ts";
import { nearfieldScene } from "./nearfield-side.ts";
import { crowdOf, ROUND_MS } from "./scene.ts";

export interface ManyClients {
  readonly objects: number;
  readonly clients: number;
  readonly times: BlockTimes;
  /** Pairs that were over their bound, by the auditor. */
  readonly violations: number;
}

/** Clients that come in before each round. */
const DOOR = 100;

export function measureManyClients(objects: number, clients: number, warmUpRounds: number, pace: Pace): ManyClients {
  const { server, protocol, round } = nearfieldScene(crowdOf(objects, clients), "tiers");
  const listener = new MemoryListener();
  server.listen(listener);
  const crowd: Client[] = [];
  let rounds = 0;
  const update = (): void => {
    listener.flush();
    for (const client of crowd) client.update();
    listener.flush();
  };
  const turn = (walks: boolean): void => {
    rounds += 1;
    round(walks);
    update();
  };
  while (crowd.length < clients) {
    for (let i = 0; i < DOOR && crowd.length < clients; i++) {
      crowd.push(
        new Client({
          protocol,
          nickname: String(crowd.length),
          connect: () => listener.connect(),
          now: () => rounds * ROUND_MS,
        }),
      );
    }
    update();
    turn(false);
  }
  for (let i = 0; i < warmUpRounds; i++) turn(true);
  const outside = crowd.filter(({ state }) => state !== "active").length;
  if (outside > 0) throw new Error(`${outside} of ${clients} clients did not get in`);
  const times = new BlockTimes();
  let begun = -1;
  inBlocks(pace, (block) => {
    // The forced collection at the start of a block leaves code and caches cold, which no server's rounds are: one round goes uncounted.
    if (block !== begun) turn(true);
    begun = block;
    rounds += 1;
    collectYoungGarbage();
    times.time(block, () => round(true));
    update();
  });
  return { objects, clients, times, violations: server.main.audit.decided + server.main.audit.faults };
}
