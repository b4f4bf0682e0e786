/** Draws a scene: ground, level, heat, zones, objects by type, names, the selection. Sharp on every screen; one call draws all. */

import type { DrawnPivot, HeatTell } from "../feed-types.ts";
import { heatColour, typeColour } from "./colours.ts";
import { drawLevel } from "./draw-level.ts";
import { drawRings } from "./draw-rings.ts";
import type { Scene } from "./scene.ts";
import { type Box, gridStep, type Size, type Transform, toPicture, toWorld } from "./transform.ts";

const GROUND = "#0b1023";
const GRID = "#151d40";
const BORDER = "#36417a";

/** Where the objects are drawn, in the order of the map. */
interface Places {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export function drawScene(
  paint: CanvasRenderingContext2D,
  scene: Scene,
  transform: Transform,
  size: Size,
  places: Places,
): void {
  drawGround(paint, scene.world, transform, size);
  if (scene.level !== undefined) drawLevel(paint, scene.level, transform);
  if (scene.heat !== undefined) drawHeat(paint, scene.heat, transform);
  const pivotPlace = placer(scene, places);
  for (const rings of scene.rings) {
    drawRings(paint, { ...rings, pivots: rings.pivots.map(pivotPlace) }, transform);
  }
  for (const pivot of scene.otherPivots) drawOther(paint, transform, pivotPlace(pivot));
  drawObjects(paint, scene, transform, size, places);
}

/** A pivot on an object is drawn where that object is drawn, which glides between two samples. */
function placer(scene: Scene, places: Places): (pivot: DrawnPivot) => DrawnPivot {
  const indices = new Map(scene.map.ids.map((id, index) => [id, index]));
  return (pivot) => {
    const index = pivot.object === null ? undefined : indices.get(pivot.object);
    return index === undefined ? pivot : { ...pivot, x: places.x[index]!, y: places.y[index]! };
  };
}

function drawGround(paint: CanvasRenderingContext2D, world: Box | undefined, transform: Transform, size: Size): void {
  paint.fillStyle = GROUND;
  paint.fillRect(0, 0, size.width, size.height);
  const step = gridStep(transform.scale, 60);
  const [left, top] = toWorld(transform, 0, 0);
  const [right, bottom] = toWorld(transform, size.width, size.height);
  paint.strokeStyle = GRID;
  paint.lineWidth = 1;
  paint.beginPath();
  for (let x = Math.ceil(left / step) * step; x <= right; x += step) {
    const at = Math.round(x * transform.scale + transform.left) + 0.5;
    paint.moveTo(at, 0);
    paint.lineTo(at, size.height);
  }
  for (let y = Math.ceil(top / step) * step; y <= bottom; y += step) {
    const at = Math.round(y * transform.scale + transform.top) + 0.5;
    paint.moveTo(0, at);
    paint.lineTo(size.width, at);
  }
  paint.stroke();
  if (world === undefined) return;
  const [x, y] = toPicture(transform, world.minX, world.minY);
  paint.strokeStyle = BORDER;
  paint.strokeRect(x, y, (world.maxX - world.minX) * transform.scale, (world.maxY - world.minY) * transform.scale);
}

const heatPictures = new WeakMap<HeatTell, HTMLCanvasElement>();

/** One pixel for each cell, drawn large and smooth. */
function heatPicture(heat: HeatTell): HTMLCanvasElement {
  const known = heatPictures.get(heat);
  if (known !== undefined) return known;
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, heat.columns);
  canvas.height = Math.max(1, heat.rows);
  const paint = canvas.getContext("2d")!;
  const picture = paint.createImageData(canvas.width, canvas.height);
  for (const [cell, count] of heat.counts.entries()) {
    // A root, so that places seldom visited are seen beside those that are crowded.
    const colour = heat.most > 0 && count > 0 ? heatColour(Math.sqrt(count / heat.most)) : [0, 0, 0, 0];
    picture.data.set(colour, cell * 4);
  }
  paint.putImageData(picture, 0, 0);
  heatPictures.set(heat, canvas);
  return canvas;
}

function drawHeat(paint: CanvasRenderingContext2D, heat: HeatTell, transform: Transform): void {
  const [left, top] = toPicture(transform, heat.x[0], heat.y[0]);
  paint.imageSmoothingEnabled = true;
  paint.drawImage(
    heatPicture(heat),
    left,
    top,
    (heat.x[1] - heat.x[0]) * transform.scale,
    (heat.y[1] - heat.y[0]) * transform.scale,
  );
}

function drawOther(paint: CanvasRenderingContext2D, transform: Transform, { x, y }: DrawnPivot): void {
  const [px, py] = toPicture(transform, x, y);
  paint.strokeStyle = "#ffffff";
  paint.globalAlpha = 0.55;
  paint.lineWidth = 1;
  paint.beginPath();
  paint.arc(px, py, 8, 0, 2 * Math.PI);
  paint.stroke();
  paint.globalAlpha = 1;
}

function drawObjects(
  paint: CanvasRenderingContext2D,
  scene: Scene,
  transform: Transform,
  size: Size,
  places: Places,
): void {
  const { map } = scene;
  const radius = objectRadius(transform.scale);
  for (const [index, id] of map.ids.entries()) {
    const type = map.types[index]!;
    if (scene.hiddenTypes.has(type)) continue;
    const [x, y] = toPicture(transform, places.x[index]!, places.y[index]!);
    if (x < -20 || y < -20 || x > size.width + 20 || y > size.height + 20) continue;
    const owner = map.owners[index]!;
    const isOwned = owner !== 0;
    paint.fillStyle = typeColour(type);
    drawBody(paint, x, y, isOwned ? radius * 1.35 : radius, map.headings[index] ?? null);
    if (isOwned && owner === scene.player) outlineOwn(paint, x, y, radius);
    if (id === scene.selectedObject) drawSelection(paint, x, y, radius);
    if (scene.showNames && isOwned) drawName(paint, scene.names.get(owner), x, y - radius * 1.35 - 6);
  }
}

/** Radius of a drawn object, px: large enough to be seen from far away, and with an upper limit. */
export function objectRadius(scale: number): number {
  return Math.min(8, Math.max(2.5, 2.5 + scale * 0.8));
}

/** A dot, or an arrowhead where it looks somewhere. */
function drawBody(paint: CanvasRenderingContext2D, x: number, y: number, radius: number, heading: number | null): void {
  paint.beginPath();
  if (heading === null) paint.arc(x, y, radius, 0, 2 * Math.PI);
  else {
    const angle = (heading / 180) * Math.PI;
    const corner = (turn: number, length: number): [number, number] => [
      x + Math.cos(angle + turn) * length,
      y + Math.sin(angle + turn) * length,
    ];
    paint.moveTo(...corner(0, radius * 1.6));
    paint.lineTo(...corner(2.45, radius * 1.35));
    paint.lineTo(...corner(Math.PI, radius * 0.5));
    paint.lineTo(...corner(-2.45, radius * 1.35));
    paint.closePath();
  }
  paint.fill();
}

function outlineOwn(paint: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  paint.strokeStyle = "#ffffff";
  paint.lineWidth = 1.5;
  paint.beginPath();
  paint.arc(x, y, radius + 3.5, 0, 2 * Math.PI);
  paint.stroke();
}

function drawSelection(paint: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  const reach = radius + 7;
  paint.strokeStyle = "#ffd53d";
  paint.lineWidth = 2.5;
  paint.beginPath();
  for (const [dx, dy] of [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const) {
    paint.moveTo(x + dx * reach, y + dy * (reach - 5));
    paint.lineTo(x + dx * reach, y + dy * reach);
    paint.lineTo(x + dx * (reach - 5), y + dy * reach);
  }
  paint.stroke();
}

function drawName(paint: CanvasRenderingContext2D, name: string | undefined, x: number, y: number): void {
  if (name === undefined) return;
  paint.font = "11px system-ui, sans-serif";
  paint.textAlign = "center";
  paint.lineWidth = 3;
  paint.strokeStyle = GROUND;
  paint.strokeText(name, x, y);
  paint.fillStyle = "#c3cbee";
  paint.fillText(name, x, y);
}
