/**
 * A server in one call: rounds on the process's clock, WebSocket links on a port of its own or beside a web site,
 * tokens from the system's random source. The convenience that picks defaults; everything it uses can be had without
 * it.
 */

import { randomBytes } from "node:crypto";
import type { Server as HttpServer } from "node:http";
import { WorkerCrew } from "@nearfield/core/node";
import { Server, type ServerOptions } from "@nearfield/server";
import { type AttachOptions, nodeTimers, WebSocketListener } from "@nearfield/transport/node";
import { RoundClock } from "./round-clock.ts";

export interface ServeOptions extends Omit<ServerOptions, "tokenSource"> {
  /** A port of its own; 0 = any free one, `server.url` tells which. Default 0. */
  readonly port?: number;
  /** Interface to bind. Default: all. */
  readonly host?: string;
  /** A web server to share, instead of a port. It is the caller's to close. */
  readonly server?: HttpServer;
  /** Path of links. Default: "/nearfield" on a shared server, every path on a port of its own. */
  readonly path?: string;
  /** Origins, numbers and queues of links. */
  readonly links?: Omit<AttachOptions, "path">;
  /**
   * Worker threads that help the round, besides the server's own, for each room. Default 0: none. They pay from some hundred views on, and
   * only where there are other cores to run them (docs/guide/threads.md). `crew`, where it is given, counts instead.
   */
  readonly threads?: number;
  /** Default: 16 bytes of the system's random source. */
  readonly tokenSource?: ServerOptions["tokenSource"];
}

/** The path of links on a shared web server. */
const DEFAULT_PATH = "/nearfield";
const TOKEN_BYTES = 16;

export class NodeServer extends Server {
  /** Where a client on this machine connects to. */
  readonly url: string;
  readonly #clock: RoundClock;

  constructor(options: ServerOptions, listener: WebSocketListener) {
    super(options);
    this.url = listener.url;
    this.listen(listener);
    this.#clock = new RoundClock({ roundMs: options.roundMs, round: () => this.#timedRound(), timers: nodeTimers });
  }

  override close(detail?: string): Promise<void> {
    this.#clock.stop();
    return super.close(detail);
  }

  #timedRound(): void {
    const startMs = performance.now();
    this.round();
    const tookMs = performance.now() - startMs;
    for (const room of this.rooms.values()) room.telemetry.roundMs = tookMs;
  }
}

/**
 * Starts a server and its rounds. Rejects with `TransportError("listen-failed")` where the port is taken; where an option is wrong, the port
 * is free again.
 */
export async function serve(options: ServeOptions): Promise<NodeServer> {
  const { port = 0, host, server, path, links, threads = 0, ...rest } = options;
  const listener =
    server === undefined
      ? await WebSocketListener.listen({
          ...links,
          port,
          ...(host !== undefined && { host }),
          ...(path !== undefined && { path }),
        })
      : WebSocketListener.attach(server, { ...links, path: path ?? DEFAULT_PATH });
  const resolved: ServerOptions = {
    tokenSource: () => randomBytes(TOKEN_BYTES),
    now: () => performance.now(),
    onError: (error, where) => console.error(`${where}:`, error),
    ...(threads !== 0 && { crew: () => new WorkerCrew(threads) }),
    ...rest,
  };
  try {
    return new NodeServer(resolved, listener);
  } catch (error) {
    await listener.close();
    throw error;
  }
}
