/**
 * The path of state without sessions and sockets: world → engine → frame writer → bytes → frame reader → replica, and acks back, for a
 * number of clients that all see everything their view asks for. Nothing is lost; an ack takes `ackRounds` to come back, as it would on
 * a network, so that frames are written against what a client acknowledged then.
 */

import { ReplicaStore, ReplicaWorld } from "@nearfield/client/internal";
import { type ViewSettings, World } from "@nearfield/core";
import { DecisionKind, Engine, type ViewId } from "@nearfield/core/internal";
import {
  decodeFromServer,
  EncodeCache,
  type Frame,
  type FramePacket,
  FrameReader,
  FrameWriter,
  type PacketAck,
} from "@nearfield/protocol/internal";
import type { Protocol } from "@nearfield/schema";

/** What fits one datagram on any path. */
const MAX_PACKET_BYTES = 1200;
const NO_PACKETS: readonly FramePacket[] = [];

export interface FrameLoopOptions {
  readonly protocol: Protocol;
  readonly view: ViewSettings;
  readonly roundMs: number;
  /** Default 1. */
  readonly clients?: number;
  /** Rounds from a frame to its ack. Default 2. */
  readonly ackRounds?: number;
}

/** One round of all clients together. */
export interface RoundTally {
  /** Pairs sent as an update; those sent whole or removed are in `others`. */
  readonly updates: number;
  readonly others: number;
  readonly bytes: number;
  readonly packets: number;
}

export class FrameLoop {
  readonly world: World;
  readonly engine: Engine;
  readonly clients: readonly FrameClient[];
  readonly cache: EncodeCache;
  readonly #protocol: Protocol;
  readonly #ackRounds: number;
  #round = 0;

  constructor({ protocol, view, roundMs, clients = 1, ackRounds = 2 }: FrameLoopOptions) {
    this.#protocol = protocol;
    this.#ackRounds = ackRounds;
    this.world = new World({ protocol });
    this.engine = new Engine(this.world, { roundMs });
    this.cache = new EncodeCache(this.world);
    this.clients = Array.from(
      { length: clients },
      (_, index) => new FrameClient(this, this.engine.addView(view), index + 1),
    );
  }

  /** Begins a round after the game has stepped: commits, and takes acks in. */
  begin(): void {
    this.#round += 1;
    this.world.commit();
    for (const client of this.clients) client.takeAck(this.#round - this.#ackRounds, this.#round);
  }

  judge(): void {
    this.engine.round(this.#round);
  }

  /** Puts what was decided into packets. */
  encode(): void {
    this.cache.beginRound();
    for (const client of this.clients) client.encode(this.#round);
  }

  /** Lets the packets arrive. */
  decode(): void {
    for (const client of this.clients) client.decode(this.#protocol, this.#round);
  }

  tally(): RoundTally {
    const total = { updates: 0, others: 0, bytes: 0, packets: 0 };
    for (const { view, packets } of this.clients) {
      const { count, kinds } = this.engine.decisions(view);
      for (let i = 0; i < count; i++) total[kinds[i] === DecisionKind.update ? "updates" : "others"] += 1;
      for (const { bytes } of packets) total.bytes += bytes.length;
      total.packets += packets.length;
    }
    return total;
  }
}

/** One client: the server's writer for it, and its own reader and replicas. */
export class FrameClient {
  readonly view: ViewId;
  readonly replicas: ReplicaWorld;
  packets: readonly FramePacket[] = [];
  readonly writer: FrameWriter;
  readonly #reader: FrameReader;
  readonly #acks = new Map<number, PacketAck>();
  #sentRound = Number.NEGATIVE_INFINITY;
  /** The last frame, whose columns the next one uses again, as a client does. */
  #frame: Frame | undefined;

  constructor({ world, engine, cache }: Pick<FrameLoop, "world" | "engine" | "cache">, view: ViewId, session: number) {
    this.view = view;
    this.writer = new FrameWriter({ world, model: engine, view, session, cache, ownerVersion: () => 0 });
    const store = new ReplicaStore(world.protocol);
    this.replicas = new ReplicaWorld(store);
    this.#reader = new FrameReader(world.protocol, store, 0);
  }

  /**
   * As a session does it: nothing due, nothing sent, except that a client to which nothing was sent for a heartbeat is sent an empty packet.
   *
   * @param isDue whether anything was decided for this client.
   * @param heartbeatRounds the longest time without a packet.
   */
  encodeIfDue(round: number, isDue: boolean, heartbeatRounds: number): void {
    this.packets = NO_PACKETS;
    if (!isDue && round - this.#sentRound < heartbeatRounds) return;
    this.encode(round);
    this.#sentRound = round;
  }

  encode(round: number): void {
    this.packets = this.writer.write({ round, heard: 0, pivots: 0, events: [], maxBytes: MAX_PACKET_BYTES });
  }

  decode(protocol: Protocol, round: number): void {
    if (this.packets.length === 0) return;
    for (const { bytes } of this.packets) {
      const { message } = decodeFromServer(bytes, "unsequenced", protocol, this.#frame);
      if (message.kind !== "frame") continue;
      this.#frame = message;
      this.#reader.apply(message.frame);
    }
    this.#acks.set(round, this.#reader.arrivals.ack());
  }

  takeAck(ofRound: number, now: number): void {
    const ack = this.#acks.get(ofRound);
    if (ack === undefined) return;
    this.#acks.delete(ofRound);
    this.writer.acknowledge(ack, now);
  }
}
