/** What the engine calls; compiled by `node scripts/kernel.mjs`. */

export { arrive } from "./arrive";
export { crossSome } from "./cross";
export { countPlanned, judgeSome, lookMoved, lookNow, recordSends } from "./judge";
export { lookNear } from "./leeway";
export { follow } from "./pivots";
export { settle, sort } from "./snapshot";
export { awaken, enlist, keepWatchers, planWatchers, rest, reveal, wake } from "./watchers";
