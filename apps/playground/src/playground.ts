/**
 * The playground's server: the landing page, the games' pages and the games themselves, on one port.
 *
 * start: read pages → listen → start games. A request is either `/status.json` or a page. A WebSocket upgrade
 * belongs to the game mounted at its path; one for no game is refused here, so that no socket is left hanging.
 * close: refuse new requests → close games → drop what is left.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { GameMount, GameStatus, RunningGame } from "./games.ts";
import { addressOf, Pages } from "./pages.ts";

export interface PlaygroundOptions {
  /** TCP port; 0 takes any free one. */
  readonly port: number;
  /** The folder of the built landing page. */
  readonly pageFolder: string;
  readonly games: readonly GameMount[];
}

export interface Playground {
  readonly port: number;
  /** The address to open in a browser on this machine. */
  readonly address: string;
  close(): Promise<void>;
}

/** What `/status.json` says. */
export interface PlaygroundStatus {
  readonly upSeconds: number;
  readonly games: Readonly<Record<string, GameStatus>>;
}

export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const pages = new Pages();
  pages.add("/", options.pageFolder);
  for (const game of options.games) pages.add(`/${game.id}/`, game.pageFolder);

  const startedAt = process.uptime();
  const running = new Map<string, RunningGame>();
  const server = createServer((request, response) => {
    if (addressOf(request) === "/status.json") sendStatus(response, running, process.uptime() - startedAt);
    else pages.serve(request, response);
  });
  const upgraded = acceptUpgrades(server, new Set(options.games.map(socketPath)));

  await listen(server, options.port);
  const port = (server.address() as AddressInfo).port;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.allSettled([...running.values()].map((game) => game.close()));
    server.closeAllConnections();
    for (const socket of upgraded) socket.destroy();
    await closed;
  };
  try {
    for (const game of options.games) running.set(game.id, await game.start({ server, path: socketPath(game) }));
  } catch (error) {
    await close();
    throw error;
  }
  return { port, address: `http://localhost:${port}/`, close };
}

function socketPath(game: GameMount): string {
  return `/${game.id}/ws`;
}

/** Refuses upgrades for unknown paths; returns the set of upgraded sockets that are open. */
function acceptUpgrades(server: Server, paths: ReadonlySet<string>): ReadonlySet<Duplex> {
  const open = new Set<Duplex>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    if (!paths.has(addressOf(request) ?? "")) {
      socket.on("error", () => socket.destroy());
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return open;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function sendStatus(response: ServerResponse, running: ReadonlyMap<string, RunningGame>, upSeconds: number): void {
  const status: PlaygroundStatus = {
    upSeconds: Math.floor(upSeconds),
    games: Object.fromEntries([...running].map(([id, game]) => [id, game.status()])),
  };
  response.writeHead(200, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(JSON.stringify(status));
}
