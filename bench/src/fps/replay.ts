/**
 * Plays a recorded match again under one view: the same primaries, the same rounds, another decision of who is sent what. The path is the
 * server's own: world → model → frame writer → bytes, with acks two rounds later, as on the links of the match; nothing is lost.
 * What is left out are sessions and replicas, which change neither decisions nor bytes.
 *
 * An update is one avatar sent to one client that is not its owner. Owners are sent their own avatar in every round in which it changed,
 * under every view and under broadcast alike; those bytes are counted, those updates are not: the paper has none.
 */

import { Broadcast, type Metric, type ViewSettings, World } from "@nearfield/core";
import { DecisionKind, Engine, type ModelOptions, type ViewId } from "@nearfield/core/internal";
import type { MotionModel } from "@nearfield/presentation/internal";
import { Arrivals, EncodeCache, FrameWriter, type PacketAck, type PacketSink } from "@nearfield/protocol/internal";
import { type ObjectId, Protocol, slotOf } from "@nearfield/schema";
import { downBytes } from "../wire/packet-tally.ts";
import { WriterAudit } from "../writer-audit.ts";
import { Cells } from "./cells.ts";
import type { CellBounds } from "./paper.ts";
import { Picture } from "./picture.ts";
import { type Recording, Rerun, type Stance } from "./recording.ts";

const ACK_ROUNDS = 2;
/** Frames carry the number of the last command, as those of the match do. */
const FRAME = { heard: 0, pivots: 0, commands: 0, events: [], maxBytes: 1200 };
/** A client to which nothing is due for so long is sent an empty packet. */
const HEARTBEAT_MS = 1000;

export interface ReplayOptions {
  readonly view: ViewSettings;
  /** Send every update to everybody instead. Default false. */
  readonly broadcast?: boolean;
  /** Metrics of our own that the view names. Default: none. */
  readonly metrics?: readonly Metric[];
  /** Cells by which pairs and errors are counted; under broadcast nothing is. */
  readonly cells: Pick<CellBounds, "radii" | "sectors">;
  /** How a client's picture goes on between sends. Default: no picture is looked at. */
  readonly picture?: MotionModel;
  /** Whether frames are written, for their bytes. Default true. */
  readonly writes?: boolean;
  /** Rounds from the beginning that are not counted, and rounds after which to end. Defaults 0, and all. */
  readonly warmUp?: number;
  readonly rounds?: number;
}

export interface Replayed {
  /** Rounds that were counted. */
  readonly rounds: number;
  readonly updates: number;
  /** What broadcast sends of the same movement. */
  readonly broadcastUpdates: number;
  /** Bytes of all frames, headers and own avatars included. */
  readonly bytes: number;
  /** Packets, and their bytes with the headers of a data channel. */
  readonly packets: number;
  readonly wireBytes: number;
  /** By cell: pairs, and those whose avatar changed in that round, summed over rounds. */
  readonly pairs: readonly number[];
  readonly changedPairs: readonly number[];
  /** By client. */
  readonly updatesOf: readonly number[];
  readonly bytesOf: readonly number[];
  readonly picture: Picture | undefined;
  /** Pairs over their bound, as audited. */
  readonly overBound: number;
}

export function replay(recording: Recording, options: ReplayOptions): Replayed {
  const run = new Replay(recording, options);
  const last = Math.min(recording.rounds, options.rounds ?? recording.rounds);
  for (let round = 0; round < last; round++) run.round(round);
  return run.result(last);
}

class Replay {
  readonly #recording: Recording;
  readonly #options: ReplayOptions;
  readonly #world: World;
  readonly #model: Engine;
  readonly #audit: WriterAudit | undefined;
  readonly #cache: EncodeCache;
  readonly #rerun: Rerun;
  readonly #viewers: readonly Viewer[];
  readonly #cells: Cells;
  readonly #picture: Picture | undefined;
  /** Where each bot is and looks; while it has no avatar, as it last was. */
  readonly #stances: readonly Stance[];
  readonly #isThere: boolean[];
  readonly #versions: number[];
  readonly #hasChanged: boolean[];
  readonly #botOf = new Map<ObjectId, number>();
  readonly #pairs: number[];
  readonly #changedPairs: number[];
  readonly #heartbeatRounds: number;
  #broadcastUpdates = 0;

  constructor(recording: Recording, options: ReplayOptions) {
    const { avatars, roundMs, type } = recording;
    this.#recording = recording;
    this.#options = options;
    this.#heartbeatRounds = Math.round(HEARTBEAT_MS / roundMs);
    this.#world = new World({ protocol: new Protocol({ objects: [type] }) });
    const modelOptions: ModelOptions = { roundMs, metrics: options.metrics ?? [] };
    this.#model =
      options.broadcast === true ? new Broadcast(this.#world, modelOptions) : new Engine(this.#world, modelOptions);
    this.#cache = new EncodeCache(this.#world);
    this.#audit = options.writes === false ? undefined : new WriterAudit(this.#world, this.#model, modelOptions);
    const sessions = Array.from({ length: avatars }, (_, bot) => bot + 1);
    this.#rerun = new Rerun(recording, this.#world, sessions);
    this.#viewers = sessions.map((session) => new Viewer(this.#world, this.#model, this.#cache, options, session));
    for (const viewer of this.#viewers) this.#audit?.add(viewer.writer, viewer.session, () => viewer.settings);
    this.#cells = new Cells(options.cells);
    this.#picture = options.picture && new Picture(avatars, this.#cells, options.picture, roundMs);
    this.#stances = sessions.map(() => ({ x: 0, y: 0, heading: 0 }));
    this.#isThere = sessions.map(() => false);
    this.#versions = sessions.map(() => 0);
    this.#hasChanged = sessions.map(() => false);
    this.#pairs = Array.from({ length: this.#cells.count }, () => 0);
    this.#changedPairs = Array.from({ length: this.#cells.count }, () => 0);
  }

  round(index: number): void {
    const round = index + 1;
    const counts = index >= (this.#options.warmUp ?? 0);
    this.#rerun.step(index);
    this.#world.commit();
    this.#look(index);
    for (const viewer of this.#viewers) viewer.begin(round);
    this.#model.round(round);
    this.#audit?.examine(round);
    this.#cache.beginRound();
    for (let bot = 0; bot < this.#viewers.length; bot++) this.#serve(bot, round, counts);
    this.#audit?.conclude(round);
    if (counts && this.#options.broadcast !== true) this.#count(round);
  }

  result(last: number): Replayed {
    const sum = (of: (viewer: Viewer) => number): number =>
      this.#viewers.reduce((total, viewer) => total + of(viewer), 0);
    return {
      rounds: last - (this.#options.warmUp ?? 0),
      updates: sum(({ updates }) => updates),
      broadcastUpdates: this.#broadcastUpdates,
      bytes: sum(({ bytes }) => bytes),
      packets: sum(({ packets }) => packets),
      wireBytes: sum(({ wireBytes }) => wireBytes),
      pairs: this.#pairs,
      changedPairs: this.#changedPairs,
      updatesOf: this.#viewers.map(({ updates }) => updates),
      bytesOf: this.#viewers.map(({ bytes }) => bytes),
      picture: this.#picture,
      overBound: this.#audit?.overBound ?? this.#model.account.decided,
    };
  }

  /** Takes over where everybody is and who changed; views follow whom they followed in the match. */
  #look(index: number): void {
    for (let bot = 0; bot < this.#viewers.length; bot++) {
      const isThere = this.#recording.stanceAt(index, bot, this.#stances[bot]!);
      const id = this.#rerun.idOf(bot);
      if (id !== this.#viewers[bot]!.own) this.#own(bot, id);
      const version = id === undefined ? 0 : this.#world.version[slotOf(id)]!;
      this.#hasChanged[bot] = isThere && version !== this.#versions[bot]!;
      this.#versions[bot] = version;
      this.#isThere[bot] = isThere;
    }
    for (let bot = 0; bot < this.#viewers.length; bot++) {
      const viewer = this.#viewers[bot]!;
      viewer.pivotBot = this.#recording.pivotAt(index, bot);
      const pivot = this.#rerun.idOf(viewer.pivotBot);
      // A view whose pivot is gone stays where it was.
      if (pivot === undefined || pivot === viewer.pivot) continue;
      viewer.pivot = pivot;
      viewer.settings = { ...viewer.settings, pivots: [{ object: pivot }] };
      this.#model.setPivots(viewer.view, viewer.settings.pivots);
    }
  }

  /** An avatar came, or went. */
  #own(bot: number, id: ObjectId | undefined): void {
    const viewer = this.#viewers[bot]!;
    if (viewer.own !== undefined) {
      this.#botOf.delete(viewer.own);
      this.#picture?.remove(bot);
    }
    viewer.own = id;
    this.#versions[bot] = 0;
    if (id !== undefined) this.#botOf.set(id, bot);
  }

  #serve(bot: number, round: number, counts: boolean): void {
    const viewer = this.#viewers[bot]!;
    const { count, ids, kinds, settled } = this.#model.decisions(viewer.view);
    viewer.counts = counts;
    if (this.#options.writes !== false) viewer.write(round, count > 0, this.#heartbeatRounds);
    let updates = 0;
    for (let i = 0; i < count; i++) {
      const id = ids[i]! as ObjectId;
      if (kinds[i] === DecisionKind.leave || kinds[i] === DecisionKind.destroy || id === viewer.own) continue;
      const sent = this.#botOf.get(id)!;
      updates += 1;
      this.#picture?.send(bot, sent, this.#world, slotOf(id), this.#stances[sent]!.heading, round, settled[i] === 1);
    }
    if (!counts) return;
    viewer.updates += updates;
  }

  /** Counts every pair in its cell, and looks at every picture. */
  #count(round: number): void {
    for (let bot = 0; bot < this.#viewers.length; bot++) {
      const { x, y, heading } = this.#stances[this.#viewers[bot]!.pivotBot]!;
      const lookX = Math.cos(heading);
      const lookY = Math.sin(heading);
      for (let other = 0; other < this.#viewers.length; other++) {
        if (other === bot || this.#isThere[other] !== true) continue;
        const stance = this.#stances[other]!;
        const cell = this.#cells.of(stance.x - x, stance.y - y, lookX, lookY);
        this.#pairs[cell]! += 1;
        if (this.#hasChanged[other] === true) {
          this.#changedPairs[cell]! += 1;
          this.#broadcastUpdates += 1;
        }
        this.#picture?.compare(bot, other, stance, cell, round);
      }
    }
  }
}

/** One client, as the server knows it. */
class Viewer implements PacketSink {
  readonly view: ViewId;
  readonly session: number;
  settings: ViewSettings;
  /** Its avatar, the avatar it looks from, and whose that is. */
  own: ObjectId | undefined;
  pivot: ObjectId | undefined;
  pivotBot = 0;
  /** Whether what is written now is counted. */
  counts = false;
  updates = 0;
  bytes = 0;
  packets = 0;
  wireBytes = 0;
  #sentRound = Number.NEGATIVE_INFINITY;
  readonly writer: FrameWriter;
  readonly #arrivals = new Arrivals();
  readonly #acks: PacketAck[] = [];

  constructor(world: World, model: Engine, cache: EncodeCache, { view, writes }: ReplayOptions, session: number) {
    this.session = session;
    this.settings = view;
    this.view = model.addView(view, { session, assumeDelivered: writes === false });
    this.writer = new FrameWriter({ world, model, view: this.view, session, cache, ownerVersion: () => 0 });
  }

  /** The ack of two rounds ago comes in. */
  begin(round: number): void {
    if (this.#acks.length >= ACK_ROUNDS) this.writer.acknowledge(this.#acks.shift()!, round);
  }

  /** Writes what is due and lets it arrive. Where nothing is due, nothing is written, except after the time of a heartbeat. */
  write(round: number, isDue: boolean, heartbeatRounds: number): void {
    const { ledger } = this.writer;
    const first = ledger.nextPacket;
    if (isDue || round - this.#sentRound >= heartbeatRounds) {
      this.writer.writeTo({ round, ...FRAME }, this);
      this.#sentRound = round;
    }
    for (let packet = first; packet < ledger.nextPacket; packet++) this.#arrivals.admit(packet);
    this.#acks.push(this.#arrivals.ack());
  }

  packet({ length }: Uint8Array): boolean {
    if (!this.counts) return true;
    this.bytes += length;
    this.packets += 1;
    this.wireBytes += downBytes(length);
    return true;
  }
}
