/**
 * The evaluation of paper F (F chapter 5) as data: the three views of F tab. 5.1, 5.2, 5.3, the measured maps with the ratios of
 * F tab. 5.5, 5.6, and the length of a round. Everything is the paper's, with one interpretation of ours: the paper does not say how a distance
 * becomes a percentage; here 1 % is 1 % of the first radius.
 */

import type { Bound } from "@nearfield/core";

/** F §4.4: the game sends every 33 ms, so a round lasts as long. */
export const ROUND_MS = 33;
export const BOTS = 48;
/** F tab. 5.8: 17 to 20 for its own objects, 18 on the map of 1000². */
export const PAPER_UPDATE_BYTES = 18;

export interface CellBounds {
  /** Outer edges of all zones but the last, world units. */
  readonly radii: readonly number[];
  /** Full angles of all sectors but the last, degrees. */
  readonly sectors: readonly number[];
  /** By zone, then by sector. */
  readonly bounds: readonly (readonly Bound[])[];
}

export const VIEW_NAMES = ["normal", "zoom", "plain"] as const;
export type ViewName = (typeof VIEW_NAMES)[number];

/** Time in ms and value in percent, by sector (rows, as printed) and zone. */
const PRINTED: readonly (readonly (readonly [timeMs: number, percent: number])[])[] = [
  [
    [30, 0],
    [60, 3],
    [90, 5],
  ],
  [
    [60, 6],
    [90, 9],
    [130, 13],
  ],
  [
    [90, 9],
    [200, 20],
    [300, 30],
  ],
];

export const PAPER_VIEWS: Readonly<Record<ViewName, CellBounds>> = {
  normal: cells([300, 600], [100, 140], PRINTED),
  zoom: cells([600, 1200], [35, 75], PRINTED),
  plain: cells([300, 600], [], PRINTED.slice(0, 1)),
};

function cells(radii: readonly number[], sectors: readonly number[], printed: typeof PRINTED): CellBounds {
  const percent = radii[0]! / 100;
  return {
    radii,
    sectors,
    bounds: [0, 1, 2].map((zone) => printed.map((row) => ({ time: row[zone]![0], value: row[zone]![1] * percent }))),
  };
}

/** What F tab. 5.5 (server output) and F tab. 5.6 (client input) say about maps of one size. */
export interface PaperMap {
  /** What figures are called by. */
  readonly key: "250" | "1000" | "1500" | "2250";
  readonly width: number;
  readonly height: number;
  /** Server output, broadcast ÷ VFC4FPS: the best of the paper's maps of this size, which is the one it looks at closely. */
  readonly output: Partial<Readonly<Record<ViewName, number>>>;
  /** As printed, where the paper has several maps of this size. */
  readonly printed: string;
  /** Client input under the normal view. */
  readonly input?: number;
}

export const PAPER_MAPS: readonly PaperMap[] = [
  {
    key: "1000",
    width: 1000,
    height: 1000,
    output: { normal: 2.6, zoom: 2.6, plain: 1.6 },
    printed: "1.7–2.6",
    input: 2.5,
  },
  {
    key: "1500",
    width: 1500,
    height: 1500,
    output: { normal: 3, zoom: 3, plain: 1.8 },
    printed: "2.7–3.0",
    input: 2.9,
  },
  {
    key: "2250",
    width: 2250,
    height: 1750,
    output: { normal: 2.8, zoom: 2.7, plain: 1.7 },
    printed: "2.8",
    input: 2.9,
  },
  { key: "250", width: 250, height: 250, output: { normal: 1.7 }, printed: "1.5–1.7" },
];
