/**
 * Starts the game on a web server that somebody else runs: alone, or as one server of a cluster, where `cluster` says so. That is the whole difference. A
 * server alone may have bots of its own; on many they come as clients.
 */

import { randomInt } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { type ClusterServer, type ClusterSettings, serveCluster } from "@nearfield/cluster/node";
import { type ServedInspector, type ServeInspectorOptions, serveInspector } from "@nearfield/inspector/node";
import { type NodeServer, type ServeOptions, serve } from "@nearfield/server/node";
import { type NodeSocial, openSocial, tokenSecret } from "@nearfield/social/node";
import { MemoryStore, type Store } from "@nearfield/store/node";
import { CLUSTER_SETTINGS, FrontierHost, frontierOptions } from "../host.ts";
import { LocalBots } from "../local-bots.ts";
import { DUEL } from "../shared.ts";
import { admits, openYards } from "./yards.ts";

/** The folder of the built page. */
export const pageFolder: string = fileURLToPath(new URL("../../dist/page/", import.meta.url));

export interface FrontierOptions {
  /** The web server to share; it is the caller's to close. */
  readonly server: Server;
  /** Path of the WebSocket, e.g. "/ws". Accounts are beside it, at "/accounts". */
  readonly path: string;
  /** The cluster of which this is one server. Default: none, the country lies on this server alone. */
  readonly cluster?: Omit<ClusterSettings, "lead" | "margin" | "durable">;
  /**
   * Where accounts are kept, which the list of yards needs; the caller's to close. All servers of a cluster have the same. Default: in memory where the server
   * stands alone; in a cluster there are no yards then.
   */
  readonly store?: Store;
  readonly inspector?: Omit<ServeInspectorOptions, "http" | "port" | "host" | "cluster">;
  /** Default: a new one each time. */
  readonly seed?: number;
  /** Players who may join here. Default 400. */
  readonly mostPlayers?: number;
  /** Heroes played by a server that is alone; they count as players. Default 0. */
  readonly bots?: number;
}

/** Players of this server. */
export interface FrontierStatus {
  readonly people: number;
  readonly bots: number;
}

export interface RunningFrontier {
  readonly game: NodeServer;
  readonly host: FrontierHost;
  /** Undefined where the country lies on this server alone. */
  readonly cluster: ClusterServer | undefined;
  readonly inspector: ServedInspector | undefined;
  status(): FrontierStatus;
  /** Answers what pages ask about accounts; false for any other request. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Says goodbye to everybody and stops the rounds. */
  close(): Promise<void>;
}

export async function startFrontier(options: FrontierOptions): Promise<RunningFrontier> {
  const {
    server,
    path,
    cluster: settings,
    inspector,
    seed = randomInt(2 ** 32),
    mostPlayers = 400,
    bots = 0,
  } = options;
  if (bots > 0 && settings !== undefined) throw new RangeError("bots: a server of a cluster has none of its own");
  const limits = { players: mostPlayers, perAddress: mostPlayers };
  const store = options.store ?? (settings === undefined ? new MemoryStore() : undefined);
  const social = store && (await openAccounts(store, path));
  const serveOptions: ServeOptions = {
    ...frontierOptions,
    server,
    path,
    limits,
    udp: false,
    ...(social !== undefined && { authenticate: admits(social) }),
  };
  const cluster =
    settings === undefined
      ? undefined
      : await serveCluster({ ...serveOptions, cluster: { ...CLUSTER_SETTINGS, ...settings } });
  const game = cluster?.server ?? (await serve(serveOptions));
  const host = new FrontierHost(game.main, { seed, ...(cluster !== undefined && { owns: cluster.owns }) });
  if (social !== undefined) openYards(social, game, cluster);
  if (bots > 0) new LocalBots(game, { seed, count: bots });
  const served =
    inspector === undefined
      ? undefined
      : await serveInspector(game, {
          ...inspector,
          http: server,
          ...(cluster !== undefined && { cluster: cluster.sights }),
        });
  return {
    game,
    host,
    cluster,
    inspector: served,
    status: () => host.players,
    answer: (request, response) => social?.answerAccounts(request, response) ?? false,
    close: () => game.close(),
  };
}

async function openAccounts(store: Store, path: string): Promise<NodeSocial> {
  return openSocial({
    store,
    secret: await tokenSecret(store, "frontier"),
    queues: { [DUEL]: {} },
    http: { path: path.replace(/\/[^/]*$/, "/accounts") },
    onError: (error, where) => console.error(`frontier, ${where}:`, error),
  });
}
