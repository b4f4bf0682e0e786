/** One fight on several machines: inputs by step, a head that is now, a tail that is final. */

export {
  type ColumnKind,
  type ColumnShape,
  Columns,
  checksumOf,
  type Difference,
  perPlayer,
  shared,
} from "./columns.ts";
export { RollbackError } from "./errors.ts";
export { type Fight, Replica, type StepInputs } from "./replica.ts";
export { EVERYBODY, type Request } from "./requests.ts";
export { TIMELINES, type TimelineSettings } from "./settings.ts";
export { syncTest } from "./sync-test.ts";
export { type StepCounts, Timeline } from "./timeline.ts";
