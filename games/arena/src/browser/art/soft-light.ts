/**
 * What is soft on the floor: the shadows of walls, and the light that their strips spill. Both are painted on small pictures, where blurring is
 * cheap, and laid over the floor enlarged: nobody can tell.
 */

import { edgeNear, type Ground, type Rect } from "./ground.ts";
import { fade, QUARTERS, quarterColour } from "./palette.ts";
import { newPicture } from "./picture.ts";

/** Pixels of the small pictures per world unit. */
const FINENESS = 0.8;
/** World units around the area, so that neighbouring squares meet without a seam. */
const MARGIN = 20;
const SHADOW: readonly [number, number] = [9, 13];
/** World units that a shape is moved away so that only its shadow is seen. */
const FAR = 4000;

export function paintSoft(context: CanvasRenderingContext2D, ground: Ground, walls: readonly Rect[], area: Rect): void {
  const [width, height] = [area.width + 2 * MARGIN, area.height + 2 * MARGIN];
  const layer = (): CanvasRenderingContext2D => {
    const small = newPicture(width * FINENESS, height * FINENESS);
    small.setTransform(FINENESS, 0, 0, FINENESS, (MARGIN - area.x) * FINENESS, (MARGIN - area.y) * FINENESS);
    return small;
  };
  const [shadows, light] = [layer(), layer()];
  paintShadows(shadows, walls);
  paintSpill(light, ground, area);
  context.imageSmoothingQuality = "high";
  context.drawImage(shadows.canvas, area.x - MARGIN, area.y - MARGIN, width, height);
  context.globalCompositeOperation = "lighter";
  context.drawImage(light.canvas, area.x - MARGIN, area.y - MARGIN, width, height);
  context.globalCompositeOperation = "source-over";
}

/** Only the soft shadows of shapes that themselves lie far outside the picture. */
function paintShadows(context: CanvasRenderingContext2D, walls: readonly Rect[]): void {
  context.save();
  context.fillStyle = "#000";
  context.shadowOffsetX = FAR * FINENESS;
  for (const [blur, colour, path] of [
    [7, "rgb(0 0 0 / 0.5)", thrown],
    [16, "rgb(0 0 0 / 0.45)", around],
  ] as const) {
    context.shadowBlur = blur * FINENESS;
    context.shadowColor = colour;
    context.beginPath();
    for (const wall of walls) path(context, wall);
    context.fill();
  }
  context.restore();
}

/** What a wall shades: itself, and where it is pushed away from the light. */
function thrown(context: CanvasRenderingContext2D, { x, y, width, height }: Rect): void {
  const [dx, dy] = SHADOW;
  const left = x - FAR;
  context.moveTo(left, y);
  context.lineTo(left + width, y);
  context.lineTo(left + width + dx, y + dy);
  context.lineTo(left + width + dx, y + height + dy);
  context.lineTo(left + dx, y + height + dy);
  context.lineTo(left, y + height);
  context.closePath();
}

/** The dark at the foot of a wall. */
function around(context: CanvasRenderingContext2D, { x, y, width, height }: Rect): void {
  context.rect(x - FAR, y, width, height);
}

/** Light that the strips at the foot of the walls spill on the floor: the glow of lines that themselves lie far outside the picture. */
function paintSpill(context: CanvasRenderingContext2D, ground: Ground, area: Rect): void {
  context.save();
  context.globalCompositeOperation = "lighter";
  context.lineWidth = 3;
  context.strokeStyle = "#fff";
  context.shadowOffsetX = FAR * FINENESS;
  for (const colour of QUARTERS) {
    context.beginPath();
    for (const edge of ground.edges) {
      if (
        !edgeNear(edge, area, 60) ||
        quarterColour(ground, (edge.x1 + edge.x2) / 2, (edge.y1 + edge.y2) / 2) !== colour
      )
        continue;
      context.moveTo(edge.x1 - FAR, edge.y1);
      context.lineTo(edge.x2 - FAR, edge.y2);
    }
    for (const [blur, strength] of [
      [30, 0.5],
      [9, 0.35],
    ] as const) {
      context.shadowBlur = blur * FINENESS;
      context.shadowColor = fade(colour, strength);
      context.stroke();
    }
  }
  context.restore();
}
