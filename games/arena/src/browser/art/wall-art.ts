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

/**
 * How far (CSS pixels) a side may be from where it belongs before all are laid out anew. They lean by 4 % of the way to the middle of the screen, so
 * from far above the camera goes five units until then.
 */
const OFF_PX = 0.15;

/** The sides that face one way, ordered by how far they lie along it: those in sight that face the middle of the screen are neighbours. */
interface Facing {
  readonly isLevel: boolean;
  /** 1: faces down or right. */
  readonly sign: number;
  readonly fill: string;
  readonly edges: readonly Edge[];
  /** By edge: its place along the way it faces, and the number of its quarter's colour. */
  readonly places: Float64Array;
  readonly quarters: Uint8Array;
  /** As they are seen from where they were laid out. */
  sides: Path2D;
  /** By quarter. */
  readonly strips: Path2D[];
}

export class WallSides {
  readonly #facings: readonly Facing[];
  readonly #strips: readonly string[] = QUARTERS.map((colour) => fade(colour, 0.75));
  /** For which camera the paths were laid out. */
  readonly #laidOut = { x: Number.NaN, y: Number.NaN, scale: 0, width: 0, height: 0 };

  constructor(ground: Ground) {
    this.#facings = SIDES.map(({ normalX, normalY, fill }) => {
      const isLevel = normalY !== 0;
      const place = (edge: Edge): number => (isLevel ? edge.y1 : edge.x1);
      const edges = ground.edges
        .filter((edge) => edge.normalX === normalX && edge.normalY === normalY)
        .sort((a, b) => place(a) - place(b));
      return {
        isLevel,
        sign: normalX + normalY,
        fill,
        edges,
        places: Float64Array.from(edges, place),
        quarters: Uint8Array.from(edges, (edge) => QUARTERS.indexOf(colourOf(ground, edge))),
        sides: new Path2D(),
        strips: [],
      };
    });
  }

  /** The context has world units. Of each facing the sides first, then the strips of light at their feet. */
  draw(context: CanvasRenderingContext2D, camera: Camera): void {
    this.#keepUp(camera);
    context.lineWidth = 1.1;
    for (const { fill, sides, strips } of this.#facings) {
      context.fillStyle = fill;
      context.fill(sides);
      if (camera.scale < STRIP_SCALE) continue;
      for (let quarter = 0; quarter < strips.length; quarter++) {
        context.strokeStyle = this.#strips[quarter]!;
        context.stroke(strips[quarter]!);
      }
    }
  }

  /** Lays the paths out anew if the camera has gone on so far that one would see it. */
  #keepUp({ x, y, scale, width, height }: Camera): void {
    const before = this.#laidOut;
    const way = OFF_PX / ((WALL_LIFT - 1) * scale);
    const isNear = Math.abs(x - before.x) <= way && Math.abs(y - before.y) <= way;
    if (isNear && scale === before.scale && width === before.width && height === before.height) return;
    Object.assign(before, { x, y, scale, width, height });
    for (const facing of this.#facings) layOut(facing, x, y, width / scale / 2 + way, height / scale / 2 + way);
  }
}

/** Takes those around a middle that face it: no others can be seen from above it. */
function layOut(facing: Facing, x: number, y: number, halfWidth: number, halfHeight: number): void {
  const { isLevel, sign, edges, places, quarters } = facing;
  facing.sides = new Path2D();
  for (let quarter = 0; quarter < QUARTERS.length; quarter++) facing.strips[quarter] = new Path2D();
  const middle = isLevel ? y : x;
  const half = isLevel ? halfHeight : halfWidth;
  // Those that face down or right lie above or left of the middle.
  const least = sign > 0 ? middle - half : middle;
  const most = sign > 0 ? middle : middle + half;
  for (let at = firstFrom(places, least); at < edges.length && places[at]! <= most; at++) {
    const { x1, y1, x2, y2 } = edges[at]!;
    if (isLevel ? x1 > x + halfWidth || x2 < x - halfWidth : y1 > y + halfHeight || y2 < y - halfHeight) continue;
    addSide(facing.sides, edges[at]!, x, y);
    const strip = facing.strips[quarters[at]!]!;
    strip.moveTo(x1, y1);
    strip.lineTo(x2, y2);
  }
}

/** Number of the first place that is no less, in places from the least to the most. */
function firstFrom(places: Float64Array, least: number): number {
  let [from, to] = [0, places.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (places[middle]! < least) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Filling closes it. */
function addSide(path: Path2D, edge: Edge, middleX: number, middleY: number): void {
  const lift = WALL_LIFT - 1;
  const { x1, y1, x2, y2 } = edge;
  path.moveTo(x1, y1);
  path.lineTo(x2, y2);
  path.lineTo(x2 + (x2 - middleX) * lift, y2 + (y2 - middleY) * lift);
  path.lineTo(x1 + (x1 - middleX) * lift, y1 + (y1 - middleY) * lift);
}
