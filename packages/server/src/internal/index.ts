/** @nearfield/server/internal: for packages of this repository. It may change with any version. */

// The server and its rooms

export type { CommandOptions, EmitOptions, WriteVerdict } from "../room/room.ts";
export { type DoorFigures, MAIN_ROOM } from "../server.ts";

// Players, and who hears an event

export type { Audience } from "../room/audience.ts";
export type { FoundSession, RoutedStep } from "../room/room-core.ts";
export { ROUTED_REFUSALS, type RoutedRefusal, type RoutedWrite } from "../room/routed-writes.ts";
export type { EmittedEvent } from "../seam/room-seam.ts";
export type { Authenticate, Identity, Refused, RefusedFor, Spectators, Visitor } from "../session/identity.ts";
export type { Presence } from "../session/player.ts";

// When bytes run short

export { Loosening } from "../session/loosening.ts";

// Options and what they cost

export { DEFAULT_SERVER_LIMITS, DEFAULT_SERVER_TIMES, type ServerLimits, type ServerTimes } from "../options.ts";

// Hits, and what they do

export type { Shot, ShotHit } from "../hits/hitscan.ts";
export type { LagCompensationOptions, Sighting } from "../hits/lag-compensation.ts";
export type { Blow, BlowAnswer, Hit, LifeCycleOptions } from "../hits/life-cycle.ts";

// What it counts, and what it shows of itself

export type { Outlines } from "../room/outlines.ts";

// Settings files

export {
  formatSettings,
  jsonSets,
  parseSettings,
  type RoomSettings,
  readSets,
} from "../settings/settings-file.ts";

// Mistakes, and how `serve` finds them

export { addressGroup, type ChannelCounters, newCounters } from "@nearfield/transport/internal";
export { badOption, checkKeys, checkServerOptions, type Keys, SERVER_KEYS, shown } from "../check-options.ts";
export type { ServerErrorCode } from "../errors.ts";
export { nthSmallest } from "../nth-smallest.ts";
export { addCounters, RoomTelemetry, SessionTelemetry, TrafficSum } from "../telemetry/telemetry.ts";
