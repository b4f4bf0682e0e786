/**
 * How a cluster grows: cells of one size and players of one density, on 1 to 64 servers. Counted are the work of a server and what it sends to others, not
 * time. Players are connected to the server that owns their avatar, or to any server of the cluster.
 *
 * The world has an edge, and servers at the edge have fewer neighbours. A grid of n × n has 4 × (1 − 1/n) borders a server: 2.67 at 9 servers, 3.5 at 64. So bytes
 * a server grow by 1.31 from 9 to 64 although every border costs the same. Beside the mean of all servers stand those with a neighbour on every side.
 */

import { fitExponent } from "../statistics.ts";
import { Fleet, type FleetCounts, type FleetOptions, SIDE, sumOf } from "./fleet.ts";

/** Columns and rows of each size. */
const SIZES = [
  [1, 1],
  [2, 1],
  [2, 2],
  [3, 3],
  [4, 4],
  [8, 8],
] as const;
/** As in V tab. 4 with nine slices: 100 players on 5000². */
const CELL = SIDE / 3;
const PLAYERS = 12;
const SECOND = 1000;

export type Gateways = "owner" | "any";

/** What one server does in a second. */
export interface ServerSecond {
  /** Pairs looked at, own updates, updates written for other servers and read from them. */
  readonly work: number;
  /** Of these, those for and from other servers. */
  readonly copies: number;
  readonly messages: number;
  readonly bytes: number;
}

export interface FleetPoint {
  readonly servers: number;
  readonly players: number;
  /** Borders between two cells, for each server. */
  readonly borders: number;
  readonly mean: ServerSecond;
  /** The mean of those with a neighbour on every side; undefined: there are none. */
  readonly inner: ServerSecond | undefined;
}

/** @param serverSeconds for how long each size is played, times its servers: small fleets are played for longer, since a few players vary more than many. */
export function measureFleetGrowth(
  gateways: Gateways,
  serverSeconds: number,
  progress: (line: string) => void,
): FleetPoint[] {
  return SIZES.map(([columns, rows]) => {
    progress(
      `growth: ${columns * rows} servers, players at ${gateways === "owner" ? "the owner of their avatar" : "any server"}`,
    );
    const seconds = Math.max(5, Math.ceil(serverSeconds / (columns * rows)));
    return measure(
      { seed: 3, columns, rows, cell: CELL, players: PLAYERS * columns * rows, gateways, judges: true },
      seconds,
    );
  });
}

function measure(options: FleetOptions, seconds: number): FleetPoint {
  const { columns, rows, players } = options;
  const fleet = new Fleet(options);
  const before = fleet.countsByServer;
  fleet.run(seconds * SECOND);
  const after = fleet.countsByServer;
  const servers = columns * rows;
  const all = [...before.keys()];
  const isInner = (server: number): boolean => {
    const [column, row] = [Math.floor(server / rows), server % rows];
    return column > 0 && column < columns - 1 && row > 0 && row < rows - 1;
  };
  const mean = (chosen: readonly number[]): ServerSecond => {
    const [from, to] = [before, after].map((counts) => sumOf(chosen.map((server) => counts[server]!)));
    return perServer(from!, to!, chosen.length * seconds);
  };
  const inner = all.filter(isInner);
  return {
    servers,
    players,
    borders: (2 * ((columns - 1) * rows + columns * (rows - 1))) / servers,
    mean: mean(all),
    inner: inner.length === 0 ? undefined : mean(inner),
  };
}

function perServer(before: FleetCounts, after: FleetCounts, serverSeconds: number): ServerSecond {
  const each = (key: keyof FleetCounts): number => (after[key] - before[key]) / serverSeconds;
  // Over all servers as many copies are read as written.
  const copies = 2 * each("forwarded");
  return { work: each("looks") + each("updates") + copies, copies, messages: each("messages"), bytes: each("bytes") };
}

/** How a figure of a server grows with the number of servers, from 4 on: with fewer there is more edge than world. */
export function exponentOf(points: readonly FleetPoint[], figure: (second: ServerSecond) => number): number {
  const large = points.filter(({ servers }) => servers >= 4);
  return fitExponent(large.map(({ servers, mean }) => ({ size: servers, cost: figure(mean) })));
}
