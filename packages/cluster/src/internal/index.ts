/** @nearfield/cluster/internal: one world over many servers. */

// The bus that the servers share

export {
  type Answer,
  type Bus,
  checkName,
  checkPayload,
  type KeyEntry,
  type Keys,
  type Logs,
  MOST_PAYLOAD_BYTES,
  type Written,
} from "../bus/bus.ts";
export { LocalBus } from "../bus/local-bus.ts";
export { type HubClock, type HubOptions, LocalHub } from "../bus/local-hub.ts";

// Slices: who owns which part of the world

export { type Balance, cutOf, type Load, nextMap, withoutServers } from "../slices/balance.ts";
export { Membership, type MembershipOptions, type Verdict } from "../slices/membership.ts";
export { type Box, distanceToBox, type Slice, SliceMap } from "../slices/slice-map.ts";

// A server of the cluster, as a guest of its room

export { ClusterGuest } from "../guest/cluster-guest.ts";
export type { ClusterCounters, ClusterOptions } from "../guest/cluster-options.ts";

export type { Sight, SightTo } from "../guest/sight.ts";

// For the rooms, which are an entry point of their own

export type { ClusterPlace } from "../rooms/place.ts";
export type { PicturedRoom, RoomsPicture } from "../rooms/rooms-picture.ts";

// Mistakes

export { ClusterError, type ClusterErrorCode } from "../errors.ts";
