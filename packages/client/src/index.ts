/**
 * The replica world and what a client can say: without a clock or a socket. `join` is in @nearfield/client/browser and
 * /node.
 */

// The client

export { Client } from "./client.ts";
export type { ConnectionState } from "./connection.ts";
export type { ClientOptions } from "./options.ts";

// What it knows of time, and what it does before the server

export { predict } from "./predict.ts";
export { Prediction } from "./prediction.ts";

// What it sees

export { present } from "./present.ts";
export type { Replicated } from "./presented.ts";
export { zoneTimeMs } from "./zone-time.ts";

// Mistakes

export { ClientError } from "./errors.ts";
