/** The report's table of clients: the traffic of each, and the state of its network. */

import type { Player } from "@nearfield/server";
import type { RoomSeam } from "@nearfield/server/seam";
import { finite } from "./drawn.ts";
import type { ClientRow } from "./feed/report.ts";
import { Meters } from "./meters.ts";
import { FLOW_LENGTH, filled, type Shape, type Value } from "./shape.ts";

const MOST_ROWS = 500;

/** Counters of a client; those up to `lost` are told as flows. */
const COUNTERS = ["out", "in", "wireOut", "packetsOut", "sends", "lost", "arrived"] as const;
const FLOWS = 5;
const LOST = 5;
const ARRIVED = 6;
/** Where the flows of a row begin, and what follows them. */
const FLOWS_AT = 5;
const REST_AT = FLOWS_AT + FLOWS * FLOW_LENGTH;

export const CLIENT_ROW: Shape<ClientRow> = {
  player: 0,
  nickname: 1,
  role: 2,
  presence: 3,
  address: 4,
  out: [FLOWS_AT],
  in: [FLOWS_AT + FLOW_LENGTH],
  wireOut: [FLOWS_AT + 2 * FLOW_LENGTH],
  packetsOut: [FLOWS_AT + 3 * FLOW_LENGTH],
  sends: [FLOWS_AT + 4 * FLOW_LENGTH],
  outByChannel: { reliable: REST_AT, sequenced: REST_AT + 1, unsequenced: REST_AT + 2, debug: REST_AT + 3 },
  inByChannel: { reliable: REST_AT + 4, sequenced: REST_AT + 5, unsequenced: REST_AT + 6 },
  own: { records: REST_AT + 7, bytes: REST_AT + 8 },
  withheld: REST_AT + 9,
  network: {
    link: REST_AT + 10,
    roundTripMs: REST_AT + 11,
    lossNow: REST_AT + 12,
    loss: REST_AT + 13,
    backlogBytes: REST_AT + 14,
    paused: REST_AT + 15,
    pausedRounds: REST_AT + 16,
    budget: REST_AT + 17,
    linkBytesPerSecond: REST_AT + 18,
    outerFactor: REST_AT + 19,
    innerFactor: REST_AT + 20,
    preset: REST_AT + 21,
  },
};
/** Values of a row. */
export const ROW_LENGTH: number = REST_AT + 22;

export class ClientRows {
  /** Of all rows, one after another, as `CLIENT_ROW` has them. */
  readonly values: Value[] = [];
  readonly #seam: RoomSeam;
  readonly #presetOf: (player: number) => string | null;
  readonly #totals = new Float64Array(COUNTERS.length);
  #meters = new Map<Player, Meters>();

  constructor(seam: RoomSeam, presetOf: (player: number) => string | null) {
    this.#seam = seam;
    this.#presetOf = presetOf;
  }

  /** Makes the rows anew. Clients that left are forgotten. */
  sample(atMs: number): void {
    const meters = new Map<Player, Meters>();
    for (const player of this.#seam.players.values()) {
      if (meters.size === MOST_ROWS) break;
      const known = this.#meters.get(player) ?? new Meters(COUNTERS.length);
      this.#readCounters(player);
      known.sample(atMs, this.#totals);
      this.#write(meters.size * ROW_LENGTH, player, known);
      meters.set(player, known);
    }
    this.values.length = meters.size * ROW_LENGTH;
    this.#meters = meters;
  }

  rows(): ClientRow[] {
    return Array.from({ length: this.#meters.size }, (_, row) =>
      filled<ClientRow>(CLIENT_ROW, this.values, row * ROW_LENGTH),
    );
  }

  #readCounters({ telemetry }: Player): void {
    const totals = this.#totals;
    totals[0] = telemetry.bytesOut;
    totals[1] = telemetry.bytesIn;
    totals[2] = telemetry.wireBytesOut;
    totals[3] = telemetry.packetsOut;
    totals[4] = telemetry.sends;
    totals[LOST] = telemetry.packetsLost;
    totals[ARRIVED] = telemetry.packetsArrived;
  }

  #write(at: number, { id, nickname, role, presence, address, telemetry, budget }: Player, meters: Meters): void {
    const { values } = this;
    const { reliable, sequenced, unsequenced, roundTripRounds } = telemetry;
    values[at] = id;
    values[at + 1] = nickname;
    values[at + 2] = role;
    values[at + 3] = presence;
    values[at + 4] = address;
    meters.writeFlows(values, at + FLOWS_AT, FLOWS);
    const session = this.#seam.connections.get(id);
    let next = at + REST_AT;
    values[next++] = reliable.bytesOut;
    values[next++] = sequenced.bytesOut;
    values[next++] = unsequenced.bytesOut;
    values[next++] = telemetry.debugBytesOut;
    values[next++] = reliable.bytesIn;
    values[next++] = sequenced.bytesIn;
    values[next++] = unsequenced.bytesIn;
    values[next++] = telemetry.ownRecords;
    values[next++] = telemetry.ownBytes;
    values[next++] = telemetry.withheld;
    values[next++] = session?.link?.kind ?? null;
    values[next++] = roundTripRounds < 0 ? null : roundTripRounds * this.#seam.roundMs;
    values[next++] = share(meters.risenNow(LOST), meters.risenNow(ARRIVED));
    values[next++] = share(telemetry.packetsLost, telemetry.packetsArrived);
    values[next++] = session?.link?.backlogBytes ?? 0;
    values[next++] = session?.isPaused ?? false;
    values[next++] = telemetry.pausedRounds;
    values[next++] = finite(budget);
    values[next++] = finite(telemetry.linkBytesPerSecond);
    values[next++] = telemetry.outerFactor;
    values[next++] = telemetry.innerFactor;
    values[next] = this.#presetOf(id);
  }
}

function share(lost: number, arrived: number): number | null {
  return lost + arrived > 0 ? lost / (lost + arrived) : null;
}
