/**
 * `replay --trace FILE`: a recorded match played to its own players, under Nearfield with two metrics, an aura and broadcast, side by side:
 * what each costs, and how wrong the picture is that it gives.
 */

import { fading, hold, linear, type MotionModel } from "@nearfield/presentation";
import { type Benchmark, type Context, UsageError } from "../benchmark.ts";
import { formatNumber, Report } from "../report.ts";
import { type Played, type PlayOptions, playTrace, WAYS } from "./play-trace.ts";
import { readTrace } from "./read-trace.ts";

/** Models that the metric `predicted` knows. */
const MODELS: Readonly<Record<string, MotionModel>> = { linear, fading, hold };

export const replayBenchmark: Benchmark = {
  name: "replay",
  about: "a recorded match (csv or csv.gz) played to its own players: updates, bytes and errors by zone",
  options: [
    { name: "trace", value: "FILE", about: "t_ms,id,x,y[,z][,heading][,kind…]" },
    { name: "unit", value: "LENGTH", about: "one unit of the trace in world units; 1/32 for QuakeWorld", initial: "1" },
    { name: "radii", value: "LIST", about: "outer edge of each zone but the last, world units", initial: "50,150,500" },
    { name: "values", value: "LIST", about: "value bound of each zone, world units", initial: "2,5,15,40" },
    { name: "rate", value: "HZ", about: "rounds per second", initial: "20" },
    { name: "seconds", value: "S", about: "how much of the trace is played", initial: "300" },
    { name: "model", value: "NAME", about: `of predicted: ${Object.keys(MODELS).join(", ")}`, initial: "fading" },
    { name: "aura", value: "RADIUS", about: "of the aura, world units", initial: "500" },
  ],
  run,
};

/** What a quick run plays at most. */
const QUICK_SECONDS = 25;

interface Settings extends Omit<PlayOptions, "way"> {
  readonly unit: number;
  readonly seconds: number;
}

async function run({ quick, options, progress }: Context): Promise<Report> {
  const settings = settingsOf(options, quick);
  const trace = await readTrace(options["trace"]!, { unit: settings.unit, untilMs: settings.seconds * 1000 });
  progress(`${trace.name}: ${trace.tracks.length} entities, ${formatNumber(trace.durationMs / 1000)} s`);
  const played = WAYS.map((way) => {
    progress(way);
    return playTrace(trace, { ...settings, way });
  });
  const { rounds, clients } = played[0]!;
  if (rounds === 0 || clients === 0) {
    throw new UsageError(`${trace.name}: ${rounds} rounds and ${clients} players are too few to play`);
  }
  return reportOf(played, settings, `${trace.name}: ${clients} players, ${rounds} rounds of ${settings.roundMs} ms`);
}

function reportOf(played: readonly Played[], settings: Settings, title: string): Report {
  const report = new Report("replay");
  report.tables.push(costTable(title, played), errorTable(played, settings));
  for (const { way, updates, bytes, clientSeconds } of played) {
    report.add(
      { key: `updates_per_client_s_${way}`, value: updates / clientSeconds, about: "objects sent, creations included" },
      { key: `bytes_per_client_s_${way}`, value: bytes / clientSeconds, about: "whole frames, as they leave" },
    );
  }
  for (const { way, errors } of played) {
    errors.forEach((tally, zone) => {
      if (tally.count === 0) return;
      const about = `of the picture in zone ${zone}, bound ${tally.bound}`;
      report.add(
        { key: `mean_error_zone${zone}_${way}`, value: tally.mean, about },
        { key: `p99_error_zone${zone}_${way}`, value: tally.percentile(0.99), about },
      );
    });
  }
  report.add({
    key: "violations",
    value: played.reduce((sum, { audited, violations }) => sum + audited + violations, 0),
    goal: { atMost: 0 },
    about: "pair-rounds over their bound: the auditors' count, and all pairs looked at on the replicas",
  });
  report.notes.push(
    "errors: distance from each primary to where the player's replica puts it at the end of the round, without latency, own object left out; held, or carried on by the model (predicted)",
    `positions travel to ${settings.values[0]! / 100}; with predicted also velocities, to ${settings.values[0]! / 5} per second: a primary's displacement in the last round`,
    "percentiles are counted in steps of a thousandth of the zone's bound; beyond the aura's radius its players see nothing, which is no error here",
  );
  return report;
}

function costTable(title: string, played: readonly Played[]): Report["tables"][number] {
  const broadcast = played.find(({ way }) => way === "broadcast")!;
  return {
    title,
    head: ["", "updates per client and s", "bytes per client and s", "of broadcast", "in replica"],
    rows: played.map(({ way, updates, bytes, clientSeconds, seenShare }) => [
      way,
      formatNumber(updates / clientSeconds),
      formatNumber(bytes / clientSeconds),
      `${formatNumber((100 * bytes) / broadcast.bytes)} %`,
      `${formatNumber(100 * seenShare)} %`,
    ]),
  };
}

function errorTable(played: readonly Played[], { radii, values }: Settings): Report["tables"][number] {
  return {
    title: "error of what the player sees: mean / p99 / largest",
    head: ["", ...values.map((value, zone) => `${zoneText(radii, zone)}, bound ${value}`)],
    rows: played.map(({ way, errors }) => [
      way,
      ...errors.map((tally) =>
        tally.count === 0
          ? "–"
          : [tally.mean, tally.percentile(0.99), tally.largest].map((error) => formatNumber(error)).join(" / "),
      ),
    ]),
  };
}

function zoneText(radii: readonly number[], zone: number): string {
  return zone < radii.length ? `to ${radii[zone]}` : "beyond";
}

// ── options ──────────────────────────────────────────────────────────────────────────────────────────────────────

function settingsOf(options: Context["options"], quick: boolean): Settings {
  const radii = list(options, "radii");
  const values = list(options, "values");
  if (values.length !== radii.length + 1) {
    throw new UsageError(
      `--values: ${radii.length} radii make ${radii.length + 1} zones, but ${values.length} bounds are given`,
    );
  }
  for (const [name, numbers] of [
    ["radii", radii],
    ["values", values],
  ] as const) {
    if (numbers.some((number, index) => index > 0 && number <= numbers[index - 1]!))
      throw new UsageError(`--${name}: ${numbers.join(",")} must ascend`);
  }
  const seconds = positive(options, "seconds");
  return {
    unit: positive(options, "unit"),
    radii,
    values,
    roundMs: 1000 / positive(options, "rate"),
    seconds: quick ? Math.min(seconds, QUICK_SECONDS) : seconds,
    aura: positive(options, "aura"),
    model: modelNamed(options["model"]!),
  };
}

function modelNamed(name: string): MotionModel {
  const model = MODELS[name];
  if (model === undefined) throw new UsageError(`--model: ${name} is none of ${Object.keys(MODELS).join(", ")}`);
  return model;
}

function positive(options: Context["options"], name: string): number {
  return asPositive(options[name]!, name);
}

function list(options: Context["options"], name: string): number[] {
  return options[name]!.split(",").map((text) => asPositive(text, name));
}

/** A number above 0, or a fraction of two of them. */
function asPositive(text: string, name: string): number {
  const [over, under = "1", ...more] = text.split("/");
  const value = Number(over) / Number(under);
  if (more.length > 0 || text.trim() === "" || !(value > 0 && Number.isFinite(value)))
    throw new UsageError(`--${name}: "${text}" must be a number above 0`);
  return value;
}
