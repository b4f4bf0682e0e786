/**
 * Worlds, sessions, rounds, locks and events: the server without a clock or a socket. `serve` is in
 * @nearfield/server/node.
 */

// The server and its rooms

export { Room } from "./room/room.ts";
export { Server } from "./server.ts";

// Players, and who hears an event

export { along, near, to, toAll } from "./room/audience.ts";
export { refuse } from "./session/identity.ts";
export { LocalPlayer, Player } from "./session/player.ts";

// Options and what they cost

export type { RoomOptions, ServerOptions } from "./options.ts";

// Hits, and what they do

export type { ShotClaim } from "./hits/lag-compensation.ts";
export { LifeCycle } from "./hits/life-cycle.ts";

// Mistakes

export { ServerError } from "./errors.ts";
