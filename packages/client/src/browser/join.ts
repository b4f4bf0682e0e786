/**
 * Joins a server from a page: the browser's WebSocket, its clock, and `update` on every animation frame. While the tab
 * is hidden there are no frames; a slow timer keeps the connection and the replicas up to date, and the activities wait
 * until the page is shown again.
 */

import { Client, type ClientOptions } from "@nearfield/client";
import {
  checkAddress,
  checkJoinKeys,
  joinKeys,
  type Keys,
  type RejoinOptions,
  untilIn,
} from "@nearfield/client/internal";
import { IS_DEVELOPMENT } from "@nearfield/schema/internal";
import { type ConnectOptions, connectWebSocket, type UdpConnectOptions } from "@nearfield/transport/browser";
import { KeptTicket } from "./kept-ticket.ts";

export interface JoinOptions extends Omit<ClientOptions, "connect" | "now" | "ticket">, RejoinOptions {
  readonly link?: Omit<ConnectOptions, "udp">;
  /**
   * Whether state may come over UDP, through a WebRTC data channel beside the WebSocket, while that works and the server offers it.
   * `client.linkKind` tells what is used. Default true.
   */
  readonly udp?: boolean | UdpConnectOptions;
  /**
   * Whether a page that is loaded anew goes on as the same player, if it comes back while the server keeps the session (`times.resumeMs` of
   * the server, 30 s by default). The session's ticket is kept in the tab's `sessionStorage`, by address, room, role and nickname, until
   * the client leaves or ends. Default true. Where it does not work, as in a copy of the tab, the page joins anew.
   */
  readonly resume?: boolean;
  /**
   * Where the attempts after the first one go, asked for each: in a cluster, the other gateways in turn (docs/guide/cluster.md). Default: to the same address.
   */
  readonly elsewhere?: () => string | URL;
}

/** Time between two checks of the connection while the tab is hidden, ms. Browsers do not run timers more often there. */
const HIDDEN_MS = 1000;

/**
 * Resolves when the client has joined: the server has let it in, and the objects that `onJoin` made for it are here. Nothing is delivered
 * before, so handlers that are attached in the same turn miss nothing. Rejects with `ClientError` if the server does not let the client in.
 * The loop ends with the client.
 */
export async function join(url: string | URL, options: JoinOptions): Promise<Client> {
  checkJoin(url, options);
  const { link, udp = true, resume = true, elsewhere, onRejoin: _onRejoin, rejoinMs: _rejoinMs, ...rest } = options;
  const kept = resume ? new KeptTicket(url, options) : undefined;
  const now = (): number => performance.now();
  let address = (): string | URL => url;
  const client = new Client({
    random: Math.random,
    onError: reportError,
    ...rest,
    ticket: kept?.take(),
    connect: () => {
      const to = address();
      address = elsewhere ?? address;
      return connectWebSocket(to, { ...link, udp });
    },
    now,
  });
  let running = true;
  const frame = (): void => {
    if (!running) return;
    requestAnimationFrame(frame);
    client.update();
  };
  const timer = setInterval(() => {
    if (document.hidden) client.keepUp();
  }, HIDDEN_MS);
  return untilIn(client, {
    address: String(url),
    options,
    join: (changed) => join(url, changed),
    host: { wait: (ms) => new Promise((done) => setTimeout(done, ms)), now, random: options.random ?? Math.random },
    begin: frame,
    onJoined: () => kept?.keep(client.ticket),
    onEnded: () => {
      kept?.keep(undefined);
      running = false;
      clearInterval(timer);
    },
  });
}

/** Options of `join` itself; the others are those of `Client`. */
const OWN_KEYS: Keys<Omit<JoinOptions, keyof ClientOptions>> = {
  link: true,
  udp: true,
  onRejoin: true,
  rejoinMs: true,
  resume: true,
  elsewhere: true,
};

const JOIN_KEYS: Keys<JoinOptions> = /* @__PURE__ */ joinKeys(OWN_KEYS, ["connect", "now", "ticket"]);

const LINK_KEYS: Keys<NonNullable<JoinOptions["link"]>> = {
  timeoutMs: true,
  limits: true,
};

function checkJoin(url: string | URL, options: JoinOptions): void {
  if (IS_DEVELOPMENT) checkJoinKeys<JoinOptions>(options, JOIN_KEYS, LINK_KEYS);
  const address = String(url);
  const { href } = location;
  checkAddress(address, URL.canParse(address, href) ? new URL(address, href).protocol : undefined);
}
