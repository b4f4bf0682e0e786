/**
 * A recorded network. Delay, loss and bandwidth come from the recording instead of the form, as far as it measures them. It comes from a file
 * that somebody opened, so it is not a setting, and a link does not carry it.
 */

import { parseNetworkTrace } from "@nearfield/netlab";
import { LabError, type NetworkTrace } from "@nearfield/netlab/internal";
import { FileError, readCsvFile } from "./csv-file.ts";

/** Which conditions a recording measures; the form hides these. */
export interface Told {
  readonly delay: boolean;
  readonly loss: boolean;
  readonly bandwidth: boolean;
}

export const NOTHING_TOLD: Told = { delay: false, loss: false, bandwidth: false };

export interface OpenTrace {
  readonly name: string;
  readonly trace: NetworkTrace;
}

/** Longer ones most likely do not count from their start. */
const LONGEST_MS: number = 24 * 3600 * 1000;
const FORMAT =
  "A network recording is a csv whose first line names t_ms and what it measures: rtt_ms, loss or lost, bw_mbps or packets_1500B";

export function toldBy(open: OpenTrace | undefined): Told {
  if (open === undefined) return NOTHING_TOLD;
  const { tellsDelay, tellsLoss, tellsBandwidth } = open.trace;
  return { delay: tellsDelay, loss: tellsLoss, bandwidth: tellsBandwidth };
}

/** Throws a `FileError` or a `LabError` that says what is wrong with the file. */
export async function openTrace(file: File): Promise<OpenTrace> {
  const text = await readCsvFile(file);
  // From player to player, as with the presets, is one round trip.
  const trace = parseNetworkTrace(text, file.name, { roundTripShare: 1 });
  if (trace.durationMs > LONGEST_MS)
    throw new LabError("bad-trace", `${file.name} is longer than a day: t_ms must be milliseconds since its start`);
  return { name: file.name, trace };
}

/** What went wrong while opening a file, in words; undefined if it is no fault of the file. */
export function problemOf(error: unknown): string | undefined {
  if (error instanceof FileError) return `${error.message}.`;
  if (error instanceof LabError) return `${error.message}. ${FORMAT}.`;
  return undefined;
}

/** What the recording measures, line by line. For the rest, the form's settings count. */
export function factsOf({ trace }: OpenTrace): (readonly [name: string, value: string])[] {
  const { tellsDelay, tellsLoss, tellsBandwidth, durationMs } = trace;
  const kbits = (trace.bytesBetween(0, durationMs) / durationMs) * 8;
  return [
    ["Length", clockOf(durationMs)],
    ["Round trip", tellsDelay ? `${trace.meanDelayMs.toFixed(0)} ms on average` : "as set below"],
    ["Loss", tellsLoss ? `${(trace.meanLoss * 100).toFixed(2)} % on average` : "as set below"],
    ["Bandwidth", tellsBandwidth ? `${rateOf(kbits)} on average` : "as set below"],
  ];
}

/** `1:02:05`, or `2:05` below an hour, or `2.5 s` below ten seconds. */
export function clockOf(timeMs: number): string {
  if (timeMs < 10_000) return `${(timeMs / 1000).toFixed(1)} s`;
  const seconds = Math.floor(timeMs / 1000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (seconds >= 3600) parts.unshift(Math.floor(seconds / 3600));
  return parts.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

function rateOf(kbits: number): string {
  return kbits >= 1000 ? `${(kbits / 1000).toFixed(1)} Mbit/s` : `${kbits.toFixed(0)} kbit/s`;
}

/** Over the second around that time, as far as it lies within the recording. */
function kbitsAround(trace: NetworkTrace, timeMs: number): number {
  const fromMs = Math.max(0, timeMs - 500);
  const untilMs = Math.min(trace.durationMs, timeMs + 500);
  return (trace.bytesBetween(fromMs, untilMs) / (untilMs - fromMs)) * 8;
}

/** The recorded conditions at that time of the replay, in short. */
export function momentOf({ trace }: OpenTrace, timeMs: number): string {
  const parts = [`at ${clockOf(timeMs % trace.durationMs)}`];
  if (trace.tellsDelay) parts.push(`${trace.delayMsAt(timeMs).toFixed(0)} ms`);
  if (trace.tellsLoss) parts.push(`${(trace.lossAt(timeMs) * 100).toFixed(0)} % lost`);
  if (trace.tellsBandwidth) parts.push(rateOf(kbitsAround(trace, timeMs % trace.durationMs)));
  return parts.join(" · ");
}

/**
 * The whole recording in so many columns: for each the mean and the peak of its delay, or else of its bandwidth, as shares of the highest
 * peak; and the share lost.
 */
export interface Profile {
  readonly of: "delay" | "bandwidth" | "loss";
  /** The highest peak: ms, bytes per ms, or a share. */
  readonly most: number;
  readonly means: readonly number[];
  readonly peaks: readonly number[];
  readonly losses: readonly number[];
}

const LOOKS_PER_COLUMN = 64;

export function profileOf({ trace }: OpenTrace, columns: number): Profile {
  const lookMs = trace.durationMs / columns / LOOKS_PER_COLUMN;
  /** The values of every column, look by look. */
  const looks = (at: (timeMs: number) => number): number[][] =>
    Array.from({ length: columns }, (_, column) =>
      Array.from({ length: LOOKS_PER_COLUMN }, (_, look) => at((column * LOOKS_PER_COLUMN + look) * lookMs)),
    );
  const of = trace.tellsDelay ? "delay" : trace.tellsBandwidth ? "bandwidth" : "loss";
  const losses = looks((timeMs) => trace.lossAt(timeMs));
  const values = {
    delay: () => looks((timeMs) => trace.delayMsAt(timeMs)),
    bandwidth: () => looks((timeMs) => trace.bytesBetween(timeMs, timeMs + lookMs) / lookMs),
    loss: () => losses,
  }[of]();
  const peaks = values.map((column) => Math.max(...column));
  const most = Math.max(...peaks);
  const shares = (heights: readonly number[]): number[] => heights.map((height) => (most > 0 ? height / most : 0));
  return { of, most, means: shares(values.map(mean)), peaks: shares(peaks), losses: losses.map(mean) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
