/**
 * The three views of the paper (F tab. 5.1, 5.2, 5.3): zones by distance, sectors by where the player looks, a bound for each cell. The game gives its
 * players `normal` and `zoom`; `plain`, with one sector all round, is for comparison.
 *
 * Bounds are written as in the paper: [milliseconds, percent]. The paper has no bounds in sequence, and does not say of what its percentages are: here
 * they are percentages of the view's first radius.
 */

import type { Bound, ViewSettings } from "@nearfield/core";

export const VIEW_NAMES = ["normal", "zoom", "plain"] as const;
export type ViewName = (typeof VIEW_NAMES)[number];

export interface PaperView {
  /** Outer edges of zones 0 and 1, world units. */
  readonly radii: readonly [number, number];
  /** Full opening angles of the inner sectors, degrees; the last is all the rest. */
  readonly sectors: readonly number[];
  /** `[sector][zone]`, as the paper's tables have them: time in ms, value in percent. */
  readonly bounds: readonly (readonly [timeMs: number, percent: number])[][];
}

type Row = readonly (readonly [number, number])[];
const SEEN: Row = [
  [30, 0],
  [60, 3],
  [90, 5],
];
const BESIDE: Row = [
  [60, 6],
  [90, 9],
  [130, 13],
];
const BEHIND: Row = [
  [90, 9],
  [200, 20],
  [300, 30],
];

export const PAPER_VIEWS: Readonly<Record<ViewName, PaperView>> = {
  normal: { radii: [300, 600], sectors: [100, 140], bounds: [[...SEEN], [...BESIDE], [...BEHIND]] },
  zoom: { radii: [600, 1200], sectors: [35, 75], bounds: [[...SEEN], [...BESIDE], [...BEHIND]] },
  plain: { radii: [300, 600], sectors: [], bounds: [[...SEEN]] },
};

export interface ViewOptions {
  /** Metric of the value bounds. Default `displacement`, as in the paper; the game uses `predicted`. */
  readonly metric?: "displacement" | "predicted";
  /** World units in one percent. Default: a hundredth of the view's first radius. */
  readonly unit?: number;
}

/** A view of the paper, as settings; without pivots, which the game adds. */
export function paperView(name: ViewName, options: ViewOptions = {}): ViewSettings {
  const { radii, sectors, bounds } = PAPER_VIEWS[name];
  const { metric = "displacement", unit = radii[0] / 100 } = options;
  const cell = ([time, percent]: readonly [number, number]): Bound => ({ time, value: percent * unit });
  const rows = [0, 1, 2].map((zone) => bounds.map((sector) => cell(sector[zone]!)));
  return { sets: [{ match: "everything", radii, sectors, bounds: rows, metric }], pivots: [] };
}

/** What the game gives its players. */
export const GAME_VIEWS: Readonly<Record<"normal" | "zoom", ViewSettings>> = {
  normal: paperView("normal", { metric: "predicted" }),
  zoom: paperView("zoom", { metric: "predicted" }),
};

/** What a joining player sees until his avatar stands. */
export const view: ViewSettings = GAME_VIEWS.normal;

/** Players this near to an effect see it, and hear each one. */
export const SEEN_RADIUS: number = PAPER_VIEWS.normal.radii[1];
/** Players beyond that and up to this distance hear some of them. */
export const HEARD_RADIUS = 1500;
/** `along` of shots: the highest zone in which one of its ends must lie. */
export const SHOT_ZONE = 1;
