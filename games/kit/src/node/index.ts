/** @nearfield/kit on Node: bots as real clients, and what signs tokens of accounts. */

export { type BotsOptions, type Crowd, type CrowdGame, type CrowdReport, joinCrowd } from "./crowd.ts";
export { tokenSecret } from "./token-secret.ts";
