/** The same for memory that is shared, with what a crew of threads needs. */

export { arrive } from "./arrive";
export { finish, post, serve } from "./batch";
export { crossSome } from "./cross";
export { countPlanned, judgeSome, lookMoved, lookNow, recordSends } from "./judge";
export { lookNear } from "./leeway";
export { follow } from "./pivots";
export { settle, sort } from "./snapshot";
export { awaken, enlist, keepWatchers, planWatchers, rest, reveal, wake } from "./watchers";
