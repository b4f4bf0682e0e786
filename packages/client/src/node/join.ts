/** Joins a server from Node: a WebSocket, the process's clock, and a timer that calls `update`. */

import { Client, type ClientOptions } from "@nearfield/client";
import {
  badOption,
  checkAddress,
  checkJoinKeys,
  joinKeys,
  type Keys,
  type RejoinOptions,
  untilIn,
} from "@nearfield/client/internal";
import { type ConnectOptions, connectWebSocket, type UdpConnectOptions } from "@nearfield/transport/node";

export interface JoinOptions extends Omit<ClientOptions, "connect" | "now">, RejoinOptions {
  /** Time between two updates, ms. Default 16. */
  readonly frameMs?: number;
  readonly link?: Omit<ConnectOptions, "udp">;
  /**
   * Whether state may come over UDP, through a WebRTC data channel beside the WebSocket, while that works and the server offers it.
   * `client.linkKind` tells what is used. Default true, where node-datachannel is installed.
   */
  readonly udp?: boolean | UdpConnectOptions;
  /**
   * Where the attempts after the first one go, asked for each: in a cluster, the other gateways in turn (docs/guide/cluster.md). Default: to the same address.
   */
  readonly elsewhere?: () => string | URL;
  /** Called before the first update: for listeners that are to miss nothing. */
  readonly prepare?: (client: Client) => void;
}

/**
 * Resolves when the client has joined: the server has let it in, and the objects that `onJoin` made for it are here. Nothing is delivered
 * before, so handlers that are attached in the same turn miss nothing. Rejects with `ClientError` if the server does not let the client in.
 * The timer ends with the client.
 */
export async function join(url: string | URL, options: JoinOptions): Promise<Client> {
  checkJoin(url, options);
  const {
    frameMs = 16,
    link,
    udp = true,
    prepare,
    elsewhere,
    onRejoin: _onRejoin,
    rejoinMs: _rejoinMs,
    ...rest
  } = options;
  let address = (): string | URL => url;
  const now = (): number => performance.now();
  const client = new Client({
    random: Math.random,
    onError: (error, where) => console.error(`${where}:`, error),
    ...rest,
    connect: () => {
      const to = address();
      address = elsewhere ?? address;
      return connectWebSocket(to, { ...link, udp });
    },
    now,
  });
  prepare?.(client);
  const timer = setInterval(() => client.update(), frameMs);
  return untilIn(client, {
    address: String(url),
    options,
    join: (changed) => join(url, changed),
    host: { wait: (ms) => new Promise((done) => setTimeout(done, ms)), now, random: options.random ?? Math.random },
    begin: () => client.update(),
    onEnded: () => clearInterval(timer),
  });
}

/** Options of `join` itself; the others are those of `Client`. */
const OWN_KEYS: Keys<Omit<JoinOptions, keyof ClientOptions>> = {
  frameMs: true,
  link: true,
  udp: true,
  onRejoin: true,
  rejoinMs: true,
  prepare: true,
  elsewhere: true,
};

const JOIN_KEYS: Keys<JoinOptions> = joinKeys(OWN_KEYS, ["connect", "now"]);

const LINK_KEYS: Keys<NonNullable<JoinOptions["link"]>> = {
  timeoutMs: true,
  limits: true,
  heartbeatMs: true,
  origin: true,
  ca: true,
  timers: true,
};

function checkJoin(url: string | URL, options: JoinOptions): void {
  checkJoinKeys<JoinOptions>(options, JOIN_KEYS, LINK_KEYS);
  const { frameMs } = options;
  if (frameMs !== undefined && !(frameMs > 0)) throw badOption(`join(): frameMs is ${frameMs}, but must be above 0`);
  const address = String(url);
  checkAddress(address, URL.canParse(address) ? new URL(address).protocol : undefined);
}
