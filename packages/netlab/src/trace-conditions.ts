/**
 * Replays a recording of a network: at each moment the delay, the loss and the bandwidth that were measured then. A recording measures at least
 * one of the three; the others come from the conditions. When it ends it begins again.
 *
 * Recordings are csv with a head line. These columns may stand in any order; others are ignored:
 *   · `t_ms`: when the row begins, ascending; it holds until the next one,
 *   · `rtt_ms`: the round trip, of which each way takes half (or `roundTripShare`); empty or below 0 where there was no answer, then the last one holds,
 *   · `loss`: share of packets lost, 0 to 1; or `lost`: 1 where a probe got no answer. The loss counts for the usual time between two probes;
 *     the rest of the time that the probe waited for its answer is cut out,
 *   · `bw_mbps`: Mbit/s; or `packets_1500B`: full packets that could leave in that one millisecond, none until the next row.
 */

import { LabError } from "./lab-error.ts";

const KNOWN = ["t_ms", "rtt_ms", "loss", "lost", "bw_mbps", "packets_1500B"] as const;
type ColumnName = (typeof KNOWN)[number];
type Columns = Partial<Record<ColumnName, Float64Array>> & { readonly t_ms: Float64Array };

const BYTES_PER_MS_AND_MBIT = 125;
const FULL_PACKET_BYTES = 1500;

/** What an error quotes of a recording at most: a line of one may be as long as the file. */
const LONGEST_QUOTE = 80;

export interface TraceOptions {
  /**
   * Share of the recorded round trip that one direction takes, 0 to 1. Default 0.5: from one end to the other. Use 1 for the way from a player
   * through a server to another player with the same kind of link.
   */
  readonly roundTripShare?: number;
}

/** When so many bytes could have passed since the beginning: a line through points, ascending in both. */
interface Capacity {
  readonly timesMs: Float64Array;
  readonly bytes: Float64Array;
}

export class NetworkTrace {
  readonly durationMs: number;
  /** Mean one-way delay, ms; 0 where none is told. */
  readonly meanDelayMs: number;
  /** Mean share of packets lost; 0 where none is told. */
  readonly meanLoss: number;
  readonly #timesMs: Float64Array;
  readonly #delaysMs: Float64Array | undefined;
  readonly #losses: Float64Array | undefined;
  readonly #capacity: Capacity | undefined;

  /** Use `parseNetworkTrace`. */
  constructor(columns: Columns, roundTripShare: number) {
    const stepMs = usualStep(columns.t_ms);
    this.#timesMs = columns.lost === undefined ? columns.t_ms : withoutWaits(columns.t_ms, columns.lost, stepMs);
    this.durationMs = this.#timesMs.at(-1)! + (columns.packets_1500B === undefined ? stepMs : 1);
    this.#delaysMs = columns.rtt_ms && delays(columns.rtt_ms, roundTripShare);
    this.#losses = columns.loss ?? columns.lost;
    this.#capacity = columns.packets_1500B
      ? packetCapacity(this.#timesMs, columns.packets_1500B)
      : columns.bw_mbps && rateCapacity(this.#timesMs, columns.bw_mbps, this.durationMs);
    this.meanDelayMs = mean(this.#delaysMs);
    this.meanLoss = mean(this.#losses);
  }

  get tellsDelay(): boolean {
    return this.#delaysMs !== undefined;
  }

  get tellsLoss(): boolean {
    return this.#losses !== undefined;
  }

  get tellsBandwidth(): boolean {
    return this.#capacity !== undefined;
  }

  /** One-way delay at that time, ms. */
  delayMsAt(timeMs: number): number {
    return this.#delaysMs === undefined ? 0 : this.#delaysMs[this.#rowAt(timeMs)]!;
  }

  /** Share of packets lost at that time. */
  lossAt(timeMs: number): number {
    return this.#losses === undefined ? 0 : this.#losses[this.#rowAt(timeMs)]!;
  }

  /** When so many bytes have left, if they begin to at that time and nothing else is in their way. */
  departureMs(timeMs: number, bytes: number): number {
    if (this.#capacity === undefined) return timeMs;
    const { timesMs, bytes: passed } = this.#capacity;
    const total = passed.at(-1)!;
    const withinMs = timeMs % this.durationMs;
    const wanted = valueAt(timesMs, passed, withinMs) + bytes;
    const loops = Math.max(0, Math.ceil(wanted / total) - 1);
    const startMs = timeMs - withinMs + loops * this.durationMs;
    return Math.max(timeMs, startMs + valueAt(passed, timesMs, wanted - loops * total));
  }

  /** Bytes that could pass between two times of one turn of the recording, 0 to `durationMs`; `Infinity` where it tells no bandwidth. */
  bytesBetween(fromMs: number, untilMs: number): number {
    if (this.#capacity === undefined) return Number.POSITIVE_INFINITY;
    const { timesMs, bytes } = this.#capacity;
    return valueAt(timesMs, bytes, untilMs) - valueAt(timesMs, bytes, fromMs);
  }

  #rowAt(timeMs: number): number {
    return Math.max(0, firstAbove(this.#timesMs, timeMs % this.durationMs) - 1);
  }
}

/**
 * Reads a recording. A mistake in it throws `LabError("bad-trace")`, which names the line.
 *
 * @param name what the error calls the recording; a file name, say.
 */
export function parseNetworkTrace(csv: string, name = "trace", options: TraceOptions = {}): NetworkTrace {
  const { roundTripShare = 0.5 } = options;
  if (!(roundTripShare >= 0 && roundTripShare <= 1))
    throw new LabError("bad-trace", `roundTripShare is ${roundTripShare}, but must be a share from 0 to 1`);
  const lines = csv.split(/\r?\n/);
  while (lines.at(-1) === "") lines.pop();
  const [head = "", ...rows] = lines;
  if (rows.length === 0) throw wrong(name, 1, "a head line and at least one row are needed");
  const places = findColumns(head, name);
  const columns = Object.fromEntries(
    [...places.keys()].map((column) => [column, new Float64Array(rows.length)]),
  ) as Columns;
  for (const [row, line] of rows.entries()) {
    const cells = line.split(",");
    for (const [column, place] of places) {
      columns[column]![row] = parseCell(column, cells[place], name, row + 2);
    }
    if (row > 0 && !(columns.t_ms[row]! > columns.t_ms[row - 1]!)) {
      throw wrong(name, row + 2, `t_ms is ${columns.t_ms[row]}, but must be above ${columns.t_ms[row - 1]}`);
    }
  }
  return makeTrace(columns, roundTripShare, name);
}

function findColumns(head: string, name: string): Map<ColumnName, number> {
  const names = head.split(",");
  const places = new Map(
    KNOWN.flatMap((column) => (names.includes(column) ? [[column, names.indexOf(column)] as const] : [])),
  );
  const told = `the columns are ${quote(head)}`;
  if (!places.has("t_ms")) throw wrong(name, 1, `${told}, but t_ms is needed`);
  if (places.size === 1) throw wrong(name, 1, `${told}, but one of ${KNOWN.slice(1).join(", ")} is needed`);
  for (const [one, other] of [
    ["loss", "lost"],
    ["bw_mbps", "packets_1500B"],
  ] as const) {
    if (places.has(one) && places.has(other))
      throw wrong(name, 1, `${told}, but ${one} and ${other} exclude each other`);
  }
  return places;
}

/** What a cell of each column must hold. `rtt_ms` may be empty, or below 0, where there was no answer: NaN. */
function parseCell(column: ColumnName, cell: string | undefined, name: string, line: number): number {
  const text = (cell ?? "").trim();
  if (column === "rtt_ms" && cell !== undefined && text === "") return Number.NaN;
  const value = text === "" ? Number.NaN : Number(text);
  const refuse = (rule: string) => wrong(name, line, `${column} is "${quote(text)}", but must be ${rule}`);
  if (!Number.isFinite(value)) throw refuse("a number");
  if (column === "rtt_ms") return value < 0 ? Number.NaN : value;
  if (value < 0) throw refuse("0 or more");
  if (column === "loss" && value > 1) throw refuse("a share from 0 to 1");
  if (column === "lost" && value !== 0 && value !== 1) throw refuse("0 or 1");
  if (column === "packets_1500B" && !Number.isInteger(value)) throw refuse("a whole number");
  return value;
}

/** Makes the trace. Refuses recordings that are wrong as a whole: one in which no probe was answered, and one that never lets a byte through. */
function makeTrace(columns: Columns, roundTripShare: number, name: string): NetworkTrace {
  const whole = `${name}, lines 2 to ${columns.t_ms.length + 1}`;
  if (columns.rtt_ms?.every(Number.isNaN)) throw new LabError("bad-trace", `${whole}: no row has a round trip`);
  const trace = new NetworkTrace(columns, roundTripShare);
  if (trace.bytesBetween(0, trace.durationMs) < 1) throw new LabError("bad-trace", `${whole}: nothing ever passes`);
  return trace;
}

function wrong(name: string, line: number, what: string): LabError {
  return new LabError("bad-trace", `${name}, line ${line}: ${what}`);
}

function quote(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}

function mean(values: Float64Array | undefined): number {
  return values === undefined ? 0 : values.reduce((a, b) => a + b) / values.length;
}

/** The median of the steps: what waits and gaps do not bend. */
function usualStep(timesMs: Float64Array): number {
  if (timesMs.length < 2) return 1;
  const steps = timesMs.subarray(1).map((timeMs, index) => timeMs - timesMs[index]!);
  return steps.sort()[steps.length >> 1]!;
}

/** Shifts the rows so that the row after a lost probe comes one usual step later. */
function withoutWaits(timesMs: Float64Array, lost: Float64Array, stepMs: number): Float64Array {
  let cutMs = 0;
  return timesMs.map((timeMs, row) => {
    if (row > 0 && lost[row - 1] === 1) cutMs += Math.max(0, timeMs - timesMs[row - 1]! - stepMs);
    return timeMs - cutMs;
  });
}

/** One way of each; where there was no answer, the last one, and before the first answer, that. */
function delays(roundTripsMs: Float64Array, share: number): Float64Array {
  let last = roundTripsMs.find((value) => !Number.isNaN(value))!;
  return roundTripsMs.map((value) => {
    if (!Number.isNaN(value)) last = value;
    return last * share;
  });
}

function rateCapacity(timesMs: Float64Array, mbits: Float64Array, durationMs: number): Capacity {
  const times = new Float64Array(timesMs.length + 1);
  times.set(timesMs);
  times[0] = 0;
  times[timesMs.length] = durationMs;
  const bytes = new Float64Array(times.length);
  for (let row = 0; row < mbits.length; row += 1) {
    bytes[row + 1] = bytes[row]! + mbits[row]! * BYTES_PER_MS_AND_MBIT * (times[row + 1]! - times[row]!);
  }
  return { timesMs: times, bytes };
}

function packetCapacity(timesMs: Float64Array, packets: Float64Array): Capacity {
  const times = [0];
  const bytes = [0];
  for (const [row, timeMs] of timesMs.entries()) {
    if (timeMs > times.at(-1)!) {
      times.push(timeMs);
      bytes.push(bytes.at(-1)!);
    }
    times.push(Math.min(timeMs + 1, timesMs[row + 1] ?? Number.POSITIVE_INFINITY));
    bytes.push(bytes.at(-1)! + packets[row]! * FULL_PACKET_BYTES);
  }
  return { timesMs: Float64Array.from(times), bytes: Float64Array.from(bytes) };
}

/** Where a line through points (x, y), ascending in both, first reaches x. */
function valueAt(xs: Float64Array, ys: Float64Array, x: number): number {
  const after = firstAtLeast(xs, x);
  if (after === 0) return ys[0]!;
  if (after === xs.length) return ys.at(-1)!;
  const [x0, x1, y0, y1] = [xs[after - 1]!, xs[after]!, ys[after - 1]!, ys[after]!];
  return y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}

/** Index of the first value that is at least this; their number where none is. */
function firstAtLeast(values: Float64Array, least: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstAbove(values: Float64Array, bound: number): number {
  const first = firstAtLeast(values, bound);
  return values[first] === bound ? first + 1 : first;
}
