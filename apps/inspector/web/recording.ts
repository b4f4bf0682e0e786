/**
 * A recorded session in the page: frames in order of time, found by time, written to a file and read from one.
 *
 * A file may come from anywhere: what is not a recording, or is longer than the page wants to hold, is refused with a reason.
 */
import type { MapTell, RecordedFrame, TypeSummary } from "./feed-types.ts";

export interface Recording {
  readonly roundMs: number;
  readonly types: readonly TypeSummary[];
  readonly frames: readonly RecordedFrame[];
}

export const MOST_FILE_BYTES: number = 256 * 2 ** 20;
const MOST_FRAMES = 100_000;

/** Index of the newest frame that is not after `timeMs`; 0 before the first. */
export function frameAt(frames: readonly RecordedFrame[], timeMs: number): number {
  let [low, high] = [0, frames.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (frames[middle]!.map.timeMs <= timeMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** First and last time; both 0 without frames. */
export function timesOf(frames: readonly RecordedFrame[]): { fromMs: number; toMs: number } {
  return { fromMs: frames[0]?.map.timeMs ?? 0, toMs: frames.at(-1)?.map.timeMs ?? 0 };
}

export function writeRecording({ roundMs, types, frames }: Recording): string {
  return `${JSON.stringify({ nearfield: "recording", version: 1, roundMs, types, frames })}\n`;
}

/** Why a file is no recording. */
export class RecordingError extends Error {}

export function readRecording(text: string): Recording {
  if (text.length > MOST_FILE_BYTES) throw new RecordingError("The file is too long for this page");
  const file = parse(text);
  if (file["nearfield"] !== "recording") throw new RecordingError("The file is no recording of the inspector");
  if (file["version"] !== 1)
    throw new RecordingError(`The recording has version ${String(file["version"])}; this page reads 1`);
  const { roundMs, types, frames } = file;
  if (typeof roundMs !== "number" || !(roundMs > 0))
    throw new RecordingError("The recording does not say how long a round is");
  if (!Array.isArray(types) || !types.every(isType)) throw new RecordingError("The recording's types cannot be read");
  if (!Array.isArray(frames) || frames.length === 0) throw new RecordingError("The recording is empty");
  if (frames.length > MOST_FRAMES) throw new RecordingError(`The recording has more than ${MOST_FRAMES} frames`);
  const bad = frames.findIndex((frame) => !isFrame(frame));
  if (bad >= 0) throw new RecordingError(`Frame ${bad} of the recording cannot be read`);
  return { roundMs, types, frames: (frames as RecordedFrame[]).toSorted((a, b) => a.map.timeMs - b.map.timeMs) };
}

function parse(text: string): Record<string, unknown> {
  try {
    const file: unknown = JSON.parse(text);
    if (isRecord(file)) return file;
  } catch {
    // Said below.
  }
  throw new RecordingError("The file is not JSON");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNumbers(value: unknown, length?: number): value is number[] {
  return Array.isArray(value) && (length === undefined || value.length === length) && value.every(Number.isFinite);
}

function isType(value: unknown): value is TypeSummary {
  if (!isRecord(value) || typeof value["name"] !== "string" || typeof value["axes"] !== "number") return false;
  return Array.isArray(value["extent"]) && value["extent"].every((range) => range === null || isNumbers(range, 2));
}

function isFrame(value: unknown): value is RecordedFrame {
  if (!isRecord(value) || !isMap(value["map"])) return false;
  return ["bytesOutPerSecond", "bytesInPerSecond", "sendsPerSecond", "roundMs", "players"].every((name) =>
    Number.isFinite(value[name]),
  );
}

function isMap(value: unknown): value is MapTell {
  if (!isRecord(value) || !Number.isFinite(value["timeMs"]) || !Number.isFinite(value["round"])) return false;
  const { ids, headings, views, looks } = value;
  if (!isNumbers(ids)) return false;
  const isColumn = (name: string): boolean => isNumbers(value[name], ids.length);
  const areHeadings =
    Array.isArray(headings) &&
    headings.length === ids.length &&
    headings.every((one) => one === null || Number.isFinite(one));
  if (!["types", "x", "y", "owners"].every(isColumn) || !areHeadings) return false;
  return (
    Array.isArray(looks) &&
    looks.every(isLook) &&
    Array.isArray(views) &&
    views.every((view) => isView(view, looks.length))
  );
}

function isLook(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (set) =>
        isRecord(set) &&
        isNumbers(set["radii"]) &&
        isNumbers(set["sectors"]) &&
        (set["pivots"] === null || isNumbers(set["pivots"])),
    )
  );
}

function isView(value: unknown, looks: number): boolean {
  if (!isRecord(value) || !Number.isInteger(value["player"]) || typeof value["nickname"] !== "string") return false;
  const { look, pivots } = value;
  if (typeof look !== "number" || !(look >= 0 && look < looks) || !Array.isArray(pivots)) return false;
  return pivots.every(
    (pivot) =>
      isRecord(pivot) &&
      [pivot["x"], pivot["y"], pivot["scale"]].every(Number.isFinite) &&
      (pivot["direction"] === null || isNumbers(pivot["direction"], 3)) &&
      (pivot["radii"] === null || isNumbers(pivot["radii"])),
  );
}
