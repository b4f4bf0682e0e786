/** What the paper measured (N §3.3): the rows with settings and all figures, and those it compares them with. */

import type { NetworkName } from "@nearfield/netlab/internal";
import { arcade, shooter, simulation, sport } from "@nearfield/presentation";
import type { GenrePreset, GenreSettings } from "@nearfield/presentation/internal";

export interface PaperFigures {
  readonly avgDataSent: number;
  readonly maxDataSent: number;
  readonly avgDistanceError: number;
  readonly maxDistanceError: number;
  /** School grade of the path, 1 to 6. */
  readonly grade: number;
}

export interface PaperRow {
  /** The row's name in the benchmark's figures. */
  readonly key: string;
  readonly genre: GenrePreset;
  readonly network: NetworkName;
  readonly settings: GenreSettings;
  /** Order 2 has the acceleration in its updates. */
  readonly order: 1 | 2;
  readonly figures: PaperFigures;
}

function figures(
  avgDataSent: number,
  maxDataSent: number,
  avgError: number,
  maxError: number,
  grade: number,
): PaperFigures {
  return { avgDataSent, maxDataSent, avgDistanceError: avgError, maxDistanceError: maxError, grade };
}

/** Its recommendations. */
export const RECOMMENDED: readonly PaperRow[] = [
  {
    key: "sport_umts",
    genre: sport,
    network: "umts",
    settings: sport.umts,
    order: 1,
    figures: figures(0.523, 0.826, 4.5, 9.78, 2),
  },
  {
    key: "simulation_gprs",
    genre: simulation,
    network: "gprs",
    settings: simulation.gprs!,
    order: 1,
    figures: figures(0.41, 0.734, 15.56, 21.04, 2.5),
  },
  {
    key: "simulation_umts",
    genre: simulation,
    network: "umts",
    settings: simulation.umts,
    order: 1,
    figures: figures(0.426, 0.642, 5.01, 10.14, 2),
  },
  {
    key: "shooter_umts",
    genre: shooter,
    network: "umts",
    settings: shooter.umts,
    order: 1,
    figures: figures(0.553, 0.841, 9.7, 19.65, 1.5),
  },
  {
    key: "arcade_umts",
    genre: arcade,
    network: "umts",
    settings: arcade.umts,
    order: 1,
    figures: figures(0.365, 0.734, 9.073, 21.24, 1.5),
  },
];

/** Settings that it also measured on the same network and did not recommend. The recordings were not calibrated by these rows, so they test the calibration. */
export const COMPARED: readonly PaperRow[] = [
  {
    key: "shooter_umts, order 2",
    genre: shooter,
    network: "umts",
    settings: { ...shooter.umts, compensationMs: 0 },
    order: 2,
    figures: figures(0.534, 0.757, 10.65, 20.88, 2),
  },
  {
    key: "shooter_umts, order 2, 100 ms",
    genre: shooter,
    network: "umts",
    settings: shooter.umts,
    order: 2,
    figures: figures(0.595, 0.878, 7.3, 21.3, 4),
  },
  {
    key: "arcade_umts, order 2",
    genre: arcade,
    network: "umts",
    settings: { ...arcade.umts, compensationMs: 0 },
    order: 2,
    figures: figures(0.444, 0.852, 10.073, 26.29, 2),
  },
];

/** Bytes of an update (N fig. 3.13): a time stamp, if time is compensated, makes eight of them. */
export function paperBytes(order: 1 | 2, compensationMs: number): number {
  return (order === 1 ? 25 : 33) + (compensationMs > 0 ? 8 : 0);
}
