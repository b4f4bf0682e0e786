/**
 * The paper's figures of a run (N §3.3): mean and largest data rate and distance error, and how faithful the shown path is: how far it is from
 * the true path, whatever the time, and how often it jumps. They are updated in every frame; memory does not grow with the length of a run.
 */

import { FRAME_MS, FRAMES_PER_SECOND } from "./recording.ts";

export interface Figures {
  readonly seconds: number;
  /** kB (1,000 bytes) per second. */
  readonly avgDataSent: number;
  /** The most in any one second. */
  readonly maxDataSent: number;
  /** px between the shown and the true place at the same time. */
  readonly avgDistanceError: number;
  readonly maxDistanceError: number;
  readonly updates: number;
  readonly updatesPerSecond: number;
  /** Mean distance, in px, of the shown place from the nearest the entity truly was at. */
  readonly pathDeviation: number;
  /** Frames per second in which the picture moved a px further than the entity ever did. */
  readonly jumpsPerSecond: number;
}

/** True places searched for the nearest, back from now: the last three seconds. */
const SEARCHED: number = 3 * FRAMES_PER_SECOND;

export class Statistics {
  readonly #trueX: Float64Array = new Float64Array(SEARCHED);
  readonly #trueY: Float64Array = new Float64Array(SEARCHED);
  /** Bytes by frame of the last second, and their sum. */
  readonly #bytes: Float64Array = new Float64Array(FRAMES_PER_SECOND);
  #window = 0;
  #frames = 0;
  #shownFrames = 0;
  #updates = 0;
  #bytesSum = 0;
  #bytesMax = 0;
  #error = 0;
  #errorSum = 0;
  #errorMax = 0;
  #deviationSum = 0;
  #jumps = 0;
  #fastest = 0;
  #shownX = Number.NaN;
  #shownY = Number.NaN;

  /** Bytes sent in the last second. */
  get windowBytes(): number {
    return this.#window;
  }

  /** px of the last frame; 0 while nothing is shown. */
  get error(): number {
    return this.#error;
  }

  /** A frame begins: where the entity is now, and what was sent in it. */
  frame(x: number, y: number, speed: number, bytes: number): void {
    const at = this.#frames % SEARCHED;
    this.#trueX[at] = x;
    this.#trueY[at] = y;
    this.#fastest = Math.max(this.#fastest, (speed * FRAME_MS) / 1000);
    const second = this.#frames % FRAMES_PER_SECOND;
    this.#window += bytes - this.#bytes[second]!;
    this.#bytes[second] = bytes;
    this.#bytesSum += bytes;
    this.#bytesMax = Math.max(this.#bytesMax, this.#window);
    if (bytes > 0) this.#updates += 1;
    this.#frames += 1;
  }

  /** What the frame shows, if anything. */
  shown(x: number, y: number): void {
    const at = (this.#frames - 1) % SEARCHED;
    this.#error = length(x - this.#trueX[at]!, y - this.#trueY[at]!);
    this.#errorSum += this.#error;
    this.#errorMax = Math.max(this.#errorMax, this.#error);
    this.#deviationSum += this.#fromTruePath(x, y);
    if (length(x - this.#shownX, y - this.#shownY) > this.#fastest + 1) this.#jumps += 1;
    this.#shownX = x;
    this.#shownY = y;
    this.#shownFrames += 1;
  }

  figures(): Figures {
    const seconds = this.#frames / FRAMES_PER_SECOND;
    const shown = Math.max(1, this.#shownFrames);
    return {
      seconds,
      avgDataSent: seconds > 0 ? this.#bytesSum / seconds / 1000 : 0,
      maxDataSent: this.#bytesMax / 1000,
      avgDistanceError: this.#errorSum / shown,
      maxDistanceError: this.#errorMax,
      updates: this.#updates,
      updatesPerSecond: seconds > 0 ? this.#updates / seconds : 0,
      pathDeviation: this.#deviationSum / shown,
      jumpsPerSecond: (this.#jumps * FRAMES_PER_SECOND) / shown,
    };
  }

  #fromTruePath(x: number, y: number): number {
    const known = Math.min(this.#frames, SEARCHED);
    let nearest = Number.POSITIVE_INFINITY;
    let newer = (this.#frames - 1) % SEARCHED;
    if (known === 1) return length(x - this.#trueX[newer]!, y - this.#trueY[newer]!);
    for (let back = 1; back < known; back++) {
      const older = newer === 0 ? SEARCHED - 1 : newer - 1;
      const fromX = this.#trueX[older]!;
      const fromY = this.#trueY[older]!;
      const square = toSegmentSquared(x - fromX, y - fromY, this.#trueX[newer]! - fromX, this.#trueY[newer]! - fromY);
      if (square < nearest) nearest = square;
      newer = older;
    }
    return Math.sqrt(nearest);
  }
}

/** Squared distance of (x, y) from the segment (0, 0) – (toX, toY). */
function toSegmentSquared(x: number, y: number, toX: number, toY: number): number {
  const square = toX * toX + toY * toY;
  const along = square === 0 ? 0 : Math.max(0, Math.min(1, (x * toX + y * toY) / square));
  const offX = x - along * toX;
  const offY = y - along * toY;
  return offX * offX + offY * offY;
}

function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}
