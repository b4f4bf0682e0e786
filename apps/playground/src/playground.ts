/**
 * The playground's server: the landing page, the games' pages and the games themselves, and the inspector of them all, on one port.
 *
 * start: read pages → listen → start games. A request is for `/status.json`, the inspector's list of games, a file of the repository, a game (a login), or a page; requests for
 * one game's inspector are answered by that inspector. A WebSocket upgrade is for the game at its path, or for that game's
 * inspector; any other is refused by their common table of paths (`UpgradeRoutes`).
 * close: refuse new requests → close games → drop what is left.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { INSPECTOR_HEADERS, serveInspector } from "@nearfield/inspector/node";
import { pageFolder as inspectorPage } from "@nearfield/inspector-page";
import { pathOf } from "@nearfield/transport/node";
import type { GameMount, GameStatus, RunningGame } from "./games.ts";
import { NetworkConditions } from "./network-conditions.ts";
import { Pages } from "./pages.ts";
import { ReadingRoom, SOURCE_PREFIX } from "./reading-room.ts";

/** The folder of this repository: three above this file, whether it runs from its sources or is compiled. */
const repository = fileURLToPath(new URL("../../../", import.meta.url));

export interface PlaygroundOptions {
  /** TCP port; 0 takes any free one. */
  readonly port: number;
  /** The folder of the built landing page. */
  readonly pageFolder: string;
  readonly games: readonly GameMount[];
  /** Where games keep what outlives a restart, each in a folder of its own. Default: nothing is kept. */
  readonly dataFolder?: string;
  /** What opens the inspector of every game here; at least 12 characters. Default: a new one each time. */
  readonly token?: string;
}

export interface Playground {
  readonly port: number;
  /** The address to open in a browser on this machine. */
  readonly address: string;
  /** The inspector, with the token in the fragment, which browsers send to nobody. */
  readonly inspector: string;
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
  pages.add("/inspector/", inspectorPage, INSPECTOR_HEADERS);
  for (const game of options.games) pages.add(`/${game.id}/`, game.pageFolder);
  const reading = new ReadingRoom(repository, "/reading.css");
  const feeds: Feed[] = [];
  const token = options.token ?? randomBytes(18).toString("base64url");
  const conditions = new NetworkConditions();

  const startedAt = process.uptime();
  const running = new Map<string, RunningGame>();
  const server = createServer((request, response) => {
    const address = pathOf(request);
    if (address === "/status.json") sendJson(response, statusOf(running, process.uptime() - startedAt));
    else if (address === "/inspector/games.json") sendJson(response, busiestFirst(feeds, running));
    else if (address?.startsWith(SOURCE_PREFIX)) reading.serve(request, response, address);
    else if (!answeredByGame(running, request, response)) pages.serve(request, response);
  });
  const connections = keepConnections(server);

  await listen(server, options.port);
  const port = (server.address() as AddressInfo).port;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.allSettled([...running.values()].map((game) => game.close()));
    for (const socket of connections) socket.destroy();
    await closed;
  };
  try {
    for (const game of options.games) {
      const { id, name } = game;
      const { dataFolder } = options;
      const folder = dataFolder === undefined ? {} : { folder: join(dataFolder, id) };
      const started = await game.start({ server, path: socketPath(id), ...folder });
      running.set(id, started);
      if (started.game === undefined) continue;
      started.game.wrapLinks(conditions.wrap);
      await serveInspector(started.game, { http: server, prefix: `/${id}`, token, page: inspectorPage, conditions });
      feeds.push({ id, name, feed: feedPath(id) });
    }
  } catch (error) {
    await close();
    throw error;
  }
  const address = `http://localhost:${port}/`;
  return { port, address, inspector: `${address}inspector/#token=${encodeURIComponent(token)}`, close };
}

/** Games answer what is no page: anything but a plain request for a file. */
function answeredByGame(
  running: ReadonlyMap<string, RunningGame>,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (request.method === "GET" || request.method === "HEAD") return false;
  return [...running.values()].some((game) => game.answer?.(request, response) ?? false);
}

interface Feed {
  readonly id: string;
  readonly name: string;
  readonly feed: string;
}

/** The inspector opens on the first of these: the game with the most people, then with the most bots. */
function busiestFirst(feeds: readonly Feed[], running: ReadonlyMap<string, RunningGame>): Feed[] {
  const busy = ({ id }: Feed): GameStatus => running.get(id)?.status() ?? { people: 0, bots: 0 };
  return feeds.toSorted((a, b) => busy(b).people - busy(a).people || busy(b).bots - busy(a).bots);
}

function socketPath(id: string): string {
  return `/${id}/ws`;
}

function feedPath(id: string): string {
  return `/${id}/inspector/feed`;
}

/** The connections that are open, upgraded ones too, which `closeAllConnections` would leave out. */
function keepConnections(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
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

function statusOf(running: ReadonlyMap<string, RunningGame>, upSeconds: number): PlaygroundStatus {
  return {
    upSeconds: Math.floor(upSeconds),
    games: Object.fromEntries([...running].map(([id, game]) => [id, game.status()])),
  };
}

function sendJson(response: ServerResponse, content: unknown): void {
  response.writeHead(200, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(JSON.stringify(content));
}
