/**
 * A link in a page with a data channel beside its WebSocket. A file of its own, so that a page loads it only for a server that offers UDP. What the page has already is
 * handed to it: with an import, a bundler would make a third file of what both need.
 */

import type { LinkLimits } from "../limits.ts";
import { type DataChannelLink, overBothCarriers } from "../webrtc/datachannel-link.ts";
import { BEAT_MS } from "../webrtc/udp-path.ts";
import type { SocketPort, WebSocketLink } from "../websocket-link.ts";
import { BrowserPeer } from "./browser-peer.ts";
import type { UdpConnectOptions } from "./connect-websocket.ts";

export function twoCarriers(
  Base: typeof WebSocketLink,
  port: SocketPort,
  address: string,
  limits: LinkLimits,
  udp: true | UdpConnectOptions,
): DataChannelLink {
  const Link = overBothCarriers(Base);
  const link = new Link(port, address, limits, {
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
