/**
 * Worlds, sessions, rounds, locks and events: the server without a clock or a socket. `serve` is in
 * @nearfield/server/node.
 */

// The server and its rooms

export { type EmitOptions, Room, type WriteVerdict } from "./room/room.ts";
export { type DoorFigures, MAIN_ROOM, Server } from "./server.ts";

// Players, and who hears an event

export { type Audience, along, near, to, toAll } from "./room/audience.ts";
export {
  type Authenticate,
  type Identity,
  type Refused,
  type RefusedFor,
  refuse,
  type Spectators,
  type Visitor,
} from "./session/identity.ts";
export { LocalPlayer, Player, type Presence } from "./session/player.ts";

// Options and what they cost

export {
  DEFAULT_SERVER_LIMITS,
  DEFAULT_SERVER_TIMES,
  type RoomOptions,
  type ServerLimits,
  type ServerOptions,
  type ServerTimes,
} from "./options.ts";

// Hits, and what they do

export type { Shot, ShotHit } from "./hits/hitscan.ts";
export type { LagCompensationOptions, ShotClaim, Sighting } from "./hits/lag-compensation.ts";
export { type Blow, type BlowAnswer, type Hit, LifeCycle, type LifeCycleOptions } from "./hits/life-cycle.ts";

// What it counts, and what it shows of itself

export type { Outlines } from "./room/outlines.ts";
export type { ChannelCounters, RoomTelemetry, SessionTelemetry, TrafficSum } from "./telemetry/telemetry.ts";
export type { ViewFile } from "./view-json.ts";

// Mistakes, and how `serve` finds them

export { badOption, checkKeys, checkServerOptions, type Keys, SERVER_KEYS, shown } from "./check-options.ts";

export { ServerError, type ServerErrorCode } from "./errors.ts";
