/**
 * The connecting side in a browser. A page cannot send WebSocket pings: the server's are answered by the browser
 * itself, and a page notices a dead server by the frames that stop coming.
 */

import { type LinkLimits, resolveLimits } from "../limits.ts";
import { type Link, TransportError } from "../link.ts";
import { DataChannelLink } from "../webrtc/datachannel-link.ts";
import { type IceServer, SIGNALS_PROTOCOL } from "../webrtc/signal.ts";
import { BEAT_MS } from "../webrtc/udp-path.ts";
import { portOver, WebSocketLink } from "../websocket-link.ts";
import { BrowserPeer } from "./browser-peer.ts";

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
      socket = udp === false ? new WebSocket(url) : new WebSocket(url, SIGNALS_PROTOCOL);
    } catch (cause) {
      reject(new TransportError("connect-failed", `"${url}" is no WebSocket address`, { cause }));
      return;
    }
    socket.binaryType = "arraybuffer";

    const timer = setTimeout(() => {
      reject(new TransportError("connect-timeout", `${url} did not answer within ${timeoutMs} ms`));
      socket.close();
    }, timeoutMs);
    const failBeforeOpen = () => {
      clearTimeout(timer);
      reject(new TransportError("connect-failed", `${url} cannot be reached, or refused`));
    };
    socket.addEventListener("error", failBeforeOpen);
    socket.addEventListener("open", () => {
      clearTimeout(timer);
      socket.removeEventListener("error", failBeforeOpen);
      resolve(linkOverSocket(socket, limits, udp));
    });
  });
}

function linkOverSocket(socket: WebSocket, limits: LinkLimits, udp: boolean | UdpConnectOptions): WebSocketLink {
  const address = new URL(socket.url).host;
  const link =
    udp === false ? new WebSocketLink(portOver(socket), address, limits) : twoCarriers(socket, address, limits, udp);
  socket.addEventListener("message", (event: MessageEvent<unknown>) => {
    if (event.data instanceof ArrayBuffer) link.acceptFrame(new Uint8Array(event.data));
    else link.acceptText();
  });
  socket.addEventListener("close", (event) => link.socketClosed(event.code, event.reason));
  return link;
}

function twoCarriers(
  socket: WebSocket,
  address: string,
  limits: LinkLimits,
  udp: true | UdpConnectOptions,
): DataChannelLink {
  const link = new DataChannelLink(portOver(socket), address, limits, {
    role: "offers",
    openPeer: (request, events) => new BrowserPeer(request, events),
    ...(udp !== true && udp.iceServers !== undefined && { iceServers: udp.iceServers }),
    now: () => performance.now(),
    random: Math.random,
    onGone: () => clearInterval(timer),
  });
  const timer = setInterval(() => link.tick(), BEAT_MS);
  return link;
}
