/** @nearfield/transport/internal: for packages of this repository. It may change with any version. */

// The interface

export { addressGroup, hostOf } from "../address-group.ts";
export { DEFAULT_LIMITS, type LinkLimits } from "../limits.ts";
export {
  CHANNELS,
  type Channel,
  type ChannelTraffic,
  type CloseHandler,
  type CloseReason,
  type Listener,
  type MessageHandler,
  type Traffic,
  type TransportCloseCode,
  TransportError,
  type TransportErrorCode,
} from "../link.ts";

// Links in memory

export { MemoryLink, type MemoryLinkOptions, memoryLinks } from "../memory-link.ts";
export { MemoryListener, type MemoryListenerOptions } from "../memory-listener.ts";
export { ImmediatePipe, type Packet, type Pipe } from "../pipe.ts";

// Data channels

export { DataChannelLink } from "../webrtc/both-carriers.ts";
export type { DataChannelSettings } from "../webrtc/datachannel-link.ts";
export type { Candidate, Description } from "../webrtc/description.ts";
export type { OpenPeer, Peer, PeerEvents, PeerRequest } from "../webrtc/peer.ts";
export { decodeSignal, encodeSignal, type IceServer, MAX_SIGNAL_BYTES, type Signal } from "../webrtc/signal.ts";
export { BEAT_MS, type PathState, RESTING_MS, UdpPath } from "../webrtc/udp-path.ts";
export type { SocketPort } from "../websocket-link.ts";

// What the network below carries

export { addIn, addOut, type ChannelCounters, newCounters } from "../traffic.ts";
export {
  type Carrier,
  carrierOf,
  DATACHANNEL_HEADER_BYTES,
  type Direction,
  framedBytes,
  wireBytes,
  wirePackets,
  writtenWireBytes,
} from "../wire-cost.ts";

// For a carrier of one's own

export { BaseLink } from "../base-link.ts";
export { isNewer, SEQUENCE_MODULUS, SequenceCounter, SequenceFilter } from "../sequence.ts";
