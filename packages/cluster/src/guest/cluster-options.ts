/** What one server of a cluster is told when it starts, and what it counts. */

import type { ObjectType } from "@nearfield/schema";
import type { Bus } from "../bus/bus.ts";

export interface ClusterOptions {
  readonly bus: Bus;
  /** As in the server's option `serverNumber`. */
  readonly server: number;
  /** This server's clock, ms. Only its rate matters. */
  readonly now: () => number;
  /** How far ahead of views copies are brought in, world units. Half of it covers how far pivots move before they are stated anew, half what objects move while messages travel. A larger one costs more copies. */
  readonly lead: number;
  /** How far beyond its borders a server has copies of everything, whatever its players see: for rules of the game that look at neighbours. World units, default 0. */
  readonly margin?: number;
  /**
   * World units: how far views are stated beyond their range for the sake of events. An event with a larger radius, or one outside of its server's slices, goes to all
   * servers. Default 0: every event does. Set it to the largest radius of the game's events, and of zones that `along` names.
   */
  readonly eventReach?: number;
  /** See `Membership`. */
  readonly leaseMs?: number;
  readonly takeOverMs?: number;
  /** Whether slices are cut and given away by load. Default true. */
  readonly balances?: boolean;
  /** Types whose every update is in the server's log before anybody is told that it happened. Default: none. */
  readonly durable?: readonly ObjectType[];
  /** Everything else comes back at most this old after a server died, ms. Default 5000. A smaller one costs more writes to the log. */
  readonly snapshotMs?: number;
}

/** What a server of a cluster has done so far. */
export interface ClusterCounters {
  /** Updates of own objects that were sent to other servers, once for each receiver: what V tab. 4 counts. */
  forwarded: number;
  /** Updates of own objects, forwarded or not. */
  updates: number;
  /** Messages of each kind, batched by round and receiver, and their bytes. */
  messages: number;
  bytes: number;
  interests: number;
  /** Messages that could not be read, or did not fit into the inbox. */
  dropped: number;
}
