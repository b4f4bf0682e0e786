/** @nearfield/transport: a Link with three channels. Sockets are in `@nearfield/transport/node` and `/browser`. */

// The interface

export type { Link } from "./link.ts";
