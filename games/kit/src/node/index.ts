/** @nearfield/kit on Node: bots as real clients. */

export { type BotsOptions, type Crowd, type CrowdGame, type CrowdReport, joinCrowd } from "./crowd.ts";
