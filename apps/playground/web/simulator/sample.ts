/**
 * A movement for somebody who has not recorded one: twenty seconds of play in the manner of each control model, by seeded dice. Held
 * keys change about twice a second; now and then nothing is held; clicks go somewhere near.
 */

import { Dice } from "@nearfield/netlab";
import { Keys } from "@nearfield/simulation";
import type { ControlInput } from "@nearfield/simulation/internal";
import { FRAMES_PER_SECOND, Recorder, type Recording } from "./recording.ts";
import type { ControlName } from "./settings.ts";

const SECONDS = 20;
/** Clicks stay within this distance of the start, in px. */
const REACH = 90;

export function sampleRecording(control: ControlName, seed: string): Recording {
  const dice = new Dice(`sample/${control}/${seed}`);
  const recorder = new Recorder();
  while (recorder.frames < SECONDS * FRAMES_PER_SECOND) {
    const input = nextInput(control, dice);
    const frames = Math.round(dice.range(...HELD_SECONDS[control]) * FRAMES_PER_SECOND);
    const left = SECONDS * FRAMES_PER_SECOND - recorder.frames;
    for (let frame = 0; frame < Math.min(frames, left); frame++) recorder.add(input);
  }
  return recorder.finish();
}

/** For how long an input is held, from and to. */
const HELD_SECONDS: Readonly<Record<ControlName, readonly [number, number]>> = {
  direct: [0.2, 1.1],
  thrust: [0.3, 1],
  action: [0.25, 0.9],
  point: [0.8, 2.5],
};

const DIRECTIONS: readonly number[] = [
  Keys.forward,
  Keys.forward | Keys.right,
  Keys.right,
  Keys.back | Keys.right,
  Keys.back,
  Keys.back | Keys.left,
  Keys.left,
  Keys.forward | Keys.left,
];

function nextInput(control: ControlName, dice: Dice): ControlInput {
  const target = { targetX: dice.range(-REACH, REACH), targetY: dice.range(-REACH, REACH) };
  if (control === "point") return { keys: 0, ...target };
  const none = { targetX: 0, targetY: 0 };
  if (control === "direct") {
    const rests = dice.chance(0.12);
    const keys = DIRECTIONS[dice.int(DIRECTIONS.length)]!;
    return { keys: rests ? 0 : keys, ...none };
  }
  const turn = [0, 0, Keys.left, Keys.right][dice.int(4)]!;
  const ahead = dice.chance(control === "thrust" ? 0.8 : 0.65) ? Keys.forward : 0;
  const aside = [0, 0, Keys.strafeLeft, Keys.strafeRight][dice.int(4)]!;
  return { keys: turn | ahead | (control === "action" ? aside : 0), ...none };
}
