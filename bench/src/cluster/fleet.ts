/**
 * Servers of one cluster and their players: a world that is cut into a grid, players who walk, one virtual clock, a bus in this process. V fig. 14
 * and tab. 4 have a world of 5000 × 5000; growth adds cells of the same size, and a crowd lets servers cut by load. `replicated` is the same code with
 * a margin over the whole world: every server has everything, and every update goes to everybody. Batching is the same in both: one message for each
 * receiver and round.
 */

import { ClusterGuest, LocalHub, type SliceMap } from "@nearfield/cluster/internal";
import type { ViewSettings, World } from "@nearfield/core";
import { type ConsistencyModel, Engine, type ModelOptions } from "@nearfield/core/internal";
import { Dice } from "@nearfield/netlab";
import { VirtualClock } from "@nearfield/netlab/internal";
import { float32, object, Protocol, type WorldId } from "@nearfield/schema";
import { type LocalPlayer, Server } from "@nearfield/server";
import type { GuestView, RoomSeam } from "@nearfield/server/seam";
import { mean } from "../statistics.ts";

/** V §5.2. */
export const SIDE = 5000;
/** V §5.2: "rounds are issued every 100 milliseconds". */
export const ROUND_MS = 100;
/** Not in the paper: units a second, such that players cross borders about as often as in V tab. 4; and how often they turn. */
const SPEED = 15;
const TURN = 0.02;
/** Whoever is this near to the meeting walks about there. */
const MEETING_RADIUS = 300;
const RANGE = 500;
const LEAD = 20;
const SECOND = 1000;
/** Until every server has the copies that its players need. */
const SETTLING_ROUNDS = 4;

/** V fig. 14. Three κ for three radii: beyond the last nothing is replicated. Zeros are the strongest requirement. */
function viewOf(range: number): ViewSettings {
  const bounds = [
    { time: 3 * SECOND, sequence: 0, value: 0 },
    { time: 10 * SECOND, sequence: 5, value: 100 },
    { time: 50 * SECOND, sequence: 10, value: 500 },
  ];
  return { sets: [{ match: "everything", radii: [0.24 * range, 0.4 * range], range, bounds }], pivots: [] };
}

const Avatar = object("avatar", { x: float32(), y: float32(), heading: float32() }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Avatar] });

export interface FleetOptions {
  readonly seed: number;
  /** Slices of the grid along x and y, and the length of a slice's side. */
  readonly columns: number;
  readonly rows: number;
  readonly cell: number;
  readonly players: number;
  /** How far players see. Default: as in the paper. */
  readonly range?: number;
  /** Default false. */
  readonly isReplicated?: boolean;
  /** Which server a player is connected to: the one that owns its avatar, as in the paper; the one that it joined; or any, by dice. Default "owner". */
  readonly gateways?: "owner" | "joined" | "any";
  /** Players' views are judged too. Default: only messages are counted. */
  readonly judges?: boolean;
  /** Slices are cut and given away by load, instead of in a grid. Default false. */
  readonly balances?: boolean;
  readonly model?: (world: World, options: ModelOptions) => ConsistencyModel;
}

interface Berth {
  readonly server: Server;
  readonly guest: ClusterGuest;
  readonly seam: RoomSeam;
  readonly looks: { count: number };
}

interface Walker {
  readonly name: string;
  readonly avatar: WorldId;
  home: Berth;
  player: LocalPlayer;
  view: GuestView | undefined;
}

/** What servers have done so far. */
export interface FleetCounts {
  readonly forwarded: number;
  readonly updates: number;
  readonly interests: number;
  readonly transfers: number;
  readonly messages: number;
  readonly bytes: number;
  /** Pairs that the engine looked at, where views are judged. */
  readonly looks: number;
}

export function sumOf(list: readonly FleetCounts[]): FleetCounts {
  const sum = (key: keyof FleetCounts): number => list.reduce((total, counts) => total + counts[key], 0);
  return {
    forwarded: sum("forwarded"),
    updates: sum("updates"),
    interests: sum("interests"),
    transfers: sum("transfers"),
    messages: sum("messages"),
    bytes: sum("bytes"),
    looks: sum("looks"),
  };
}

export class Fleet {
  readonly clock: VirtualClock = new VirtualClock();
  /** Where all players go, if anywhere; and how fast, units a second. */
  meeting: { readonly x: number; readonly y: number; readonly speed: number } | undefined;
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
    for (let number = 1; number <= this.servers; number++) {
      this.clock.advance(ROUND_MS / this.servers);
      this.#start(hub, number);
    }
    this.clock.advance(5 * SECOND);
    if (options.balances !== true) this.#berths[0]!.guest.membership.propose((map) => grid(map!, options));
    this.clock.advance(SECOND);
    for (let i = 0; i < options.players; i++) this.#enter(`player ${i}`);
    this.clock.advance(SETTLING_ROUNDS * ROUND_MS);
  }

  /** Lets virtual time pass. */
  run(ms: number): void {
    for (let passed = 0; passed < ms; passed += ROUND_MS) {
      this.clock.advance(ROUND_MS);
      if ((this.#options.gateways ?? "owner") === "owner") for (const walker of this.#walkers) this.#moveOn(walker);
    }
  }

  get servers(): number {
    return this.#options.columns * this.#options.rows;
  }

  /** Objects of the busiest server ÷ those of a server on average. */
  get imbalance(): number {
    const loads = this.#berths.map(({ server: { world } }) => {
      let own = 0;
      for (const avatar of world.all(Avatar)) if (!world.isForeign(avatar)) own += 1;
      return own;
    });
    return Math.max(...loads) / mean(loads);
  }

  /** Share of the players who are where all go. */
  get arrived(): number {
    const { meeting } = this;
    let [there, all] = [0, 0];
    for (const { server } of this.#berths) {
      for (const avatar of server.world.all(Avatar)) {
        if (server.world.isForeign(avatar)) continue;
        all += 1;
        if (meeting !== undefined && isAt(meeting, avatar)) there += 1;
      }
    }
    return there / all;
  }

  /** Slices of the map. */
  get slices(): number {
    return this.#berths[0]!.guest.membership.map!.slices.length;
  }

  get counts(): FleetCounts {
    return sumOf(this.countsByServer);
  }

  /** By the server's place in the grid, column by column. */
  get countsByServer(): FleetCounts[] {
    return this.#berths.map(({ guest, looks }) => {
      const { forwarded, updates, interests, messages, bytes } = guest.counters;
      return { forwarded, updates, interests, messages, bytes, transfers: guest.transfers, looks: looks.count };
    });
  }

  #start(hub: LocalHub, serverNumber: number): void {
    const { columns, rows, cell, isReplicated, balances = false } = this.#options;
    const engines: Engine[] = [];
    const counted: FleetOptions["model"] = (world, options) => {
      const engine = new Engine(world, options);
      engines.push(engine);
      return engine;
    };
    const { model = counted } = this.#options;
    const server = new Server({
      protocol,
      view: this.#view,
      roundMs: ROUND_MS,
      serverNumber,
      auditSample: 0,
      now: () => this.clock.nowMs,
      tokenSource: () => new Uint8Array(16).fill(serverNumber),
      onError: "throw",
      model,
    });
    let seam!: RoomSeam;
    const { guest } = server.main.invite((given) => {
      seam = given;
      return new ClusterGuest(given, {
        bus: hub.join(`server ${serverNumber}`),
        server: serverNumber,
        now: () => this.clock.nowMs,
        lead: LEAD,
        margin: isReplicated === true ? 2 * cell * Math.max(columns, rows) : 0,
        balances,
      });
    });
    const dice = this.#dice.fork(`steps ${serverNumber}`);
    server.onRound((world) => {
      for (const avatar of world.all(Avatar)) if (!world.isForeign(avatar)) this.#walk(avatar, dice);
    });
    const looks = { count: 0 };
    this.#berths.push({ server, guest, seam, looks });
    this.clock.every(ROUND_MS, () => {
      const beganMs = performance.now();
      server.round();
      this.rounds.ms += performance.now() - beganMs;
      this.rounds.count += 1;
      for (const { checks } of engines) looks.count += checks;
    });
  }

  #enter(name: string): void {
    const { columns, rows, cell, gateways } = this.#options;
    const [x, y] = [this.#dice.range(0, columns * cell), this.#dice.range(0, rows * cell)];
    const map = this.#berths[0]!.guest.membership.map!;
    const home = gateways === "any" ? this.#dice.pick(this.#berths) : this.#berths[map.at(x, y).owner - 1]!;
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
    walker.view = home.seam.addView({ ...this.#view, pivots: [{ object: entity.id }] }, { assumeDelivered: true });
  }

  get #view(): ViewSettings {
    return viewOf(this.#options.range ?? RANGE);
  }

  #walk(avatar: { x: number; y: number; heading: number }, dice: Dice): void {
    const { columns, rows, cell } = this.#options;
    const [width, height] = [columns * cell, rows * cell];
    const { meeting } = this;
    if (dice.chance(TURN)) avatar.heading = dice.range(0, 2 * Math.PI);
    const isAway = meeting !== undefined && !isAt(meeting, avatar);
    if (isAway) avatar.heading = Math.atan2(meeting.y - avatar.y, meeting.x - avatar.x);
    const step = (isAway ? meeting.speed : SPEED) * (ROUND_MS / SECOND);
    const [x, y] = [avatar.x + Math.cos(avatar.heading) * step, avatar.y + Math.sin(avatar.heading) * step];
    // Whoever comes to the edge turns round.
    if (x < 0 || x > width || y < 0 || y > height) avatar.heading += Math.PI;
    avatar.x = Math.max(0, Math.min(width, x));
    avatar.y = Math.max(0, Math.min(height, y));
  }
}

function isAt(meeting: { readonly x: number; readonly y: number }, { x, y }: { x: number; y: number }): boolean {
  return Math.hypot(meeting.x - x, meeting.y - y) <= MEETING_RADIUS;
}

/** Equal squares, one for each server. */
function grid(map: SliceMap, { columns, rows, cell }: FleetOptions): SliceMap {
  let next = map;
  let column = "r";
  for (let i = 0; i < columns; i++) {
    const isLast = i === columns - 1;
    if (!isLast) next = next.split(column, 0, cell * (i + 1), 1);
    let slice = isLast ? column : `${column}0`;
    for (let j = 0; j < rows; j++) {
      const owner = i * rows + j + 1;
      if (j === rows - 1) next = next.assign(slice, owner);
      else next = next.split(slice, 1, cell * (j + 1), 1).assign(`${slice}0`, owner);
      slice += "1";
    }
    column += "1";
  }
  return next;
}
