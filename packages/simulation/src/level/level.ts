/**
 * The structure of a level, from a map of the editor Tiled (N §3.5.2.2): its tiles, what stands on it, and its walls, which stop shots
 * and movement. World units are the map's pixels, x to the right and y down, as in the editor.
 *
 * Solid is: a tile with the property `solid` (in its tileset); every tile of a layer with the property `solid`, and none of a layer on
 * which it is false; and a rectangle on an object layer with the property `solid`.
 */

import { DEFAULT_LEVEL_LIMITS, LevelError, type LevelLimits } from "./level-error.ts";
import {
  type LevelObject,
  type Properties,
  readTiled,
  type TiledMap,
  type TiledOptions,
  type TileLayer,
} from "./tiled.ts";
import { mergeTiles, type WallHit, Walls } from "./walls.ts";

export interface LevelOptions extends TiledOptions {
  readonly limits?: Partial<LevelLimits>;
}

const SOLID = "solid";

export class Level {
  /** World units. */
  readonly width: number;
  readonly height: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly properties: Properties;
  readonly layers: readonly TileLayer[];
  readonly objects: readonly LevelObject[];
  readonly walls: Walls;
  readonly #map: TiledMap;

  constructor(map: TiledMap) {
    this.#map = map;
    this.tileWidth = map.tileWidth;
    this.tileHeight = map.tileHeight;
    this.width = map.columns * map.tileWidth;
    this.height = map.rows * map.tileHeight;
    this.properties = map.properties;
    this.layers = map.layers;
    this.objects = map.objects;
    this.walls = makeWalls(map);
  }

  /** Reads a map: the text of the file, or what `JSON.parse` made of it. Throws `LevelError`. */
  static fromTiled(source: unknown, options: LevelOptions = {}): Level {
    const limits = { ...DEFAULT_LEVEL_LIMITS, ...options.limits };
    return new Level(readTiled(typeof source === "string" ? parse(source, limits) : source, options, limits));
  }

  /** Objects of a class, in the order of the file: spawn points, doors. */
  objectsOf(type: string): readonly LevelObject[] {
    return this.objects.filter((object) => object.type === type);
  }

  /** Number of the tile at a point on a layer; 0 where there is none. */
  tileAt(layer: TileLayer, x: number, y: number): number {
    const column = Math.floor(x / this.tileWidth);
    const row = Math.floor(y / this.tileHeight);
    if (column < 0 || row < 0 || column >= this.#map.columns || row >= this.#map.rows) return 0;
    return layer.tiles[row * this.#map.columns + column]!;
  }

  /** Properties of a tile by its number. */
  tileProperties(tile: number): Properties {
    return this.#map.tileProperties.get(tile) ?? NO_PROPERTIES;
  }

  /** How far a shot gets: to the first wall within reach, or undefined. The direction may be of any length but 0. */
  castRay(from: readonly [number, number], direction: readonly [number, number], reach?: number): WallHit | undefined {
    return this.castCircle(from, 0, direction, reach);
  }

  /** The same for something with a radius: how far it can move. */
  castCircle(
    from: readonly [number, number],
    radius: number,
    direction: readonly [number, number],
    reach: number = Number.POSITIVE_INFINITY,
  ): WallHit | undefined {
    const [dx, dy] = direction;
    const length = Math.sqrt(dx * dx + dy * dy);
    if (!(length > 0 && radius >= 0 && Number.isFinite(from[0] + from[1] + length + radius))) return undefined;
    const hit: WallHit = { distance: 0, normalX: 0, normalY: 0, wall: -1 };
    return this.walls.cast(from[0], from[1], radius, dx / length, dy / length, reach, hit) ? hit : undefined;
  }
}

const NO_PROPERTIES: Properties = new Map();

function parse(text: string, limits: LevelLimits): unknown {
  if (text.length > limits.characters) {
    const rule = `at most ${limits.characters} are allowed (limits.characters)`;
    throw new LevelError("too-large", "the file", `has ${text.length} characters, but ${rule}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const advice = "export the map from Tiled as JSON (.tmj), not as XML (.tmx)";
    throw new LevelError("not-a-map", "the file", `is not JSON (${(error as Error).message}); ${advice}`);
  }
}

function makeWalls(map: TiledMap): Walls {
  const { columns, rows, tileWidth, tileHeight } = map;
  const solid = new Uint8Array(columns * rows);
  for (const layer of map.layers) markSolid(layer, map, solid);
  const walls = mergeTiles(solid, columns, rows).map((tile, i) => tile * (i % 2 === 0 ? tileWidth : tileHeight));
  for (const object of map.objects) if (object.properties.get(SOLID) === true) walls.push(...wallOf(object, map));
  return new Walls({ columns, rows, cellX: tileWidth, cellY: tileHeight }, walls);
}

function markSolid({ properties, tiles }: TileLayer, { tileProperties }: TiledMap, solid: Uint8Array): void {
  const whole = properties.get(SOLID);
  if (whole === false) return;
  for (let i = 0; i < tiles.length; i++) {
    const tile = tiles[i]!;
    if (tile !== 0 && (whole === true || tileProperties.get(tile)?.get(SOLID) === true)) solid[i] = 1;
  }
}

/** A solid object's bounds, cut off at the map's edges; nothing if it lies outside. */
function wallOf(object: LevelObject, map: TiledMap): number[] {
  const { kind, rotation, x, y, width, height } = object;
  if ((kind !== "rectangle" && kind !== "tile") || rotation !== 0) {
    const what = rotation === 0 ? `a ${kind}` : `turned by ${rotation}°`;
    const advice = "only rectangles that are not turned can be solid; build it of several, or of tiles";
    throw new LevelError(
      "unsupported",
      `object ${object.id} on layer ${object.layer}`,
      `is solid and ${what}; ${advice}`,
    );
  }
  const [maxX, maxY] = [map.columns * map.tileWidth, map.rows * map.tileHeight];
  const wall = [Math.max(0, x), Math.max(0, y), Math.min(maxX, x + width), Math.min(maxY, y + height)];
  return wall[0]! < wall[2]! && wall[1]! < wall[3]! ? wall : [];
}
