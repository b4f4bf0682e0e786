/** Joins a server from Node: a WebSocket, the process's clock, and a timer that calls `update`. */

import { Client, ClientError, type ClientOptions } from "@nearfield/client";
import { type ConnectOptions, connectWebSocket, type UdpConnectOptions } from "@nearfield/transport/node";

export interface JoinOptions extends Omit<ClientOptions, "connect" | "now"> {
  /** Time between two updates, ms. Default 16. */
  readonly frameMs?: number;
  readonly link?: Omit<ConnectOptions, "udp">;
  /**
   * Whether state may come over UDP, through a WebRTC data channel beside the WebSocket, while that works and the server offers it.
   * `client.linkKind` tells what is used. Default true, where node-datachannel is installed.
   */
  readonly udp?: boolean | UdpConnectOptions;
  /** Called before the first update: for listeners that are to miss nothing. */
  readonly prepare?: (client: Client) => void;
}

/**
 * Resolves when the server has let the client in; rejects with `ClientError` where it does not. The timer ends with the
 * client.
 */
export function join(url: string | URL, options: JoinOptions): Promise<Client> {
  const { frameMs = 16, link, udp = true, prepare, ...rest } = options;
  const client = new Client({
    random: Math.random,
    ...rest,
    connect: () => connectWebSocket(url, { ...link, udp }),
    now: () => performance.now(),
  });
  prepare?.(client);
  const timer = setInterval(() => client.update(), frameMs);
  return new Promise((resolve, reject) => {
    client.onState((state, reason) => {
      if (state === "active") resolve(client);
      if (state !== "ended") return;
      clearInterval(timer);
      reject(new ClientError(reason?.code ?? "link", `${url}: ${reason?.detail ?? "no connection"}`));
    });
    client.update();
  });
}
