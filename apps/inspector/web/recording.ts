/**
 * A recorded session in the page: frames in order of time, found by time, written to a file and read from one.
 *
 * A file may come from anywhere: what is not a recording, or is longer than the page wants to hold, is refused with a reason. Version 1 held
 * the map and the traffic alone; it is still read. Version 2 also has reports, sends and levels.
 */
import type { LevelTell, RecordedFrame } from "./feed-types.ts";
import { isFrame, isLevel, isNames, isRecord, isType } from "./recording-checks.ts";
import type { Facts } from "./shown.ts";

export interface Recording {
  readonly facts: Facts;
  readonly levels: readonly LevelTell[];
  readonly frames: readonly RecordedFrame[];
}

export const MOST_FILE_BYTES: number = 256 * 2 ** 20;
const VERSION = 2;
const MOST_FRAMES = 100_000;
const MOST_TYPES = 1024;
const MOST_LEVELS = 64;

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

/** In pieces, since one text of a long recording may be longer than a browser allows. */
export function writeRecording({ facts, levels, frames }: Recording): string[] {
  const { roundMs, types, causes, stages } = facts;
  const head = JSON.stringify({ nearfield: "recording", version: VERSION, roundMs, types, causes, stages, levels });
  const pieces = frames.map((frame, index) => `${index === 0 ? "" : ",\n"}${JSON.stringify(frame)}`);
  return [`${head.slice(0, -1)},"frames":[\n`, ...pieces, "]}\n"];
}

export type RecordingFault = "too-long" | "not-json" | "not-a-recording" | "version" | "empty" | "damaged";

/** Says why a file is not a valid recording. */
export class RecordingError extends Error {
  readonly code: RecordingFault;

  constructor(code: RecordingFault, message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws `RecordingError`. */
export function readRecording(text: string): Recording {
  if (text.length > MOST_FILE_BYTES) throw new RecordingError("too-long", "The file is too long for this page");
  const file = parse(text);
  if (file["nearfield"] !== "recording") {
    throw new RecordingError("not-a-recording", "The file is no recording of the inspector");
  }
  const { version, frames } = file;
  if (version !== 1 && version !== VERSION) {
    const advice = "open it with the inspector of the server that made it";
    throw new RecordingError(
      "version",
      `The recording has version ${String(version)}, this page reads 1 and 2: ${advice}`,
    );
  }
  if (!Array.isArray(frames) || frames.length === 0) throw new RecordingError("empty", "The recording is empty");
  if (frames.length > MOST_FRAMES) {
    throw new RecordingError("too-long", `The recording has more than ${MOST_FRAMES} frames`);
  }
  const facts = factsOf(file, version);
  const { levels = [] } = file;
  if (!Array.isArray(levels) || levels.length > MOST_LEVELS || !levels.every(isLevel)) {
    throw damaged("The recording's levels cannot be read");
  }
  const bad = frames.findIndex((frame) => !isFrame(frame, facts));
  if (bad >= 0) throw damaged(`Frame ${bad} of the recording cannot be read`);
  return {
    facts,
    levels: levels as LevelTell[],
    frames: (frames as RecordedFrame[]).toSorted((a, b) => a.map.timeMs - b.map.timeMs),
  };
}

function factsOf(file: Record<string, unknown>, version: number): Facts {
  const { roundMs, types, causes = [], stages = [] } = file;
  if (typeof roundMs !== "number" || !(roundMs > 0)) throw damaged("The recording does not say how long a round is");
  if (!Array.isArray(types) || types.length > MOST_TYPES || !types.every(isType)) {
    throw damaged("The recording's types cannot be read");
  }
  if (!isNames(causes) || !isNames(stages) || (version > 1 && (causes.length === 0 || stages.length === 0))) {
    throw damaged("The recording's causes or stages cannot be read");
  }
  return { roundMs, types, causes, stages };
}

function parse(text: string): Record<string, unknown> {
  try {
    const file: unknown = JSON.parse(text);
    if (isRecord(file)) return file;
  } catch {
    // Said below.
  }
  throw new RecordingError("not-json", "The file is not JSON");
}

function damaged(message: string): RecordingError {
  return new RecordingError("damaged", message);
}
