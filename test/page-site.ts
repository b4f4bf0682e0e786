/** A web server for browser tests: a game's built page at `/NAME/`, or a page and scripts of the test's own; room for the game's server beside it, and connections that a test can break. */

import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Duplex } from "node:stream";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export class PageSite {
  readonly http: Server;
  /** Of the page. */
  readonly url: string;
  readonly #sockets = new Set<Duplex>();
  /** Answers requests before the pages do, such as logins; false: it did not. */
  answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;

  private constructor(http: Server, path: string) {
    this.http = http;
    this.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}${path}`;
    http.on("upgrade", (_, socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  /** `folder`: the workspace of the game, with its page in `dist/page`. */
  static async open(name: string, folder: string): Promise<PageSite> {
    let site: PageSite | undefined;
    const http = createServer((request, response) => {
      if (site?.answer(request, response)) return;
      const asked = (request.url ?? "").slice(name.length + 2);
      const file = asked === "" ? "index.html" : asked;
      readFile(join(folder, "dist/page", file)).then(
        (content) =>
          response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream").end(content),
        () => response.writeHead(404).end(),
      );
    });
    await listen(http);
    site = new PageSite(http, `/${name}/`);
    return site;
  }

  /** A page that a test has written, and its scripts by path. */
  static async ofTexts(page: string, scripts: Readonly<Record<string, string>>): Promise<PageSite> {
    const http = createServer(({ url = "" }, response) => {
      const script = scripts[url];
      response.setHeader("Content-Type", script === undefined ? "text/html" : "text/javascript").end(script ?? page);
    });
    await listen(http);
    return new PageSite(http, "/");
  }

  /** Breaks every connection, as a router would that starts anew; nobody's session ends. */
  breakLinks(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.http.close();
    this.http.closeAllConnections();
  }
}

function listen(http: Server): Promise<void> {
  return new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
}
