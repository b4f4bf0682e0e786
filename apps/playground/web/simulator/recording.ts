/**
 * A recording of somebody's steering, frame by frame: the keys that were held and the places that were clicked. Played back it gives the same
 * movement, as long as the settings move the entity in the same way (N §3.2.5).
 *
 * As text, for links and files: runs of keys such as `fl3 f12 .5` (forward and left for three frames, forward for twelve, nothing for five),
 * and clicks such as `@12.5,-30`, which hold from the next frame on.
 */

import { Keys } from "@nearfield/simulation";
import type { ControlInput } from "@nearfield/simulation/internal";

/** The simulator steps at this rate, whatever the screen does. */
export const FRAMES_PER_SECOND = 60;
export const FRAME_MS: number = 1000 / FRAMES_PER_SECOND;
/** A recording ends by itself after so many frames: two minutes. */
export const MOST_FRAMES: number = 120 * FRAMES_PER_SECOND;

export interface Recording {
  /** Sum of `Keys`, by frame. */
  readonly keys: readonly number[];
  /** Clicks by the frame they are known in, in order. */
  readonly clicks: readonly Click[];
}

export interface Click {
  readonly frame: number;
  readonly x: number;
  readonly y: number;
}

export class RecordingError extends Error {
  readonly code = "bad-recording";
}

const LETTERS: readonly (readonly [string, number])[] = [
  ["f", Keys.forward],
  ["b", Keys.back],
  ["l", Keys.left],
  ["r", Keys.right],
  ["q", Keys.strafeLeft],
  ["e", Keys.strafeRight],
];

export function secondsOf(recording: Recording): number {
  return recording.keys.length / FRAMES_PER_SECOND;
}

/** Clicks are kept to a hundredth of a px, so that the text says exactly what was recorded. */
export function roundClick(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Takes down what is steered. */
export class Recorder {
  readonly #keys: number[] = [];
  readonly #clicks: Click[] = [];

  /** False, and nothing is taken down, once it is full. */
  add({ keys, targetX, targetY }: ControlInput): boolean {
    if (this.isFull) return false;
    const last = this.#clicks.at(-1);
    const x = roundClick(targetX);
    const y = roundClick(targetY);
    if (x !== (last?.x ?? 0) || y !== (last?.y ?? 0)) this.#clicks.push({ frame: this.#keys.length, x, y });
    this.#keys.push(keys);
    return true;
  }

  get isFull(): boolean {
    return this.#keys.length >= MOST_FRAMES;
  }

  get frames(): number {
    return this.#keys.length;
  }

  finish(): Recording {
    return { keys: [...this.#keys], clicks: [...this.#clicks] };
  }
}

/** Gives a recording's inputs back, one frame after the other. */
export class Player {
  readonly #recording: Recording;
  #frame = 0;
  #click = 0;

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  get frame(): number {
    return this.#frame;
  }

  /** Undefined once it is over. */
  next(): ControlInput | undefined {
    const { keys, clicks } = this.#recording;
    const held = keys[this.#frame];
    if (held === undefined) return undefined;
    while (this.#click < clicks.length && clicks[this.#click]!.frame <= this.#frame) this.#click += 1;
    this.#frame += 1;
    const { x = 0, y = 0 } = clicks[this.#click - 1] ?? {};
    return { keys: held, targetX: x, targetY: y };
  }
}

export function writeRecording({ keys, clicks }: Recording): string {
  const words: string[] = [];
  let click = 0;
  for (let frame = 0; frame < keys.length; ) {
    while (clicks[click]?.frame === frame) {
      words.push(`@${clicks[click]!.x},${clicks[click]!.y}`);
      click += 1;
    }
    const until = clicks[click]?.frame ?? keys.length;
    let end = frame + 1;
    while (end < until && keys[end] === keys[frame]) end += 1;
    words.push(`${lettersOf(keys[frame]!)}${end - frame}`);
    frame = end;
  }
  return words.join(" ");
}

export function readRecording(text: string): Recording {
  const keys: number[] = [];
  const clicks: Click[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const click = /^@(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(word);
    const run = /^(\.|[fblrqe]+)(\d{1,5})$/.exec(word);
    if (click !== null) clicks.push({ frame: keys.length, x: Number(click[1]), y: Number(click[2]) });
    else if (run !== null) addRun(keys, keysOf(run[1]!), Number(run[2]));
    else throw new RecordingError(`The recording has “${word.slice(0, 30)}”, which is no run of keys`);
  }
  if (keys.length === 0) throw new RecordingError("The recording is empty");
  return { keys, clicks };
}

function addRun(keys: number[], held: number, frames: number): void {
  if (keys.length + frames > MOST_FRAMES) throw new RecordingError("The recording is longer than two minutes");
  for (let frame = 0; frame < frames; frame++) keys.push(held);
}

function lettersOf(keys: number): string {
  const letters = LETTERS.filter(([, key]) => keys & key).map(([letter]) => letter);
  return letters.join("") || ".";
}

function keysOf(letters: string): number {
  return LETTERS.reduce((sum, [letter, key]) => (letters.includes(letter) ? sum | key : sum), 0);
}
