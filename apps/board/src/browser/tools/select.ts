/** Selecting and moving: a press on a thing takes it, a press beside draws a box around things, a double press writes. */

import { MOST_PLACE, PLACE_STEP } from "../../shared.ts";
import { type Desk, type Press, reachOf, type Tool } from "../desk.ts";
import type { ShownThing } from "../thing.ts";
import { inParts } from "./eraser.ts";
import { openNewNote } from "./writing.ts";

/** Two presses within this time and distance are a double press: ms, CSS pixels. */
const DOUBLE_MS = 350;
const DOUBLE_DISTANCE = 12;
/** A press that moves by less is no drag, CSS pixels. */
const DRAG_DISTANCE = 4;

export class SelectTool implements Tool {
  readonly #desk: Desk;
  readonly #now: () => number;
  #from: Press | undefined;
  #isDragging = false;
  /** How far the selection has been moved by this drag, units. */
  #movedX = 0;
  #movedY = 0;
  #lastUp: { press: Press; atMs: number } | undefined;
  #pressed: ShownThing | undefined;

  constructor(desk: Desk, now: () => number) {
    this.#desk = desk;
    this.#now = now;
  }

  down(press: Press): void {
    const desk = this.#desk;
    this.#from = press;
    this.#isDragging = false;
    this.#movedX = 0;
    this.#movedY = 0;
    this.#pressed = desk.paper.at(press.x, press.y, reachOf(desk, press));
    const keys = this.#pressed === undefined ? [] : desk.paper.whole(this.#pressed).map(({ key }) => key);
    if (keys.some((key) => desk.selection.has(key))) {
      if (press.adds) for (const key of keys) desk.selection.delete(key);
      return;
    }
    if (!press.adds) desk.selection.clear();
    for (const key of keys) desk.selection.add(key);
  }

  move(press: Press): void {
    const from = this.#from;
    if (from === undefined) return;
    this.#isDragging ||= Math.hypot(press.screenX - from.screenX, press.screenY - from.screenY) > DRAG_DISTANCE;
    if (!this.#isDragging) return;
    if (this.#pressed === undefined) this.#drawBand(from, press);
    else this.#drag(press.x - from.x, press.y - from.y);
  }

  #drawBand(from: Press, to: Press): void {
    const desk = this.#desk;
    const band = {
      left: Math.min(from.x, to.x),
      top: Math.min(from.y, to.y),
      right: Math.max(from.x, to.x),
      bottom: Math.max(from.y, to.y),
    };
    desk.band = band;
    if (!from.adds) desk.selection.clear();
    for (const thing of desk.paper.within(band)) desk.selection.add(thing.key);
  }

  /** Moves on to this far from where the drag began; nothing leaves the board. */
  #drag(toX: number, toY: number): void {
    const desk = this.#desk;
    const things = [...desk.selection].map((key) => desk.paper.get(key)).filter((thing) => thing !== undefined);
    if (things.length === 0) return;
    const dx = stepWithin(
      toX - this.#movedX,
      things.map(({ x }) => x),
    );
    const dy = stepWithin(
      toY - this.#movedY,
      things.map(({ y }) => y),
    );
    if (dx === 0 && dy === 0) return;
    this.#movedX += dx;
    this.#movedY += dy;
    for (const keys of inParts(things.map(({ key }) => key))) desk.ask({ kind: "move", keys, dx, dy });
  }

  up(press: Press): void {
    const desk = this.#desk;
    desk.band = undefined;
    if (this.#movedX !== 0 || this.#movedY !== 0) this.#endDrag();
    else if (!this.#isDragging) this.#click(press);
    this.#forget();
  }

  #endDrag(): void {
    const desk = this.#desk;
    const keys = [...desk.selection];
    desk.history.add({ kind: "move", keys, dx: this.#movedX, dy: this.#movedY });
    for (const part of inParts(keys.filter((key) => desk.paper.note(key) !== undefined)))
      desk.ask({ kind: "raise", keys: part });
  }

  #click(press: Press): void {
    const before = this.#lastUp;
    const atMs = this.#now();
    const isDouble =
      before !== undefined &&
      atMs - before.atMs < DOUBLE_MS &&
      Math.hypot(press.screenX - before.press.screenX, press.screenY - before.press.screenY) < DOUBLE_DISTANCE;
    this.#lastUp = isDouble ? undefined : { press, atMs };
    if (!isDouble) return;
    if (this.#pressed === undefined) openNewNote(this.#desk, press, false);
    else if (this.#pressed.kind === "note") this.#desk.editor.openNote(this.#pressed);
  }

  cancel(): void {
    const desk = this.#desk;
    desk.band = undefined;
    if (this.#movedX !== 0 || this.#movedY !== 0) {
      for (const keys of inParts([...desk.selection]))
        desk.ask({ kind: "move", keys, dx: -this.#movedX, dy: -this.#movedY });
    }
    this.#forget();
  }

  /** The press is over: nothing of it can be cancelled any more. */
  #forget(): void {
    this.#movedX = 0;
    this.#movedY = 0;
    this.#from = undefined;
  }

  /** Whether a press there would take hold of something. */
  wouldTake(press: Press): boolean {
    return this.#desk.paper.at(press.x, press.y, reachOf(this.#desk, press)) !== undefined;
  }
}

/** As much of the step as keeps all of these on the board, in the steps in which places are kept. */
function stepWithin(step: number, places: readonly number[]): number {
  const least = -Math.min(...places);
  const most = MOST_PLACE - Math.max(...places);
  return Math.trunc(Math.min(most, Math.max(least, step)) / PLACE_STEP) * PLACE_STEP;
}
