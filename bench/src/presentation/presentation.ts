/**
 * `paper-presentation`, N §3.3: genre × network × model from recorded movements of a 10 px ship. First the paper's own settings, algorithm and
 * update sizes, which the recordings were calibrated by; then ours: sender, wire format and presenter with the presets' tuned settings;
 * then every model, to see whether the paper's conclusion holds. Bytes, errors and grades are exact and seeded. A quick run has one seed of
 * the network instead of five, and compares models only where the paper recommends any.
 */

import type { NetworkName } from "@nearfield/netlab/internal";
import { GENRES, type GenrePreset, type GenreSettings } from "@nearfield/presentation/internal";
import { GENRE_ENTITIES } from "@nearfield/simulation";
import { DATACHANNEL_HEADER_BYTES } from "@nearfield/transport/internal";
import type { Benchmark, Context } from "../benchmark.ts";
import { type Figure, Report } from "../report.ts";
import { mean } from "../statistics.ts";
import { type Comparison, compareModels, isRecommended } from "./comparison.ts";
import { COMPARED, type PaperRow, RECOMMENDED } from "./paper.ts";
import { readRecording, Track } from "./recording.ts";
import { RECORDINGS } from "./recordings.ts";
import { meanOf } from "./statistics.ts";
import { type OurRun, playOurs, playPaper } from "./subjects.ts";
import { beyondTable, type RowRuns, rowsTable } from "./tables.ts";

export const presentationBenchmark: Benchmark = {
  name: "paper-presentation",
  about: "N §3.3: bytes and error of what is shown, by genre, network and model, against the paper's",
  run,
};

const NETWORKS: readonly NetworkName[] = ["umts", "gprs", "gprsMobile"];

function run({ quick, progress }: Context): Report {
  const report = new Report("paper-presentation");
  const seeds = ["calib", ...(quick ? [] : ["1", "2", "3", "4"])];
  const tracks = new Map(
    GENRES.map(({ name }) => [name, new Track(GENRE_ENTITIES[name], readRecording(RECORDINGS[name]))]),
  );
  const trackOf = ({ name }: GenrePreset): Track => tracks.get(name)!;
  const again = (row: PaperRow) => meanOf(seeds.map((seed) => playPaper(row, trackOf(row.genre), seed)));
  const onOurWire = (row: PaperRow, settings: GenreSettings): OurRun =>
    meanRun(seeds.map((seed) => playOurs(row.genre, row.network, settings, trackOf(row.genre), seed)));

  const rows: RowRuns[] = RECOMMENDED.map((row) => {
    progress(row.key);
    return { row, again: again(row), same: onOurWire(row, row.settings), ours: onOurWire(row, tunedFor(row)) };
  });
  const comparisons = NETWORKS.flatMap((network) =>
    GENRES.filter((genre) => !quick || isRecommended(genre, network)).map((genre) => {
      progress(`models: ${genre.name}, ${network}`);
      return compareModels(genre, network, trackOf(genre), seeds);
    }),
  );

  report.tables.push(...comparisons.map(({ table }) => table));
  report.tables.push(beyondTable(COMPARED.map((row) => ({ row, again: again(row) }))), rowsTable(rows));
  for (const runs of rows) report.add(...figuresOf(runs));
  report.add(...conclusionOf(comparisons));
  report.notes.push(...NOTES);
  return report;
}

const NOTES: readonly string[] = [
  "paper: as published. again: its settings, algorithm and 25/33-byte updates on our recordings. same: its settings on our wire and presenter. ours: tuned settings",
  "from player to player: one round trip of tab. 2.2 and up to the jitter's share more, as in the paper's simulator, which limits no bandwidth",
  "our bytes: whole packets that carry an update, our headers included. Packets without one leave after a second of silence; they and acks stand apart: the paper counts neither",
  "path grade: measured (deviation, jumps, jitter) and weighted to come nearest to eight grades of the paper; it ranks, it is no player's eye",
];

function tunedFor({ genre, network }: PaperRow): GenreSettings {
  return network === "umts" ? genre.tuned.umts : genre.tuned.gprs!;
}

function meanRun(runs: readonly OurRun[]): OurRun {
  return {
    figures: meanOf(runs.map(({ figures }) => figures)),
    idle: mean(runs.map(({ idle }) => idle)),
    acks: mean(runs.map(({ acks }) => acks)),
    packets: mean(runs.map(({ packets }) => packets)),
    wire: mean(runs.map(({ wire }) => wire)),
  };
}

function figuresOf({ row, again, same, ours }: RowRuns): Figure[] {
  const { key, figures: paper } = row;
  const error = ours.figures.avgDistanceError;
  const bytes = ours.figures.avgDataSent;
  return [
    {
      key: `${key}_error_ratio`,
      value: error / paper.avgDistanceError,
      paper: `${paper.avgDistanceError} px`,
      goal: { atMost: 1 },
      about: "mean distance error, ours ÷ paper",
    },
    {
      key: `${key}_bytes_ratio`,
      value: bytes / paper.avgDataSent,
      paper: `${paper.avgDataSent} kB/s`,
      goal: { atMost: 0.5 },
      about: "mean data sent, ours ÷ paper",
    },
    {
      key: `${key}_bytes_all_ratio`,
      value: (bytes + ours.idle) / paper.avgDataSent,
      goal: { atMost: 0.5 },
      about: "the same with every packet's payload, empty ones too",
    },
    {
      key: `${key}_wire_ratio`,
      value: ours.wire / (paper.avgDataSent + (again.updatesPerSecond * DATACHANNEL_HEADER_BYTES) / 1000),
      about:
        "all packets with headers, ours ÷ paper with the same headers on each of its updates, as many as `again` sends",
    },
    { key: `${key}_packets_per_s`, value: ours.packets, about: "packets to the receiver, empty ones too" },
    {
      key: `${key}_calibration_error`,
      value: again.avgDistanceError / paper.avgDistanceError,
      about: "the paper's settings on our recording ÷ paper: mean error; within 0.9 to 1.1",
    },
    {
      key: `${key}_calibration_bytes`,
      value: again.avgDataSent / paper.avgDataSent,
      about: "… and data sent",
    },
    {
      key: `${key}_same_error_ratio`,
      value: same.figures.avgDistanceError / paper.avgDistanceError,
      about: "the paper's settings on our wire and presenter ÷ paper",
    },
    { key: `${key}_same_bytes_ratio`, value: same.figures.avgDataSent / paper.avgDataSent, about: "… and data sent" },
    {
      key: `${key}_grade`,
      value: ours.figures.path.grade,
      paper: `${paper.grade}`,
      about: "measured path grade of ours",
    },
    { key: `${key}_grade_paper_settings`, value: again.path.grade, about: "… and of the paper's settings" },
  ];
}

/** The paper's conclusion, under the networks on which it recommends anything. */
function conclusionOf(comparisons: readonly Comparison[]): Figure[] {
  return comparisons
    .filter(({ genre, network }) => isRecommended(genre, network))
    .map(({ genre, network, betterOnBoth }) => ({
      key: `${genre.name}_${network}_better_models`,
      value: betterOnBoth.length,
      paper: "0",
      about: `models with less error and a better path than order 1 + linear + limited: ${betterOnBoth.join("; ") || "none"}`,
    }));
}
