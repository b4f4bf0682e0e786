/**
 * Accepts WebSocket links, on a port of its own (`listen`) or beside a web site on an existing server (`attach`).
 * It refuses a client (wrong path, foreign origin, too many links) with an HTTP status before a WebSocket
 * exists, so a refusal costs very little.
 *
 * Invariant: whatever one peer sends or fails to send ends at most that peer's link.
 */

import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from "node:https";
import type { Duplex } from "node:stream";
import { Server as TlsServer } from "node:tls";
import { type WebSocket, WebSocketServer } from "ws";
import { addressGroup } from "../address-group.ts";
import { type LinkLimits, requireCap, requireWhole, resolveLimits } from "../limits.ts";
import { type Link, type Listener, TransportError } from "../link.ts";
import { DataChannelLink } from "../webrtc/both-carriers.ts";
import { PLAIN_PROTOCOL, SIGNALS_PROTOCOL } from "../webrtc/subprotocols.ts";
import { type SocketPort, WebSocketLink } from "../websocket-link.ts";
import { FramePort } from "./frame-port.ts";
import { Heartbeat } from "./heartbeat.ts";
import { linkOverSocket, socketSettings } from "./node-socket.ts";
import { TrustedProxies } from "./peer-address.ts";
import { Holding } from "./strangers.ts";
import { nodeTimers, type Timers } from "./timers.ts";
import type { UdpPort } from "./udp-port.ts";
import { refuseUpgrade, UpgradeRoutes } from "./upgrades.ts";

/** Milliseconds that a connection may take to send its HTTP request, on a server of our own. */
const HANDSHAKE_MS = 10_000;
const DEFAULT_LINKS_PER_ADDRESS = 64;

export interface AttachOptions {
  /**
   * Path that links connect to, for example "/link", not percent-encoded. Requests for other paths are left to the server's other handlers.
   */
  readonly path: string;
  /** Bounds of each link's queues; see `LinkLimits`. `maxMessageBytes` must be alike on both sides. */
  readonly limits?: Partial<LinkLimits>;
  /**
   * Web origins whose pages may connect, for example "https://game.example". Default: all. Guards players against
   * foreign pages that use their browser; a program can claim any origin, so a request without one is let in.
   */
  readonly origins?: readonly string[];
  /** Links that may be open at once; one more is refused with 503. Default 10,000. */
  readonly maxLinks?: number;
  /**
   * Links that one remote address (of IPv6: one /64) may have open; one more is refused with 429. Default 64. Raise it for load tests; behind a proxy all
   * share its address, unless `trustedProxies` names it.
   */
  readonly maxLinksPerAddress?: number;
  /**
   * Bytes that a link may send before whoever uses it has called `letIn`; one that sends more is destroyed. Default: no bound, for users who do not call
   * it. `serve` does, and sets 16 KiB: a hello, its credentials, and what sets up a data channel.
   */
  readonly strangerBytes?: number;
  /**
   * Addresses and networks ("10.0.0.0/8") of proxies whose `X-Forwarded-For` is believed. Default: none, since anybody can write that header.
   */
  readonly trustedProxies?: readonly string[];
  /** Told once that a proxy which is not trusted brings links of others. Default: nobody. */
  readonly onHint?: (text: string) => void;
  /** Milliseconds between pings; a peer silent for one to two periods has vanished. Default 10,000; 0 = never ping. */
  readonly heartbeatMs?: number;
  /** Default: Node's, which keep no process alive. */
  readonly timers?: Timers;
  /** Where links may have a data channel beside their WebSocket; the caller's to close. Default: none. */
  readonly udp?: UdpPort;
}

export interface ListenOptions extends Omit<AttachOptions, "path"> {
  /** 0 = any free one; `listener.url` then tells which. */
  readonly port: number;
  /** Interface to bind. Default: all. */
  readonly host?: string;
  /** Path that links connect to. Default: every path. */
  readonly path?: string;
  /**
   * Key and certificate, as `node:tls` takes them: the port then speaks TLS, and `listener.url` begins with "wss". Default: none, for use
   * behind a proxy that has them, or on one machine.
   */
  readonly tls?: TlsOptions;
  /** Answers plain web requests on this port. Default: every one is told that the port speaks WebSocket only. */
  readonly onRequest?: RequestListener;
}

export class WebSocketListener implements Listener {
  readonly #server: Server;
  readonly #ownsServer: boolean;
  readonly #path: string | undefined;
  readonly #limits: LinkLimits;
  readonly #origins: ReadonlySet<string> | undefined;
  readonly #maxLinks: number;
  readonly #maxLinksPerAddress: number;
  readonly #strangerBytes: number;
  readonly #proxies: TrustedProxies;
  #onHint: ((text: string) => void) | undefined;
  readonly #refused = new Map<string, number>();
  readonly #timers: Timers;
  readonly #heartbeat: Heartbeat;
  readonly #udp: UdpPort | undefined;
  readonly #sockets: WebSocketServer;
  readonly #stopUpgrades: () => void;
  readonly #open: Map<WebSocket, Link> = new Map();
  readonly #openByAddress: Map<string, number> = new Map();
  #onLink: ((link: Link) => void) | undefined;
  #waiting: Link[] = [];
  #closing: Promise<void> | undefined;

  private constructor(server: Server, ownsServer: boolean, options: Omit<AttachOptions, "path"> & { path?: string }) {
    this.#server = server;
    this.#ownsServer = ownsServer;
    this.#path = options.path;
    this.#limits = resolveLimits(options.limits);
    this.#origins = options.origins === undefined ? undefined : new Set(options.origins);
    this.#maxLinks = options.maxLinks ?? 10_000;
    this.#maxLinksPerAddress = options.maxLinksPerAddress ?? DEFAULT_LINKS_PER_ADDRESS;
    this.#strangerBytes = options.strangerBytes ?? Number.POSITIVE_INFINITY;
    this.#proxies = new TrustedProxies(options.trustedProxies);
    this.#onHint = options.onHint;
    requireWhole("maxLinks", this.#maxLinks, 1);
    requireCap("maxLinksPerAddress", this.#maxLinksPerAddress);
    requireCap("strangerBytes", this.#strangerBytes);
    this.#timers = options.timers ?? nodeTimers;
    this.#heartbeat = new Heartbeat(this.#timers, options.heartbeatMs ?? 10_000);
    this.#udp = options.udp;
    this.#sockets = new WebSocketServer({
      ...socketSettings(this.#limits),
      noServer: true,
      clientTracking: false,
      handleProtocols: (asked) => this.#chooseProtocol(asked),
    });
    this.#stopUpgrades = UpgradeRoutes.of(server).add(this.#path, (request, socket, head) =>
      this.#upgrade(request, socket, head),
    );
  }

  /** Opens a port of its own. Rejects with TransportError "listen-failed" (port taken, not allowed). */
  static async listen(options: ListenOptions): Promise<WebSocketListener> {
    const server = createWebServer(options);
    server.headersTimeout = HANDSHAKE_MS;
    server.requestTimeout = HANDSHAKE_MS;
    const listener = new WebSocketListener(server, true, options);
    await new Promise<void>((resolve, reject) => {
      const fail = (cause: Error) => {
        listener.#heartbeat.stop();
        const { code } = cause as NodeJS.ErrnoException;
        const advice = code === "EADDRINUSE" ? "it is taken; choose another, or 0 for any free one" : cause.message;
        reject(new TransportError("listen-failed", `port ${options.port}: ${advice}`, { cause }));
      };
      server.once("error", fail);
      server.listen(options.port, options.host, () => {
        server.off("error", fail);
        resolve();
      });
    });
    return listener;
  }

  /** Shares an HTTP or HTTPS server with a web site. `close` leaves that server running. */
  static attach(server: Server, options: AttachOptions): WebSocketListener {
    return new WebSocketListener(server, false, options);
  }

  /** The bound address and port, for example "127.0.0.1:3000"; "not listening" while the server is not. */
  get address(): string {
    const bound = this.#server.address();
    if (bound === null || typeof bound === "string") return bound ?? "not listening";
    return hostAndPort(bound.address, bound.port);
  }

  /** Where a client on this machine connects to. */
  get url(): string {
    const scheme = this.#server instanceof TlsServer ? "wss" : "ws";
    const reachable = this.address.replace(/^(0\.0\.0\.0|\[::\])/, "localhost");
    return `${scheme}://${reachable}${this.#path ?? ""}`;
  }

  onLink(handler: (link: Link) => void): void {
    this.#onLink = handler;
    for (const link of this.#waiting.splice(0)) handler(link);
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    this.#heartbeat.stop();
    const gone = [...this.#open.keys()].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    for (const link of this.#open.values()) link.close({ code: "shutdown", detail: "the listener closed" });
    await Promise.all(gone);
    if (this.#ownsServer) {
      await new Promise((resolve) => {
        this.#server.close(resolve);
        this.#server.closeAllConnections();
      });
    }
    this.#stopUpgrades();
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const from = this.#proxies.addressOf(request);
    const openFromThere = this.#openByAddress.get(addressGroup(from)) ?? 0;
    if (this.#proxies.isForwarded(request)) this.#hintAtProxy(from);
    if (this.#closing !== undefined) this.#refuse(socket, 503, "closing");
    else if (!this.#allowsOrigin(request.headers.origin)) this.#refuse(socket, 403, "origin not allowed");
    else if (this.#open.size >= this.#maxLinks) this.#refuse(socket, 503, "full");
    else if (openFromThere >= this.#maxLinksPerAddress) this.#refuse(socket, 429, "too many links from this address");
    else this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#accept(opened, request, socket, from));
  }

  /** A browser gives up if none of what it asked for is chosen, so without UDP `PLAIN_PROTOCOL` is chosen only where it was asked for. */
  #chooseProtocol(asked: ReadonlySet<string>): string | false {
    if (this.#udp === undefined && asked.has(PLAIN_PROTOCOL)) return PLAIN_PROTOCOL;
    const [first = false] = asked;
    return first;
  }

  /** Why requests were refused, and how many: origins, and numbers of links. */
  get refused(): ReadonlyMap<string, number> {
    return this.#refused;
  }

  #refuse(socket: Duplex, status: number, why: string): void {
    this.#refused.set(why, (this.#refused.get(why) ?? 0) + 1);
    refuseUpgrade(socket, status, why);
  }

  #hintAtProxy(address: string): void {
    this.#onHint?.(
      `A proxy at ${address} passes on links of others, which all count as one address: if it is yours, name it in trustedProxies.`,
    );
    this.#onHint = undefined;
  }

  #accept(socket: WebSocket, request: IncomingMessage, stream: Duplex, from: string): void {
    const address = hostAndPort(from, request.socket.remotePort ?? 0);
    const holding = new Holding(socket, stream, this.#timers, this.#strangerBytes);
    const link = linkOverSocket(socket, address, this.#limits, this.#heartbeat, {
      port: new FramePort(socket, stream, () => holding.sentAway()),
      make: (port) => this.#makeLink(port, address, request),
    });
    link.origin = request.headers.origin;
    holding.hold(link);
    this.#open.set(socket, link);
    const group = addressGroup(from);
    this.#openByAddress.set(group, (this.#openByAddress.get(group) ?? 0) + 1);
    socket.once("close", () => this.#forget(socket, link, group));
    if (this.#onLink === undefined) this.#waiting.push(link);
    else this.#onLink(link);
  }

  #makeLink(port: SocketPort, address: string, request: IncomingMessage): WebSocketLink {
    const udp = this.#udp;
    if (udp === undefined || !understandsSignals(request)) return new WebSocketLink(port, address, this.#limits);
    const settings = udp.settingsFor(address, request.socket.localAddress);
    const link = new DataChannelLink(port, address, this.#limits, settings);
    udp.add(link);
    return link;
  }

  #forget(socket: WebSocket, link: Link, from: string): void {
    this.#open.delete(socket);
    const left = (this.#openByAddress.get(from) ?? 1) - 1;
    if (left === 0) this.#openByAddress.delete(from);
    else this.#openByAddress.set(from, left);
    this.#waiting = this.#waiting.filter((waiting) => waiting !== link);
  }

  #allowsOrigin(origin: string | undefined): boolean {
    return this.#origins === undefined || origin === undefined || this.#origins.has(origin);
  }
}

function createWebServer({ tls, onRequest = answerNoWebSocket }: ListenOptions): Server {
  const settings = { connectionsCheckingInterval: HANDSHAKE_MS / 2 };
  if (tls === undefined) return createServer(settings, onRequest);
  try {
    return createTlsServer({ ...settings, ...tls }, onRequest);
  } catch (cause) {
    throw new TransportError(
      "bad-option",
      `tls: ${(cause as Error).message}; key and cert must be PEM and belong together`,
      {
        cause,
      },
    );
  }
}

/** Tells a browser that came by mistake what this port is. */
export const answerNoWebSocket: RequestListener = (_request, response) => {
  response.writeHead(426, { "Content-Type": "text/plain", Connection: "close", Upgrade: "websocket" });
  response.end("This port speaks WebSocket only.\n");
};

function understandsSignals(request: IncomingMessage): boolean {
  const protocols = request.headers["sec-websocket-protocol"] ?? "";
  return protocols.split(",").some((protocol) => protocol.trim() === SIGNALS_PROTOCOL);
}

function hostAndPort(host: string, port: number): string {
  const plain = host.replace(/^::ffff:(?=\d+\.)/, "");
  return plain.includes(":") ? `[${plain}]:${port}` : `${plain}:${port}`;
}
