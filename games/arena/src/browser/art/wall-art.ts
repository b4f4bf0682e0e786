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
}

export class WallSides {
  readonly #facings: readonly Facing[];
  readonly #strips: readonly string[] = QUARTERS.map((colour) => fade(colour, 0.75));
  /** Those of one facing in one frame: numbers of edges, and which quarters they are in. */
  readonly #seen: number[] = [];

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
      };
    });
  }

  /** The context has world units. Of each facing the sides first, then the strips of light at their feet. */
  draw(context: CanvasRenderingContext2D, camera: Camera): void {
    context.lineWidth = 1.1;
    for (const facing of this.#facings) {
      this.#look(facing, camera);
      if (this.#seen.length === 0) continue;
      context.fillStyle = facing.fill;
      context.beginPath();
      for (const at of this.#seen) addSide(context, facing.edges[at]!, camera.x, camera.y);
      context.fill();
      if (camera.scale >= STRIP_SCALE) this.#drawStrips(context, facing);
    }
  }

  /** Finds those in sight that face the middle of the screen: no others can be seen from above it. */
  #look({ isLevel, sign, edges, places }: Facing, camera: Camera): void {
    const seen = this.#seen;
    seen.length = 0;
    const halfWidth = camera.width / camera.scale / 2;
    const halfHeight = camera.height / camera.scale / 2;
    const middle = isLevel ? camera.y : camera.x;
    const half = isLevel ? halfHeight : halfWidth;
    // Those that face down or right lie above or left of the middle.
    const [least, most] = sign > 0 ? [middle - half, middle] : [middle, middle + half];
    for (let at = firstFrom(places, least); at < edges.length && places[at]! <= most; at++) {
      const edge = edges[at]!;
      if (places[at] === middle) continue;
      const isBeside = isLevel
        ? edge.x1 > camera.x + halfWidth || edge.x2 < camera.x - halfWidth
        : edge.y1 > camera.y + halfHeight || edge.y2 < camera.y - halfHeight;
      if (!isBeside) seen.push(at);
    }
  }

  #drawStrips(context: CanvasRenderingContext2D, { edges, quarters }: Facing): void {
    for (let quarter = 0; quarter < this.#strips.length; quarter++) {
      let isFirst = true;
      for (const at of this.#seen) {
        if (quarters[at] !== quarter) continue;
        if (isFirst) context.beginPath();
        isFirst = false;
        const { x1, y1, x2, y2 } = edges[at]!;
        context.moveTo(x1, y1);
        context.lineTo(x2, y2);
      }
      if (isFirst) continue;
      context.strokeStyle = this.#strips[quarter]!;
      context.stroke();
    }
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
function addSide(context: CanvasRenderingContext2D, edge: Edge, middleX: number, middleY: number): void {
  const lift = WALL_LIFT - 1;
  const { x1, y1, x2, y2 } = edge;
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.lineTo(x2 + (x2 - middleX) * lift, y2 + (y2 - middleY) * lift);
  context.lineTo(x1 + (x1 - middleX) * lift, y1 + (y1 - middleY) * lift);
}
