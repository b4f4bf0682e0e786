/** Draws a view: zones as rings or squares around each pivot, sectors as wedges in the direction it looks, and the handles of the editor. */

import type { DrawnPivot } from "../feed-types.ts";
import { zoneColour } from "./colours.ts";
import { edgesOf, type Rings } from "./scene.ts";
import type { Transform } from "./transform.ts";

export function drawRings(paint: CanvasRenderingContext2D, rings: Rings, transform: Transform): void {
  for (const pivot of rings.pivots) {
    paint.save();
    paint.translate(pivot.x * transform.scale + transform.left, pivot.y * transform.scale + transform.top);
    drawZones(paint, rings, pivot, transform.scale);
    if (!rings.isQuiet) drawSectors(paint, rings, pivot, transform.scale);
    drawPivot(paint, pivot);
    if (rings.isEdited) drawHandles(paint, rings, pivot, transform.scale);
    paint.restore();
  }
}

function drawZones(paint: CanvasRenderingContext2D, rings: Rings, pivot: DrawnPivot, scale: number): void {
  const edges = edgesOf(rings, pivot);
  for (const [zone, edge] of [...edges.entries()].reverse()) {
    outline(paint, rings.shape, pivot, edge * scale);
    paint.strokeStyle = paint.fillStyle = zoneColour(zone);
    paint.globalAlpha = rings.isQuiet ? 0 : 0.075;
    paint.fill();
    paint.globalAlpha = rings.isQuiet ? 0.35 : rings.isEdited ? 1 : 0.7;
    paint.lineWidth = rings.isQuiet ? 1 : rings.isEdited ? 2 : 1.5;
    if (rings.isQuiet) paint.setLineDash([2, 4]);
    paint.stroke();
    paint.setLineDash([]);
    if (!rings.isQuiet) label(paint, `${Math.round(edge * 10) / 10}`, 0, -edge * scale - 5, zoneColour(zone));
  }
  if (rings.range !== null) {
    outline(paint, rings.shape, pivot, rings.range * scale);
    paint.setLineDash([5, 5]);
    paint.globalAlpha = 0.6;
    paint.strokeStyle = "#9aa5d1";
    paint.lineWidth = 1;
    paint.stroke();
    paint.setLineDash([]);
  }
  paint.globalAlpha = 1;
}

function outline(paint: CanvasRenderingContext2D, shape: Rings["shape"], { frame }: DrawnPivot, radius: number): void {
  paint.beginPath();
  if (frame !== null) for (const corner of cornersOf(frame, radius)) paint.lineTo(...corner);
  if (frame !== null) paint.closePath();
  else if (shape === "square") paint.rect(-radius, -radius, 2 * radius, 2 * radius);
  else paint.arc(0, 0, radius, 0, 2 * Math.PI);
}

/** The corners of what lies within a distance of a camera. */
function cornersOf({ across, along }: NonNullable<DrawnPivot["frame"]>, distance: number): [number, number][] {
  const area = across[0] * along[1] - across[1] * along[0];
  const corner = (u: number, v: number): [number, number] => [
    (distance * (u * along[1] - v * across[1])) / area,
    (distance * (v * across[0] - u * along[0])) / area,
  ];
  return [corner(1, 1), corner(-1, 1), corner(-1, -1), corner(1, -1)];
}

function label(paint: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string): void {
  paint.font = "11px system-ui, sans-serif";
  paint.textAlign = "center";
  paint.globalAlpha = 0.9;
  paint.fillStyle = colour;
  paint.fillText(text, x, y);
  paint.globalAlpha = 1;
}

/** How far a sector's lines reach, px: to the outermost zone, at least a little. */
export function sectorReach(rings: Rings, pivot: DrawnPivot, scale: number): number {
  return Math.max(60, (edgesOf(rings, pivot).at(-1) ?? rings.range ?? 0) * scale);
}

function drawSectors(paint: CanvasRenderingContext2D, rings: Rings, pivot: DrawnPivot, scale: number): void {
  const { direction } = pivot;
  if (direction === null) return;
  const heading = Math.atan2(direction[1], direction[0]);
  const reach = sectorReach(rings, pivot, scale);
  for (const [sector, degrees] of [...rings.sectors.entries()].reverse()) {
    const half = (degrees / 360) * Math.PI;
    paint.beginPath();
    paint.moveTo(0, 0);
    paint.arc(0, 0, reach, heading - half, heading + half);
    paint.closePath();
    paint.fillStyle = "#ffd53d";
    paint.globalAlpha = sector === 0 ? 0.1 : 0.05;
    paint.fill();
    paint.globalAlpha = 0.75;
    paint.strokeStyle = "#ffd53d";
    paint.lineWidth = rings.isEdited ? 1.5 : 1;
    if (sector > 0) paint.setLineDash([6, 4]);
    paint.stroke();
    paint.setLineDash([]);
  }
  paint.globalAlpha = 1;
}

function drawPivot(paint: CanvasRenderingContext2D, { direction }: DrawnPivot): void {
  paint.strokeStyle = "#ffffff";
  paint.lineWidth = 2;
  paint.beginPath();
  paint.arc(0, 0, 8, 0, 2 * Math.PI);
  if (direction !== null) {
    paint.moveTo(8 * direction[0], 8 * direction[1]);
    paint.lineTo(17 * direction[0], 17 * direction[1]);
  }
  paint.stroke();
}

export type Handle = {
  readonly kind: "radius" | "sector";
  readonly index: number;
  readonly x: number;
  readonly y: number;
};

/** Where the handles of the editor's rings are, px from the pivot: one on each zone's edge, to the right; one at the end of each sector's upper line. */
export function handlesOf(rings: Rings, pivot: DrawnPivot, scale: number): Handle[] {
  const radii = edgesOf(rings, pivot).map((edge, index): Handle => ({ kind: "radius", index, x: edge * scale, y: 0 }));
  if (pivot.direction === null) return radii;
  const heading = Math.atan2(pivot.direction[1], pivot.direction[0]);
  const reach = sectorReach(rings, pivot, scale) * 0.8;
  const sectors = rings.sectors.map((degrees, index): Handle => {
    const angle = heading - (degrees / 360) * Math.PI;
    return { kind: "sector", index, x: reach * Math.cos(angle), y: reach * Math.sin(angle) };
  });
  return [...radii, ...sectors];
}

function drawHandles(paint: CanvasRenderingContext2D, rings: Rings, pivot: DrawnPivot, scale: number): void {
  for (const { kind, index, x, y } of handlesOf(rings, pivot, scale)) {
    paint.beginPath();
    paint.arc(x, y, 7, 0, 2 * Math.PI);
    paint.fillStyle = kind === "radius" ? zoneColour(index) : "#ffd53d";
    paint.fill();
    paint.strokeStyle = "#0a0e1d";
    paint.lineWidth = 2;
    paint.stroke();
  }
}
