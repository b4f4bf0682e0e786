/** @nearfield/client/node: a client with a clock and a socket, for bots and tools. */

export { join, type JoinOptions } from "./join.ts";
