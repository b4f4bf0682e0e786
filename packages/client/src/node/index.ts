/** @nearfield/client/node: a client with a clock and a socket, for bots and tools. */

export { type JoinOptions, join } from "./join.ts";
