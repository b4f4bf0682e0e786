/** @nearfield/rollback/mesh: a fight over real ways: data channels between its members, and the server where there is none. It is pure. */

export type { OpenPeer as OpenPeers } from "@nearfield/transport/internal";
export type { PairState, PairTraffic } from "./pair.ts";
export { NO_SPONSOR, type Seat, type SpacePort, type SpaceReport } from "./seat.ts";
export type { SpaceForm, SpaceMemberOptions, SpaceSession, SpaceStatus, WayView } from "./space-member.ts";
export { SpaceObserver, type SpaceObserverOptions } from "./space-observer.ts";
export { type PeerView, SpacePlayer } from "./space-player.ts";
export { SpaceWatcher } from "./space-watcher.ts";
