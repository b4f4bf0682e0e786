/**
 * A whole cluster in one process on virtual time: servers with clients, their bus, and what can happen to them. The same seed gives the same
 * run. A referee looks at all servers at once: it sees objects that two servers own, or that nobody steps.
 */

import { Client } from "@nearfield/client";
import { roam } from "@nearfield/client/gateways";
import type { ViewSettings } from "@nearfield/core";
import { Dice, Lab, type LabClient } from "@nearfield/netlab";
import { conditionedPath, type PathConditions, VirtualClock } from "@nearfield/netlab/internal";
import {
  command,
  event,
  float32,
  int,
  type ObjectType,
  object,
  Protocol,
  quantized,
  uint,
  type WorldId,
} from "@nearfield/schema";
import type { MemoryLink } from "@nearfield/transport/internal";
import { ClusterGuest, type LocalBus, LocalHub, SliceMap } from "../src/internal/index.ts";

export const SIZE = 1000;
export const RANGE = 200;
export const ROUND_MS = 50;
export const FRAME_MS = 16;
/** How often a page fetches the list of gateways. */
const REFRESH_MS = 10_000;
/** How often the referee looks: more often than servers do anything. */
const LOOK_MS = 20;

const place = quantized(0, SIZE, 0.1);
export const Ship = object(
  "ship",
  { x: place, y: place, vx: float32(), vy: float32(), hits: uint(16), seen: uint(32) },
  { position: ["x", "y"] },
);
/** Durable: it lies where its payer was, and nobody moves it. */
export const Coin = object("coin", { x: place, y: place, payer: uint(16), number: uint(16) }, { position: ["x", "y"] });
export const Hit = command("hit", { number: uint(16) });
export const Pay = command("pay", { payer: uint(16), number: uint(16) });
/** Has no position: everybody sees it. */
export const Score = object("score", { points: uint(16) });
export const Crate = object(
  "crate",
  { x: place, y: place, weight: uint(16), mark: uint(32) },
  { position: ["x", "y"], write: "locked" },
);
export const Buoy = object("buoy", { x: place, y: place, note: uint(8) }, { position: ["x", "y"], write: "owner" });
/** Steered by steps that its player predicts. */
export const Glider = object("glider", { x: place, y: place, steps: uint(16) }, { position: ["x", "y"] });
export const Glide = command("glide", { dx: int(8), dy: int(8) });
/** The same on the server and on the client: up to 127 units a second, not beyond the wall at y = 600. */
export function glide(
  glider: { x: number; y: number; steps: number },
  { dx, dy }: { dx: number; dy: number },
  dtMs: number,
): void {
  glider.x = Math.max(0, Math.min(SIZE, glider.x + (dx * dtMs) / 1000));
  glider.y = Math.max(0, Math.min(600, glider.y + (dy * dtMs) / 1000));
  glider.steps += 1;
}
export const Boom = event("boom", { number: uint(16) });
export const protocol = new Protocol({
  objects: [Ship, Coin, Score, Crate, Buoy, Glider],
  commands: [Hit, Pay, Glide],
  events: [Boom],
});
export const SNAPSHOT_MS = 1000;

export const view: ViewSettings = {
  sets: [
    { match: "everything", radii: [60], range: RANGE, bounds: [{ time: 0 }, { time: 200, sequence: 4, value: 30 }] },
  ],
  pivots: [],
};

export interface ClusterServer {
  readonly number: number;
  readonly name: string;
  readonly lab: Lab;
  readonly bus: LocalBus;
  readonly guest: ClusterGuest;
  isDown: boolean;
}

export interface ClusterLabOptions {
  readonly seed: number;
  readonly delayMs?: readonly [number, number];
  readonly balances?: boolean;
  readonly lead?: number;
  readonly eventReach?: number;
}

export class ClusterLab {
  readonly clock: VirtualClock = new VirtualClock();
  readonly dice: Dice;
  readonly hub: LocalHub;
  readonly servers: ClusterServer[] = [];
  readonly referee: Referee = new Referee();
  readonly roamers: Roamer[] = [];
  readonly #options: ClusterLabOptions;

  constructor(options: ClusterLabOptions) {
    this.#options = options;
    this.dice = new Dice(options.seed);
    const rolls = this.dice.fork("hub");
    const { delayMs = [0.3, 3] } = options;
    this.hub = new LocalHub({ clock: this.clock, random: () => rolls.next(), delayMs, patienceMs: 1000 });
  }

  /** Starts a server. Its rounds begin at another moment than those of the others. */
  start(): ClusterServer {
    this.run(this.dice.range(1, ROUND_MS));
    const number = this.servers.length + 1;
    const name = `server ${number}`;
    const seed = `${this.#options.seed} ${number}`;
    const { clock } = this;
    const clientMayAdd = [Buoy as unknown as ObjectType];
    const lab = new Lab({ protocol, view, roundMs: ROUND_MS, seed, serverNumber: number, clock, clientMayAdd });
    const bus = this.hub.join(name);
    const { balances = false, lead = 80, eventReach = 0 } = this.#options;
    const now = (): number => this.clock.nowMs;
    const durable = [Coin as unknown as ObjectType];
    const options = { bus, server: number, now, lead, balances, durable, eventReach, snapshotMs: SNAPSHOT_MS };
    const { guest } = lab.server.main.invite((seam) => new ClusterGuest(seam, options));
    const server: ClusterServer = { number, name, lab, bus, guest, isDown: false };
    this.servers.push(server);
    lab.server.steps(Glider, Glide, glide);
    lab.server.onCommand(Pay, (player, values) => {
      const [ship] = player.owned(Ship);
      if (ship !== undefined) lab.world.spawn(Coin, { x: ship.x, y: ship.y, ...values });
    });
    lab.server.onCommand(Hit, (player) => {
      for (const ship of player.owned(Ship)) ship.hits += 1;
    });
    lab.server.onRound((world) => {
      for (const ship of world.all(Ship)) {
        if (world.isForeign(ship)) continue;
        const id = world.worldIdOf(ship);
        ship.x = bounced(ship.x + (ship.vx * ROUND_MS) / 1000, ship, "vx");
        ship.y = bounced(ship.y + (ship.vy * ROUND_MS) / 1000, ship, "vy");
        ship.seen += 1;
        this.referee.stepped(id, number, this.clock.nowMs, ship);
      }
    });
    return server;
  }

  /** Servers side by side, each with the same width: cuts at x = SIZE ÷ n. */
  startInColumns(count: number): void {
    for (let i = 0; i < count; i++) this.start();
    this.run(1000);
    const [first] = this.servers;
    first!.guest.membership.propose(() => {
      let map = SliceMap.whole(1);
      let id = "r";
      for (let i = 1; i < count; i++) {
        map = map.split(id, 0, (SIZE * i) / count, i + 1);
        id += "1";
      }
      return new Proposal(map, first!.guest.membership.map!).map;
    });
    this.run(1000);
  }

  run(ms: number): void {
    const endMs = this.clock.nowMs + ms;
    while (this.clock.nowMs < endMs) {
      this.clock.advance(Math.min(LOOK_MS, endMs - this.clock.nowMs));
      this.referee.look(this.living);
      // A server that finds out that it was taken for dead ends its process.
      for (const server of this.living) if (server.guest.membership.isDead) this.kill(server);
    }
  }

  /** The servers whose addresses pages are told: those that the others believe alive, so a dead one is among them for a while. */
  get gateways(): readonly ClusterServer[] {
    const told = this.living.find(({ guest }) => guest.membership.isHeld)?.guest.membership.alive;
    return told === undefined ? this.servers : this.servers.filter(({ number }) => told.has(number));
  }

  get living(): ClusterServer[] {
    return this.servers.filter(({ isDown }) => !isDown);
  }

  /** The server's process ends, without a word to anybody. */
  kill(server: ClusterServer): void {
    server.isDown = true;
    server.bus.close();
    for (const roamer of this.roamers) if (roamer.server === server) roamer.breakLink();
    void server.lab.server.close();
  }

  /** A client that goes to another gateway when its own is gone. */
  roam(server: ClusterServer, nickname: string, latencyMs = 20): Roamer {
    const roamer = new Roamer(this, server, nickname, latencyMs);
    this.roamers.push(roamer);
    return roamer;
  }

  join(server: ClusterServer, nickname: string, conditions: PathConditions = { latencyMs: 20 }): LabClient {
    return server.lab.join(nickname, conditions);
  }

  /** The servers' own copies of an object: one, unless it is on its way. */
  primaries(id: WorldId): { readonly server: ClusterServer; readonly ship: ShipOf }[] {
    return this.living.flatMap((server) => {
      const { world } = server.lab;
      const ship = world.byWorldId(id) as ShipOf | undefined;
      return ship === undefined || world.isForeign(ship) ? [] : [{ server, ship }];
    });
  }
}

/** A client that tries the gateways that it knows in turn. It knows them as a page does: by a list that it fetched some time ago. */
export class Roamer {
  readonly client: Client;
  /** The gateway that it was linked to last. */
  server: ClusterServer;
  readonly #cluster: ClusterLab;
  #link: MemoryLink | undefined;
  #links = 0;
  /** May name dead gateways, and lack new ones. */
  #list: readonly ClusterServer[];

  constructor(cluster: ClusterLab, first: ClusterServer, nickname: string, latencyMs: number) {
    this.server = first;
    this.#cluster = cluster;
    this.#list = cluster.gateways;
    const dice = cluster.dice.fork(nickname);
    this.client = new Client({
      protocol,
      nickname,
      now: () => cluster.clock.nowMs,
      random: () => dice.next(),
      reconnect: { longestMs: 1000 },
      connect: () => {
        this.#links += 1;
        if (this.#links > 1) this.server = this.#next();
        if (this.server.isDown) throw new Error(`${this.server.name} is down`);
        const path = conditionedPath(cluster.clock, dice.fork(`link ${this.#links}`), { latencyMs });
        this.#link = this.server.lab.listener.connect({ pipes: [path.up, path.down] });
        return this.#link;
      },
    });
    roam(this.client);
    this.client.update();
    cluster.clock.every(FRAME_MS, () => this.client.update());
    cluster.clock.every(REFRESH_MS, () => this.#refresh());
  }

  /** Any living server that it knows answers. A page that knows none is loaded anew, from an address that leads to a living one. */
  #refresh(): void {
    if (this.#list.some(({ isDown }) => !isDown)) this.#list = this.#cluster.gateways;
  }

  #next(): ClusterServer {
    if (this.#list.every(({ isDown }) => isDown)) this.#list = this.#cluster.gateways;
    const at = this.#list.indexOf(this.server);
    return this.#list[(at + 1) % this.#list.length]!;
  }

  breakLink(): void {
    this.#link?.vanish();
  }
}

export type ShipOf = ReturnType<Lab["world"]["spawn"]> & {
  x: number;
  y: number;
  vx: number;
  vy: number;
  hits: number;
  seen: number;
};

/** A map with the epoch after the one that is in force. */
class Proposal {
  readonly map: SliceMap;

  constructor(wanted: SliceMap, now: SliceMap) {
    let map = wanted;
    while (map.epoch <= now.epoch) map = map.assign(map.slices[0]!.id, map.slices[0]!.owner);
    this.map = map;
  }
}

function bounced(value: number, ship: { vx: number; vy: number }, axis: "vx" | "vy"): number {
  if (value >= 0 && value <= SIZE) return value;
  ship[axis] = -ship[axis];
  return Math.max(0, Math.min(SIZE, value));
}

/** An object as it was after a step. */
interface Step {
  readonly atMs: number;
  readonly seen: number;
  readonly x: number;
  readonly y: number;
}

/** Steps of each object that the referee remembers. */
const MOST_HISTORY = 40;

/** Sees what no single server can: objects with two owners, and objects that nobody steps. */
export class Referee {
  /** Times at which two servers owned an object. */
  twice = 0;
  /** Border crossings: steps by another server than the step before. */
  crossings = 0;
  /** Longest time between two steps of an object, ms. */
  longestGapMs = 0;
  readonly #last = new Map<WorldId, { server: number; atMs: number }>();
  readonly #history = new Map<WorldId, Step[]>();

  stepped(id: WorldId, server: number, atMs: number, { seen, x, y }: Omit<Step, "atMs">): void {
    const last = this.#last.get(id);
    const history = this.#history.get(id) ?? [];
    this.#history.set(id, history);
    history.push({ atMs, seen, x, y });
    if (history.length > MOST_HISTORY) history.shift();
    if (last !== undefined) {
      this.longestGapMs = Math.max(this.longestGapMs, atMs - last.atMs);
      if (last.server !== server) this.crossings += 1;
    }
    this.#last.set(id, { server, atMs });
  }

  /** All objects that ever were. */
  get objects(): Iterable<WorldId> {
    return this.#last.keys();
  }

  /** The object's steps from one time to another, with the one before. */
  stepsOf(id: WorldId, fromMs: number, toMs: number): readonly Step[] {
    const history = this.#history.get(id) ?? [];
    const first = history.findLastIndex(({ atMs }) => atMs <= fromMs);
    return first < 0 ? [] : history.slice(first).filter(({ atMs }) => atMs <= toMs);
  }

  /** How many steps the object had taken at that time. */
  seenAt(id: WorldId, atMs: number): number {
    return this.#history.get(id)?.findLast((step) => step.atMs <= atMs)?.seen ?? 0;
  }

  look(servers: readonly ClusterServer[]): void {
    const owners = new Set<WorldId>();
    for (const { lab, guest } of servers) {
      if (!guest.membership.isHeld) continue;
      for (const ship of lab.world.all(Ship)) {
        if (lab.world.isForeign(ship)) continue;
        const id = lab.world.worldIdOf(ship);
        if (owners.has(id)) this.twice += 1;
        owners.add(id);
      }
    }
  }
}
