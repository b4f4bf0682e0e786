/** @nearfield/core/internal: for packages of this repository. It may change with any version. */

// Consistency models: one interface, several implementations.

export { Account, pairKey, type Shortfall } from "../account.ts";
export type { AuditedView, AuditSubject } from "../audit/audited-view.ts";
export { Auditor, type AuditorOptions } from "../audit/auditor.ts";
export type { FaultyPair } from "../audit/faulty-pairs.ts";
export {
  FAULT_KINDS,
  type Fault,
  type FaultCount,
  type FaultKind,
  type FaultsOfKind,
  type SampledShortfall,
  type ShortCount,
} from "../audit/findings.ts";
export { NEVER_SENT, type SentLog, SentWindow } from "../audit/sent-window.ts";

// Views: what a client sees and how exactly.

export { cameraCorners, frameOf, isSameFrame } from "../camera-frame.ts";
export { clampPivots, type PivotLimits } from "../clamp-pivots.ts";
export { type ClampedView, clampSets, clampView, setsOf } from "../clamp-view.ts";
export { ClampWords } from "../clamp-words.ts";
export {
  areClientPivots,
  type ClientPivots,
  type ResolvedClientPivots,
  resolveClientPivots,
  USUAL_CLIENT_PIVOTS,
  withCoefficientsOf,
} from "../client-pivots.ts";
export type { Crew, CrewTask } from "../crew.ts";
export type { AuraOptions } from "../engine/baselines.ts";
export { Engine } from "../engine/engine.ts";
export type { EntityBase } from "../entity.ts";
export { CrewError, type CrewErrorCode, type ViewErrorCode, type WorldErrorCode } from "../errors.ts";
export { type CellRules, cellOf, distanceToPoint, halfCosines } from "../judge.ts";
export { LARGEST_SAMPLE, MetricRegistry, SAMPLE_SIZE } from "../metrics.ts";
export {
  Cause,
  type ConsistencyModel,
  DecisionKind,
  type Decisions,
  type Divergence,
  type Explanation,
  MOST_ROUNDS_OUT,
  type ModelOptions,
  type ViewId,
  type ViewOptions,
} from "../model.ts";
export { ObjectStore, Table } from "../object-store.ts";
export type { PlacedPivot } from "../pivots.ts";
export { PlainVisibility } from "../plain-visibility.ts";
export { ReferenceEngine } from "../reference/reference-engine.ts";
export { metricFits, resolveView } from "../resolve-view.ts";
export { USUAL_RIPENESS } from "../ripe.ts";
export { type GenreThresholdOptions, retune, type ThresholdSettings } from "../thresholds-metric.ts";
export { unitOf, unitPivot } from "../units/unit-pivot.ts";
export { type ResolvedUnits, resolveUnits, type UnitSettings } from "../units/unit-settings.ts";
export { type Unit, Units } from "../units/units.ts";
export { INNER_FIRST, loosenedBound, OUTER_LIMIT } from "../urgency.ts";
export type { Match, ObjectSetSettings, Shape, TimeClock } from "../view.ts";
export { refuseUnknownLimitKeys, refuseUnknownViewKeys } from "../view-keys.ts";
export { checkPivots, checkView, VIEW_CAPACITY } from "../view-rules.ts";
export {
  isTeam,
  TEAM_OF_NO_VIEWER,
  type TeamVisionSettings,
  type Visibility,
  type VisibilityChange,
} from "../visibility.ts";
export type { SpawnOptions, WorldObserver, WorldOptions } from "../world.ts";
