/**
 * The connecting side in a browser. A page cannot send WebSocket pings: the server's are answered by the browser
 * itself, and a page notices a dead server by the frames that stop coming.
 *
 * The code of the data channel is loaded when a server has said that it offers one, by its choice of subprotocol.
 */

import { type LinkLimits, resolveLimits } from "../limits.ts";
import { type Link, TransportError, type TransportErrorCode } from "../link.ts";
import type { IceServer } from "../webrtc/signal.ts";
import { PLAIN_PROTOCOL, SIGNALS_PROTOCOL } from "../webrtc/subprotocols.ts";
import { portOver, WebSocketLink } from "../websocket-link.ts";

export interface ConnectOptions {
  /** Milliseconds until the handshake must be done, or the promise rejects with "connect-timeout". Default 10,000. */
  readonly timeoutMs?: number;
  /** Bounds of the link's queues; see `LinkLimits`. `maxMessageBytes` must be alike on both sides. */
  readonly limits?: Partial<LinkLimits>;
  /** Whether unreliable messages take a data channel while one works, if the server offers it. Default false. */
  readonly udp?: boolean | UdpConnectOptions;
}

export interface UdpConnectOptions {
  /** STUN and TURN servers, instead of those that the server tells. */
  readonly iceServers?: readonly IceServer[];
}

/**
 * Opens a link; rejects with a TransportError ("connect-failed", "connect-timeout"). A browser does not tell why a
 * connection failed.
 */
export function connectWebSocket(url: string | URL, options: ConnectOptions = {}): Promise<Link> {
  const limits = resolveLimits(options.limits);
  const timeoutMs = options.timeoutMs ?? 10_000;
  const udp = typeof RTCPeerConnection === "function" ? (options.udp ?? false) : false;

  return new Promise((resolve, reject) => {
    let socket: WebSocket;
    try {
      socket = new WebSocket(url, udp === false ? [] : [SIGNALS_PROTOCOL, PLAIN_PROTOCOL]);
    } catch (cause) {
      reject(new TransportError("connect-failed", `"${url}" is no WebSocket address`, { cause }));
      return;
    }
    socket.binaryType = "arraybuffer";

    const feed = feedOf(socket);
    const fail = (code: TransportErrorCode, text: string): void => {
      reject(new TransportError(code, `${url} ${text}`));
      socket.close();
    };
    const refused = (): void => fail("connect-failed", "cannot be reached, or refused");
    const timer = setTimeout(() => fail("connect-timeout", `did not answer within ${timeoutMs} ms`), timeoutMs);
    socket.addEventListener("close", refused);
    const settle = (link: Link | Promise<Link>): void => {
      clearTimeout(timer);
      socket.removeEventListener("close", refused);
      resolve(link);
    };
    socket.addEventListener("open", () => {
      const port = portOver(socket);
      const address = new URL(socket.url).host;
      if (udp === false || socket.protocol !== SIGNALS_PROTOCOL) {
        settle(feed(new WebSocketLink(port, address, limits)));
        return;
      }
      import("./two-carriers.ts").then(
        ({ twoCarriers }) => settle(feed(twoCarriers(WebSocketLink, port, address, limits, udp))),
        () => {
          // The file cannot be loaded, as when a newer version of the game has replaced it: the page goes on without UDP.
          settle(connectWebSocket(url, { ...options, udp: false }));
          socket.close();
        },
      );
    });
  });
}

/** Messages that a server may send before it hears from this client; one that sends more is cut off. It sends one (`available`). */
const MOST_EARLY = 16;

/** Returns what gives a link everything that the socket brings, from the beginning. */
function feedOf(socket: WebSocket): (link: WebSocketLink) => WebSocketLink {
  let link: WebSocketLink | undefined;
  const early: (MessageEvent<unknown> | CloseEvent)[] = [];
  const take = (event: MessageEvent<unknown> | CloseEvent): void => {
    if (link === undefined) {
      if (early.push(event) > MOST_EARLY) socket.close();
    } else if ("code" in event) link.socketClosed(event.code, event.reason);
    else if (event.data instanceof ArrayBuffer) link.acceptFrame(new Uint8Array(event.data));
    else link.acceptText();
  };
  socket.addEventListener("message", take);
  socket.addEventListener("close", take);
  return (made) => {
    link = made;
    early.forEach(take);
    return made;
  };
}
