/**
 * Plays a trace to its own players under one way of deciding what is sent: trace → primaries → model → packets → replicas, and acks
 * back two rounds later. A round in which nothing is due for a player has no packet for it, but for a heartbeat. Nothing is lost. Every player is a client from its first row on, with a view that is centred on its own object,
 * and stays where that was while it is dead.
 */

import { Aura, Broadcast, predicted, type ViewSettings, World } from "@nearfield/core";
import { type AuditedView, type Decisions, Engine, type ModelOptions, type ViewId } from "@nearfield/core/internal";
import { hold } from "@nearfield/presentation";
import type { MotionModel } from "@nearfield/presentation/internal";
import { EncodeCache } from "@nearfield/protocol/internal";
import { type ObjectId, Protocol } from "@nearfield/schema";
import { FrameClient } from "../wire/frame-loop.ts";
import { PacketTally } from "../wire/packet-tally.ts";
import { WriterAudit } from "../writer-audit.ts";
import { ErrorTally } from "./error-tally.ts";
import { type Mover, moverOf, Primaries } from "./primaries.ts";
import { crewMetric, seatMetric, setsWithRiders } from "./riders.ts";
import { SeenReplicas } from "./seen-replicas.ts";
import type { Trace } from "./trace.ts";

/** `displacement` and `predicted` are Nearfield with that metric. */
export type Way = "displacement" | "predicted" | "aura" | "broadcast";
export const WAYS: readonly Way[] = ["displacement", "predicted", "aura", "broadcast"];

export type Riders = "attached" | "own";
export const RIDERS: readonly Riders[] = ["attached", "own"];

export interface PlayOptions {
  readonly way: Way;
  /** Under the first two: whether riders are shown in the seat of what carries them, or each by itself. */
  readonly riders: Riders;
  /** When the playing begins, ms after the trace does. */
  readonly fromMs: number;
  readonly roundMs: number;
  readonly radii: readonly number[];
  /** One bound for each zone, world units. */
  readonly values: readonly number[];
  /** The share of its bound at which a pair rides along with what is due; 1: none does. */
  readonly ripe: number;
  /** Radius of the aura, world units. */
  readonly aura: number;
  /** How the picture goes on under `predicted`. */
  readonly model: MotionModel;
}

export interface Played {
  readonly way: Way;
  readonly riders: Riders;
  readonly rounds: number;
  readonly clients: number;
  /** Clients that were there, summed over rounds, in seconds. */
  readonly clientSeconds: number;
  /** Objects sent whole or changed; removals are not among them. */
  readonly updates: number;
  /** The part of the updates that are the player's own object; and packets that carry nothing else. */
  readonly ownUpdates: number;
  readonly ownPackets: number;
  /** Payload of all packets. */
  readonly bytes: number;
  readonly packets: number;
  /** With the headers of a data channel; and what a packet in every round would have made of it. */
  readonly wireBytes: number;
  readonly everyRoundBytes: number;
  /** By zone. */
  readonly errors: readonly ErrorTally[];
  /** Share of pairs whose object was in the replica. */
  readonly seenShare: number;
  /** Pairs over their bound: counted by the auditor, and seen on replicas. */
  readonly audited: number;
  readonly violations: number;
}

const ACK_ROUNDS = 2;
/** A client to which nothing is due for so long is sent an empty packet. */
const HEARTBEAT_MS = 1000;

export function playTrace(trace: Trace, options: PlayOptions): Played {
  const play = new Play(trace, options);
  const rounds = Math.max(0, Math.floor((trace.durationMs - options.fromMs) / options.roundMs));
  for (let round = 1; round <= rounds; round++) play.round(round);
  return play.result(rounds);
}

interface Player {
  readonly mover: Mover;
  readonly fromMs: number;
  readonly untilMs: number;
  view: ViewId;
  settings: ViewSettings | undefined;
  audited: AuditedView | undefined;
  client: FrameClient | undefined;
  seen: SeenReplicas | undefined;
  pivot: ObjectId | undefined;
}

class Play {
  readonly #trace: Trace;
  readonly #options: PlayOptions;
  readonly #world: World;
  readonly #model: Engine;
  readonly #audit: WriterAudit;
  readonly #cache: EncodeCache;
  readonly #primaries: Primaries;
  readonly #players: Player[];
  readonly #seen: SeenReplicas[] = [];
  readonly #errors: readonly ErrorTally[];
  readonly #packets = new PacketTally();
  readonly #heartbeatRounds: number;
  #updates = 0;
  #ownUpdates = 0;
  #ownPackets = 0;
  #clientRounds = 0;

  constructor(trace: Trace, options: PlayOptions) {
    const { way, roundMs, values } = options;
    const withSeats = seatsOf(options);
    const mover = moverOf(trace, { precision: values[0]!, withVelocity: way === "predicted", withSeats });
    this.#trace = trace;
    this.#options = options;
    this.#world = new World({ protocol: new Protocol({ objects: [mover] }) });
    this.#primaries = new Primaries(trace, this.#world, mover, { roundMs, precision: values[0]! });
    const model = way === "predicted" ? options.model : hold;
    const metrics = [predicted(model)];
    if (withSeats) metrics.push(seatMetric(mover), crewMetric(mover, model, this.#primaries.crews));
    this.#model = modelOf(this.#world, options, { roundMs, metrics, ripe: options.ripe });
    this.#audit = new WriterAudit(this.#world, this.#model, { roundMs, metrics });
    this.#cache = new EncodeCache(this.#world);
    this.#players = this.#primaries.movers
      .map((mover) => ({
        mover,
        fromMs: mover.track.looksFromMs,
        untilMs: mover.track.looksUntilMs,
        view: -1,
        settings: undefined,
        audited: undefined,
        client: undefined,
        seen: undefined,
        pivot: undefined,
      }))
      .filter(({ fromMs }) => fromMs < Number.POSITIVE_INFINITY);
    this.#errors = values.map((value) => new ErrorTally(value));
    this.#heartbeatRounds = Math.round(HEARTBEAT_MS / roundMs);
  }

  round(round: number): void {
    const ms = this.#options.fromMs + round * this.#options.roundMs;
    this.#primaries.step(ms);
    this.#world.commit();
    for (const player of this.#players) this.#place(player, ms, round);
    this.#model.round(round);
    this.#audit.examine(round);
    this.#cache.beginRound();
    for (const player of this.#players) this.#serve(player, round);
    this.#audit.conclude(round);
  }

  result(rounds: number): Played {
    const { roundMs, way, riders } = this.#options;
    const sum = (of: (seen: SeenReplicas) => number): number => this.#seen.reduce((total, seen) => total + of(seen), 0);
    return {
      way,
      riders,
      rounds,
      clients: this.#seen.length,
      clientSeconds: (this.#clientRounds * roundMs) / 1000,
      updates: this.#updates,
      ownUpdates: this.#ownUpdates,
      ownPackets: this.#ownPackets,
      bytes: this.#packets.payload,
      packets: this.#packets.packets,
      wireBytes: this.#packets.wireBytes,
      everyRoundBytes: this.#packets.everyRound,
      errors: this.#errors,
      seenShare:
        sum(({ seen }) => seen) /
        Math.max(
          1,
          sum(({ seen, unseen }) => seen + unseen),
        ),
      audited: this.#audit.overBound,
      violations: way === "displacement" || way === "predicted" ? sum(({ violations }) => violations) : 0,
    };
  }

  /** Lets a player in when it first is one and alive, and out when it is gone; acks come in; the view follows its object. */
  #place(player: Player, ms: number, round: number): void {
    const mayJoin = player.mover.object !== undefined && ms >= player.fromMs && ms < player.untilMs;
    if (player.client === undefined && mayJoin) this.#join(player);
    if (player.client === undefined) return;
    if (ms >= player.untilMs) {
      this.#model.removeView(player.view);
      this.#audit.remove(player.audited!);
      player.client = undefined;
      return;
    }
    player.client.takeAck(round - ACK_ROUNDS, round);
    const id = player.mover.object?.id;
    if (id === undefined || id === player.pivot) return;
    player.pivot = id;
    player.settings = { ...player.settings!, pivots: [{ object: id }] };
    this.#model.setPivots(player.view, player.settings.pivots);
  }

  #join(player: Player): void {
    const { dimensions } = this.#trace;
    const { roundMs, radii, way, model } = this.#options;
    player.settings = viewOf(this.#options);
    player.view = this.#model.addView(player.settings);
    const shared = { world: this.#world, engine: this.#model, cache: this.#cache };
    player.client = new FrameClient(shared, player.view, this.#seen.length + 1);
    player.audited = this.#audit.add(player.client.writer, 0, () => player.settings!);
    const goesOn = way === "predicted" ? model : undefined;
    player.seen = new SeenReplicas(player.client, {
      dimensions,
      roundMs,
      radii,
      model: goesOn,
      withSeats: seatsOf(this.#options),
    });
    this.#seen.push(player.seen);
  }

  #serve({ client, seen, view, mover }: Player, round: number): void {
    if (client === undefined) return;
    const decisions = this.#model.decisions(view);
    client.encodeIfDue(round, decisions.count > 0, this.#heartbeatRounds);
    client.decode(this.#world.protocol, round);
    this.#updates += seen!.take(decisions, round);
    seen!.compare(mover, this.#primaries.movers, round, this.#errors);
    this.#clientRounds += 1;
    this.#packets.add(client.packets);
    this.#countOwn(mover.object?.id, decisions);
  }

  #countOwn(own: ObjectId | undefined, { count, ids }: Decisions): void {
    if (own === undefined || !ids.subarray(0, count).includes(own)) return;
    this.#ownUpdates += 1;
    if (count === 1) this.#ownPackets += 1;
  }
}

function modelOf(world: World, { way, aura }: PlayOptions, options: ModelOptions): Engine {
  if (way === "broadcast") return new Broadcast(world, options);
  return way === "aura" ? new Aura(world, { ...options, radius: aura }) : new Engine(world, options);
}

function seatsOf({ way, riders }: PlayOptions): boolean {
  return riders === "attached" && (way === "displacement" || way === "predicted");
}

function viewOf(options: PlayOptions): ViewSettings {
  const { way, model, radii, values } = options;
  const metric = way === "predicted" ? predicted(model).name : "displacement";
  if (seatsOf(options)) return { sets: setsWithRiders(radii, values, metric), pivots: [] };
  return { sets: [{ match: "everything", radii, bounds: values.map((value) => ({ value })), metric }], pivots: [] };
}
