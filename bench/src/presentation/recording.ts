/**
 * A recorded movement: which keys were held in which frame, played through an entity's step function to the true track. Recordings are
 * written as text, `KEYS FRAMES` runs such as `fl3 f12 .5`: forward and left for three frames, forward for twelve, nothing for five.
 */

import { ENTITY_SIZE, EntityField, Keys, stepEntity } from "@nearfield/simulation";
import type { ControlInput, GenreEntity } from "@nearfield/simulation/internal";
import type { Update } from "./update.ts";

/** The paper's game loop takes about 40 ms (N §3.3.1). */
export const FRAME_MS = 40;

const LETTERS: Readonly<Record<string, number>> = {
  ".": 0,
  f: Keys.forward,
  b: Keys.back,
  l: Keys.left,
  r: Keys.right,
  q: Keys.strafeLeft,
  e: Keys.strafeRight,
};

/** Keys by frame. */
export function readRecording(text: string): Uint8Array {
  const keys: number[] = [];
  for (const run of text.trim().split(/\s+/)) {
    const match = /^([.fblrqe]+)(\d+)$/.exec(run);
    if (match === null) throw new RangeError(`recording: "${run}" is no run of keys`);
    const held = [...match[1]!].reduce((sum, letter) => sum | LETTERS[letter]!, 0);
    for (let frame = 0; frame < Number(match[2]); frame++) keys.push(held);
  }
  return Uint8Array.from(keys);
}

/** The truth, frame by frame; frame 0 is the first after a step. */
export class Track {
  readonly frames: number;
  readonly #states: Float64Array;

  constructor({ control, traits }: GenreEntity, keys: Uint8Array) {
    this.frames = keys.length;
    this.#states = new Float64Array(keys.length * ENTITY_SIZE);
    const state = new Float64Array(ENTITY_SIZE);
    for (const [frame, held] of keys.entries()) {
      const input: ControlInput = { keys: held, targetX: 0, targetY: 0 };
      stepEntity(control, traits, state, 0, input, FRAME_MS / 1000);
      this.#states.set(state, frame * ENTITY_SIZE);
    }
  }

  get seconds(): number {
    return (this.frames * FRAME_MS) / 1000;
  }

  at(frame: number, field: keyof typeof EntityField): number {
    return this.#states[frame * ENTITY_SIZE + EntityField[field]]!;
  }

  /** All there is to say of a frame. */
  update(frame: number): Update {
    return {
      sentMs: frame * FRAME_MS,
      x: this.at(frame, "x"),
      y: this.at(frame, "y"),
      velocityX: this.at(frame, "velocityX"),
      velocityY: this.at(frame, "velocityY"),
      accelerationX: this.at(frame, "accelerationX"),
      accelerationY: this.at(frame, "accelerationY"),
      heading: this.at(frame, "heading"),
      turnRate: this.at(frame, "turnRate"),
    };
  }
}
