/** The consistency engine's side that a game sees: what each player is shown and how exactly, and the world it is taken from. */

// Views: what a client sees, and how exactly

export { limitsOf, type ViewLimits } from "./clamp-view.ts";
export { type Bound, type Pivot, type ViewSettings, zones } from "./view.ts";

// Metrics: how far a replica is from its primary

export { displacement, type Metric, path, predicted, relative } from "./metrics.ts";
export { thresholds } from "./thresholds-metric.ts";

// The world and its objects

export type { Entity } from "./entity.ts";
export { World } from "./world.ts";

// Why something was sent, and simpler models to compare with

export { Aura, Broadcast } from "./engine/baselines.ts";
export { CAUSE_NAMES } from "./model.ts";

// Mistakes

export { ViewError, WorldError } from "./errors.ts";
