/** @nearfield/rollback/trust: signed inputs, observers, and the server's verdict. It is pure: keys, dice and connections are handed in. */

// Who signs and who verifies

export { type Ed25519, ed25519, type Signer, type Verifier } from "./keys.ts";
export type { Dispute, SealOptions } from "./notary.ts";

// Who checks

export { drawObservers } from "./draw-observers.ts";
export { Observer, type ObserverOptions } from "./observer.ts";

// What is kept, and what the server makes of it

export { isEquivocation, type Reporter } from "./evidence.ts";
export { type FightRules, type Outcome, replayLog } from "./replay-log.ts";
export { stateDigest } from "./seal.ts";
export { decodeLog, encodeLog, type SignedLog } from "./signed-log.ts";
export { type Fault, type Report, type Verdict, type VerdictOptions, verdict } from "./verdict.ts";
