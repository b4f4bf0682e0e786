/**
 * The replica world and what a client can say: without a clock or a socket. `join` is in @nearfield/client/browser and
 * /node.
 */

// the client
export { type AuthorisedView, Client } from "./client.ts";
export { CONNECTION_STATES, type ConnectionState, DEFAULT_RECONNECT, type ReconnectOptions } from "./connection.ts";
// mistakes
export { ClientError, type ClientErrorCode } from "./errors.ts";

// what it sees
export type { Farewell } from "./journal.ts";
export type { ClientOptions } from "./options.ts";
// replicas fed by hand, for instruments and benchmarks
export { ReplicaStore } from "./replica-store.ts";
export { ReplicaWorld } from "./replica-world.ts";
