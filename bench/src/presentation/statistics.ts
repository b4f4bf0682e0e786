/**
 * The paper's figures of one run (N §3.3). The paper's authors also graded the path by eye; here a measured figure replaces that grade: how far from
 * the true path the object is drawn (whatever the time), how it jumps, and how it trembles.
 */

import { exact } from "@nearfield/simulation";
import { mean } from "../statistics.ts";
import { FRAME_MS, type Track } from "./recording.ts";
import type { Shown } from "./update.ts";

export interface RunFigures {
  /** kB (1,000 bytes) per second. */
  readonly avgDataSent: number;
  /** The most in any one second. */
  readonly maxDataSent: number;
  /** World units. */
  readonly avgDistanceError: number;
  readonly maxDistanceError: number;
  readonly path: PathFigures;
  readonly updatesPerSecond: number;
}

export interface PathFigures {
  /** Mean distance from the shown place to the nearest place the object truly was at, in world units. */
  readonly deviation: number;
  /** Jumps per second: frames in which it moved further than the true object ever does, by half a ship or more. */
  readonly jumps: number;
  /** How much the shown velocity changes from frame to frame beyond what the true one does: world units per frame, mean. */
  readonly jitter: number;
  /** Mean error of the heading, in degrees. */
  readonly headingError: number;
  /** From 1, very good, to 6: see `gradeOf`. */
  readonly grade: number;
}

/** Half a ship of 10 px. */
const JUMP = 5;

/** True places searched for the nearest, back from now: longer than any network here delays. */
const SEARCH_MS = 2500;

export class RunStatistics {
  readonly #track: Track;
  readonly #sentBytes: Float64Array;
  readonly #fastest: number;
  #updates = 0;
  #shownFrames = 0;
  #errorSum = 0;
  #errorMax = 0;
  #deviationSum = 0;
  #jumps = 0;
  #bendSum = 0;
  #trueBendSum = 0;
  #headingSum = 0;
  /** Last shown place and step. */
  #x = Number.NaN;
  #y = Number.NaN;
  #stepX = Number.NaN;
  #stepY = Number.NaN;

  constructor(track: Track) {
    this.#track = track;
    this.#sentBytes = new Float64Array(track.frames);
    let fastest = 0;
    for (let frame = 0; frame < track.frames; frame++) {
      fastest = Math.max(fastest, length(track.at(frame, "velocityX"), track.at(frame, "velocityY")));
    }
    this.#fastest = (fastest * FRAME_MS) / 1000;
  }

  sent(frame: number, bytes: number): void {
    this.#sentBytes[frame] = this.#sentBytes[frame]! + bytes;
    this.#updates += 1;
  }

  /** What a frame draws. */
  shown(frame: number, { x, y, heading }: Shown): void {
    const track = this.#track;
    const error = length(x - track.at(frame, "x"), y - track.at(frame, "y"));
    this.#shownFrames += 1;
    this.#errorSum += error;
    this.#errorMax = Math.max(this.#errorMax, error);
    this.#headingSum += Math.abs(exact.angleBetween(heading, track.at(frame, "heading")));
    this.#deviationSum += this.#fromTruePath(frame, x, y);
    this.#follow(frame, x, y);
  }

  figures(): RunFigures {
    const frames = Math.max(1, this.#shownFrames);
    const seconds = (frames * FRAME_MS) / 1000;
    const path = {
      deviation: this.#deviationSum / frames,
      jumps: this.#jumps / seconds,
      jitter: Math.max(0, this.#bendSum - this.#trueBendSum) / frames,
      headingError: ((this.#headingSum / frames) * 180) / Math.PI,
    };
    return {
      avgDataSent: sum(this.#sentBytes) / this.#track.seconds / 1000,
      maxDataSent: mostInOneSecond(this.#sentBytes) / 1000,
      avgDistanceError: this.#errorSum / frames,
      maxDistanceError: this.#errorMax,
      path: { ...path, grade: gradeOf(path) },
      updatesPerSecond: this.#updates / this.#track.seconds,
    };
  }

  #follow(frame: number, x: number, y: number): void {
    const stepX = x - this.#x;
    const stepY = y - this.#y;
    this.#x = x;
    this.#y = y;
    if (Number.isNaN(stepX)) return;
    if (length(stepX, stepY) > this.#fastest + JUMP) this.#jumps += 1;
    if (!Number.isNaN(this.#stepX)) {
      this.#bendSum += length(stepX - this.#stepX, stepY - this.#stepY);
      this.#trueBendSum += this.#trueBend(frame);
    }
    this.#stepX = stepX;
    this.#stepY = stepY;
  }

  /** How the true step changed at this frame. */
  #trueBend(frame: number): number {
    const seconds = FRAME_MS / 1000;
    const { accelerationX, accelerationY } = {
      accelerationX: this.#track.at(frame, "accelerationX"),
      accelerationY: this.#track.at(frame, "accelerationY"),
    };
    return length(accelerationX, accelerationY) * seconds * seconds;
  }

  #fromTruePath(frame: number, x: number, y: number): number {
    const track = this.#track;
    let nearest = length(x - track.at(frame, "x"), y - track.at(frame, "y"));
    for (let past = frame; past > 0 && past > frame - SEARCH_MS / FRAME_MS; past--) {
      const fromX = track.at(past - 1, "x");
      const fromY = track.at(past - 1, "y");
      nearest = Math.min(
        nearest,
        toSegment(x - fromX, y - fromY, track.at(past, "x") - fromX, track.at(past, "y") - fromY),
      );
    }
    return nearest;
  }
}

/**
 * A grade from what a player would see. The weights of deviation and jitter are those that come nearest to the eight grades which the paper
 * gives with numbers (least squares, 0.75 off); jumps, which none of those have, cost a grade for one per second. It
 * ranks; it does not claim to be the paper's eye.
 */
function gradeOf({ deviation, jumps, jitter }: Pick<PathFigures, "deviation" | "jumps" | "jitter">): number {
  return Math.min(6, 1 + 0.28 * deviation + 1.1 * jitter + jumps);
}

/** Distance of (x, y) from the segment (0, 0) – (toX, toY). */
function toSegment(x: number, y: number, toX: number, toY: number): number {
  const square = toX * toX + toY * toY;
  const along = square === 0 ? 0 : Math.max(0, Math.min(1, (x * toX + y * toY) / square));
  return length(x - along * toX, y - along * toY);
}

function mostInOneSecond(bytes: Float64Array): number {
  const frames = 1000 / FRAME_MS;
  let window = 0;
  let most = 0;
  for (const [frame, sent] of bytes.entries()) {
    window += sent - (frame >= frames ? bytes[frame - frames]! : 0);
    most = Math.max(most, window);
  }
  return most;
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

/** Means over runs that differ in their seed; of maxima the largest. */
export function meanOf(runs: readonly RunFigures[]): RunFigures {
  const over = (value: (run: RunFigures) => number): number => mean(runs.map(value));
  return {
    avgDataSent: over((run) => run.avgDataSent),
    maxDataSent: Math.max(...runs.map((run) => run.maxDataSent)),
    avgDistanceError: over((run) => run.avgDistanceError),
    maxDistanceError: Math.max(...runs.map((run) => run.maxDistanceError)),
    updatesPerSecond: over((run) => run.updatesPerSecond),
    path: {
      deviation: over(({ path }) => path.deviation),
      jumps: over(({ path }) => path.jumps),
      jitter: over(({ path }) => path.jitter),
      headingError: over(({ path }) => path.headingError),
      grade: over(({ path }) => path.grade),
    },
  };
}
