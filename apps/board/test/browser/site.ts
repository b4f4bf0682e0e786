/** A small site for the browser tests: the built page at /board/, and the board's server beside it. */

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join as joinPath } from "node:path";
import type { Duplex } from "node:stream";
import { pageFolder, type RunningBoard, startBoard } from "../../src/node/index.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export class Site {
  readonly url: string;
  board: RunningBoard;
  readonly #http: Server;
  readonly #sockets: Set<Duplex>;
  #isOpen = true;

  private constructor(http: Server, sockets: Set<Duplex>, board: RunningBoard) {
    this.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/board/`;
    this.board = board;
    this.#http = http;
    this.#sockets = sockets;
    // Before the board's own handler, which answers those that are left.
    http.prependListener("upgrade", (_, socket) => {
      if (!this.#isOpen) socket.destroy();
    });
  }

  static async open(): Promise<Site> {
    const http = createServer((request, response) => {
      const name = request.url === "/board/" ? "index.html" : (request.url ?? "").replace(/^\/board\//, "");
      readFile(joinPath(pageFolder, name)).then(
        (content) =>
          response.setHeader("Content-Type", TYPES[extname(name)] ?? "application/octet-stream").end(content),
        () => response.writeHead(404).end(),
      );
    });
    const sockets = new Set<Duplex>();
    http.on("upgrade", (_, socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    return new Site(http, sockets, await startBoard({ server: http, path: "/board/ws" }));
  }

  /** Breaks every connection, and takes no new one until `mend`. Nobody's session ends. */
  breakLinks(): void {
    this.#isOpen = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isOpen = true;
  }

  /** The server goes and comes back with an empty board, at the same address. */
  async restart(): Promise<void> {
    await this.board.close();
    this.board = await startBoard({ server: this.#http, path: "/board/ws" });
  }

  async close(): Promise<void> {
    await this.board.close();
    this.#http.close();
    this.#http.closeAllConnections();
  }
}
