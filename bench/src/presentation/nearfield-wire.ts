/**
 * Updates on our own wire: the ship is an object of a world, the engine sends it when the sender demands it, and frames carry the difference
 * from what the receiver acknowledged. Bytes are those of whole packets that carry an update, our headers included. Where nothing is sent for a heartbeat an
 * empty packet leaves; those packets and the acks are counted separately. In reality the frame writer runs on the server, half-way
 * between the players; here it runs on the sender's time. So a frame is acknowledged at once when it arrives: the way from sender to receiver
 * is as long as the round trip between server and receiver. A lost update is not sent again: a newer one leaves long before the loss is known.
 */

import { ReplicaStore, ReplicaWorld } from "@nearfield/client/internal";
import { type Entity, type ViewSettings, World } from "@nearfield/core";
import { Engine, type ViewId } from "@nearfield/core/internal";
import type { NetworkName } from "@nearfield/netlab/internal";
import {
  decodeFromServer,
  EncodeCache,
  encodeFromClient,
  type FramePacket,
  FrameReader,
  FrameWriter,
  type PacketAck,
} from "@nearfield/protocol/internal";
import { angle, object, Protocol, quantized } from "@nearfield/schema";
import { downBytes } from "../wire/packet-tally.ts";
import { Way } from "./network.ts";
import { FRAME_MS } from "./recording.ts";
import type { Update } from "./update.ts";
import type { Sent, Wire } from "./wire.ts";

const place = quantized(-4096, 4096, 1 / 4);
const speed = quantized(-256, 256, 1);

/** Quarters of a pixel, a pixel per second, 0.7°; the turn rate is one of three: left, none, right. */
const Ship = object(
  "ship",
  { x: place, y: place, velX: speed, velY: speed, heading: angle(9), turn: quantized(-1, 1, 1) },
  { position: ["x", "y"], velocity: ["velX", "velY"], orientation: "heading" },
);

/** The engine asks for nothing by itself. */
const ON_DEMAND: ViewSettings = { sets: [{ match: "everything", radii: [], bounds: [{}] }], pivots: [] };
const MAX_PACKET_BYTES = 1200;
/** The longest time without a packet. */
const HEARTBEAT_MS = 1000;

export class NearfieldWire implements Wire {
  /** Bytes beside the updates': packets without any, and acks. */
  idleBytes = 0;
  ackBytes = 0;
  /** All packets to the receiver, and their bytes with the headers of a data channel. */
  packets = 0;
  wireBytes = 0;
  readonly #turnSpeed: number;
  readonly #world: World = new World({ protocol: new Protocol({ objects: [Ship] }) });
  readonly #engine: Engine = new Engine(this.#world, { roundMs: FRAME_MS });
  readonly #view: ViewId = this.#engine.addView(ON_DEMAND);
  readonly #cache: EncodeCache = new EncodeCache(this.#world);
  readonly #writer: FrameWriter = new FrameWriter({
    world: this.#world,
    model: this.#engine,
    view: this.#view,
    session: 1,
    cache: this.#cache,
    ownerVersion: () => 0,
  });
  readonly #store: ReplicaStore = new ReplicaStore(this.#world.protocol);
  readonly #replicas: ReplicaWorld = new ReplicaWorld(this.#store);
  readonly #reader: FrameReader = new FrameReader(this.#world.protocol, this.#store, 0);
  readonly #there: Way;
  readonly #frames: { readonly arrivalMs: number; readonly packets: readonly Uint8Array[] }[] = [];
  #ack: PacketAck | undefined;
  #ship: Entity<typeof Ship.shape> | undefined;
  #heardRound = 0;
  #sentFrame = Number.NEGATIVE_INFINITY;

  constructor(network: NetworkName, seed: string, turnSpeed: number) {
    this.#there = new Way(network, seed);
    this.#turnSpeed = turnSpeed;
  }

  send(frame: number, truth: Update, isDue: boolean): Sent | undefined {
    const round = frame + 1;
    this.#write(truth);
    if (isDue) this.#engine.demand(this.#view, this.#ship!.id);
    this.#world.commit();
    this.#takeAck(round);
    this.#engine.round(round);
    const hasUpdate = this.#engine.decisions(this.#view).count > 0;
    if (!hasUpdate && (frame - this.#sentFrame) * FRAME_MS < HEARTBEAT_MS) return undefined;
    this.#sentFrame = frame;
    this.#cache.beginRound();
    const packets = this.#writer
      .write({ round, heard: 0, pivots: 0, events: [], maxBytes: MAX_PACKET_BYTES })
      .map(({ bytes }: FramePacket) => bytes.slice());
    const bytes = packets.reduce((sum, packet) => sum + packet.length, 0);
    this.packets += packets.length;
    for (const { length } of packets) this.wireBytes += downBytes(length);
    const arrivalMs = this.#there.arrivalMs(frame * FRAME_MS);
    if (arrivalMs < Number.POSITIVE_INFINITY) this.#frames.push({ arrivalMs, packets });
    if (hasUpdate) return { update: this.#asWritten(truth), bytes };
    this.idleBytes += bytes;
    return undefined;
  }

  arrived(frame: number): readonly Update[] {
    const nowMs = frame * FRAME_MS;
    const updates: Update[] = [];
    let heard = false;
    this.#frames.sort((a, b) => a.arrivalMs - b.arrivalMs);
    while (this.#frames.length > 0 && this.#frames[0]!.arrivalMs <= nowMs) {
      const { packets } = this.#frames.shift()!;
      for (const packet of packets) {
        const update = this.#read(packet);
        if (update !== undefined) updates.push(update);
      }
      heard = true;
    }
    if (heard) this.#acknowledge();
    return updates;
  }

  #write({ x, y, velocityX, velocityY, heading, turnRate }: Update): void {
    const turn = this.#turnSpeed === 0 ? 0 : turnRate / this.#turnSpeed;
    const values = { x, y, velX: velocityX, velY: velocityY, heading, turn };
    if (this.#ship === undefined) this.#ship = this.#world.spawn(Ship, values);
    else Object.assign(this.#ship, values);
  }

  /** The update that a frame brings, if it does. */
  #read(packet: Uint8Array): Update | undefined {
    const { message } = decodeFromServer(packet, "unsequenced", this.#world.protocol);
    if (message.kind !== "frame") return undefined;
    if (this.#reader.apply(message.frame) !== "applied") return undefined;
    const [ship] = this.#replicas.all(Ship);
    const { round } = this.#replicas;
    if (ship === undefined || message.frame.count === 0 || round <= this.#heardRound) return undefined;
    this.#heardRound = round;
    const { x, y, velX, velY, heading, turn } = ship;
    return updateOf((round - 1) * FRAME_MS, x, y, velX, velY, heading, turn * this.#turnSpeed);
  }

  /** Rounded as the wire rounds it. */
  #asWritten({ sentMs, x, y, velocityX, velocityY, heading, turnRate }: Update): Update {
    const round = (field: typeof place, value: number): number => field.fromWire(field.toWire(value));
    return updateOf(
      sentMs,
      round(place, x),
      round(place, y),
      round(speed, velocityX),
      round(speed, velocityY),
      round(Ship.shape.heading, heading),
      turnRate,
    );
  }

  #acknowledge(): void {
    this.#ack = this.#reader.arrivals.ack();
    this.ackBytes += encodeFromClient(
      { kind: "ack", packets: this.#ack, heard: 0, waitedMs: 0 },
      this.#world.protocol,
    ).length;
  }

  #takeAck(round: number): void {
    if (this.#ack !== undefined) this.#writer.acknowledge(this.#ack, round);
    this.#ack = undefined;
  }
}

function updateOf(
  sentMs: number,
  x: number,
  y: number,
  velocityX: number,
  velocityY: number,
  heading: number,
  turnRate: number,
): Update {
  return { sentMs, x, y, velocityX, velocityY, accelerationX: 0, accelerationY: 0, heading, turnRate };
}
