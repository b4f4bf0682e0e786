/**
 * Joins one socket of the `ws` library to a WebSocketLink, on the listening and on the connecting side.
 *
 * Faults end this link alone: `ws` reports them as an error event, and without a handler that event would end the
 * process.
 */

import type { WebSocket } from "ws";
import type { LinkLimits } from "../limits.ts";
import type { CloseReason } from "../link.ts";
import { FRAMING_BYTES, oversized } from "../websocket-framing.ts";
import { portOver, type SocketPort, WebSocketLink } from "../websocket-link.ts";
import type { Heartbeat, HeartbeatMember } from "./heartbeat.ts";

/** How long a socket that said goodbye may wait for the other side's answer before it is destroyed. */
const GOODBYE_MS = 2000;

/** Settings of both sides. `ws` itself switches Nagle's algorithm off on every socket. */
export function socketSettings(limits: LinkLimits): {
  perMessageDeflate: false;
  autoPong: false;
  maxPayload: number;
  closeTimeout: number;
} {
  return {
    // State is small and bit-packed: compression would cost memory and time per connection and save little.
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: limits.maxMessageBytes + FRAMING_BYTES,
    closeTimeout: GOODBYE_MS,
  };
}

/** What to make of a socket. */
export interface SocketLinkOptions {
  /** What messages are sent through. Default: the socket itself. */
  readonly port?: SocketPort;
  /** Makes the link. Default: one that knows nothing but the socket. */
  readonly make?: (port: SocketPort, address: string, limits: LinkLimits) => WebSocketLink;
}

export function linkOverSocket(
  socket: WebSocket,
  address: string,
  limits: LinkLimits,
  heartbeat: Heartbeat,
  options: SocketLinkOptions = {},
): WebSocketLink {
  const port = options.port ?? portOver(socket);
  const link = options.make?.(port, address, limits) ?? new WebSocketLink(port, address, limits);
  const member: HeartbeatMember = {
    isAlive: true,
    ping: () => socket.ping(),
    vanish: (detail) => {
      link.socketFailed({ code: "vanished", detail });
      socket.terminate();
    },
  };
  heartbeat.add(member);

  socket.on("message", (data: Buffer, isBinary: boolean) => {
    heartbeat.sign(member);
    if (isBinary) link.acceptFrame(data);
    else link.acceptText();
  });
  socket.on("pong", () => heartbeat.sign(member));
  socket.on("ping", (data: Buffer) => {
    heartbeat.sign(member);
    // A peer that pings and never reads must not fill our memory with answers.
    if (socket.bufferedAmount <= limits.staleAfterBytes && socket.readyState === socket.OPEN) socket.pong(data);
  });
  socket.on("error", (error: Error & { code?: string }) => {
    const fault = faultOf(error);
    if (fault !== undefined) link.socketFailed(fault);
  });
  socket.on("close", (status: number, reason: Buffer) => {
    heartbeat.remove(member);
    link.socketClosed(status, reason.toString("utf8"));
  });
  return link;
}

/** What the peer did wrong, or undefined where the connection just broke: then the close event tells. */
function faultOf(error: Error & { code?: string }): CloseReason | undefined {
  if (error.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") return oversized(error.message);
  if (error.code?.startsWith("WS_ERR_")) return { code: "malformed", detail: error.message };
  return undefined;
}
