/**
 * A cluster of processes with bots, seen by a test: who owns what by every map that was ever written, and a player of its own that walks to and fro and
 * notes when it moved.
 */

import type { Client } from "@nearfield/client";
import { roam } from "@nearfield/client/gateways";
import { join } from "@nearfield/client/node";
import { SliceMap } from "@nearfield/cluster/internal";
import { NatsBus } from "@nearfield/cluster/node";
import { vi } from "vitest";
import { Cluster, type ServerProcess } from "../../../scripts/lib/cluster.mjs";
import type { Wiring } from "../../../scripts/lib/nats.mjs";
import { Cairn, COUNTRY, Go, Hero, protocol, Raise, Raised, ROUND_MS } from "../src/shared.ts";

const PATIENCE = { timeout: 60_000, interval: 50 };

export class ObservedCluster {
  readonly cluster: Cluster;
  /** Every map that was seen, oldest first. */
  readonly maps: SliceMap[] = [];
  /** The server that keeps the queues; 0: none yet. */
  keeper = 0;
  readonly #renewals = new Map<number, number>();
  #bus: NatsBus | undefined;
  readonly #clients: Client[] = [];

  /** @param inspectorPage folder of the inspector's built page; default: none */
  constructor(inspectorPage?: string) {
    this.cluster = new Cluster(inspectorPage === undefined ? {} : { inspectorPage });
  }

  /** @param last starts the last server; default: like the others. @param wiring of the nodes of NATS among each other; default: directly */
  async start(
    servers: number,
    bots: number,
    last?: (cluster: Cluster) => Promise<unknown>,
    wiring?: Wiring,
  ): Promise<void> {
    await this.cluster.startNats(wiring);
    for (let i = 1; i < servers; i++) await this.cluster.startServer();
    await (last?.(this.cluster) ?? this.cluster.startServer());
    const nats = this.cluster.nats!;
    this.#bus = await NatsBus.connect({ servers: nats.servers, world: "frontier", replicas: 3, ...nats.secrets! });
    this.#bus.keys.watch(({ key, value }) => {
      if (key === "lobby") this.keeper = (JSON.parse(new TextDecoder().decode(value)) as { server: number }).server;
      if (key === "map") this.maps.push(SliceMap.decode(value));
      const [, number] = /^server\.(\d+)$/.exec(key) ?? [];
      if (number !== undefined) this.#renewals.set(Number(number), (this.#renewals.get(Number(number)) ?? 0) + 1);
    });
    await this.until(() => new Set(this.owners).size === servers);
    for (const [i, server] of this.cluster.servers.entries()) {
      const count = Math.floor((bots + i) / servers);
      if (count > 0) this.cluster.startBots(server, count, 1000 * (i + 1));
    }
    await this.until(() => this.cluster.botsReport().active === bots);
  }

  get owners(): number[] {
    return (this.maps.at(-1)?.slices ?? []).map(({ owner }) => owner);
  }

  /** Errors that servers have reported. */
  errors(): string[] {
    return this.cluster.servers.flatMap(({ number, said }) =>
      said.flatMap((text) => (text.includes("Error") ? [`server ${number}: ${text}`] : [])),
    );
  }

  /** Waits until each of these servers has renewed its lease some times from now on. */
  renewed(numbers: readonly number[], times = 8): Promise<void> {
    const before = new Map(numbers.map((number) => [number, this.#renewals.get(number) ?? 0]));
    return this.until(() =>
      numbers.every((number) => (this.#renewals.get(number) ?? 0) >= before.get(number)! + times),
    );
  }

  /** @param seen what is seen instead, for the error */
  async until(condition: () => boolean, seen?: () => string): Promise<void> {
    try {
      await vi.waitUntil(condition, PATIENCE);
    } catch (error) {
      throw seen === undefined ? error : new Error(`waited in vain: ${seen()}`, { cause: error });
    }
  }

  async join(server: ServerProcess): Promise<Walker> {
    return new Walker(await this.#connect(server, "walker"));
  }

  async joinMason(server: ServerProcess): Promise<Mason> {
    return new Mason(await this.#connect(server, "mason"));
  }

  /** A client that goes on at another server when its own one is gone. */
  async #connect({ port }: ServerProcess, nickname: string): Promise<Client> {
    const address = (of: { readonly port: number }): string => `ws://127.0.0.1:${of.port}/ws`;
    let tried = 0;
    const elsewhere = (): string => {
      const { servers } = this.cluster;
      return address(servers[tried++ % servers.length] ?? { port });
    };
    const client = await join(address({ port }), { protocol, nickname, frameMs: ROUND_MS, udp: false, elsewhere });
    roam(client);
    this.#clients.push(client);
    return client;
  }

  /** Epochs only rise, and no slice of a map has a fence that was passed before: nobody ever owned a slice beside somebody else. */
  faults(): string[] {
    const faults: string[] = [];
    const fences = new Map<string, { readonly fence: number; readonly owner: number }>();
    let epoch = 0;
    for (const map of this.maps) {
      if (map.epoch <= epoch) faults.push(`epoch ${map.epoch} after ${epoch}`);
      epoch = map.epoch;
      for (const { id, fence, owner } of map.slices) {
        const before = fences.get(id);
        const isSame = before?.fence === fence && before.owner === owner;
        if (before !== undefined && !isSame && fence <= before.fence)
          faults.push(`slice ${id}: ${owner} by fence ${fence} after ${before.owner} by fence ${before.fence}`);
        fences.set(id, { fence, owner });
      }
    }
    return faults;
  }

  async end(): Promise<void> {
    for (const client of this.#clients) client.leave();
    this.#bus?.close();
    await this.cluster.end();
  }
}

/** A player that stands where it came in and heaps up cairns. It notes which of them it was told to be safe. */
export class Mason {
  readonly client: Client;
  readonly told = new Set<number>();
  /** Its hero was felled, which raises none until it stands again. */
  wasDown = false;

  constructor(client: Client) {
    this.client = client;
    client.onEvent(Raised, ({ number }) => void this.told.add(number));
    client.activity(() => {
      if ((client.mine(Hero)?.down ?? 0) > 0) this.wasDown = true;
    });
  }

  raise(number: number): void {
    this.client.send(Raise, { number });
  }

  /** Cairns that its view shows. */
  get seen(): number[] {
    return [...this.client.world.all(Cairn)]
      .filter(({ name }) => name === this.client.nickname)
      .map(({ number }) => number);
  }
}

/** A player that walks to and fro through the middle of the country. */
export class Walker {
  readonly client: Client;
  /** Longest time in which its hero did not move on this client, ms. */
  longestRestMs = 0;
  #x = Number.NaN;
  #movedMs = performance.now();
  #goal = COUNTRY - 300;

  constructor(client: Client) {
    this.client = client;
    client.activity(() => this.#act());
  }

  /** Forgets how long it has rested so far. */
  reset(): void {
    this.longestRestMs = 0;
    this.#movedMs = performance.now();
  }

  get isMoving(): boolean {
    return performance.now() - this.#movedMs < 500;
  }

  #act(): void {
    const hero = this.client.mine(Hero);
    if (hero === undefined || this.client.state !== "active") return;
    const nowMs = performance.now();
    if (hero.x !== this.#x || hero.down > 0) this.#movedMs = nowMs;
    this.longestRestMs = Math.max(this.longestRestMs, nowMs - this.#movedMs);
    this.#x = hero.x;
    if (Math.abs(hero.x - this.#goal) < 50) this.#goal = COUNTRY - this.#goal;
    const moveX = hero.x < this.#goal ? 127 : -127;
    this.client.send(Go, { moveX, moveY: 0, heading: moveX > 0 ? 0 : Math.PI, fires: true });
  }
}
