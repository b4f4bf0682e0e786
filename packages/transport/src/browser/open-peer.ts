/** Peer connections of a page, for those who bring signals to each other by themselves: players of one fight. */

import type { OpenPeer } from "../webrtc/peer.ts";
import { BrowserPeer } from "./browser-peer.ts";

/** The page's own WebRTC. A page without it gets the reason instead of a peer. */
export const openBrowserPeer: OpenPeer = (request, events) =>
  typeof RTCPeerConnection === "undefined" ? "no-webrtc" : new BrowserPeer(request, events);
