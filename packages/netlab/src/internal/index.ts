/** @nearfield/netlab/internal: for packages of this repository. It may change with any version. */

// Time and chance

export type { Seed } from "../dice.ts";
export type { HostTime } from "../paced-clock.ts";
export { type Clock, VirtualClock, type VirtualClockOptions } from "../virtual-clock.ts";

// The network between two links

export type { ConditionedLinkOptions } from "../conditioned-link.ts";
export {
  type ConditionedLinks,
  type ConditionedPath,
  changePath,
  conditionedLinks,
  conditionedPath,
  type PathConditions,
} from "../conditioned-links.ts";
export { ConditionedPipe, type Drop, type PacketPredicate, type PipeCounters } from "../conditioned-pipe.ts";
export type { BurstLoss, Conditions } from "../conditions.ts";
export type { NetworkName, NetworkPreset, PresetConditions } from "../network-presets.ts";
export { NetworkTrace, type TraceOptions } from "../trace-conditions.ts";

// The stepper

export type { LabClientOptions, LabOptions, LabPacket } from "../lab.ts";

// A mesh of peers

export { LabKeys } from "../mesh/lab-keys.ts";
export { type MeshOptions, MeshPeer, playMesh, replayInputs } from "../mesh/mesh.ts";
export { Pods, pressedBy } from "../mesh/pods.ts";
export { SimulatedPeers, type SimulatedPeersOptions } from "../mesh/simulated-peers.ts";

// Mistakes

export { LabError, type LabErrorCode } from "../lab-error.ts";
