/**
 * Every model on one genre's movement over one network, with the paper's update sizes and convergence times: is order 1 with linear
 * convergence and limited compensation the best? Another model refutes that if both its error and its path are better by 1 % or more.
 */

import { networkPresets } from "@nearfield/netlab";
import type { NetworkName } from "@nearfield/netlab/internal";
import type { GenrePreset } from "@nearfield/presentation/internal";
import { formatNumber, type Table } from "../report.ts";
import type { Track } from "./recording.ts";
import { meanOf, type RunFigures } from "./statistics.ts";
import { modelsFor, playModel } from "./subjects.ts";

export interface Comparison {
  readonly genre: GenrePreset;
  readonly network: NetworkName;
  /** Models that refute it. */
  readonly betterOnBoth: readonly string[];
  readonly table: Table;
}

const MARGIN = 0.99;

/** Whether the paper recommends anything for this genre there: on GPRS only for simulations. */
export function isRecommended(genre: GenrePreset, network: NetworkName): boolean {
  return network === "umts" || (network === "gprs" && genre.gprs !== undefined);
}

export function compareModels(
  genre: GenrePreset,
  network: NetworkName,
  track: Track,
  seeds: readonly string[],
): Comparison {
  const settings = (network === "umts" ? genre.umts : genre.gprs) ?? genre.umts;
  const runs = modelsFor(settings, networkPresets[network].rttMs).map((model) => ({
    name: model.name,
    figures: meanOf(seeds.map((seed) => playModel(model, settings, network, track, seed))),
  }));
  const chosenName = `linear, linear, ${settings.compensationMs} ms`;
  const chosen = runs.find(({ name }) => name === chosenName)!.figures;
  const betterOnBoth = runs
    .filter(({ figures }) => figures.avgDistanceError < MARGIN * chosen.avgDistanceError)
    .filter(({ figures }) => figures.path.grade < MARGIN * chosen.path.grade)
    .map(({ name }) => name);
  return {
    genre,
    network,
    betterOnBoth,
    table: {
      title: `${genre.name}, ${networkPresets[network].title}: model, convergence, compensation`,
      head: ["", "avgDataSent", "max", "avgDistanceError", "max", "deviation", "jumps/s", "jitter", "grade", ""],
      rows: runs.map(({ name, figures }) => [
        name,
        ...modelCells(figures),
        name === chosenName ? "the paper's choice" : betterOnBoth.includes(name) ? "better on both" : "",
      ]),
    },
  };
}

function modelCells(figures: RunFigures): string[] {
  const { avgDataSent, maxDataSent, avgDistanceError, maxDistanceError, path } = figures;
  const { deviation, jumps, jitter, grade } = path;
  return [avgDataSent, maxDataSent, avgDistanceError, maxDistanceError, deviation, jumps, jitter, grade].map(
    formatNumber,
  );
}
