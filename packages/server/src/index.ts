/**
 * Worlds, sessions, rounds, locks and events: the server without a clock or a socket. `serve` is in
 * @nearfield/server/node.
 */

export { type Audience, along, near, to, toAll } from "./audience.ts";
// mistakes
export { ServerError, type ServerErrorCode } from "./errors.ts";
// options and what they cost
export {
  DEFAULT_SERVER_LIMITS,
  DEFAULT_SERVER_TIMES,
  type RoomOptions,
  type ServerLimits,
  type ServerOptions,
  type ServerTimes,
} from "./options.ts";
// players
export { LocalPlayer, Player, type Presence } from "./player.ts";
// the server and its rooms
export { type EmitOptions, Room, type WriteVerdict } from "./room.ts";
export { MAIN_ROOM, Server } from "./server.ts";
// what an operator sees
export { type ChannelCounters, RoomTelemetry, SessionTelemetry } from "./telemetry.ts";
