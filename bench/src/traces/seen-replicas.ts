/**
 * What one player sees: its replicas, copied into columns as they change. Under `predicted` they are moved on by the motion model, unless the
 * server said that the object has stopped. A rider is seen in his seat, wherever the vehicle is seen. At the end of a round it tells, without
 * latency, how far each replica is from its primary. The player's own object is left out, since the player moves it himself.
 */

import { DecisionKind, type Decisions } from "@nearfield/core/internal";
import { hold, MOTION_SIZE } from "@nearfield/presentation";
import { type MotionModel, PLACE_SIZE } from "@nearfield/presentation/internal";
import { type ObjectId, slotOf } from "@nearfield/schema";
import type { FrameClient } from "../wire/frame-loop.ts";
import type { ErrorTally } from "./error-tally.ts";
import type { Mover } from "./primaries.ts";
import { CARRIER, SEAT } from "./riders.ts";

export interface SeenReplicasOptions {
  readonly dimensions: number;
  readonly roundMs: number;
  readonly radii: readonly number[];
  /** How replicas go on; `undefined` where they stay as they were sent. */
  readonly model: MotionModel | undefined;
  /** Whether riders are sent with a seat. */
  readonly withSeats: boolean;
}

/** Of one replica: what the model keeps, the round it was sent in, −1 for one that is not there, its id, its carrier's id + 1, its seat. */
const COLUMNS = 12;
const ROUND = 6;
const ID = 7;
const RIDES = 8;
const SEAT_AT = 9;
const NAMES = ["x", "y", "z", "vx", "vy", "vz"] as const;
/** Server and client add up the same terms in another order. */
const ROUNDING = 1e-6;

export class SeenReplicas {
  /** Pairs that were over their bound although nothing was sent in that round. */
  violations = 0;
  /** Pairs by whether the object was in the replica. */
  seen = 0;
  unseen = 0;
  readonly #client: FrameClient;
  readonly #options: SeenReplicasOptions;
  readonly #names: readonly (typeof NAMES)[number][];
  readonly #model: MotionModel;
  readonly #motion = new Float64Array(MOTION_SIZE);
  readonly #shown = new Float64Array(PLACE_SIZE);
  #replicas: Float64Array = new Float64Array(64 * COLUMNS).fill(-1);

  constructor(client: FrameClient, options: SeenReplicasOptions) {
    const { dimensions, model } = options;
    this.#client = client;
    this.#options = options;
    this.#model = model ?? hold;
    this.#names = NAMES.filter((name, i) => i % 3 < dimensions && (model !== undefined || !name.startsWith("v")));
  }

  /** Takes over what this round's frame changed, after it was decoded; returns how many objects were sent. */
  take({ count, ids, kinds }: Decisions, round: number): number {
    let updates = 0;
    for (let i = 0; i < count; i++) {
      const id = ids[i]! as ObjectId;
      const at = this.#at(slotOf(id));
      const removed = kinds[i] === DecisionKind.leave || kinds[i] === DecisionKind.destroy;
      if (removed) {
        this.#replicas[at + ROUND] = -1;
        continue;
      }
      this.#copy(id, at, round);
      updates += 1;
    }
    return updates;
  }

  /** Compares all replicas with their primaries, as seen from where this player is. */
  compare(own: Mover, movers: readonly Mover[], round: number, errors: readonly ErrorTally[]): void {
    const { x, y, z } = own.place;
    for (const mover of movers) {
      if (mover.object === undefined || mover === own) continue;
      const { place } = mover;
      const distance = Math.sqrt((place.x - x) ** 2 + (place.y - y) ** 2 + (place.z - z) ** 2);
      const at = this.#at(slotOf(mover.object.id));
      const sent = this.#replicas[at + ROUND]!;
      if (sent < 0) {
        this.unseen += 1;
        continue;
      }
      this.seen += 1;
      const tally = errors[this.#zoneOf(distance)]!;
      const error = this.#errorOf(at, mover, round);
      tally.add(error);
      if (sent !== round && error >= tally.bound + ROUNDING) this.violations += 1;
    }
  }

  #errorOf(at: number, { place }: Mover, round: number): number {
    this.#show(at, round);
    const dx = this.#shown[0]! - place.x;
    const dy = this.#shown[1]! - place.y;
    const dz = this.#shown[2]! - place.z;
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
  }

  #show(at: number, round: number): void {
    const replicas = this.#replicas;
    const carrier = this.#carrierOf(at);
    const from = carrier < 0 ? at : carrier;
    const elapsedMs = (round - replicas[from + ROUND]!) * this.#options.roundMs;
    this.#model.place(replicas, from, elapsedMs, this.#shown, 0);
    if (carrier < 0) return;
    for (let axis = 0; axis < PLACE_SIZE; axis++)
      this.#shown[axis] = this.#shown[axis]! + replicas[at + SEAT_AT + axis]!;
  }

  /** Where the replica stands in which this one sits; −1 for none, or for one that the client does not have. */
  #carrierOf(at: number): number {
    const rides = this.#replicas[at + RIDES]!;
    if (rides === 0) return -1;
    const id = (rides - 1) as ObjectId;
    const carrier = this.#at(slotOf(id));
    return this.#replicas[carrier + ROUND]! >= 0 && this.#replicas[carrier + ID] === id ? carrier : -1;
  }

  #copy(id: ObjectId, at: number, round: number): void {
    const replica = this.#client.replicas.get(id) as Readonly<Record<string, number>> | undefined;
    if (replica === undefined) throw new Error(`object ${id} was sent in round ${round}, but is not in the replica`);
    const replicas = this.#replicas;
    const before = replicas[at + ROUND]!;
    if (before < 0) replicas.fill(0, at, at + COLUMNS);
    for (const name of this.#names) this.#motion[NAMES.indexOf(name)] = replica[name]!;
    const sinceMs = before < 0 ? 0 : (round - before) * this.#options.roundMs;
    this.#model.receive(replicas, at, this.#motion, 0, sinceMs, this.#client.replicas.isSettled(id));
    replicas[at + ROUND] = round;
    replicas[at + ID] = id;
    if (!this.#options.withSeats) return;
    replicas[at + RIDES] = replica[CARRIER]!;
    SEAT.forEach((name, axis) => {
      replicas[at + SEAT_AT + axis] = replica[name] ?? 0;
    });
  }

  #zoneOf(distance: number): number {
    const { radii } = this.#options;
    let zone = 0;
    while (zone < radii.length && distance > radii[zone]!) zone += 1;
    return zone;
  }

  #at(slot: number): number {
    const at = slot * COLUMNS;
    if (at >= this.#replicas.length) {
      const more = new Float64Array(Math.max(at + COLUMNS, this.#replicas.length * 2)).fill(-1);
      more.set(this.#replicas);
      this.#replicas = more;
    }
    return at;
  }
}
