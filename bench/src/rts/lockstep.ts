/**
 * What a strategy game usually sends instead of state: lockstep. Every machine plays the whole match, and only orders travel. Time is cut into turns. At the end of a turn every
 * player sends its orders, or that it has none. A relay puts the orders of all players into one packet for each of them. A turn is played once that packet is there. Nothing may be
 * missing, so every packet repeats the turn before it. Orders are packed as tightly as the schema can: units by 16 bits, not by object id.
 */

import { command, enumeration, list, quantized, uint } from "@nearfield/schema";
import { measureRecord } from "@nearfield/schema/internal";
import {
  BUILDING_KINDS,
  LARGEST_MAP,
  ORDER_UNITS_MOST,
  ORDERS,
  ROUND_MS,
  TRAINING_MOST,
  UNIT_KINDS,
} from "@nearfield/skirmish";
import { framedBytes, wireBytes } from "@nearfield/transport/internal";
import type { Asked } from "./match.ts";

/** A turn is as long as a round of the server. */
export const TURN_MS: number = ROUND_MS;

/** Bits of a packet: number of the turn, and of a player's part: how many orders; of an order: its kind. */
const TURN_BITS = 16;
const COUNT_BITS = 6;
const KIND_BITS = 2;
/** The checksum of the match, with which players find out that their matches differ. */
const CHECKSUM_BITS = 16;
const SLOTS = 1 << 16;

const piece = uint(16);
const place = quantized(0, LARGEST_MAP, 1);
const Order = command("order", {
  units: list(piece, ORDER_UNITS_MOST),
  what: enumeration(...ORDERS),
  x: place,
  y: place,
  target: piece,
  building: enumeration("none", ...BUILDING_KINDS),
  queued: uint(1),
});
const Train = command("train", {
  building: piece,
  kind: enumeration(...UNIT_KINDS),
  count: uint(bitsFor(TRAINING_MOST)),
});
const Rally = command("rally", { building: piece, x: place, y: place });

export class Lockstep {
  /** Bytes and packets from the relay to all players, and from the players to it; wire bytes have the headers of a data channel. */
  readonly down = { bytes: 0, wireBytes: 0 };
  readonly up = { bytes: 0, wireBytes: 0 };
  turns = 0;
  orders = 0;
  readonly #players: number;
  /** Bits of each player's orders, in this turn and in the one before. */
  #bits: number[];
  #bitsBefore: number[];

  constructor(players: number) {
    this.#players = players;
    this.#bits = Array.from({ length: players }, () => 0);
    this.#bitsBefore = [...this.#bits];
  }

  turn(asked: readonly Asked[]): void {
    this.turns += 1;
    this.orders += asked.length;
    this.#bitsBefore = this.#bits;
    this.#bits = Array.from({ length: this.#players }, () => 0);
    for (const order of asked) this.#bits[order.side]! += KIND_BITS + bitsOf(order);
    let all = TURN_BITS;
    for (let side = 0; side < this.#players; side++) {
      const own = 2 * COUNT_BITS + this.#bits[side]! + this.#bitsBefore[side]!;
      all += own;
      count(this.up, TURN_BITS + CHECKSUM_BITS + own);
    }
    for (let side = 0; side < this.#players; side++) count(this.down, all);
  }
}

function count(to: { bytes: number; wireBytes: number }, bits: number): void {
  const bytes = Math.ceil(bits / 8);
  to.bytes += bytes;
  to.wireBytes += wireBytes("datachannel", "toClient", framedBytes("datachannel", "unsequenced", bytes));
}

function bitsOf(asked: Asked): number {
  if (asked.kind === "train") {
    const { building, unit, count } = asked;
    return measureRecord(Train, { building: building % SLOTS, kind: unit, count: Math.min(count, TRAINING_MOST) });
  }
  if (asked.kind === "rally") {
    return measureRecord(Rally, { building: asked.building % SLOTS, x: asked.x, y: asked.y });
  }
  const { units, what, x, y, target = 0, patch, building, queued = false } = asked.request;
  return measureRecord(Order, {
    units: units.map((handle) => handle % SLOTS),
    what,
    x,
    y,
    // Ore is named by its number, in place of a target.
    target: (patch ?? target) % SLOTS,
    building: building ?? "none",
    queued: queued ? 1 : 0,
  });
}

function bitsFor(most: number): number {
  return Math.ceil(Math.log2(most + 1));
}

/**
 * Ms from an order to the first step of the rules that obeys it, on the player's own screen. On average an order waits half a turn until it is sent. It takes a round trip through the
 * relay. It is obeyed when the next turn begins after that, on all machines alike, so the slowest player's path counts for everybody.
 */
export function lockstepLatencyMs(slowestRoundTripMs: number, jitterMs: number): number {
  return TURN_MS / 2 + Math.ceil((slowestRoundTripMs + 2 * jitterMs) / TURN_MS) * TURN_MS;
}

/** The same with a server that plays the match: on average half a round of waiting there, and the player's own round trip. */
export function serverLatencyMs(ownRoundTripMs: number): number {
  return ROUND_MS / 2 + ownRoundTripMs;
}
