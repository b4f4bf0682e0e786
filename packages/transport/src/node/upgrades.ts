/**
 * Routes the upgrade requests of one web server. Several parts of Nearfield may use one server, each with its own path (a game's
 * listener, the inspector's feed). They all register here, and only this file refuses requests for a path that none of them has.
 *
 * Invariants: a path is decoded once, here, and compared by everybody in that form; every upgraded socket has an error handler from its
 * first moment on, since Node has let go of it and an error without a handler ends the process.
 */

import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { TransportError } from "../link.ts";
import { nodeTimers, type Timers } from "./timers.ts";

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Ms that handlers which are not ours get to answer a request for a path that is not ours. */
const FOREIGN_MS = 10_000;

const ROUTES = Symbol.for("nearfield.upgrades");

export class UpgradeRoutes {
  readonly #server: Server;
  readonly #timers: Timers;
  /** By decoded path; `undefined` takes every path that no other handler has. */
  readonly #handlers = new Map<string | undefined, UpgradeHandler>();

  private constructor(server: Server, timers: Timers) {
    this.#server = server;
    this.#timers = timers;
  }

  /** The one table of this server; it is kept with the server, whoever asks first makes it. */
  static of(server: Server, timers: Timers = nodeTimers): UpgradeRoutes {
    const kept = server as Server & { [ROUTES]?: UpgradeRoutes };
    kept[ROUTES] ??= new UpgradeRoutes(server, timers);
    return kept[ROUTES];
  }

  /**
   * Hands upgrades for this path to the handler. Returns what takes it away again. Throws `TransportError("bad-option")` where the path is
   * taken.
   *
   * @param path decoded, as `pathOf` gives it; `undefined`: every path that nobody else has.
   */
  add(path: string | undefined, handler: UpgradeHandler): () => void {
    if (this.#handlers.has(path)) {
      const what = path === undefined ? "all paths" : `path "${path}"`;
      throw new TransportError("bad-option", `${what}: WebSockets there belong to another listener of this web server`);
    }
    if (this.#handlers.size === 0) this.#server.on("upgrade", this.#upgrade);
    this.#handlers.set(path, handler);
    return () => {
      if (this.#handlers.get(path) !== handler) return;
      this.#handlers.delete(path);
      if (this.#handlers.size === 0) this.#server.off("upgrade", this.#upgrade);
    };
  }

  readonly #upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on("error", destroyIt);
    const path = pathOf(request);
    const handler = (path === undefined ? undefined : this.#handlers.get(path)) ?? this.#handlers.get(undefined);
    if (handler !== undefined) handler(request, socket, head);
    else if (this.#server.listenerCount("upgrade") === 1) refuseUpgrade(socket, 404, "no such path");
    else this.#leaveToOthers(socket);
  };

  /** Leaves the socket to other handlers, but closes it if none of them answers in time. */
  #leaveToOthers(socket: Duplex & { readonly bytesWritten?: number }): void {
    const cancel = this.#timers.after(FOREIGN_MS, () => {
      if (socket.bytesWritten === 0) socket.destroy();
    });
    socket.once("close", cancel);
  }
}

/**
 * The path of a request without its query, decoded segment by segment; undefined where it cannot be decoded. An encoded slash stays encoded: it
 * is part of a name, not a border between two.
 */
export function pathOf(request: IncomingMessage): string | undefined {
  const raw = (request.url ?? "/").split(/[?#]/, 1)[0]!;
  if (!raw.includes("%")) return raw;
  try {
    return raw.split("/").map(decodeSegment).join("/");
  } catch {
    return undefined;
  }
}

function decodeSegment(segment: string): string {
  const decoded = decodeURIComponent(segment);
  return decoded.includes("/") ? segment : decoded;
}

/** Answers an upgrade request with a status and lets the socket go as soon as that has left. */
export function refuseUpgrade(socket: Duplex, status: number, why: string): void {
  const body = `${why}\n`;
  socket.once("finish", destroyIt);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

function destroyIt(this: Duplex): void {
  this.destroy();
}
