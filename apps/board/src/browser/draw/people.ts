/** Other people: their pointers with names, and what they are writing. */

import { playerColour } from "@nearfield/kit";
import type { Camera } from "../camera.ts";
import type { DraftReplica, SeenPerson } from "../network.ts";
import { FONT, NOTE_SIDES } from "../palette.ts";
import { layOut, layOutPlain } from "./lay-out.ts";
import { drawPaper, drawPlain } from "./things.ts";

/** A pointer, in CSS pixels, its tip at 0, 0. */
const ARROW = new Path2D("M0 0L5.500 16.500L8.700 9.700L15.700 7.200Z");

export function drawCursor(
  context: CanvasRenderingContext2D,
  camera: Camera,
  { name, colour, cursor, away }: SeenPerson,
  ago: string,
): void {
  if (cursor === undefined) return;
  const tone = playerColour(colour);
  context.save();
  context.translate(camera.screenX(cursor.x), camera.screenY(cursor.y));
  context.globalAlpha = away ? 0.35 : ago === "" ? 1 : 0.55;
  context.fillStyle = tone;
  context.strokeStyle = "#0a0e1d";
  context.lineWidth = 1.5;
  context.lineJoin = "round";
  context.fill(ARROW);
  context.stroke(ARROW);
  drawTag(context, 13, 15, away ? `${name} · away` : ago === "" ? name : `${name} · ${ago}`, tone);
  context.restore();
}

/** A name on a tag of its colour, its upper left corner there, CSS pixels. */
export function drawTag(
  context: CanvasRenderingContext2D,
  left: number,
  top: number,
  words: string,
  background: string,
  colour = "#0a0e1d",
): void {
  context.font = `600 11.5px ${FONT}`;
  context.textBaseline = "middle";
  const width = context.measureText(words).width + 12;
  context.fillStyle = background;
  context.beginPath();
  context.roundRect(left, top, width, 18, 5);
  context.fill();
  context.fillStyle = colour;
  context.fillText(words, left + 6, top + 9.5);
}

/** What somebody is writing; the context is scaled to board units. */
export function drawDraft(context: CanvasRenderingContext2D, draft: DraftReplica): void {
  const { x, y, size, colour, plain, words } = draft;
  if (plain) drawPlain(context, x, y, layOutPlain(words, size), colour);
  else drawPaper(context, x, y, NOTE_SIDES[size]!, layOut(words, size), colour);
}
