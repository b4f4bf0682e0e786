/** @nearfield/server/node: a server with a clock and sockets. */

export { RoundClock, type RoundClockOptions } from "./round-clock.ts";
export { NodeServer, type ServeOptions, serve } from "./serve.ts";
