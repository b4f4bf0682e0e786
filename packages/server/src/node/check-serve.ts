/** Checks the options of `serve` before anything is opened: unknown keys, impossible ports. */

import type { ServerOptions } from "@nearfield/server";
import { badOption, checkKeys, checkServerOptions, type Keys, SERVER_KEYS, shown } from "@nearfield/server/internal";
import { DEFAULT_LIMITS, type LinkLimits } from "@nearfield/transport/internal";
import { type UdpOptions, UdpPort } from "@nearfield/transport/node";
import type { ServeOptions } from "./serve.ts";

const SERVE_KEYS: Keys<ServeOptions> = {
  ...SERVER_KEYS,
  port: true,
  host: true,
  tls: true,
  server: true,
  onRequest: true,
  path: true,
  links: true,
  udp: true,
  threads: true,
};

type LinksOptions = NonNullable<ServeOptions["links"]>;

const LINKS_KEYS: Keys<LinksOptions> = {
  limits: true,
  origins: true,
  maxLinks: true,
  maxLinksPerAddress: true,
  heartbeatMs: true,
  timers: true,
  strangerBytes: true,
  trustedProxies: true,
  onHint: true,
};

const UDP_KEYS: Keys<UdpOptions> = {
  port: true,
  host: true,
  announce: true,
  iceServers: true,
  maxPeers: true,
  timers: true,
};

const LARGEST_PORT = 65_535;

export function checkServeOptions(options: ServeOptions): void {
  checkServerOptions(options as ServerOptions, "serve()");
  checkKeys<ServeOptions>(options, SERVE_KEYS, "serve()");
  const { port, host, server, onRequest, path, links, udp } = options;
  checkPort(port, "port");
  if (port !== undefined && server !== undefined)
    throw badOption("serve(): port is for a server of its own; the one in `server` has its port already");
  if (onRequest !== undefined && server !== undefined)
    throw badOption("serve(): onRequest is for a port of its own; the web server in `server` answers its requests");
  if (host !== undefined && (typeof host !== "string" || host === ""))
    throw badOption(`serve(): host is ${shown(host)}, but must be an address or a name, as "127.0.0.1"`);
  if (path !== undefined && (typeof path !== "string" || !path.startsWith("/")))
    throw badOption(`serve(): path is ${shown(path)}, but must begin with a slash, as "/play"`);
  if (links !== undefined) checkLinks(links);
  if (typeof udp !== "object" || udp instanceof UdpPort) return;
  checkKeys<UdpOptions>(udp, UDP_KEYS, "serve(): udp");
  checkPort(udp.port, "udp.port");
}

function checkLinks(links: LinksOptions): void {
  checkKeys<LinksOptions>(links, LINKS_KEYS, "serve(): links");
  const { limits, origins } = links;
  const known = Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((key) => [key, true])) as Keys<LinkLimits>;
  if (limits !== undefined) checkKeys<Partial<LinkLimits>>(limits, known, "serve(): links.limits");
  for (const origin of origins ?? []) {
    if (!isOrigin(origin))
      throw badOption(
        `serve(): links.origins has ${shown(origin)}; an origin is a scheme and a host, as "https://game.example"`,
      );
  }
}

/** Whether this is an origin as a browser sends it: without a path and without a slash at its end. */
function isOrigin(origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).origin === origin;
}

function checkPort(port: unknown, what: string): void {
  if (port === undefined) return;
  if (typeof port === "number" && Number.isInteger(port) && port >= 0 && port <= LARGEST_PORT) return;
  const hint = typeof port === "string" && /^\d+$/.test(port) ? `; Number(…) makes one of it` : "";
  throw badOption(`serve(): ${what} is ${shown(port)}, but must be a whole number from 0 to ${LARGEST_PORT}${hint}`);
}
