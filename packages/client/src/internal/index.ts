/** @nearfield/client/internal: for packages of this repository. It may change with any version. */

// The client

export { CONNECTION_STATES, DEFAULT_RECONNECT, type ReconnectOptions } from "../connection.ts";

// What it knows of time, and what it does before the server

export type { ServerClock } from "../clock-sync.ts";
export type { PredictOptions } from "../prediction.ts";

// What it sees

export type { Farewell } from "../journal.ts";
export type { AuthorisedView, Loosened, ViewInForce } from "../known-view.ts";
export type { BegunCourse, ClientPresentation, Shown, Sight } from "../presented.ts";
export { ReplicaWorld } from "../replica-world.ts";

// Replicas fed by hand, for instruments and benchmarks

export { ReplicaStore } from "../replica-store.ts";

// What `join` of the entry points has in common

export { checkAddress, checkJoinKeys, type Joining, joinKeys, untilIn } from "../joining.ts";
export type { RejoinOptions } from "../rejoin.ts";

// Mistakes

export { badOption, type Keys } from "../check-options.ts";
export type { ClientErrorCode } from "../errors.ts";
