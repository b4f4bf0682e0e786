/**
 * One server of a cluster in one call: `serve`, a number of its own, and a cluster's guest in its main room, on NATS. The game is the same code as on
 * one server: it steps what it owns (`world.isForeign`), and brings forth things of its own only in places that it owns (`owns`).
 */

import { setTimeout as pause } from "node:timers/promises";
import { AuthorizationError } from "@nats-io/transport-node";
import {
  ClusterError,
  ClusterGuest,
  type ClusterOptions,
  type ClusterPlace,
  type Membership,
  type RoomsPicture,
} from "@nearfield/cluster/internal";
import { type NodeServer, type ServeOptions, serve } from "@nearfield/server/node";
import { BusMeter } from "./bus-meter.ts";
import { Gateways } from "./gateways.ts";
import { NatsBus, type NatsBusOptions } from "./nats-bus.ts";
import { takeNumber } from "./server-number.ts";
import { type ClusterPicture, Sights } from "./sights.ts";

export interface ServeClusterOptions extends Omit<ServeOptions, "serverNumber"> {
  readonly cluster: ClusterSettings;
}

export interface ClusterSettings extends Omit<ClusterOptions, "bus" | "server" | "now"> {
  readonly nats: NatsBusOptions;
  /** Address under which players reach this server, for those whose own gateway is gone. Default: none; a load balancer before all servers needs none. */
  readonly address?: string;
  /** How long NATS may take to be there, ms. Default 60,000: in a cluster that starts as a whole, servers are often faster than NATS. */
  readonly waitMs?: number;
  /**
   * The others have declared this server dead, for example because it was paused or cut off. It owns nothing any more and never will: end the
   * process and start another. Default: the server is closed.
   */
  readonly onDead?: () => void;
}

/** A server and its place in the cluster. */
export interface ClusterServer {
  readonly server: NodeServer;
  /** No server of this world had it before. */
  readonly number: number;
  /** Whether this server owns a place now, and may act for it. */
  owns(x: number, y: number, z?: number): boolean;
  /** Addresses of the servers that live, this one's first. Those that have none are left out. */
  gateways(): string[];
  /** For `spreadRooms` of @nearfield/cluster/rooms. */
  readonly place: ClusterPlace;
  /** For the inspector: who owns what, and what the servers say to each other. Costs nothing while nobody watches. */
  readonly sights: {
    watch(): () => void;
    picture(): ClusterPicture | undefined;
    /** `spreadRooms` says what there is. */
    showRooms(picture: () => RoomsPicture): void;
  };
}

const RETRY_MS = 200;
const LOOK_MS = 250;

/** Rejects with `ClusterError("no-bus")` if NATS is not there in time or does not let this server in, and as `serve` does. */
export async function serveCluster(options: ServeClusterOptions): Promise<ClusterServer> {
  const { cluster, ...rest } = options;
  const { nats, waitMs = 60_000, onDead, address, ...guestOptions } = cluster;
  const bus = await connected(nats, waitMs);
  try {
    const number = await takeNumber(bus);
    const server = await serve({ ...rest, serverNumber: number });
    const meter = new BusMeter(bus);
    const now = (): number => performance.now();
    const { guest } = server.main.invite(
      (seam) => new ClusterGuest(seam, { ...guestOptions, bus: meter, server: number, now }),
    );
    const gateways = new Gateways(bus, number, address);
    const sights = new Sights({ bus, meter, guest, server });
    const timer = setInterval(() => {
      if (!guest.membership.isDead) return;
      clearInterval(timer);
      if (onDead !== undefined) onDead();
      else void server.close("this server has lost its place in the cluster");
    }, LOOK_MS);
    timer.unref();
    server.addReadiness(() => leaseTrouble(guest.membership));
    // A server that drains gives everything away first, and its clients go on at others.
    server.onDrain(() => new Promise<void>((done) => guest.drain(done)));
    server.onClose(async () => {
      clearInterval(timer);
      sights.close();
      gateways.close();
      await bus.flush().catch(() => {});
      bus.close();
    });
    return {
      server,
      number,
      owns: (x, y, z) => guest.owns(x, y, z),
      gateways: () => gateways.of(guest.membership.alive.keys()),
      place: { bus, membership: guest.membership, now, address },
      sights,
    };
  } catch (error) {
    bus.close();
    throw error;
  }
}

/** Why no player should be sent to a server of a cluster; undefined while it holds its lease and stays. */
function leaseTrouble({ isDead, isLeaving, isHeld }: Membership): string | undefined {
  if (isDead) return "the other servers have declared this one dead";
  if (isLeaving) return "this server leaves the cluster";
  return isHeld ? undefined : "this server does not hold its lease";
}

/** Nodes that have just started refuse connections or streams for a moment. A wrong password stays wrong. */
async function connected(options: NatsBusOptions, waitMs: number): Promise<NatsBus> {
  const endMs = performance.now() + waitMs;
  for (;;) {
    try {
      return await NatsBus.connect(options);
    } catch (error) {
      if (error instanceof ClusterError) throw error;
      const isRefused = error instanceof AuthorizationError || isTlsTrouble(error);
      if (isRefused || performance.now() >= endMs) {
        const reason = error instanceof Error ? error.message : String(error);
        const what = isRefused ? "does not let this server in" : `is not there after ${waitMs} ms`;
        throw new ClusterError("no-bus", `NATS at ${options.servers.join(", ")} ${what}: ${reason}`);
      }
      await pause(RETRY_MS);
    }
  }
}

function isTlsTrouble(error: unknown): boolean {
  return error instanceof Error && /certificate|tls|ssl/i.test(error.message);
}
