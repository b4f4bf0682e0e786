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
  /** Only if a type has a third axis. */
  z?: number[];
  /** Degrees, anticlockwise from the x axis; `null` if a type has no orientation. */
  headings: (number | null)[];
  /** The player that owns each object; 0: the server. */
  owners: number[];
  leftOut: number;
  /** The `LevelTell` to draw beneath; 0: none. */
  level: number;
  /** The views of the players that the ask named. */
  views: DrawnView[];
  /** The settings that `DrawnView.look` points to. */
  looks: DrawnSet[][];
}

/**
 * A map on its way to a page. The columns `ids`, `types` and `owners` belong to the number `members` and are left out if the page was told that number
 * last. Places are in hundredths of a unit. `FeedReader` makes a `MapTell` of it.
 */
export type ToldMap = Omit<MapTell, "ids" | "types" | "owners"> &
  Partial<Pick<MapTell, "ids" | "types" | "owners">> & { members: number };

/** The fixed things of a room. Sent to a page once, before the first map that refers to it. */
export interface LevelTell {
  tell: "level";
  room: string;
  /** From 1 on. Each level has its own number. */
  level: number;
  /** Smallest x and y, largest x and y of each wall, one after another; at most 5,000 walls. */
  walls: number[];
  /** x, y, x, y, … of each line; at most 20,000 points in all. A line that ends where it began is filled. */
  lines: number[][];
  /** Number of walls and lines beyond the bounds. */
  leftOut: number;
}

/** What is needed to draw one player's view. */
export interface DrawnView {
  player: number;
  nickname: string;
  pivots: DrawnPivot[];
  /** Index into `looks`: many players share the same sets. */
  look: number;
}

export interface DrawnPivot {
  kind: "object" | "point" | "group" | "camera";
  object: number | null;
  x: number;
  y: number;
  z: number;
  /** Unit vector; `null`: it has no direction, and everything lies in sector 0. */
  direction: [number, number, number] | null;
  /** Zoom: multiplies all radii of the sets, and of a group too. */
  scale: number;
  /** The own radii of a group or camera, which replace those of the sets; else `null`. */
  radii: number[] | null;
  /** How a camera measures distances: its zones are squares in this frame. `null` for the others. */
  frame: { across: [number, number]; along: [number, number] } | null;
}

export interface DrawnSet {
  /** "everything", "type ship", "tag boss", "predicate wounded". */
  match: string;
  shape: "round" | "square";
  /** Indices of the pivots that this set uses; `null`: all. */
  pivots: number[] | null;
  /** Outer edges of all zones but the last, before zoom. */
  radii: number[];
  /** Full opening angles, degrees, of all sectors but the last. */
  sectors: number[];
  range: number | null;
  /** The metric of its value bounds, the clock of its time bounds, and whether the bounds are strict. */
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
  /** Number of samples of the world so far. */
  samples: number;
  most: number;
}

/** A heat map on its way to a page that was told it before: the cells in which objects were counted since, each as often. `FeedReader` makes a `HeatTell` of it. */
export interface ToldHeat extends Pick<HeatTell, "tell" | "room" | "samples"> {
  cells: number[];
}
