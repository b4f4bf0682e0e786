/**
 * Walls as they stand: their tops are pictures, painted once per square of the level, and shown a little larger than the floor, so that they
 * lean away from the middle of the screen; between floor and top their sides are drawn, those that face the middle.
 */

import type { Camera } from "../camera.ts";
import { wallsNear } from "./floor.ts";
import { type Edge, edgeNear, type Ground, type Rect } from "./ground.ts";
import { fade, mix, QUARTERS, quarterColour } from "./palette.ts";
import { grain } from "./picture.ts";

/** How much nearer to the eye the tops are. */
export const WALL_LIFT = 1.04;

export function paintTops(context: CanvasRenderingContext2D, ground: Ground, area: Rect): boolean {
  const walls = wallsNear(ground.walls, area, 4);
  if (walls.length === 0) return false;
  for (const wall of walls) paintTop(context, ground, wall, area);
  paintCrates(context, ground, area);
  context.beginPath();
  for (const { x, y, width, height } of walls) context.rect(x, y, width, height);
  context.save();
  // Lines along the edges: half of each lies outside the walls and is cut off, and so are their ends.
  context.clip();
  context.lineCap = "square";
  const edges = ground.edges.filter((edge) => edgeNear(edge, area, 8));
  for (const edge of edges) line(context, edge, 8, "rgb(0 0 0 / 0.2)");
  for (const edge of edges) line(context, edge, 4.4, mix("#5f6f98", colourOf(ground, edge), 0.28));
  for (const edge of edges) line(context, edge, 2, mix("#c4d2f7", colourOf(ground, edge), 0.3));
  context.restore();
  return true;
}

/** Crates and pillars are walls too, and look like what they are. */
function paintCrates(context: CanvasRenderingContext2D, ground: Ground, area: Rect): void {
  const { tile } = ground;
  for (let row = Math.floor(area.y / tile); row * tile < area.y + area.height; row++) {
    for (let column = Math.floor(area.x / tile); column * tile < area.x + area.width; column++) {
      const stuff = ground.stuffAt(column, row);
      if (stuff !== "crate" && stuff !== "pillar") continue;
      const [x, y] = [column * tile, row * tile];
      const wood = mix("#6e4f30", "#4d3722", grain(column, row, 31));
      context.fillStyle = stuff === "crate" ? wood : "#414d6d";
      context.fillRect(x, y, tile, tile);
      if (stuff === "pillar") continue;
      context.fillStyle = "rgb(0 0 0 / 0.28)";
      for (const part of [0.33, 0.66]) context.fillRect(x, y + tile * part, tile, 0.7);
      context.strokeStyle = "rgb(255 220 160 / 0.16)";
      context.lineWidth = 1;
      context.strokeRect(x + 1.6, y + 1.6, tile - 3.2, tile - 3.2);
    }
  }
}

function colourOf(ground: Ground, edge: Edge): string {
  return quarterColour(ground, (edge.x1 + edge.x2) / 2, (edge.y1 + edge.y2) / 2);
}

function paintTop(context: CanvasRenderingContext2D, ground: Ground, wall: Rect, area: Rect): void {
  const x = Math.max(wall.x, area.x - 2);
  const y = Math.max(wall.y, area.y - 2);
  const width = Math.min(wall.x + wall.width, area.x + area.width + 2) - x;
  const height = Math.min(wall.y + wall.height, area.y + area.height + 2) - y;
  if (width <= 0 || height <= 0) return;
  context.fillStyle = mix("#353f59", quarterColour(ground, x + width / 2, y + height / 2), 0.06);
  context.fillRect(x, y, width, height);
  const plate = 25;
  for (let row = Math.floor(y / plate); row * plate < y + height; row++) {
    for (let column = Math.floor(x / plate); column * plate < x + width; column++) {
      const left = Math.max(x, column * plate);
      const top = Math.max(y, row * plate);
      const right = Math.min(x + width, (column + 1) * plate);
      const bottom = Math.min(y + height, (row + 1) * plate);
      context.fillStyle = grain(column, row, 21) > 0.5 ? "rgb(255 255 255 / 0.025)" : "rgb(0 0 0 / 0.07)";
      context.fillRect(left, top, right - left, bottom - top);
      context.fillStyle = "rgb(0 0 0 / 0.16)";
      if (column * plate >= x) context.fillRect(left, top, 0.6, bottom - top);
      if (row * plate >= y) context.fillRect(left, top, right - left, 0.6);
    }
  }
}

function line(context: CanvasRenderingContext2D, edge: Edge, width: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(edge.x1, edge.y1);
  context.lineTo(edge.x2, edge.y2);
  context.stroke();
}

/** Sides by the direction they face: light falls from the upper left. */
const SIDES: readonly { readonly normalX: number; readonly normalY: number; readonly fill: string }[] = [
  { normalX: 0, normalY: 1, fill: "#161c2b" },
  { normalX: 0, normalY: -1, fill: "#2c354d" },
  { normalX: 1, normalY: 0, fill: "#1b2233" },
  { normalX: -1, normalY: 0, fill: "#242c42" },
];

/** From further above (CSS pixels per unit) nobody sees the strips of light. */
const STRIP_SCALE = 0.9;

/** The sides of all walls that look the same: drawn as one path. */
interface SideGroup {
  readonly edges: readonly Edge[];
  readonly fill: string;
  readonly strip: string;
}

export class WallSides {
  readonly #groups: readonly SideGroup[];
  /** Those of one group, in one frame. */
  readonly #seen: Edge[] = [];

  constructor(ground: Ground) {
    this.#groups = SIDES.flatMap(({ normalX, normalY, fill }) =>
      QUARTERS.map((colour) => ({
        edges: ground.edges.filter(
          (edge) => edge.normalX === normalX && edge.normalY === normalY && colourOf(ground, edge) === colour,
        ),
        fill,
        strip: fade(colour, 0.75),
      })),
    );
  }

  /** The context has world units. Sides first, then the strips of light at their feet. */
  draw(context: CanvasRenderingContext2D, camera: Camera): void {
    context.lineWidth = 1.1;
    const [halfWidth, halfHeight] = [camera.width / camera.scale / 2, camera.height / camera.scale / 2];
    const view = { x: camera.x - halfWidth, y: camera.y - halfHeight, width: 2 * halfWidth, height: 2 * halfHeight };
    for (const { edges, fill, strip } of this.#groups) {
      const seen = this.#seen;
      seen.length = 0;
      for (const edge of edges) if (facesMiddle(edge, camera) && edgeNear(edge, view, 0)) seen.push(edge);
      if (seen.length === 0) continue;
      context.fillStyle = fill;
      context.beginPath();
      for (const edge of seen) addSide(context, edge, camera);
      context.fill();
      if (camera.scale < STRIP_SCALE) continue;
      context.strokeStyle = strip;
      context.beginPath();
      for (const { x1, y1, x2, y2 } of seen) {
        context.moveTo(x1, y1);
        context.lineTo(x2, y2);
      }
      context.stroke();
    }
  }
}

/** Only sides that face the middle of the screen can be seen from above it. */
function facesMiddle({ x1, y1, normalX, normalY }: Edge, camera: Camera): boolean {
  return (x1 - camera.x) * normalX + (y1 - camera.y) * normalY < 0;
}

function addSide(context: CanvasRenderingContext2D, { x1, y1, x2, y2 }: Edge, camera: Camera): void {
  const lift = WALL_LIFT - 1;
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.lineTo(x2 + (x2 - camera.x) * lift, y2 + (y2 - camera.y) * lift);
  context.lineTo(x1 + (x1 - camera.x) * lift, y1 + (y1 - camera.y) * lift);
  context.closePath();
}
