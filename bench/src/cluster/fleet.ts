/**
 * Servers of one cluster and their players, for V fig. 14 and tab. 4: a world of 5000 × 5000 cut into a grid, players who walk, one virtual clock, a
 * bus in this process. `replicated` is the same code with a margin over the whole world: every server has everything, and every update goes to
 * everybody. Batching is the same in both: one message for each receiver and round.
 */

import { ClusterGuest, LocalHub, type SliceMap } from "@nearfield/cluster/internal";
import type { ViewSettings, World } from "@nearfield/core";
import type { ConsistencyModel, ModelOptions } from "@nearfield/core/internal";
import { Dice } from "@nearfield/netlab";
import { VirtualClock } from "@nearfield/netlab/internal";
import { float32, object, Protocol, type WorldId } from "@nearfield/schema";
import { type LocalPlayer, Server } from "@nearfield/server";
import type { GuestView, RoomSeam } from "@nearfield/server/seam";

const SIDE = 5000;
/** V §5.2: "rounds are issued every 100 milliseconds". */
export const ROUND_MS = 100;
/** Not in the paper: units a second, such that players cross borders about as often as in V tab. 4; and how often they turn. */
const SPEED = 15;
const TURN = 0.02;
const RANGE = 500;
const LEAD = 20;
const SECOND = 1000;
/** Until every server has the copies that its players need. */
const SETTLING_ROUNDS = 4;

/** V fig. 14. Three κ for three radii: beyond the last nothing is replicated. Zeros are the strongest requirement. */
const VIEW: ViewSettings = {
  sets: [
    {
      match: "everything",
      radii: [120, 200],
      range: RANGE,
      bounds: [
        { time: 3 * SECOND, sequence: 0, value: 0 },
        { time: 10 * SECOND, sequence: 5, value: 100 },
        { time: 50 * SECOND, sequence: 10, value: 500 },
      ],
    },
  ],
  pivots: [],
};

const Avatar = object("avatar", { x: float32(), y: float32(), heading: float32() }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Avatar] });

export interface FleetOptions {
  readonly seed: number;
  /** The grid has so many slices a side. */
  readonly side: number;
  readonly players: number;
  readonly isReplicated: boolean;
  /** A player keeps the server that it joined, instead of moving on with its avatar as in the paper. */
  readonly isSticky?: boolean;
  /** Players' views are judged too. Default: only messages are counted. */
  readonly judges?: boolean;
  readonly model?: (world: World, options: ModelOptions) => ConsistencyModel;
}

interface Berth {
  readonly server: Server;
  readonly guest: ClusterGuest;
  readonly seam: RoomSeam;
}

interface Walker {
  readonly name: string;
  readonly avatar: WorldId;
  home: Berth;
  player: LocalPlayer;
  view: GuestView | undefined;
}

export class Fleet {
  readonly clock: VirtualClock = new VirtualClock();
  readonly #options: FleetOptions;
  readonly #dice: Dice;
  readonly #berths: Berth[] = [];
  readonly #walkers: Walker[] = [];
  /** Time that rounds took, ms, and how many there were. */
  readonly rounds: { ms: number; count: number } = { ms: 0, count: 0 };

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#dice = new Dice(`fleet ${options.seed}`);
    const rolls = this.#dice.fork("bus");
    const hub = new LocalHub({ clock: this.clock, random: () => rolls.next() });
    for (let number = 1; number <= options.side ** 2; number++) {
      this.clock.advance(ROUND_MS / options.side ** 2);
      this.#start(hub, number);
    }
    this.clock.advance(5 * SECOND);
    this.#berths[0]!.guest.membership.propose((map) => grid(map!, options.side));
    this.clock.advance(SECOND);
    for (let i = 0; i < options.players; i++) this.#enter(`player ${i}`);
    this.clock.advance(SETTLING_ROUNDS * ROUND_MS);
  }

  /** Lets virtual time pass. */
  run(ms: number): void {
    for (let passed = 0; passed < ms; passed += ROUND_MS) {
      this.clock.advance(ROUND_MS);
      if (this.#options.isSticky !== true) for (const walker of this.#walkers) this.#moveOn(walker);
    }
  }

  /** Sums over all servers. */
  get counts(): {
    forwarded: number;
    updates: number;
    interests: number;
    transfers: number;
    messages: number;
    bytes: number;
  } {
    const counts = { forwarded: 0, updates: 0, interests: 0, transfers: 0, messages: 0, bytes: 0 };
    for (const { guest } of this.#berths) {
      for (const key of ["forwarded", "updates", "interests", "messages", "bytes"] as const)
        counts[key] += guest.counters[key];
      counts.transfers += guest.transfers;
    }
    return counts;
  }

  #start(hub: LocalHub, serverNumber: number): void {
    const { model, isReplicated } = this.#options;
    const server = new Server({
      protocol,
      view: VIEW,
      roundMs: ROUND_MS,
      serverNumber,
      auditSample: 0,
      now: () => this.clock.nowMs,
      tokenSource: () => new Uint8Array(16).fill(serverNumber),
      onError: "throw",
      ...(model !== undefined && { model }),
    });
    let seam!: RoomSeam;
    const { guest } = server.main.invite((given) => {
      seam = given;
      return new ClusterGuest(given, {
        bus: hub.join(`server ${serverNumber}`),
        server: serverNumber,
        now: () => this.clock.nowMs,
        lead: LEAD,
        margin: isReplicated ? 2 * SIDE : 0,
        balances: false,
      });
    });
    const dice = this.#dice.fork(`steps ${serverNumber}`);
    server.onRound((world) => {
      for (const avatar of world.all(Avatar)) if (!world.isForeign(avatar)) walk(avatar, dice);
    });
    this.#berths.push({ server, guest, seam });
    this.clock.every(ROUND_MS, () => {
      const beganMs = performance.now();
      server.round();
      this.rounds.ms += performance.now() - beganMs;
      this.rounds.count += 1;
    });
  }

  #enter(name: string): void {
    const [x, y] = [this.#dice.range(0, SIDE), this.#dice.range(0, SIDE)];
    const map = this.#berths[0]!.guest.membership.map!;
    const home = this.#berths[map.at(x, y).owner - 1]!;
    const entity = home.server.world.spawn(Avatar, { x, y, heading: this.#dice.range(0, 2 * Math.PI) });
    const avatar = home.server.world.worldIdOf(entity);
    const walker: Walker = { name, avatar, home, player: home.server.main.localPlayer(name), view: undefined };
    this.#look(walker);
    this.#walkers.push(walker);
  }

  /** The paper's players move to the server that owns their avatar. */
  #moveOn(walker: Walker): void {
    const { home, avatar } = walker;
    const here = home.server.world.byWorldId(avatar);
    if (here !== undefined && !home.server.world.isForeign(here)) return;
    const next = this.#berths.find(({ server: { world } }) => {
      const entity = world.byWorldId(avatar);
      return entity !== undefined && !world.isForeign(entity);
    });
    if (next === undefined) return;
    walker.view?.end();
    walker.player.leave();
    walker.home = next;
    walker.player = next.server.main.localPlayer(walker.name);
    this.#look(walker);
  }

  #look(walker: Walker): void {
    const { home, player, avatar } = walker;
    const entity = home.server.world.byWorldId(avatar)!;
    player.pivotOn(entity);
    if (this.#options.judges !== true) return;
    walker.view = home.seam.addView({ ...VIEW, pivots: [{ object: entity.id }] }, { assumeDelivered: true });
  }
}

function walk(avatar: { x: number; y: number; heading: number }, dice: Dice): void {
  if (dice.chance(TURN)) avatar.heading = dice.range(0, 2 * Math.PI);
  const step = SPEED * (ROUND_MS / SECOND);
  const [x, y] = [avatar.x + Math.cos(avatar.heading) * step, avatar.y + Math.sin(avatar.heading) * step];
  // Whoever comes to the edge turns round.
  if (x < 0 || x > SIDE || y < 0 || y > SIDE) avatar.heading += Math.PI;
  avatar.x = Math.max(0, Math.min(SIDE, x));
  avatar.y = Math.max(0, Math.min(SIDE, y));
}

/** Equal squares, one for each server. */
function grid(map: SliceMap, side: number): SliceMap {
  let next = map;
  let column = "r";
  for (let i = 0; i < side; i++) {
    const isLast = i === side - 1;
    if (!isLast) next = next.split(column, 0, (SIDE * (i + 1)) / side, 1);
    let cell = isLast ? column : `${column}0`;
    for (let j = 0; j < side; j++) {
      const owner = i * side + j + 1;
      if (j === side - 1) next = next.assign(cell, owner);
      else next = next.split(cell, 1, (SIDE * (j + 1)) / side, 1).assign(`${cell}0`, owner);
      cell += "1";
    }
    column += "1";
  }
  return next;
}
