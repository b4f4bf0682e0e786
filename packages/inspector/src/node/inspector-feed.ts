/**
 * The inspector's WebSocket. Takes upgrades at one path of a web server, hands texts to the inspector, and lets it work between rounds.
 *
 * It must not slow the game down: work begins after a round, in an event of its own, and stops when its share of a round is used up. A page
 * that does not read in time is sent nothing. A fault of one page ends only that page.
 */

import type { Server as HttpServer, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type Inspector, type InspectorPage, MOST_ASK_LENGTH } from "@nearfield/inspector/internal";
import { addressGroup } from "@nearfield/transport/internal";
import { refuseUpgrade, TrustedProxies, UpgradeRoutes } from "@nearfield/transport/node";
import { type WebSocket, WebSocketServer } from "ws";
import type { InspectorDoor } from "./inspector-door.ts";

/** Pages with a valid token. One more replaces the oldest. */
const MOST_PAGES = 8;
/** Sockets without a valid token yet, in all and of one address. One more replaces an old one, so that silent sockets keep nobody out. */
const MOST_STRANGERS = 32;
const MOST_STRANGERS_PER_ADDRESS = 4;
const HELLO_MS = 5000;
const PING_MS = 15_000;
/** How long a page may take to answer a goodbye. */
const GOODBYE_MS = 500;
/** The most time that work may take between two rounds: this share of a round, but at least `LEAST_WORK_MS`. */
const WORK_SHARE = 0.1;
const LEAST_WORK_MS = 1;

export interface FeedOptions {
  /** Web origins whose pages may connect, besides the server's own. */
  readonly origins?: readonly string[] | undefined;
  readonly proxies?: TrustedProxies;
}

export class InspectorFeed {
  readonly #inspector: Inspector;
  readonly #door: InspectorDoor;
  readonly #origins: ReadonlySet<string>;
  readonly #sockets: WebSocketServer;
  readonly #stopUpgrades: () => void;
  readonly #alive = new Map<WebSocket, boolean>();
  /** Sockets without a valid token yet, with their address, oldest first. */
  readonly #strangers = new Map<WebSocket, string>();
  /** Sockets with a valid token, oldest first. */
  readonly #pages = new Map<WebSocket, InspectorPage>();
  readonly #proxies: TrustedProxies;
  readonly #pinging: NodeJS.Timeout;
  #isScheduled = false;

  constructor(
    http: HttpServer,
    path: string,
    inspector: Inspector,
    door: InspectorDoor,
    { origins = [], proxies = new TrustedProxies() }: FeedOptions = {},
  ) {
    this.#proxies = proxies;
    this.#inspector = inspector;
    this.#door = door;
    this.#origins = new Set(origins);
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      // A character may take three bytes.
      maxPayload: 3 * MOST_ASK_LENGTH,
    });
    inspector.onWork = () => this.#schedule();
    this.#stopUpgrades = UpgradeRoutes.of(http).add(path, (request, socket, head) =>
      this.#upgrade(request, socket, head),
    );
    this.#pinging = setInterval(() => this.#ping(), PING_MS);
    this.#pinging.unref();
  }

  /** Says goodbye to the pages; resolves when their sockets are gone. */
  async close(): Promise<void> {
    clearInterval(this.#pinging);
    this.#stopUpgrades();
    const sockets = [...this.#alive.keys()];
    const gone = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    this.#inspector.close();
    const impatient = setTimeout(() => {
      for (const socket of sockets) socket.terminate();
    }, GOODBYE_MS);
    await Promise.all(gone);
    clearTimeout(impatient);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!this.#allowsOrigin(request)) {
      refuseUpgrade(socket, 403, "origin not allowed");
      return;
    }
    const from = addressGroup(this.#proxies.addressOf(request));
    this.#makeWay(from);
    this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#accept(opened, from));
  }

  /** Ends old sockets without a token if there are too many: of the newcomer's address first, else of the address that has most. */
  #makeWay(from: string): void {
    const most = this.#door.isSuspect(from) ? 1 : MOST_STRANGERS_PER_ADDRESS;
    const of = (address: string) => [...this.#strangers].filter(([, whose]) => whose === address);
    const theirs = of(from);
    for (const [socket] of theirs.slice(0, Math.max(0, theirs.length + 1 - most))) socket.terminate();
    if (this.#strangers.size < MOST_STRANGERS) return;
    const [largest] = [...new Set(this.#strangers.values())].map(of).sort((a, b) => b.length - a.length);
    largest?.[0]?.[0].terminate();
  }

  /** The page has shown the token. */
  #welcome(socket: WebSocket, page: InspectorPage): void {
    this.#strangers.delete(socket);
    this.#pages.set(socket, page);
    if (this.#pages.size <= MOST_PAGES) return;
    const [oldest] = this.#pages.values();
    oldest!.close(4429, "another page took its place");
  }

  /** Pages of the server's own address and of listed origins may connect. A program that sends no origin only needs the token. */
  #allowsOrigin({ headers: { origin, host } }: IncomingMessage): boolean {
    if (origin === undefined || this.#origins.has(origin)) return true;
    return URL.canParse(origin) && new URL(origin).host === host;
  }

  #accept(socket: WebSocket, from: string): void {
    const page = this.#inspector.open({
      get backlogBytes() {
        return socket.bufferedAmount;
      },
      send: (text) => socket.send(text),
      close: (code, reason) => {
        if (code === WRONG_TOKEN) this.#door.wasWrong(from);
        socket.close(code, reason);
      },
    });
    this.#alive.set(socket, true);
    this.#strangers.set(socket, from);
    const silent = setTimeout(() => page.isWelcome || page.close(4408, "no-hello"), HELLO_MS);
    silent.unref();
    socket.on("message", (data, isBinary) => {
      page.receive(isBinary ? "" : (data as Buffer).toString("utf8"), performance.now());
      if (page.isWelcome && this.#strangers.has(socket)) this.#welcome(socket, page);
    });
    socket.on("pong", () => this.#alive.set(socket, true));
    // Without a handler `ws` would let a malformed frame end the process; "close" follows.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(silent);
      this.#alive.delete(socket);
      this.#strangers.delete(socket);
      this.#pages.delete(socket);
      page.close(1000, "");
    });
  }

  /** Schedules work after the round, once for all rooms. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const startMs = performance.now();
      const untilMs = startMs + Math.max(LEAST_WORK_MS, this.#inspector.server.roundMs * WORK_SHARE);
      this.#inspector.work(startMs, () => performance.now() > untilMs);
    });
  }

  #ping(): void {
    for (const [socket, isAlive] of this.#alive) {
      this.#alive.set(socket, false);
      if (isAlive) socket.ping();
      else socket.terminate();
    }
  }
}

const WRONG_TOKEN = 4401;
