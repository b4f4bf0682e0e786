/**
 * `replay --trace FILE`: a recorded match played to its own players, under Nearfield with two metrics, an aura and broadcast, side by side:
 * what each costs, and how wrong the picture is that it gives.
 */

import { USUAL_RIPENESS } from "@nearfield/core/internal";
import { fading, hold, linear, pacedFading } from "@nearfield/presentation";
import type { MotionModel } from "@nearfield/presentation/internal";
import { type Benchmark, type Context, UsageError } from "../benchmark.ts";
import { type Figure, formatNumber, type Goal, Report } from "../report.ts";
import { type Played, type PlayOptions, playTrace, RIDERS, type Riders, WAYS, type Way } from "./play-trace.ts";
import { readTrace } from "./read-trace.ts";
import { LONGEST_SEAT, seatShares } from "./riders.ts";
import type { Trace } from "./trace.ts";

/** World units per second, where those are metres: somebody who strolls. */
const STROLL = 1.4;
const MODELS: Readonly<Record<string, MotionModel>> = { pacedFading: pacedFading(STROLL), fading, linear, hold };

export const replayBenchmark: Benchmark = {
  name: "replay",
  about: "a recorded match (csv or csv.gz) played to its own players: updates, bytes and errors by zone",
  options: [
    { name: "trace", value: "FILE", about: "t_ms,id,x,y[,z][,heading][,kind][,parent…]" },
    { name: "unit", value: "LENGTH", about: "one unit of the trace in world units; 1/32 for QuakeWorld", initial: "1" },
    { name: "radii", value: "LIST", about: "outer edge of each zone but the last, world units", initial: "50,150,500" },
    { name: "values", value: "LIST", about: "value bound of each zone, world units", initial: "2,5,15,40" },
    { name: "rate", value: "HZ", about: "rounds per second", initial: "20" },
    { name: "from", value: "S", about: "where in the trace the playing begins", initial: "0" },
    { name: "seconds", value: "S", about: "how much of the trace is played", initial: "300" },
    { name: "model", value: "NAME", about: `of predicted: ${Object.keys(MODELS).join(", ")}`, initial: "pacedFading" },
    {
      name: "riders",
      value: RIDERS.join("|"),
      about: "whether predicted shows riders in what carries them, where the trace says so",
      initial: "attached",
    },
    {
      name: "ripe",
      value: "SHARE",
      about: "of its bound at which a pair rides along with what is due; 1: none does",
      initial: `${USUAL_RIPENESS}`,
    },
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

/** One playing of the trace, by the name that its figures have. */
interface Run extends Played {
  readonly name: string;
  /** Updates where nothing rides along. */
  readonly needed: number;
}

async function run({ quick, options, progress }: Context): Promise<Report> {
  const settings = settingsOf(options, quick);
  const untilMs = settings.fromMs + settings.seconds * 1000;
  const trace = await readTrace(options["trace"]!, { unit: settings.unit, untilMs });
  progress(`${trace.name}: ${trace.tracks.length} entities, ${formatNumber(trace.durationMs / 1000)} s`);
  const runs = waysFor(trace, settings.riders).map(({ name, way, riders }) => {
    progress(name);
    const played = playTrace(trace, { ...settings, way, riders });
    return { name, ...played, needed: neededUpdates(trace, settings, way, riders, played.updates) };
  });
  const { rounds, clients } = runs[0]!;
  if (rounds === 0 || clients === 0) {
    throw new UsageError(`${trace.name}: ${rounds} rounds and ${clients} players are too few to play`);
  }
  return reportOf(runs, settings, `${trace.name}: ${clients} players, ${rounds} rounds of ${settings.roundMs} ms`);
}

/** Updates where nothing rides along. Riding along costs updates and saves packets; how many updates the bounds need is shown apart. */
function neededUpdates(trace: Trace, settings: Settings, way: Way, riders: Riders, updates: number): number {
  const ridesAlong = settings.ripe < 1 && (way === "displacement" || way === "predicted");
  return ridesAlong ? playTrace(trace, { ...settings, way, riders, ripe: 1 }).updates : updates;
}

/** What is compared: where riders are attached, that is done for `predicted`, and both halves of the saving are shown apart. */
function waysFor({ hasRiders }: Trace, riders: Riders): { name: string; way: Way; riders: Riders }[] {
  if (!hasRiders || riders === "own") return WAYS.map((way) => ({ name: way, way, riders: "own" }));
  return [
    { name: "displacement", way: "displacement", riders: "own" },
    { name: "displacement_attached", way: "displacement", riders: "attached" },
    { name: "predicted_own", way: "predicted", riders: "own" },
    { name: "predicted", way: "predicted", riders: "attached" },
    { name: "aura", way: "aura", riders: "own" },
    { name: "broadcast", way: "broadcast", riders: "own" },
  ];
}

function reportOf(played: readonly Run[], settings: Settings, title: string): Report {
  const report = new Report("replay");
  report.tables.push(costTable(title, played), errorTable(played, settings));
  for (const run of played) report.add(...costFigures(run, settings));
  const plain = played.find(({ name }) => name === "displacement")!;
  report.add(...wireFigures(plain, ""));
  for (const { name, errors } of played) {
    errors.forEach((tally, zone) => {
      if (tally.count === 0) return;
      const about = `of the picture in zone ${zone}, bound ${tally.bound}`;
      report.add(
        { key: `mean_error_zone${zone}_${name}`, value: tally.mean, about },
        { key: `p99_error_zone${zone}_${name}`, value: tally.percentile(0.99), about },
      );
    });
  }
  addSavings(report, played);
  report.add({
    key: "violations",
    value: played.reduce((sum, { audited, violations }) => sum + audited + violations, 0),
    goal: { atMost: 0 },
    about: "pair-rounds over their bound: the auditors' count, and all pairs looked at on the replicas",
  });
  report.notes.push(
    "errors: distance from each primary to where the player's replica puts it at the end of the round, without latency, own object left out; held, or carried on by the model (predicted)",
    `positions travel to ${settings.values[0]! / 100}; with predicted also velocities, to ${settings.values[0]! / 5} per second: of what is fast the displacement in the last round, of walkers over twice the time between two rows of the trace, half of it turned to where they look`,
    "percentiles are counted in steps of a thousandth of the zone's bound; beyond the aura's radius its players see nothing, which is no error here",
  );
  if (played.some(({ riders }) => riders === "attached")) report.notes.push(ridersNote(settings));
  return report;
}

function costFigures(run: Run, settings: Settings): Figure[] {
  const { name, updates, needed, ownUpdates, ownPackets, bytes, clientSeconds } = run;
  const goals = name === "predicted" ? goalsFor(settings) : {};
  return [
    {
      key: `updates_per_client_s_${name}`,
      value: needed / clientSeconds,
      about: "objects sent where nothing rides along, creations included: what the bounds need",
    },
    {
      key: `sent_per_client_s_${name}`,
      value: updates / clientSeconds,
      about: "objects sent, those included that rode along; all other figures are of this",
    },
    {
      key: `own_updates_per_client_s_${name}`,
      value: ownUpdates / clientSeconds,
      about: "the part of these that is the player's own object",
    },
    { key: `bytes_per_client_s_${name}`, value: bytes / clientSeconds, about: "payload of all packets, as they leave" },
    ...wireFigures(run, `_${name}`, goals),
    {
      key: `own_packets_per_client_s_${name}`,
      value: ownPackets / clientSeconds,
      about: "the part of the packets that carries the player's own object alone",
    },
  ];
}

interface WireGoals {
  readonly packets?: Goal;
  readonly wireBytes?: Goal;
  readonly everyRound?: Goal;
}

function wireFigures(
  { packets, wireBytes, everyRoundBytes, clientSeconds }: Run,
  suffix: string,
  goals: WireGoals = {},
): Figure[] {
  return [
    {
      key: `packets_per_client_s${suffix}`,
      value: packets / clientSeconds,
      ...(goals.packets && { goal: goals.packets }),
      about: "packets to a client: those in which something was due, and heartbeats",
    },
    {
      key: `wire_bytes_per_client_s${suffix}`,
      value: wireBytes / clientSeconds,
      ...(goals.wireBytes && { goal: goals.wireBytes }),
      about: "payload and all headers of a data channel",
    },
    {
      key: `wire_vs_packet_per_round${suffix}`,
      value: wireBytes / everyRoundBytes,
      ...(goals.everyRound && { goal: goals.everyRound }),
      about: "the same ÷ what it is with a packet in every round",
    },
  ];
}

/** Goals were set for two recordings, each with settings of its own. Another trace or other bounds have none. */
function goalsFor({ unit, radii, values, roundMs }: Settings): WireGoals {
  const is = (list: readonly number[], text: string): boolean => list.join() === text;
  if (unit === 1 && is(radii, "50,150,500") && is(values, "2,5,15,40") && roundMs === 50) {
    return { packets: { atMost: 2.5 }, wireBytes: { atMost: 350 } };
  }
  return unit === 1 / 32 && is(radii, "50,150") && is(values, "0.5,5,15") ? { everyRound: { atMost: 0.6 } } : {};
}

function ridersNote({ values }: Settings): string {
  const seats = seatShares(values)
    .map((share) => formatNumber(share))
    .join(", ");
  return `riders attached (predicted, displacement_attached): who rides is seen where his vehicle is seen, plus his seat as last sent, and the vehicle is sent when either is off. Of the bounds ${values.join(", ")}, a seat that has changed may take ${seats}; it is at most ${LONGEST_SEAT} from the vehicle. displacement and predicted_own send every rider by himself`;
}

function addSavings(report: Report, played: readonly Run[]): void {
  const updates = (name: string): number => played.find((run) => run.name === name)!.needed;
  report.add({
    key: "updates_saved_predicted",
    value: 1 - updates("predicted") / updates("displacement"),
    about: "share of the updates of displacement, riders sent by themselves, that predicted does without",
  });
  report.add({
    key: "updates_aura_vs_predicted",
    value: updates("aura") / updates("predicted"),
    about: "how many times the updates of predicted the aura sends",
  });
}

function costTable(title: string, played: readonly Run[]): Report["tables"][number] {
  const broadcast = played.find(({ way }) => way === "broadcast")!;
  return {
    title,
    head: [
      "per client and s",
      "updates",
      "of them own",
      "packets",
      "payload",
      "wire bytes",
      "of broadcast",
      "in replica",
    ],
    rows: played.map(({ name, updates, ownUpdates, packets, bytes, wireBytes, clientSeconds, seenShare }) => [
      name,
      formatNumber(updates / clientSeconds),
      formatNumber(ownUpdates / clientSeconds),
      formatNumber(packets / clientSeconds),
      formatNumber(bytes / clientSeconds),
      formatNumber(wireBytes / clientSeconds),
      `${formatNumber((100 * wireBytes) / broadcast.wireBytes)} %`,
      `${formatNumber(100 * seenShare)} %`,
    ]),
  };
}

function errorTable(played: readonly Run[], { radii, values }: Settings): Report["tables"][number] {
  return {
    title: "error of what the player sees: mean / p99 / largest",
    head: ["", ...values.map((value, zone) => `${zoneText(radii, zone)}, bound ${value}`)],
    rows: played.map(({ name, errors }) => [
      name,
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
    fromMs: options["from"] === "0" ? 0 : 1000 * positive(options, "from"),
    riders: ridersNamed(options["riders"]!),
    seconds: quick ? Math.min(seconds, QUICK_SECONDS) : seconds,
    ripe: positive(options, "ripe"),
    aura: positive(options, "aura"),
    model: modelNamed(options["model"]!),
  };
}

function modelNamed(name: string): MotionModel {
  const model = MODELS[name];
  if (model === undefined) throw new UsageError(`--model: ${name} is none of ${Object.keys(MODELS).join(", ")}`);
  return model;
}

function ridersNamed(name: string): Riders {
  const riders = RIDERS.find((known) => known === name);
  if (riders === undefined) throw new UsageError(`--riders: ${name} is none of ${RIDERS.join(", ")}`);
  return riders;
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
