/**
 * The world from above, as the page draws it: objects, views with zones and sectors, and where objects have been. World units; headings
 * and sectors in degrees.
 */

/** The world from above. Columns of equal length; at most 5,000 objects, the rest is counted in `leftOut`. */
export interface MapTell {
  tell: "map";
  room: string;
  round: number;
  timeMs: number;
  ids: number[];
  /** Index into `Welcome.types`. */
  types: number[];
  x: number[];
  y: number[];
  /** Only where a type has a third axis. */
  z?: number[];
  /** Degrees, anticlockwise from the x axis; `null` where a type has no orientation. */
  headings: (number | null)[];
  /** Player that owns it; 0: the server. */
  owners: number[];
  leftOut: number;
  /** Which `LevelTell` lies beneath; 0: none. */
  level: number;
  /** Those asked for by `players`. */
  views: DrawnView[];
  /** The settings that `DrawnView.look` points to. */
  looks: DrawnSet[][];
}

/** What stands in a room and never moves. Told to a page once, before the first map that names it. */
export interface LevelTell {
  tell: "level";
  room: string;
  /** From 1 on; another number is another level. */
  level: number;
  /** Smallest x and y, largest x and y of each, one after another; at most 5,000. */
  walls: number[];
  /** x, y, x, y, … of each; at most 20,000 points in all. One that ends where it began is filled. */
  lines: number[][];
  /** Walls and lines beyond the bounds. */
  leftOut: number;
}

/** What is needed to draw one player's view. */
export interface DrawnView {
  player: number;
  nickname: string;
  pivots: DrawnPivot[];
  /** Index into `looks`: many players see by the same sets. */
  look: number;
}

export interface DrawnPivot {
  kind: "object" | "point" | "group";
  object: number | null;
  x: number;
  y: number;
  z: number;
  /** Unit vector; `null`: it looks nowhere, and everything lies in sector 0. */
  direction: [number, number, number] | null;
  /** Zoom: all radii of the sets are multiplied by it, those of a group too. */
  scale: number;
  /** A group's own radii, which it has instead of the sets'; else `null`. */
  radii: number[] | null;
}

export interface DrawnSet {
  /** "everything", "type ship", "tag boss", "predicate wounded". */
  match: string;
  shape: "round" | "square";
  /** Indices of the pivots that count for this set; `null`: all. */
  pivots: number[] | null;
  /** Outer edges of all zones but the last, before zoom. */
  radii: number[];
  /** Full opening angles, degrees, of all sectors but the last. */
  sectors: number[];
  range: number | null;
  /** What its value bounds are of, which clock its time bounds run by, and whether they may not be passed. */
  metric: string;
  clock: "refresh" | "firstMiss";
  strict: boolean;
  /** `[zone][sector]`. */
  bounds: BoundFigures[][];
}

/** `null`: no requirement. */
export interface BoundFigures {
  time: number | null;
  sequence: number | null;
  value: number | null;
}

/** Where objects of a type have been: counts over a grid, row by row from the least y. */
export interface HeatTell {
  tell: "heat";
  room: string;
  /** Index into `Welcome.types`. */
  type: number;
  columns: number;
  rows: number;
  /** World units that the grid covers. */
  x: [number, number];
  y: [number, number];
  counts: number[];
  /** Looks at the world so far. */
  samples: number;
  most: number;
}
