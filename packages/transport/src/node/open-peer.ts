/** Peer connections in Node, for those who bring signals to each other by themselves: bots and native players of one fight. */

import type { OpenPeer } from "../webrtc/peer.ts";
import { loadDataChannel } from "./load-datachannel.ts";
import { NodePeer } from "./node-peer.ts";
import { nodeTimers, type Timers } from "./timers.ts";

export interface NodePeersOptions {
  /** Interface to bind. Default: all. */
  readonly host?: string;
  /** Default: Node's, which keep no process alive. */
  readonly timers?: Timers;
}

/** Resolves to what opens a peer; to undefined where `node-datachannel` is not installed, or has no binary for this machine. */
export async function openNodePeers(options: NodePeersOptions = {}): Promise<OpenPeer | undefined> {
  const library = await loadDataChannel();
  if (library === undefined) return undefined;
  const { host, timers = nodeTimers } = options;
  return (request, events) => new NodePeer({ library, timers, request, events, ...(host !== undefined && { host }) });
}
