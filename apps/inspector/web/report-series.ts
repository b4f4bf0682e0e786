/** Figures of reports over time, for charts: the same for what is live and for what was recorded. */

import type { Report } from "./feed-types.ts";
import { Series } from "./series.ts";

export type Figure = "out" | "in" | "broadcast" | "aura" | "p50" | "p99" | "decided" | "delivered" | "frames";

const FIGURES: readonly Figure[] = ["out", "in", "broadcast", "aura", "p50", "p99", "decided", "delivered", "frames"];

export type Figures = Omit<Report, "clients" | "recording">;

export function newSeries(most: number): Series<Figure> {
  return new Series(FIGURES, most);
}

/** @param before the report before, for rates of what the server only counts */
export function pushReport(series: Series<Figure>, report: Figures, before: Figures | undefined): void {
  const { traffic, baselines, rounds } = report;
  series.push(report.timeMs, {
    out: traffic.out.all.bytes.now,
    in: traffic.in.all.bytes.now,
    frames: report.frames.now,
    broadcast: baselines.broadcast.bytesPerSecond.now,
    aura: baselines.aura.bytesPerSecond.now,
    p50: rounds.p50Ms,
    p99: rounds.p99Ms,
    ...overRates(report, before),
  });
}

function overRates(
  { timeMs, audit }: Figures,
  before: Figures | undefined,
): { decided: number | null; delivered: number | null } {
  const seconds = before === undefined ? 0 : (timeMs - before.timeMs) / 1000;
  if (before === undefined || seconds <= 0) return { decided: null, delivered: null };
  const perSecond = (now: number, then: number): number => Math.max(0, now - then) / seconds;
  return {
    decided: perSecond(audit.decided, before.audit.decided),
    delivered: perSecond(audit.delivered, before.audit.delivered),
  };
}
