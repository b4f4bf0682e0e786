/**
 * Opens a server to its operator in one call: the inspector's page and feed, and Prometheus metrics, on a port of their own or beside a web
 * site. Everything but the health pages needs the token.
 *
 * Under the prefix: `/inspector/` is the page, `/inspector/feed` its WebSocket, `/metrics` the metrics; `/healthz` and `/readyz` tell the
 * health.
 */

import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ClusterSource, ConditionsHook } from "@nearfield/inspector";
import { Inspector, type Process } from "@nearfield/inspector/internal";
import { type Server, ServerError } from "@nearfield/server";
import { answerHealth } from "@nearfield/server/node";
import { addressGroup } from "@nearfield/transport/internal";
import { pathOf, TrustedProxies } from "@nearfield/transport/node";
import { InspectorDoor, randomToken } from "./inspector-door.ts";
import { InspectorFeed } from "./inspector-feed.ts";
import { answerText, InspectorFiles } from "./inspector-files.ts";
import { Metrics } from "./metrics.ts";
import { viewFileAt } from "./view-file.ts";

export interface ServeInspectorOptions {
  /** A port of its own; 0 = any free one, `url` tells which. Default 0. */
  readonly port?: number;
  /** Interface to bind. Default "127.0.0.1": this machine alone. */
  readonly host?: string;
  /**
   * A web server to share, instead of a port. Requests that are not for the inspector go on to its present request listeners. The caller
   * closes it. Over the open internet use HTTPS: the token travels through it.
   */
  readonly http?: HttpServer;
  /** Goes before the paths, for several games on one web server: "/arena". Default "". */
  readonly prefix?: string;
  /**
   * The token for the feed and the metrics; at least 12 characters. Default: the environment variable NEARFIELD_INSPECTOR_TOKEN, else a
   * random one, which is then printed.
   */
  readonly token?: string;
  /**
   * Web origins whose pages may open the feed, for example "https://ops.example". Default: only pages of the feed's own address. Behind a
   * proxy that changes the `Host` header, name the proxy's origin here.
   */
  readonly origins?: readonly string[];
  /** Folder of the built page. Default: none, the feed alone. */
  readonly page?: string;
  /** "token" (default): needs `Authorization: Bearer TOKEN`. "open": anybody may read them. "off": there are none. */
  readonly metrics?: "token" | "open" | "off";
  /** Radius of the aura that reports compare with, world units. Default: the largest radius of each room's view. */
  readonly auraRadius?: number;
  /** The configuration file that the view editor may write and read (`loadView` reads it at the start). Default: none. */
  readonly viewFile?: string;
  /** Sets network conditions for players, if the host can. Default: they are only measured. */
  readonly conditions?: ConditionsHook;
  /** The cluster of which the server is one, for its picture: `sights` of `serveCluster`. Default: none, and nothing of it is shown. */
  readonly cluster?: ClusterSource;
  /** Proxies whose `X-Forwarded-For` is believed, as in `serve`'s `links`. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Where a random token is printed. Default: the console. */
  readonly log?: (line: string) => void;
}

export interface ServedInspector {
  /** Address of the page, without the token. */
  readonly url: string;
  readonly token: string;
  /** Address of the page with the token in its fragment, which browsers do not send. */
  readonly link: string;
  /** Ends the feed and, if it was opened here, the port. Closing the server does the same. */
  close(): Promise<void>;
}

const MEMORY_MS = 5000;
const TOKEN_VARIABLE = "NEARFIELD_INSPECTOR_TOKEN";

/** Rejects with `ServerError("bad-option")`, or the error of a port that is taken. */
export async function serveInspector(server: Server, options: ServeInspectorOptions = {}): Promise<ServedInspector> {
  const { prefix = "", auraRadius, viewFile, conditions, cluster, log = (line) => console.log(line) } = options;
  if (!/^(\/[\w.~-]+)*$/.test(prefix)) {
    throw new ServerError("bad-option", `prefix is "${prefix}", but must be empty or like "/arena"`);
  }
  const given = options.token ?? process.env[TOKEN_VARIABLE];
  const token = given ?? randomToken();
  const now = (): number => performance.now();
  const door = new InspectorDoor(token, now);
  const proxies = new TrustedProxies(options.trustedProxies);
  const figures = processFigures();
  const files = new InspectorFiles(options.page);
  const metrics = options.metrics === "off" ? undefined : new Metrics(server, { now, process: figures });
  const inspector = new Inspector(server, {
    isToken: (text) => door.isToken(text),
    now,
    process: figures,
    startedMs: Date.now(),
    auraRadius,
    conditions,
    cluster,
    viewFile: viewFile === undefined ? undefined : viewFileAt(viewFile),
  });
  const http = options.http ?? createServer((_request, response) => answerText(response, 404, "Not found.\n", false));
  const mayRead = (request: IncomingMessage): boolean => options.metrics === "open" || isBearer(request, door, proxies);
  const stop = intercept(
    http,
    (request, response) =>
      answerHealth(server, request, response, prefix) ||
      handle(request, response, { prefix, files, metrics, mayRead, home: options.http === undefined }),
  );
  if (options.http === undefined) await listen(http, options.port ?? 0, options.host ?? "127.0.0.1");
  const feed = new InspectorFeed(http, `${prefix}/inspector/feed`, inspector, door, {
    origins: options.origins,
    proxies,
  });
  const url = `${originOf(http)}${prefix}/inspector/`;
  const link = `${url}#token=${encodeURIComponent(token)}`;
  if (given === undefined) log(`Nearfield inspector: ${link}`);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await feed.close();
      metrics?.dispose();
      stop();
      if (options.http !== undefined) return;
      await new Promise((resolve) => {
        http.close(resolve);
        http.closeAllConnections();
      });
    })();
    return closing;
  };
  server.onClose(close);
  return { url, token, link, close };
}

interface Site {
  readonly prefix: string;
  readonly files: InspectorFiles;
  readonly metrics: Metrics | undefined;
  readonly mayRead: (request: IncomingMessage) => boolean;
  /** Whether "/" redirects to the page. */
  readonly home: boolean;
}

/** Returns false if the request is not for the inspector. */
function handle(request: IncomingMessage, response: ServerResponse, site: Site): boolean {
  const path = pathOf(request) ?? "";
  const { prefix, metrics } = site;
  const page = `${prefix}/inspector/`;
  const isMetrics = path === `${prefix}/metrics` && metrics !== undefined;
  const isElsewhere = path === page.slice(0, -1) || (site.home && path === "/");
  if (!isMetrics && !isElsewhere && !path.startsWith(page)) return false;
  const isHead = request.method === "HEAD";
  if (!isHead && request.method !== "GET") {
    answerText(response, 405, "Only GET and HEAD are answered here.\n", isHead, { Allow: "GET, HEAD" });
  } else if (isElsewhere) {
    answerText(response, 308, "", isHead, { Location: page });
  } else if (!isMetrics) {
    site.files.serve(response, path.slice(page.length), isHead);
  } else if (site.mayRead(request)) {
    answerMetrics(response, metrics, isHead);
  } else {
    const how = "The metrics are behind the inspector's token: send it as Authorization: Bearer TOKEN.\n";
    answerText(response, 401, how, isHead, { "WWW-Authenticate": "Bearer" });
  }
  return true;
}

function answerMetrics(response: ServerResponse, metrics: Metrics, isHead: boolean): void {
  metrics.text().then(
    (text) => answerText(response, 200, text, isHead, { "Content-Type": metrics.contentType }),
    (error: unknown) => answerText(response, 500, `The metrics could not be read: ${String(error)}\n`, isHead),
  );
}

/** Calls `first` before the present request listeners. Returns a function that undoes this. */
function intercept(
  http: HttpServer,
  first: (request: IncomingMessage, response: ServerResponse) => boolean,
): () => void {
  const others = http.listeners("request") as ((request: IncomingMessage, response: ServerResponse) => void)[];
  http.removeAllListeners("request");
  let isOver = false;
  http.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!isOver && first(request, response)) return;
    for (const other of others) other.call(http, request, response);
  });
  return () => {
    isOver = true;
  };
}

function isBearer(request: IncomingMessage, door: InspectorDoor, proxies: TrustedProxies): boolean {
  const token = /^bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined) return false;
  if (door.isToken(token)) return true;
  door.wasWrong(addressGroup(proxies.addressOf(request)));
  return false;
}

function listen(http: HttpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, host, () => {
      http.off("error", reject);
      resolve();
    });
  });
}

/** The address of a web server for a browser on this machine. */
function originOf(http: HttpServer): string {
  const bound = http.address() as AddressInfo | string | null;
  const scheme = "setSecureContext" in http ? "https" : "http";
  if (bound === null || typeof bound === "string") return "";
  const isAny = bound.address === "::" || bound.address === "0.0.0.0";
  const host = bound.family === "IPv6" ? `[${bound.address}]` : bound.address;
  return `${scheme}://${isAny ? "localhost" : host}:${bound.port}`;
}

/** Memory is read only now and then, since reading it takes a good part of a millisecond. */
function processFigures(): () => Process {
  let memory = process.memoryUsage();
  let askedMs = performance.now();
  return () => {
    if (performance.now() - askedMs > MEMORY_MS) {
      memory = process.memoryUsage();
      askedMs = performance.now();
    }
    const { user, system } = process.cpuUsage();
    return {
      cpuMs: (user + system) / 1000,
      rssBytes: memory.rss,
      heapBytes: memory.heapUsed,
      uptimeMs: process.uptime() * 1000,
    };
  };
}
