/** @nearfield/rollback/session: one fight on the players' own machines. It is pure: who owns the loop hands in time and messages. */

// The state of a fight

export { type ColumnShape, type ColumnSpec, Columns, checksumOf, perPlayer, shared } from "../state/columns.ts";

// Its rules, on one machine

export { type Fight, Replica, type StepInputs } from "../fight/replica.ts";
export { type SyncFault, syncTest } from "../fight/sync-test.ts";

// The timeline

export { EVERYBODY } from "../timeline/requests.ts";
export { TIMELINES, type TimelineSettings } from "../timeline/settings.ts";
export type { Timeline } from "../timeline/timeline.ts";

// Peers and who watches them

export { type Desync, PeerSession, type PeerSessionOptions } from "./peer-session.ts";
export { readSnapshot, type Snapshot } from "./snapshot.ts";
export { Spectator, type SpectatorOptions } from "./spectator.ts";

// Mistakes

export { RollbackError } from "../errors.ts";
