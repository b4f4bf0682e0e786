/**
 * A server in one call. It runs rounds on the process's clock, takes WebSocket links on a port of its own or beside a web site, opens one
 * UDP port for data channels, and makes tokens from the system's random source. It only picks defaults: each part can be used without it.
 */

import { randomBytes } from "node:crypto";
import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http";
import { WorkerCrew } from "@nearfield/core/node";
import { Server, ServerError, type ServerOptions } from "@nearfield/server";
import { DEFAULT_SERVER_LIMITS } from "@nearfield/server/internal";
import { TransportError } from "@nearfield/transport/internal";
import {
  type AttachOptions,
  answerNoWebSocket,
  type ListenOptions,
  nodeTimers,
  type UdpOptions,
  UdpPort,
  WebSocketListener,
} from "@nearfield/transport/node";
import { busyClock, processorMs } from "./busy-clock.ts";
import { checkServeOptions } from "./check-serve.ts";
import type { DrainOptions } from "./drain.ts";
import { answerHealth } from "./health.ts";
import { RoundClock } from "./round-clock.ts";

export interface ServeOptions extends Omit<ServerOptions, "tokenSource"> {
  /** A port of its own; 0 = any free one, `server.url` tells which. Default 0. */
  readonly port?: number;
  /** Interface to bind. Default: all. */
  readonly host?: string;
  /**
   * Key and certificate of a port of its own, as `node:tls` takes them; `server.url` then begins with "wss". Default: none, for one machine or
   * behind a proxy that has them. Pages served over https may connect to "wss" only.
   */
  readonly tls?: ListenOptions["tls"];
  /** A web server to share, instead of a port. The caller closes it. */
  readonly server?: HttpServer;
  /**
   * Answers HTTP requests on a port of its own, such as logins: returns whether it did. It is asked first. Default: none. A web server that is
   * shared answers its requests itself.
   */
  readonly onRequest?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Path of links. Default: "/nearfield" on a shared server, every path on a port of its own. */
  readonly path?: string;
  /** Settings of links: allowed origins, how many there may be, their queues. */
  readonly links?: Omit<AttachOptions, "path" | "udp">;
  /**
   * Whether clients may take their state over UDP, through a WebRTC data channel beside the WebSocket (docs/guide/links.md). Default true:
   * on any free UDP port, if node-datachannel is installed; else off, with a hint on the console. A `UdpPort` may be shared by several
   * servers; the caller closes it.
   */
  readonly udp?: boolean | UdpOptions | UdpPort;
  /**
   * Worker threads that help each room's rounds, besides the server's own thread. Default 0. They pay from about a hundred views on, and
   * only if there are free cores (docs/guide/threads.md). If `crew` is given, it is used instead.
   */
  readonly threads?: number;
  /** Default: 16 bytes of the system's random source. */
  readonly tokenSource?: ServerOptions["tokenSource"];
}

/** The path of links on a shared web server. */
const DEFAULT_PATH = "/nearfield";
const TOKEN_BYTES = 16;
/** Bytes that a link may send before it is let in: a hello, its credentials, and the signals of a data channel. */
const STRANGER_BYTES = 16 * 1024;
/** Share of a drain's time that the game's handlers may take; the rest is for goodbyes. */
const HANDLERS_SHARE = 0.8;

interface ServerPorts {
  readonly udp?: UdpPort | undefined;
  /** The UDP port that this server opened, and must close. */
  readonly ownUdp?: UdpPort | undefined;
}

export class NodeServer extends Server {
  /** The address for clients on this machine. */
  readonly url: string;
  /** The UDP port of all clients' data channels; undefined where there are none. */
  readonly udp: UdpPort | undefined;
  readonly #clock: RoundClock;
  readonly #ownUdp: UdpPort | undefined;

  constructor(options: ServerOptions, listener: WebSocketListener, ports: ServerPorts = {}) {
    super(options);
    this.url = listener.url;
    this.udp = ports.udp;
    this.#ownUdp = ports.ownUdp;
    this.listen(listener);
    this.#clock = new RoundClock({ roundMs: options.roundMs, round: () => this.#timedRound(), timers: nodeTimers });
  }

  /**
   * An orderly end: takes nobody in any more, waits for the handlers of `onDrain`, tells every client, and closes; within `graceMs`,
   * whatever they do.
   */
  async drain({ graceMs = 5000, detail }: DrainOptions = {}): Promise<void> {
    await within(graceMs * HANDLERS_SHARE, this.stopJoins(detail));
    await within(graceMs * (1 - HANDLERS_SHARE), this.close(detail));
  }

  override async close(detail?: string): Promise<void> {
    this.#clock.stop();
    await super.close(detail);
    this.#ownUdp?.close();
  }

  #timedRound(): void {
    const startMs = performance.now();
    this.round();
    const tookMs = performance.now() - startMs;
    for (const room of this.rooms.values()) room.telemetry.roundMs = tookMs;
  }
}

/**
 * Starts a server and its rounds. Rejects with `TransportError("listen-failed")` if the port is taken. If an option is wrong, it rejects
 * and the port is free again.
 */
export async function serve(options: ServeOptions): Promise<NodeServer> {
  checkServeOptions(options);
  const { port = 0, host, tls, server, onRequest, path, links, udp: wanted = true, threads = 0, ...rest } = options;
  if (tls !== undefined && server !== undefined)
    throw new ServerError(
      "bad-option",
      "tls is for a port of its own; a web server that is shared has its own certificate",
    );
  const udp = wanted instanceof UdpPort ? wanted : await openUdp(wanted, host ?? hostOf(server));
  const ownUdp = udp === wanted ? undefined : udp;
  const resolved: ServerOptions = {
    tokenSource: () => randomBytes(TOKEN_BYTES),
    now: () => performance.now(),
    processorMs: busyClock(() => performance.now(), processorMs),
    onError: (error, where) => console.error(`${where}:`, error),
    ...(threads !== 0 && { crew: () => new WorkerCrew(threads) }),
    ...rest,
  };
  let listener: WebSocketListener | undefined;
  let answer = answerNoWebSocket;
  try {
    const shared = {
      maxLinksPerAddress: resolved.limits?.perAddress ?? DEFAULT_SERVER_LIMITS.perAddress,
      strangerBytes: STRANGER_BYTES,
      onHint: (text: string) => console.info(text),
      ...links,
      ...(udp !== undefined && { udp }),
    };
    listener =
      server === undefined
        ? await WebSocketListener.listen({
            ...shared,
            port,
            ...(host !== undefined && { host }),
            ...(path !== undefined && { path }),
            ...(tls !== undefined && { tls }),
            onRequest: (request, response) => answer(request, response),
          })
        : WebSocketListener.attach(server, { ...shared, path: path ?? DEFAULT_PATH });
    const started = new NodeServer(resolved, listener, { udp, ownUdp });
    answer = (request, response) => {
      if (onRequest?.(request, response) === true) return;
      if (!answerHealth(started, request, response)) answerNoWebSocket(request, response);
    };
    return started;
  } catch (error) {
    await listener?.close();
    ownUdp?.close();
    throw error;
  }
}

/** Waits for a promise, but not longer than this. */
async function within(ms: number, promise: Promise<void>): Promise<void> {
  let cancel = (): void => {};
  const impatience = new Promise<void>((resolve) => {
    cancel = nodeTimers.after(ms, resolve);
  });
  await Promise.race([promise, impatience]);
  cancel();
}

/** Undefined if UDP is switched off or cannot be had. */
async function openUdp(wanted: boolean | UdpOptions, host: string | undefined): Promise<UdpPort | undefined> {
  if (wanted === false) return undefined;
  try {
    return await UdpPort.open({ ...(host !== undefined && { host }), ...(wanted !== true && wanted) });
  } catch (error) {
    if (!(error instanceof TransportError) || error.code !== "no-webrtc") throw error;
    console.info(error.message);
    return undefined;
  }
}

/** The interface that a web server listens on; undefined: all, or not known yet. */
function hostOf(server: HttpServer | undefined): string | undefined {
  const bound = server?.address();
  if (typeof bound !== "object" || bound === null) return undefined;
  return bound.address === "::" || bound.address === "0.0.0.0" ? undefined : bound.address;
}
