/**
 * Servers of a cluster that share rooms and a lobby, in one process on virtual time, without worlds: leases, lists, the keeper, and what can happen to them. A
 * referee notes every room of a match that is opened, and everything that an account is told. The same seed gives the same run.
 */

import { Dice } from "@nearfield/netlab";
import { VirtualClock } from "@nearfield/netlab/internal";
import type { Room } from "@nearfield/server";
import { type QueuedMatch, type Queues, Rooms, SocialError } from "@nearfield/social/internal";
import { type Bus, type LocalBus, LocalHub, Membership } from "../src/internal/index.ts";
import { KeeperElection } from "../src/rooms/keeper-election.ts";
import { LobbyKeeper } from "../src/rooms/lobby-keeper.ts";
import { RoomList } from "../src/rooms/room-list.ts";
import { SharedLobby } from "../src/rooms/shared-lobby.ts";
import { SharedRooms } from "../src/rooms/shared-rooms.ts";
import { matchOpener } from "../src/rooms/spread-rooms.ts";

export const ROUND_MS = 50;

export interface Heard {
  readonly account: string;
  readonly kind: string;
  readonly body: unknown;
  readonly server: number;
  readonly atMs: number;
}

export interface Begun {
  readonly match: QueuedMatch;
  readonly server: number;
  readonly atMs: number;
}

export interface RoomsLabOptions {
  readonly seed: number;
  readonly queues: Queues;
  /** The share of messages that arrive once more, up to 3 s late. Default 0. */
  readonly doubled?: number;
}

export class RoomsLab {
  readonly clock: VirtualClock = new VirtualClock();
  readonly dice: Dice;
  readonly hub: LocalHub;
  readonly servers: RoomsServer[] = [];
  readonly heard: Heard[] = [];
  readonly begun: Begun[] = [];
  readonly options: RoomsLabOptions;
  #ids = 0;

  constructor(options: RoomsLabOptions) {
    this.options = options;
    this.dice = new Dice(options.seed);
    const rolls = this.dice.fork("hub");
    this.hub = new LocalHub({ clock: this.clock, random: () => rolls.next(), patienceMs: 1000 });
  }

  randomId(): string {
    this.#ids += 1;
    return this.#ids.toString(16).padStart(32, "0");
  }

  start(): RoomsServer {
    const server = new RoomsServer(this, this.servers.length + 1);
    this.servers.push(server);
    return server;
  }

  get living(): RoomsServer[] {
    return this.servers.filter(({ isDown }) => !isDown);
  }

  async run(ms: number): Promise<void> {
    const endMs = this.clock.nowMs + ms;
    while (this.clock.nowMs < endMs) {
      this.clock.advance(Math.min(10, endMs - this.clock.nowMs));
      // What waits for an answer goes on.
      for (let turn = 0; turn < 6; turn++) await Promise.resolve();
    }
  }

  async until(condition: () => boolean, mostMs = 60_000): Promise<void> {
    const endMs = this.clock.nowMs + mostMs;
    while (!condition()) {
      if (this.clock.nowMs >= endMs) throw new Error(`not within ${mostMs} ms`);
      await this.run(10);
    }
  }

  async answered<Value>(ask: () => Value | Promise<Value>): Promise<Value> {
    let isDone = false;
    const done = Promise.resolve(ask()).finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    await this.until(() => isDone);
    return done;
  }

  matchesOf(account: string): Heard[] {
    return this.heard.filter((one) => one.account === account && one.kind === "match");
  }
}

export class RoomsServer {
  readonly number: number;
  readonly name: string;
  readonly bus: LocalBus;
  readonly membership: Membership;
  readonly election: KeeperElection;
  readonly own: Rooms;
  readonly list: RoomList;
  readonly rooms: SharedRooms;
  readonly lobby: SharedLobby;
  readonly here: Set<string> = new Set();
  isDown = false;
  isPaused = false;
  readonly #lab: RoomsLab;
  readonly #keeper: LobbyKeeper;

  constructor(lab: RoomsLab, number: number) {
    this.#lab = lab;
    this.number = number;
    this.name = `server ${number}`;
    this.bus = lab.hub.join(this.name);
    const now = (): number => lab.clock.nowMs;
    const bus = doubling(this.bus, lab, `${number}`);
    this.membership = new Membership({ bus: this.bus, number, now });
    const place = { bus, membership: this.membership, now, address: `ws://${number}` };
    const randomId = (): string => lab.randomId();
    const wallMs = (): number => 1e12 + lab.clock.nowMs;
    this.election = new KeeperElection(place);
    this.own = new Rooms({
      server: { createRoom: emptyRoom, closeRoom: () => {} },
      now: wallMs,
      randomId,
      prepare: () => {},
      prepareMatch: () => {},
      most: 50,
    });
    this.list = new RoomList(
      place,
      () => this.own.all(),
      () => this.own.all().length,
    );
    const beginMatch = (match: QueuedMatch): QueuedMatch => {
      if (this.isDown) throw new SocialError("failed", "down");
      const room = this.own.openMatch(match);
      lab.begun.push({ match, server: number, atMs: lab.clock.nowMs });
      return room === undefined ? match : { ...match, room };
    };
    this.rooms = new SharedRooms({
      place,
      own: this.own,
      list: this.list,
      randomId,
      perAccount: 1,
      match: matchOpener(place, this.election, { beginMatch }),
    });
    const dice = lab.dice.fork(this.name);
    this.#keeper = new LobbyKeeper({
      place,
      election: this.election,
      rules: { queues: lab.options.queues, now: wallMs, randomId, dice: () => dice.next() },
      candidates: () => this.list.candidates(),
    });
    const tell = (account: string, kind: string, body: unknown): void => {
      if (this.here.has(account)) lab.heard.push({ account, kind, body, server: number, atMs: lab.clock.nowMs });
    };
    this.lobby = new SharedLobby({
      place,
      election: this.election,
      news: {
        party: (account, party) => tell(account, "party", party),
        invited: (account, by, party) => tell(account, "invited", { ...by, party }),
        waiting: (account, isWaiting) => tell(account, "waiting", isWaiting),
      },
      tellMatch: (match) => {
        const told = match.teams.flat().filter((account) => this.here.has(account));
        for (const account of told) tell(account, "match", match);
        return told;
      },
      accounts: () => this.here,
    });
    lab.clock.after(lab.dice.range(1, ROUND_MS), () => this.#round());
  }

  enter(account: string): void {
    if (this.here.has(account)) return;
    this.here.add(account);
    this.lobby.note(account, true);
  }

  leave(account: string): void {
    this.here.delete(account);
    this.lobby.note(account, false);
  }

  kill(): void {
    this.isDown = true;
    this.here.clear();
    this.bus.close();
  }

  pause(): void {
    this.isPaused = true;
    this.bus.pause();
  }

  resume(): void {
    this.isPaused = false;
    this.bus.resume();
  }

  #round(): void {
    if (this.isDown) return;
    this.#lab.clock.after(ROUND_MS, () => this.#round());
    if (this.isPaused) return;
    this.membership.tick();
    // A server that was declared dead ends its process.
    if (this.membership.isDead) return this.kill();
    this.election.tick();
    this.list.tick();
    this.#keeper.tick();
    this.lobby.tick();
    this.own.tick();
  }
}

/** A room without a world: nobody ever joins it. */
function emptyRoom(name: string): Room {
  return { name, players: new Map(), onJoin: () => () => {} } as unknown as Room;
}

/** A bus that says some messages twice, the second time late. Its members promise more than that; the rooms need less. */
function doubling(bus: LocalBus, lab: RoomsLab, name: string): Bus {
  const dice = lab.dice.fork(`doubling ${name}`);
  const { doubled = 0 } = lab.options;
  return {
    keys: bus.keys,
    logs: bus.logs,
    subscribe: (...args) => bus.subscribe(...args),
    request: (...args) => bus.request(...args),
    answer: (...args) => bus.answer(...args),
    close: () => bus.close(),
    publish: (subject, payload) => {
      bus.publish(subject, payload);
      if (!dice.chance(doubled)) return;
      lab.clock.after(dice.range(1, 3000), () => {
        if (!lab.servers.some((server) => server.bus === bus && server.isDown)) bus.publish(subject, payload);
      });
    },
  };
}
