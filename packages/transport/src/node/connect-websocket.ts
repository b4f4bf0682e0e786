/** The connecting side in Node: bots, tests, native clients, servers that follow servers. */

import { WebSocket } from "ws";
import { type LinkLimits, resolveLimits } from "../limits.ts";
import { type Link, TransportError } from "../link.ts";
import { DataChannelLink } from "../webrtc/both-carriers.ts";
import type { DataChannelSettings } from "../webrtc/datachannel-link.ts";
import type { IceServer } from "../webrtc/signal.ts";
import { SIGNALS_PROTOCOL } from "../webrtc/subprotocols.ts";
import { BEAT_MS } from "../webrtc/udp-path.ts";
import { type SocketPort, WebSocketLink } from "../websocket-link.ts";
import { Heartbeat } from "./heartbeat.ts";
import { loadDataChannel } from "./load-datachannel.ts";
import { NodePeer } from "./node-peer.ts";
import { linkOverSocket, socketSettings } from "./node-socket.ts";
import { nodeTimers, nowOf, type Timers } from "./timers.ts";

export interface ConnectOptions {
  /** Milliseconds until the handshake must be done, or the promise rejects with "connect-timeout". Default 10,000. */
  readonly timeoutMs?: number;
  /** Bounds of the link's queues; see `LinkLimits`. `maxMessageBytes` must be alike on both sides. */
  readonly limits?: Partial<LinkLimits>;
  /**
   * Milliseconds between pings; a server silent for one to two periods has vanished. Default 10,000; 0 = never ping.
   */
  readonly heartbeatMs?: number;
  /** The `Origin` header, which browsers always send. Default: none. */
  readonly origin?: string;
  /** Certificates to trust instead of the usual authorities, PEM: for a server with one of its own making. Default: the usual ones. */
  readonly ca?: string | Buffer;
  /** Default: Node's, which keep no process alive. */
  readonly timers?: Timers;
  /**
   * Whether unreliable messages take a data channel while one works, if the server offers it and node-datachannel is installed. Default
   * false.
   */
  readonly udp?: boolean | UdpConnectOptions;
}

export interface UdpConnectOptions {
  /** STUN and TURN servers, instead of those that the server tells. */
  readonly iceServers?: readonly IceServer[];
}

/** Opens a link; rejects with a TransportError ("connect-failed", "connect-timeout"). */
export async function connectWebSocket(url: string | URL, options: ConnectOptions = {}): Promise<Link> {
  const { udp = false, timers = nodeTimers } = options;
  const library = udp === false ? undefined : await loadDataChannel();
  if (library === undefined) return open(url, options, undefined);
  return open(url, options, {
    role: "offers",
    openPeer: (request, events) => new NodePeer({ library, timers, request, events }),
    ...(typeof udp === "object" && udp.iceServers !== undefined && { iceServers: udp.iceServers }),
    now: nowOf(timers),
    random: Math.random,
  });
}

/** @param settings of a data channel beside the socket; undefined: none is wanted, or to be had */
function open(url: string | URL, options: ConnectOptions, settings: DataChannelSettings | undefined): Promise<Link> {
  const limits = resolveLimits(options.limits);
  const timers = options.timers ?? nodeTimers;
  const timeoutMs = options.timeoutMs ?? 10_000;

  return new Promise((resolve, reject) => {
    let target: URL;
    let socket: WebSocket;
    try {
      target = new URL(url);
      socket = new WebSocket(target, settings === undefined ? [] : [SIGNALS_PROTOCOL], {
        ...socketSettings(limits),
        ...(options.origin !== undefined && { origin: options.origin }),
        ...(options.ca !== undefined && { ca: options.ca }),
      });
    } catch (cause) {
      reject(new TransportError("connect-failed", `"${url}" is no WebSocket address`, { cause }));
      return;
    }

    const fail = (error: TransportError) => {
      cancelTimeout();
      reject(error);
      socket.terminate();
    };
    const cancelTimeout = timers.after(timeoutMs, () =>
      fail(new TransportError("connect-timeout", `${target.href} did not answer within ${timeoutMs} ms`)),
    );
    socket.on("unexpected-response", (_request, response) =>
      fail(
        new TransportError(
          "connect-failed",
          `${target.href} answered ${response.statusCode} ${response.statusMessage} instead of opening a WebSocket`,
        ),
      ),
    );
    const failBeforeOpen = (cause: Error) =>
      fail(new TransportError("connect-failed", `${target.href} cannot be reached: ${cause.message}`, { cause }));
    socket.on("error", failBeforeOpen);
    socket.once("open", () => {
      cancelTimeout();
      socket.off("error", failBeforeOpen);
      const heartbeat = new Heartbeat(timers, options.heartbeatMs ?? 10_000);
      socket.once("close", () => heartbeat.stop());
      const make = (port: SocketPort): WebSocketLink => {
        if (settings === undefined) return new WebSocketLink(port, target.host, limits);
        const link = new DataChannelLink(port, target.host, limits, { ...settings, onGone: () => stopBeating() });
        const stopBeating = timers.every(BEAT_MS, () => link.tick());
        return link;
      };
      resolve(linkOverSocket(socket, target.host, limits, heartbeat, { make }));
    });
  });
}
