// Objects: ids, typed accessors, the store both sides share, the server's world.

// Consistency models: one interface, several implementations.
export { Account, pairKey, type Shortfall } from "./account.ts";
export type { AuditedView, AuditSubject } from "./audit/audited-view.ts";
export { Auditor, type AuditorOptions } from "./audit/auditor.ts";
export type { FaultyPair } from "./audit/faulty-pairs.ts";
export {
  FAULT_KINDS,
  type Fault,
  type FaultCount,
  type FaultKind,
  type FaultsOfKind,
  type SampledShortfall,
  type ShortCount,
} from "./audit/findings.ts";
export { NEVER_SENT, type SentLog, SentWindow } from "./audit/sent-window.ts";
// Views: what a client sees and how exactly.
export { clampPivots, type PivotLimits } from "./clamp-pivots.ts";
export { type ClampedView, clampSets, clampView, limitsOf, setsOf, type ViewLimits } from "./clamp-view.ts";
export { ClampWords } from "./clamp-words.ts";
export type { Crew, CrewTask } from "./crew.ts";
export { Aura, type AuraOptions, Broadcast } from "./engine/baselines.ts";
export { Engine } from "./engine/engine.ts";
export type { Entity, EntityBase } from "./entity.ts";
export {
  CrewError,
  type CrewErrorCode,
  ViewError,
  type ViewErrorCode,
  WorldError,
  type WorldErrorCode,
} from "./errors.ts";
export {
  displacement,
  LARGEST_SAMPLE,
  type Metric,
  MetricRegistry,
  path,
  predicted,
  relative,
  SAMPLE_SIZE,
} from "./metrics.ts";
export {
  CAUSE_NAMES,
  Cause,
  type ConsistencyModel,
  DecisionKind,
  type Decisions,
  type Divergence,
  type Explanation,
  type ModelOptions,
  type ViewId,
  type ViewOptions,
} from "./model.ts";
export { ObjectStore, Table } from "./object-store.ts";
export { ReferenceEngine } from "./reference/reference-engine.ts";
export { checkPivots, metricFits, resolveView, VIEW_CAPACITY } from "./resolve-view.ts";
export { type GenreThresholdOptions, type ThresholdSettings, thresholds } from "./thresholds-metric.ts";
export { INNER_FIRST, loosenedBound, OUTER_LIMIT } from "./urgency.ts";
export {
  type Bound,
  type Match,
  type ObjectSetSettings,
  type Pivot,
  type Shape,
  type TimeClock,
  type ViewSettings,
  zones,
} from "./view.ts";
export { refuseUnknownLimitKeys, refuseUnknownViewKeys } from "./view-keys.ts";
export { type SpawnOptions, World, type WorldObserver, type WorldOptions } from "./world.ts";
