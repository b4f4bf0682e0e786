/** @nearfield/rollback/internal: what our own packages use of a fight on several machines. It may change with any version. */

// The state of a fight

export { type ColumnKind, type ColumnShape, Columns, checksumOf, perPlayer, shared } from "../state/columns.ts";

// Its rules, on one machine

export { type Fight, Replica, type StepInputs } from "../fight/replica.ts";
export { syncTest } from "../fight/sync-test.ts";

// The timeline

export { EVERYBODY, type Request } from "../timeline/requests.ts";
export { TIMELINES, type TimelineSettings } from "../timeline/settings.ts";
export { type StepCounts, Timeline } from "../timeline/timeline.ts";

// Peers

export { PeerSession, type PeerSessionOptions } from "../session/peer-session.ts";
export { readSnapshot, type Snapshot } from "../session/snapshot.ts";
export { Spectator } from "../session/spectator.ts";

// What is signed

export { decodeMessage, encodeMessage, type SignedRows } from "../session/peer-message.ts";
export { decodeWatched, encodeWatched } from "../session/watched.ts";
export type { Signer, Verifier } from "../trust/keys.ts";
export type { SealOptions } from "../trust/notary.ts";
export { firstHead, headAfter, SEAL_STEPS, type Seal, statementOf } from "../trust/seal.ts";
export { sha256 } from "../trust/sha256.ts";

// Mistakes

export { RollbackError } from "../errors.ts";
