/**
 * Measures what all players see of each other at the end of every round, without latency: what each was sent, moved on by a motion model, is
 * compared with the primaries. Errors are counted by (zone, sector) cell, in world units. The direction in which an avatar looks, which no
 * model predicts, is counted in degrees.
 */

import type { World } from "@nearfield/core";
import { MOTION_SIZE } from "@nearfield/presentation";
import { type MotionModel, PLACE_SIZE } from "@nearfield/presentation/internal";
import { ErrorTally } from "../traces/error-tally.ts";
import type { Cells } from "./cells.ts";
import type { Stance } from "./recording.ts";

/** Tallies count in thousandths of this, up to twice of it: world units, and degrees. */
const ERROR_SCALE = 25;
const TURN_SCALE = 90;

export class Picture {
  /** By cell. */
  readonly errors: readonly ErrorTally[];
  readonly turns: readonly ErrorTally[];
  /** By zone. */
  readonly zones: readonly ErrorTally[];
  readonly #avatars: number;
  readonly #cells: Cells;
  readonly #model: MotionModel;
  readonly #roundMs: number;
  readonly #size: number;
  readonly #states: Float64Array;
  /** Round of the last send, −1 for none; direction as sent. */
  readonly #sent: Int32Array;
  readonly #headings: Float64Array;
  readonly #motion = new Float64Array(MOTION_SIZE);
  readonly #shown = new Float64Array(PLACE_SIZE);

  constructor(avatars: number, cells: Cells, model: MotionModel, roundMs: number) {
    this.#avatars = avatars;
    this.#cells = cells;
    this.#model = model;
    this.#roundMs = roundMs;
    this.#size = model.stateSize;
    this.#states = new Float64Array(avatars * avatars * this.#size);
    this.#sent = new Int32Array(avatars * avatars).fill(-1);
    this.#headings = new Float64Array(avatars * avatars);
    this.errors = Array.from({ length: cells.count }, () => new ErrorTally(ERROR_SCALE));
    this.turns = Array.from({ length: cells.count }, () => new ErrorTally(TURN_SCALE));
    this.zones = Array.from({ length: cells.zoneCount }, () => new ErrorTally(ERROR_SCALE));
  }

  /** The viewer was sent this avatar, as it is in the world now. */
  send(
    viewer: number,
    avatar: number,
    world: World,
    slot: number,
    heading: number,
    round: number,
    settles: boolean,
  ): void {
    const pair = viewer * this.#avatars + avatar;
    const at = pair * this.#size;
    const before = this.#sent[pair]!;
    world.readMotion(slot, this.#motion);
    this.#model.receive(this.#states, at, this.#motion, 0, before < 0 ? 0 : (round - before) * this.#roundMs, settles);
    this.#sent[pair] = round;
    this.#headings[pair] = heading;
  }

  /** The avatar is gone from all pictures. */
  remove(avatar: number): void {
    for (let viewer = 0; viewer < this.#avatars; viewer++) {
      const pair = viewer * this.#avatars + avatar;
      this.#sent[pair] = -1;
      this.#states.fill(0, pair * this.#size, (pair + 1) * this.#size);
    }
  }

  /** Compares what the viewer sees of an avatar with where it is. */
  compare(viewer: number, avatar: number, { x, y, heading }: Stance, cell: number, round: number): void {
    const pair = viewer * this.#avatars + avatar;
    const sent = this.#sent[pair]!;
    if (sent < 0) return;
    this.#model.place(this.#states, pair * this.#size, (round - sent) * this.#roundMs, this.#shown, 0);
    const dx = this.#shown[0]! - x;
    const dy = this.#shown[1]! - y;
    const error = Math.sqrt(dx * dx + dy * dy);
    this.errors[cell]!.add(error);
    this.zones[this.#cells.zoneOf(cell)]!.add(error);
    this.turns[cell]!.add(degreesBetween(heading, this.#headings[pair]!));
  }
}

function degreesBetween(a: number, b: number): number {
  const turn = Math.abs(a - b) % (2 * Math.PI);
  return (Math.min(turn, 2 * Math.PI - turn) * 180) / Math.PI;
}
