/**
 * Joins a server from a page: the browser's WebSocket, its clock, and `update` on every animation frame. While the tab
 * is hidden there are no frames; a slow timer keeps the connection and the replicas up to date, and the activities wait
 * until the page is shown again.
 */

import {
  badOption,
  CLIENT_KEYS,
  Client,
  ClientError,
  type ClientOptions,
  checkKeys,
  type Keys,
  type RejoinOptions,
  rejoinAfter,
} from "@nearfield/client";
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
   * Whether a page that is loaded anew goes on as the same player, if it comes back while the server keeps the session (30 s). The
   * session's ticket is kept in the tab's `sessionStorage`, by address, room, role and nickname, until the client leaves or ends. Default
   * true. Where it does not work, as in a copy of the tab, the page joins anew.
   */
  readonly resume?: boolean;
}

/** Time between two looks at the connection while the tab is hidden, ms. Browsers do not run timers oftener there. */
const HIDDEN_MS = 1000;

/**
 * Resolves when the client has joined: the server has let it in, and the objects that `onJoin` made for it are here. Nothing is handed
 * over before: handlers that are attached in the same turn miss nothing. Rejects with `ClientError` where the server does not let it in. The loop ends with the
 * client.
 */
export async function join(url: string | URL, options: JoinOptions): Promise<Client> {
  checkJoin(url, options);
  const { link, udp = true, resume = true, onRejoin, rejoinMs, ...rest } = options;
  const kept = resume ? new KeptTicket(url, options) : undefined;
  const client = new Client({
    random: Math.random,
    onError: reportError,
    ...rest,
    ticket: kept?.take(),
    connect: () => connectWebSocket(url, { ...link, udp }),
    now: () => performance.now(),
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
  return new Promise((resolve, reject) => {
    client.untilJoined().then(
      () => {
        kept?.keep(client.ticket);
        resolve(client);
      },
      () => {},
    );
    client.onState((state, reason) => {
      if (state !== "ended") return;
      kept?.keep(undefined);
      running = false;
      clearInterval(timer);
      rejoinAfter(client, reason, {
        onRejoin,
        rejoinMs,
        join: (joinMs) => join(url, { ...options, reconnect: { ...options.reconnect, joinMs } }),
        wait: (ms) => new Promise((done) => setTimeout(done, ms)),
        now: () => performance.now(),
        random: options.random ?? Math.random,
      });
      reject(new ClientError(reason?.code ?? "link", `${url}: ${reason?.detail ?? "no connection"}`));
    });
    frame();
  });
}

/** What `join` itself knows; of the others it says what `Client` knows. */
const OWN_KEYS: Keys<Omit<JoinOptions, keyof ClientOptions>> = {
  link: true,
  udp: true,
  onRejoin: true,
  rejoinMs: true,
  resume: true,
};

const JOIN_KEYS: Keys<JoinOptions> = { ...without(CLIENT_KEYS), ...OWN_KEYS };

const LINK_KEYS: Keys<NonNullable<JoinOptions["link"]>> = {
  timeoutMs: true,
  limits: true,
};

function without({
  connect: _connect,
  now: _now,
  ticket: _ticket,
  ...keys
}: Keys<ClientOptions>): Keys<Omit<ClientOptions, "connect" | "now" | "ticket">> {
  return keys;
}

function checkJoin(url: string | URL, options: JoinOptions): void {
  if (typeof options !== "object" || options === null)
    throw badOption("join(): needs an object with at least protocol and nickname");
  checkKeys<JoinOptions>(options, JOIN_KEYS, "join()");
  if (options.link !== undefined) checkKeys(options.link, LINK_KEYS, "join(): link");
  const address = String(url);
  if (!URL.canParse(address, location.href) || !/^(ws|http)s?:$/.test(new URL(address, location.href).protocol))
    throw badOption(`join(): ${JSON.stringify(address)} is no address of a server; it must begin with ws:// or wss://`);
}
