/** One load: starts a host and its clients in two processes, lets them in, warms up, measures, and ends both. */

import type { Load } from "./load.ts";
import { LoadProcess, type LoadSubject } from "./load-process.ts";

/** Clients that come in with one call. */
const DOOR = 250;
/** Rounds of a warm-up that run with one call, so that none takes too long. */
const AT_ONCE = 60;

export async function measureLoad(
  subject: LoadSubject,
  warmUpRounds: number,
  rounds: number,
  progress: (line: string) => void = () => {},
): Promise<Load> {
  const { clients } = subject;
  const [host, crowd] = [new LoadProcess(), new LoadProcess()];
  try {
    const { url, memory } = await host.call({ kind: "host", subject });
    await crowd.call({ kind: "crowd", subject, url });
    for (let inside = 0; inside < clients; inside += DOOR) {
      await crowd.call({ kind: "join", count: Math.min(DOOR, clients - inside) });
      progress(`… ${Math.min(clients, inside + DOOR)} are in`);
    }
    await host.call({ kind: "walk" });
    for (let rounds = 0; rounds < warmUpRounds; rounds += AT_ONCE) {
      await host.call({ kind: "measure", rounds: Math.min(AT_ONCE, warmUpRounds - rounds) });
      progress(`… warm-up: ${Math.min(warmUpRounds, rounds + AT_ONCE)} of ${warmUpRounds} rounds`);
    }
    progress(`… measures ${rounds} rounds`);
    const sample = await host.call({ kind: "measure", rounds });
    const members = await crowd.call({ kind: "members" });
    return { ...subject, sample, putOut: clients - members, memoryPerClient: (sample.memory - memory) / clients };
  } finally {
    crowd.end();
    host.end();
  }
}
