/** What this person is sent, drawn on the board: the zones of screen and cursor, and a flash on each thing that was just updated. CSS pixels. */

import { FACTORS, isWhollyLive, livePart, RADII, THING_MS } from "../../views.ts";
import type { Camera, Point } from "../camera.ts";
import { FONT, ZONE_COLOURS } from "../palette.ts";
import type { ShownThing } from "../thing.ts";

const FLASH_MS = 700;
const WORDS = THING_MS.map((ms) => (ms === 0 ? "live" : `within ${ms / 1000} s`));

export function drawZones(context: CanvasRenderingContext2D, camera: Camera, pivot: Point | undefined): void {
  const { x, y, width, height } = livePart(camera.rectangle);
  context.save();
  context.lineWidth = 1.5;
  if (isWhollyLive(camera.rectangle)) {
    // The innermost zone ends beyond the screen: its line is drawn just inside.
    context.strokeStyle = ZONE_COLOURS[0];
    context.strokeRect(2, 2, camera.width - 4, camera.height - 4);
    label(context, 14, camera.height - 16, `screen: ${WORDS[0]}`, ZONE_COLOURS[0]);
  }
  for (const [zone, factor] of [1, ...FACTORS].entries()) {
    const [w, h] = [width * factor * camera.zoom, height * factor * camera.zoom];
    const [left, top] = [camera.screenX(x) - w / 2, camera.screenY(y) - h / 2];
    context.strokeStyle = ZONE_COLOURS[zone]!;
    context.setLineDash(zone === 0 ? [] : [8, 6]);
    context.strokeRect(left, top, w, h);
    label(context, left + 10, top + h - 16, `screen: ${WORDS[zone]}`, ZONE_COLOURS[zone]!);
  }
  if (pivot !== undefined)
    for (const [zone, radius] of RADII.entries()) {
      const [cx, cy, r] = [camera.screenX(pivot.x), camera.screenY(pivot.y), radius * camera.zoom];
      context.strokeStyle = ZONE_COLOURS[zone]!;
      context.setLineDash(zone === 0 ? [] : [3, 6]);
      context.beginPath();
      context.arc(cx, cy, r, 0, 2 * Math.PI);
      context.stroke();
      label(context, cx - 34, cy - r - 12, `cursor: ${WORDS[zone]}`, ZONE_COLOURS[zone]!);
    }
  context.restore();
}

function label(context: CanvasRenderingContext2D, x: number, y: number, words: string, colour: string): void {
  context.font = `600 11px ${FONT}`;
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(words, x, y);
}

export function drawFlash(
  context: CanvasRenderingContext2D,
  camera: Camera,
  { box, updatedMs }: ShownThing,
  zone: number,
  nowMs: number,
): void {
  const left = 1 - (nowMs - updatedMs) / FLASH_MS;
  if (left <= 0 || updatedMs === 0) return;
  context.save();
  context.globalAlpha = left;
  context.strokeStyle = ZONE_COLOURS[zone] ?? ZONE_COLOURS[3];
  context.lineWidth = 2;
  const grow = 4 + (1 - left) * 6;
  context.beginPath();
  context.roundRect(
    camera.screenX(box.left) - grow,
    camera.screenY(box.top) - grow,
    (box.right - box.left) * camera.zoom + 2 * grow,
    (box.bottom - box.top) * camera.zoom + 2 * grow,
    8,
  );
  context.stroke();
  context.restore();
}
