/** @nearfield/netlab: a network in one process, on virtual time. The test kit; product code never imports it. */

// Time and chance

export { Dice } from "./dice.ts";
export { PacedClock } from "./paced-clock.ts";

// The network between two links

export { ConditionedLink } from "./conditioned-link.ts";
export { networkPresets, replayed } from "./network-presets.ts";
export { parseNetworkTrace } from "./trace-conditions.ts";

// The stepper

export { Lab, LabClient } from "./lab.ts";
