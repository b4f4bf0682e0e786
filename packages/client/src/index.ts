/**
 * The replica world and what a client can say: without a clock or a socket. `join` is in @nearfield/client/browser and
 * /node.
 */

// The client

export { Client } from "./client.ts";
export { CONNECTION_STATES, type ConnectionState, DEFAULT_RECONNECT, type ReconnectOptions } from "./connection.ts";
export type { ClientOptions } from "./options.ts";
export type { RejoinOptions } from "./rejoin.ts";

// What it knows of time, and what it does before the server

export type { ServerClock } from "./clock-sync.ts";
export { Prediction, type PredictOptions } from "./prediction.ts";

// What it sees

export type { Farewell } from "./journal.ts";
export type { BegunCourse, ClientPresentation, Replicated, Shown, Sight } from "./presented.ts";
export { ReplicaWorld } from "./replica-world.ts";
export type { AuthorisedView, Loosened, ViewInForce } from "./view-in-force.ts";
export { zoneTimeMs } from "./zone-time.ts";

// Replicas fed by hand, for instruments and benchmarks

export { ReplicaStore } from "./replica-store.ts";

// What `join` of the entry points has in common

export { checkAddress, checkJoinKeys, type Joining, joinKeys, untilIn } from "./joining.ts";

// Mistakes

export { badOption, type Keys } from "./check-options.ts";
export { ClientError, type ClientErrorCode } from "./errors.ts";
