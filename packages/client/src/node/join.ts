/** Joins a server from Node: a WebSocket, the process's clock, and a timer that calls `update`. */

import { Client, ClientError, type ClientOptions } from "@nearfield/client";
import { type ConnectOptions, connectWebSocket } from "@nearfield/transport/node";

export interface JoinOptions extends Omit<ClientOptions, "connect" | "now"> {
  /** Time between two updates, ms. Default 16. */
  readonly frameMs?: number;
  readonly link?: ConnectOptions;
}

/**
 * Resolves when the server has let the client in; rejects with `ClientError` where it does not. The timer ends with the
 * client.
 */
export function join(url: string | URL, options: JoinOptions): Promise<Client> {
  const { frameMs = 16, link, ...rest } = options;
  const client = new Client({
    random: Math.random,
    ...rest,
    connect: () => connectWebSocket(url, link),
    now: () => performance.now(),
  });
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
