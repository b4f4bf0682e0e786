/** Notes and plain text: a press opens a new one there, or the one that lies there. */

import { onBoard } from "../../pieces.ts";
import type { Point } from "../camera.ts";
import { type Desk, type Press, reachOf, type Tool } from "../desk.ts";
import { NOTE_SIDES, TEXT_SIZES } from "../palette.ts";

export class WritingTool implements Tool {
  readonly #desk: Desk;
  readonly #plain: boolean;

  constructor(desk: Desk, plain: boolean) {
    this.#desk = desk;
    this.#plain = plain;
  }

  down(): void {}

  move(): void {}

  up(press: Press): void {
    const desk = this.#desk;
    const there = desk.paper.at(press.x, press.y, reachOf(desk, press));
    if (there?.kind === "note") desk.editor.openNote(there);
    else openNewNote(desk, press, this.#plain);
    desk.use("select");
  }

  cancel(): void {}
}

/** The press is in the middle of the new note, or on the first line of the new text. */
export function openNewNote(desk: Desk, { x, y }: Point, plain: boolean): void {
  const { colour, size } = desk;
  const half = NOTE_SIDES[size]! / 2;
  const [dx, dy] = plain ? [0, TEXT_SIZES[size]! / 2] : [half, half];
  desk.selection.clear();
  desk.editor.openNew({
    key: desk.newKey(),
    x: onBoard(x - dx),
    y: onBoard(y - dy),
    // White paper on a dark board is glaring: a note begins yellow.
    colour: plain || colour !== 0 ? colour : 1,
    size,
    plain,
    words: "",
  });
}
