/** The report's table of clients: the traffic of each, and the state of its network. */

import type { Player } from "@nearfield/server";
import type { RoomSeam } from "@nearfield/server/seam";
import { finite } from "./drawn.ts";
import type { ClientRow, NetworkFigures } from "./feed/report.ts";
import { Meter } from "./meter.ts";

const MOST_ROWS = 500;

class ClientMeters {
  readonly out: Meter = new Meter();
  readonly in: Meter = new Meter();
  readonly wireOut: Meter = new Meter();
  readonly packetsOut: Meter = new Meter();
  readonly sends: Meter = new Meter();
  readonly lost: Meter = new Meter();
  readonly arrived: Meter = new Meter();

  sample(atMs: number, { telemetry }: Player): void {
    this.out.sample(atMs, telemetry.bytesOut);
    this.in.sample(atMs, telemetry.bytesIn);
    this.wireOut.sample(atMs, telemetry.wireBytesOut);
    this.packetsOut.sample(atMs, telemetry.packetsOut);
    this.sends.sample(atMs, telemetry.sends);
    this.lost.sample(atMs, telemetry.packetsLost);
    this.arrived.sample(atMs, telemetry.packetsArrived);
  }
}

export class ClientRows {
  readonly #seam: RoomSeam;
  readonly #presetOf: (player: number) => string | null;
  #meters = new Map<Player, ClientMeters>();

  constructor(seam: RoomSeam, presetOf: (player: number) => string | null) {
    this.#seam = seam;
    this.#presetOf = presetOf;
  }

  /** Takes a sample. Clients that left are forgotten. */
  sample(atMs: number): void {
    const meters = new Map<Player, ClientMeters>();
    for (const player of this.#seam.players.values()) {
      if (meters.size === MOST_ROWS) break;
      const known = this.#meters.get(player) ?? new ClientMeters();
      known.sample(atMs, player);
      meters.set(player, known);
    }
    this.#meters = meters;
  }

  rows(): ClientRow[] {
    return [...this.#meters].map(([player, meters]) => {
      const { id, nickname, role, presence, address, telemetry } = player;
      const { reliable, sequenced, unsequenced, debugBytesOut } = telemetry;
      return {
        player: id,
        nickname,
        role,
        presence,
        address,
        out: meters.out.flow(),
        in: meters.in.flow(),
        wireOut: meters.wireOut.flow(),
        packetsOut: meters.packetsOut.flow(),
        outByChannel: {
          reliable: reliable.bytesOut,
          sequenced: sequenced.bytesOut,
          unsequenced: unsequenced.bytesOut,
          debug: debugBytesOut,
        },
        inByChannel: {
          reliable: reliable.bytesIn,
          sequenced: sequenced.bytesIn,
          unsequenced: unsequenced.bytesIn,
        },
        sends: meters.sends.flow(),
        own: { records: telemetry.ownRecords, bytes: telemetry.ownBytes },
        withheld: telemetry.withheld,
        network: this.#network(player, meters),
      };
    });
  }

  #network({ id, budget, telemetry }: Player, { lost, arrived }: ClientMeters): NetworkFigures {
    const session = this.#seam.connections.get(id);
    const { roundTripRounds, packetsLost, packetsArrived } = telemetry;
    return {
      link: session?.link?.kind ?? null,
      roundTripMs: roundTripRounds < 0 ? null : roundTripRounds * this.#seam.roundMs,
      lossNow: share(lost.risenNow, arrived.risenNow),
      loss: share(packetsLost, packetsArrived),
      backlogBytes: session?.link?.backlogBytes ?? 0,
      paused: session?.isPaused ?? false,
      pausedRounds: telemetry.pausedRounds,
      budget: finite(budget),
      linkBytesPerSecond: finite(telemetry.linkBytesPerSecond),
      outerFactor: telemetry.outerFactor,
      innerFactor: telemetry.innerFactor,
      preset: this.#presetOf(id),
    };
  }
}

function share(lost: number, arrived: number): number | null {
  return lost + arrived > 0 ? lost / (lost + arrived) : null;
}
