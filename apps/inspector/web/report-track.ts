/** The reports of a recording, found by time. Rows of clients are recorded less often; each holds until the next. */

import type { RecordedFrame, Report } from "./feed-types.ts";
import { type Figure, newSeries, pushReport } from "./report-series.ts";
import type { Series } from "./series.ts";

/** Round trips that a small curve shows. */
const MOST_TRIPS = 120;

export class ReportTrack {
  readonly series: Series<Figure>;
  readonly #reports: Report[] = [];

  constructor(frames: readonly RecordedFrame[]) {
    this.series = newSeries(frames.length);
    let clients: Report["clients"] = [];
    for (const { report } of frames) {
      if (report === undefined) continue;
      const before = this.#reports.at(-1);
      // Time that stands still or goes back belongs to no chart.
      if (before !== undefined && report.timeMs <= before.timeMs) continue;
      clients = report.clients ?? clients;
      pushReport(this.series, report, before);
      this.#reports.push({ ...report, clients, recording: null });
    }
  }

  get length(): number {
    return this.#reports.length;
  }

  /** The newest that is not after `timeMs`; before the first, the first: it was taken when the recording began. */
  at(timeMs: number): Report | undefined {
    return this.#reports[this.#indexAt(timeMs)];
  }

  /** By player, the newest last. */
  roundTripsAt(timeMs: number): Map<number, (number | null)[]> {
    const trips = new Map<number, (number | null)[]>();
    const newest = this.#indexAt(timeMs);
    let seen = Number.NaN;
    for (const { clients, clientsRound } of this.#reports.slice(Math.max(0, newest - 2 * MOST_TRIPS), newest + 1)) {
      if (clientsRound === seen) continue;
      seen = clientsRound;
      for (const { player, network } of clients) {
        const list = trips.get(player) ?? [];
        list.push(network.roundTripMs);
        if (list.length > MOST_TRIPS) list.shift();
        trips.set(player, list);
      }
    }
    return trips;
  }

  #indexAt(timeMs: number): number {
    let [low, high] = [0, this.#reports.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#reports[middle]!.timeMs <= timeMs) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
