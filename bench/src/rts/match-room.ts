/**
 * A room that shows a match to its players: a real server and real clients on a virtual clock, over links with latency and loss. What enters the links and what the server decides
 * is counted, and so is the server's time without the game's own step.
 */

import { present } from "@nearfield/client";
import { setPivots } from "@nearfield/client/views";
import type { Entity, ViewSettings } from "@nearfield/core";
import { Broadcast } from "@nearfield/core";
import { DecisionKind, type Visibility } from "@nearfield/core/internal";
import { Lab, type LabClient } from "@nearfield/netlab";
import type { Player } from "@nearfield/server";
import { STAGE_NAMES } from "@nearfield/server/seam";
import {
  type Building,
  FOG_CELL,
  KIND,
  protocol,
  ROUND_MS,
  SIGHT,
  type Unit,
  Unit as UnitType,
} from "@nearfield/skirmish";
import { carrierOf, framedBytes, wireBytes } from "@nearfield/transport/internal";
import { Gaze } from "./gaze.ts";
import { JumpWatch } from "./jump-watch.ts";
import type { Match } from "./match.ts";
import { Mirror } from "./mirror.ts";
import { cameraAt, cameraLimits, UNIT_GROUPS } from "./views.ts";

/** One way, ms. */
export const LATENCY_MS = 50;
export const JITTER_MS = 5;
const CONDITIONS = { latencyMs: LATENCY_MS, jitterMs: JITTER_MS, loss: 0.01 };
/** Nothing is carried on beyond what was sent: the paper's bounds do not tell when a unit that was sent moving has come to rest. */
const SHOWN = { model: "interpolation" } as const;
/** Pairs that the auditor examines in a round: enough to find a fault within seconds, and little beside what is timed. */
const AUDITED = 32;
/** Ms between two frames of a client. */
const FRAME_MS = 20;
const STEP_STAGE: number = STAGE_NAMES.indexOf("step");

export interface RoomPlan {
  readonly view: ViewSettings;
  /** Every update to everybody instead. Default false. */
  readonly broadcast?: boolean;
  /**
   * `others`: everybody is sent everything but what it owns: the paper's clients move their own units themselves and get no echo (R §4.3). `all`: own units, too. `fog`: own units,
   * and of others what one's own units see.
   */
  readonly shows: "others" | "all" | "fog";
  /** Look for jumps in what clients show. Default false. */
  readonly watchesJumps?: boolean;
  /** The view of the player of a side, where it differs from the others'. */
  readonly viewOf?: (side: number) => ViewSettings;
}

interface Placed {
  readonly x?: number;
  readonly y: number;
  readonly z: number;
}

export interface RoomTally {
  rounds: number;
  /** Objects of others that were sent, to all clients, and own ones. */
  updates: number;
  ownUpdates: number;
  /** The former by the zone that they were sent for. */
  updatesByZone: number[];
  /** Bytes and packets from the server to all clients; wire bytes have the headers of data channel and WebSocket. */
  bytes: number;
  packets: number;
  wireBytes: number;
  /** Of each round: the time that the server took without the game's step, ms. */
  roundMs: number[];
}

export class MatchRoom {
  readonly lab: Lab;
  /** By side: ids of the objects of others that its player was sent in the last round. */
  readonly sentTo: Map<number, readonly number[]> = new Map();
  tally: RoomTally = newTally();
  readonly #match: Match;
  readonly #clients: readonly LabClient[];
  readonly #gazes: readonly Gaze[];
  readonly #players: Player[] = [];
  readonly #watches: readonly JumpWatch[];
  #mirror: Mirror | undefined;

  constructor(match: Match, plan: RoomPlan) {
    const { players, seed } = match.plan;
    this.#match = match;
    this.lab = new Lab({
      protocol,
      view: plan.view,
      viewLimits: cameraLimits(plan.view),
      mayPivot: () => true,
      ...(plan.broadcast !== true && { units: UNIT_GROUPS }),
      auditSample: AUDITED,
      roundMs: ROUND_MS,
      frameMs: FRAME_MS,
      seed,
      ...(plan.shows !== "all" && { visible: this.#visibility(plan.shows) }),
      ...(plan.broadcast === true && { model: (world, options) => new Broadcast(world, options) }),
      onPacket: ({ direction, channel, bytes: { length } }) => {
        if (direction !== "down") return;
        const carrier = carrierOf(channel, false);
        this.tally.bytes += length;
        this.tally.packets += 1;
        this.tally.wireBytes += wireBytes(carrier, "toClient", framedBytes(carrier, channel, length));
      },
    });
    this.lab.server.onJoin((player) => void this.#players.push(player));
    this.lab.server.onRound(() => this.#mirror?.write());
    this.#time();
    this.#gazes = Array.from({ length: players }, (_, side) => new Gaze(match, side));
    this.#clients = Array.from({ length: players }, (_, side) => this.lab.join(`player ${side}`, CONDITIONS));
    this.lab.until(() => this.#players.length === players);
    this.#players.sort((a, b) => (a.nickname < b.nickname ? -1 : 1));
    const { viewOf } = plan;
    if (viewOf !== undefined) this.#players.forEach((player, side) => void player.setView(viewOf(side)));
    this.#mirror = new Mirror(match, this.lab.world, (side) => this.#players[side]!.id);
    for (const { client } of this.#clients) present(client, UnitType, SHOWN);
    this.#watches = plan.watchesJumps === true ? this.#watchJumps() : [];
  }

  get sides(): number {
    return this.#clients.length;
  }

  get jumps(): number {
    return this.#watches.reduce((sum, { jumps }) => sum + jumps, 0);
  }

  /** The longest way of an object that was in the camera, from one frame to the next. */
  get longestStep(): number {
    return Math.max(0, ...this.#watches.map(({ longest }) => longest));
  }

  get overBound(): number {
    const { audit } = this.lab.server.main;
    return audit.decided + audit.faults;
  }

  /** Ids of all objects that a client has. */
  idsOf(side: number): Set<number> {
    return new Set(Array.from(this.#clients[side]!.client.world.objects(), ({ id }) => id));
  }

  /** The object of a piece of the match. */
  objectAt(slot: number): { readonly id: number } | undefined {
    return this.#mirror?.objectAt(slot);
  }

  startCounting(): void {
    this.tally = newTally();
    for (const watch of this.#watches) watch.restart();
  }

  /** Plays one round; the match has stepped. */
  round(): void {
    this.sentTo.clear();
    this.#gazes.forEach((gaze, side) => {
      gaze.round();
      setPivots(this.#clients[side]!.client, [cameraAt(gaze.x, gaze.y)]);
    });
    this.lab.step();
    this.tally.rounds += 1;
    const { model } = this.lab.server.main;
    this.#players.forEach((player, side) => {
      const { count, ids, kinds, zones } = model.decisions(player.view);
      const others: number[] = [];
      for (let i = 0; i < count; i++) {
        if (kinds[i] === DecisionKind.leave || kinds[i] === DecisionKind.destroy) continue;
        const isOwn = this.lab.world.get(ids[i] as never)?.owner === player.id;
        if (isOwn) this.tally.ownUpdates += 1;
        else {
          this.tally.updates += 1;
          this.tally.updatesByZone[zones[i]!] = (this.tally.updatesByZone[zones[i]!] ?? 0) + 1;
          others.push(ids[i]!);
        }
      }
      this.sentTo.set(side, others);
    });
  }

  /** Counts what another room sent in its last round by the zones of this one: of each update, in which zone of this room its object lies now. */
  zonesOf(other: MatchRoom, counts: number[]): void {
    for (const [side, ids] of other.sentTo) {
      for (const id of ids) {
        const object = other.lab.world.get(id as never) as unknown as Placed | undefined;
        if (object?.x === undefined) continue;
        const zone = this.lab.server.main.model.zoneAt(this.#players[side]!.view, [object.x, object.y, object.z]);
        counts[zone] = (counts[zone] ?? 0) + 1;
      }
    }
  }

  async close(): Promise<void> {
    await this.lab.server.close();
  }

  #visibility(shows: "others" | "fog"): Visibility<Player> {
    if (shows === "others") return { whenChanged: (player, { owner }) => owner === 0 || owner !== player.id };
    const { size } = this.#match.battle.state.terrain;
    return {
      teams: {
        area: { min: [0, 0], max: [size, size] },
        cell: FOG_CELL,
        teamOf: (player) => this.#sideOf(player),
        teamOfObject: (entity) => sideOf(entity),
        sight: (entity) => SIGHT[KIND[(entity as unknown as Entity<typeof Unit.shape>).kind]]!,
      },
    };
  }

  #sideOf(player: Player): number {
    return Number(player.nickname.slice("player ".length));
  }

  #watchJumps(): JumpWatch[] {
    const watches = this.#clients.map(({ client }, side) => new JumpWatch(client, this.#gazes[side]!, 2 * LATENCY_MS));
    this.lab.clock.every(FRAME_MS, () => {
      for (const watch of watches) watch.frame(this.lab.clock.nowMs);
    });
    return watches;
  }

  #time(): void {
    let last = 0;
    let sum = 0;
    this.lab.server.main.invite(() => ({
      name: "stopwatch",
      stopwatch: {
        start: () => {
          sum = 0;
          last = performance.now();
        },
        lap: (stage) => {
          const now = performance.now();
          if (stage !== STEP_STAGE) sum += now - last;
          last = now;
          if (stage === STAGE_NAMES.length - 1) this.tally.roundMs.push(sum);
        },
      },
    }));
  }
}

function sideOf(entity: Entity): number | undefined {
  return "side" in entity ? (entity as unknown as Entity<typeof Building.shape>).side : undefined;
}

function newTally(): RoomTally {
  return { rounds: 0, updates: 0, ownUpdates: 0, updatesByZone: [], bytes: 0, packets: 0, wireBytes: 0, roundMs: [] };
}
