/** The paper's figures and ours side by side. */

import { formatNumber, type Table } from "../report.ts";
import type { PaperRow } from "./paper.ts";
import type { RunFigures } from "./statistics.ts";
import type { OurRun } from "./subjects.ts";

export interface RowRuns {
  readonly row: PaperRow;
  readonly again: RunFigures;
  readonly same: OurRun;
  readonly ours: OurRun;
}

const HEAD = [
  "",
  "",
  "avgDataSent",
  "max",
  "avgDistanceError",
  "max",
  "updates/s",
  "grade",
  "deviation",
  "jumps/s",
  "jitter",
];

/** The five recommended rows, four ways. */
export function rowsTable(rows: readonly RowRuns[]): Table {
  return {
    title: "recommended settings: kB/s and px",
    head: [...HEAD, "idle kB/s", "acks kB/s", "packets/s", "wire kB/s"],
    rows: rows.flatMap(({ row, again, same, ours }) => [
      [row.key, "paper", ...paperCells(row)],
      ["", "again", ...cells(again)],
      ["", "same", ...cells(same.figures), ...besideCells(same)],
      ["", "ours", ...cells(ours.figures), ...besideCells(ours)],
    ]),
  };
}

/** What the calibration did not look at. */
export function beyondTable(rows: readonly Pick<RowRuns, "row" | "again">[]): Table {
  return {
    title: "what the paper decided against; the recordings were not calibrated for it",
    head: HEAD,
    rows: rows.flatMap(({ row, again }) => [
      [row.key, "paper", ...paperCells(row)],
      ["", "again", ...cells(again)],
    ]),
  };
}

function paperCells({ figures }: PaperRow): string[] {
  const { avgDataSent, maxDataSent, avgDistanceError, maxDistanceError, grade } = figures;
  const numbers = [avgDataSent, maxDataSent, avgDistanceError, maxDistanceError].map(formatNumber);
  return [...numbers, "", formatNumber(grade)];
}

function besideCells({ idle, acks, packets, wire }: OurRun): string[] {
  return [idle, acks, packets, wire].map(formatNumber);
}

function cells(figures: RunFigures): string[] {
  const { avgDataSent, maxDataSent, avgDistanceError, maxDistanceError, updatesPerSecond, path } = figures;
  return [
    ...[avgDataSent, maxDataSent, avgDistanceError, maxDistanceError, updatesPerSecond].map(formatNumber),
    ...[path.grade, path.deviation, path.jumps, path.jitter].map(formatNumber),
  ];
}
