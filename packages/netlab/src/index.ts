/** @nearfield/netlab: a network in one process, on virtual time. The test kit; product code never imports it. */

// Time and chance

export { Dice, type Seed } from "./dice.ts";
export { type HostTime, PacedClock } from "./paced-clock.ts";
export { type Clock, VirtualClock, type VirtualClockOptions } from "./virtual-clock.ts";

// The network between two links

export { ConditionedLink, type ConditionedLinkOptions } from "./conditioned-link.ts";
export {
  type ConditionedLinks,
  type ConditionedPath,
  changePath,
  conditionedLinks,
  conditionedPath,
  type PathConditions,
} from "./conditioned-links.ts";
export { ConditionedPipe, type Drop, type PacketPredicate, type PipeCounters } from "./conditioned-pipe.ts";
export type { BurstLoss, Conditions } from "./conditions.ts";
export {
  type NetworkName,
  type NetworkPreset,
  networkPresets,
  type PresetConditions,
  replayed,
} from "./network-presets.ts";
export { NetworkTrace, parseNetworkTrace, type TraceOptions } from "./trace-conditions.ts";

// The stepper

export { Lab, LabClient, type LabClientOptions, type LabOptions, type LabPacket } from "./lab.ts";

// Mistakes

export { LabError, type LabErrorCode } from "./lab-error.ts";
