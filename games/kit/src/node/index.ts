/** @nearfield/kit on Node: bots as real clients. */

export { type Crowd, type CrowdOptions, type CrowdReport, joinCrowd } from "./crowd.ts";
