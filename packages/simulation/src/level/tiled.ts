/**
 * Reads maps of the editor Tiled, saved as JSON (N §3.5.2.2): orthogonal ones with tile layers, object layers, groups and properties.
 * A map comes from outside, so nothing in it is believed: every size is held against a limit before anything of that size is made, and
 * whatever does not fit is refused with its place in the file and what to do about it.
 */

import { base64Bytes, decodeBase64 } from "./base64.ts";
import { LevelError, type LevelLimits } from "./level-error.ts";
import { Reader } from "./tiled-reader.ts";

export type PropertyValue = string | number | boolean;
export type Properties = ReadonlyMap<string, PropertyValue>;

export interface TileLayer {
  readonly name: string;
  readonly properties: Properties;
  /** Numbers of tiles, row by row; 0: none. Tiles that were flipped or turned count as what they are. */
  readonly tiles: Uint32Array;
}

export type LevelObjectKind = "rectangle" | "point" | "ellipse" | "polygon" | "polyline" | "text" | "tile";

/** Something placed on an object layer: a spawn point, a door, a region. World units are the map's pixels. */
export interface LevelObject {
  readonly id: number;
  readonly name: string;
  /** Its class, which older versions call type. */
  readonly type: string;
  readonly kind: LevelObjectKind;
  readonly layer: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Degrees, clockwise. */
  readonly rotation: number;
  /** Corners of a polygon or polyline, x and y by turns, told from `x`, `y`. */
  readonly points: readonly number[];
  readonly properties: Properties;
}

export interface TiledMap {
  /** In tiles. */
  readonly columns: number;
  readonly rows: number;
  /** World units. */
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly properties: Properties;
  readonly layers: readonly TileLayer[];
  readonly objects: readonly LevelObject[];
  /** By number of a tile: its properties. */
  readonly tileProperties: ReadonlyMap<number, Properties>;
}

export interface TiledOptions {
  /** Tilesets that are files of their own, by the name under which the map knows them; "ignore": their tiles have no properties. */
  readonly tilesets?: Readonly<Record<string, unknown>> | "ignore";
}

/** The high bits of a tile say how it is flipped. */
const TILE_MASK = 0x1fff_ffff;
const MOST_NESTING = 8;

export function readTiled(json: unknown, options: TiledOptions, limits: LevelLimits): TiledMap {
  const map = new Reader(json, "the map");
  if (map.text("type", "") !== "map")
    throw new LevelError(
      "not-a-map",
      map.at,
      "is no Tiled map; export it from Tiled as JSON (File → Export As → JSON map files)",
    );
  const orientation = map.text("orientation", "orthogonal");
  if (orientation !== "orthogonal")
    throw new LevelError("unsupported", `${map.at}.orientation`, `is ${orientation}; only orthogonal maps are read`);
  if (map.flag("infinite"))
    throw new LevelError("unsupported", `${map.at}.infinite`, "is true; uncheck Infinite in Map → Map Properties");
  const columns = map.whole("width", 1, limits.tiles);
  const rows = map.whole("height", 1, limits.tiles);
  if (columns * rows > limits.tiles)
    throw new LevelError(
      "too-large",
      map.at,
      `has ${columns} × ${rows} tiles, but at most ${limits.tiles} are allowed (limits.tiles)`,
    );
  const into: Layers = { columns, rows, limits, layers: [], objects: [], count: 0 };
  for (const layer of map.list("layers", limits.layers)) readLayer(layer, into, 0);
  return {
    columns,
    rows,
    tileWidth: map.whole("tilewidth", 1, 65_536),
    tileHeight: map.whole("tileheight", 1, 65_536),
    properties: readProperties(map),
    layers: into.layers,
    objects: into.objects,
    tileProperties: readTilesets(map, options, limits),
  };
}

// ── layers ───────────────────────────────────────────────────────────────────────────────────────────────────────

interface Layers {
  readonly columns: number;
  readonly rows: number;
  readonly limits: LevelLimits;
  readonly layers: TileLayer[];
  readonly objects: LevelObject[];
  count: number;
}

function readLayer(layer: Reader, into: Layers, depth: number): void {
  into.count += 1;
  if (into.count > into.limits.layers || depth > MOST_NESTING)
    throw new LevelError(
      "too-large",
      layer.at,
      `is one layer too many or too deep; ${into.limits.layers} are allowed (limits.layers)`,
    );
  switch (layer.text("type", "")) {
    case "tilelayer":
      into.layers.push({
        name: layer.text("name", ""),
        properties: readProperties(layer),
        tiles: readTiles(layer, into),
      });
      return;
    case "objectgroup":
      readObjects(layer, into);
      return;
    case "group":
      for (const inner of layer.list("layers", into.limits.layers)) readLayer(inner, into, depth + 1);
      return;
    case "imagelayer":
      return;
    default:
      throw new LevelError("malformed", `${layer.at}.type`, "must be tilelayer, objectgroup, group or imagelayer");
  }
}

function readTiles(layer: Reader, { columns, rows }: Layers): Uint32Array {
  const size = columns * rows;
  if (layer.whole("width", 0, columns * 2) !== columns || layer.whole("height", 0, rows * 2) !== rows)
    throw new LevelError("malformed", layer.at, `must be as large as the map, ${columns} × ${rows} tiles`);
  if (layer.number("offsetx", 0) !== 0 || layer.number("offsety", 0) !== 0)
    throw new LevelError(
      "unsupported",
      layer.at,
      "is moved by an offset; set Horizontal and Vertical Offset of the layer to 0",
    );
  const data = layer.value("data");
  const tiles = typeof data === "string" ? tilesOfText(layer, data, size) : tilesOfList(layer, data, size);
  for (let i = 0; i < size; i++) tiles[i] = tiles[i]! & TILE_MASK;
  return tiles;
}

function tilesOfList(layer: Reader, data: unknown, size: number): Uint32Array {
  if (!Array.isArray(data) || data.length !== size)
    throw new LevelError(
      "malformed",
      `${layer.at}.data`,
      `must be a list of ${size} numbers, one for each tile of the map`,
    );
  const tiles = new Uint32Array(size);
  for (let i = 0; i < size; i++) {
    const tile: unknown = data[i];
    if (typeof tile !== "number" || !Number.isInteger(tile) || tile < 0 || tile > 0xffff_ffff)
      throw new LevelError(
        "malformed",
        `${layer.at}.data[${i}]`,
        `is ${String(tile)}, but must be a whole number from 0 to 4294967295`,
      );
    tiles[i] = tile;
  }
  return tiles;
}

function tilesOfText(layer: Reader, data: string, size: number): Uint32Array {
  const at = `${layer.at}.data`;
  const compression = layer.text("compression", "");
  const advice =
    "in Tiled, set Map → Map Properties → Tile Layer Format to CSV or Base64 (uncompressed), and save again";
  if (layer.text("encoding", "csv") !== "base64")
    throw new LevelError("malformed", at, `is a text, but not base64; ${advice}`);
  if (compression !== "")
    throw new LevelError("unsupported", at, `is compressed (${compression}), which is not read; ${advice}`);
  if (base64Bytes(data) !== size * 4)
    throw new LevelError("malformed", at, `has ${base64Bytes(data)} bytes, but ${size} tiles take ${size * 4}`);
  const bytes = decodeBase64(data);
  if (bytes === undefined) throw new LevelError("malformed", at, `is not base64; ${advice}`);
  const tiles = new Uint32Array(size);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < size; i++) tiles[i] = view.getUint32(i * 4, true);
  return tiles;
}

// ── objects ──────────────────────────────────────────────────────────────────────────────────────────────────────

function readObjects(layer: Reader, { objects, limits }: Layers): void {
  const name = layer.text("name", "");
  const [shiftX, shiftY] = [layer.number("offsetx", 0), layer.number("offsety", 0)];
  for (const object of layer.list("objects", limits.objects)) {
    if (objects.length >= limits.objects)
      throw new LevelError(
        "too-large",
        object.at,
        `is one object more than the ${limits.objects} allowed (limits.objects)`,
      );
    const kind = kindOf(object);
    const height = object.number("height", 0);
    objects.push({
      id: object.whole("id", 0, Number.MAX_SAFE_INTEGER),
      name: object.text("name", ""),
      type: object.text("class", object.text("type", "")),
      kind,
      layer: name,
      x: object.number("x", 0) + shiftX,
      // The editor places tiles by their lower left corner, and everything else by the upper left one.
      y: object.number("y", 0) + shiftY - (kind === "tile" ? height : 0),
      width: object.number("width", 0),
      height,
      rotation: object.number("rotation", 0),
      points: readPoints(object, kind, limits),
      properties: readProperties(object),
    });
  }
}

function kindOf(object: Reader): LevelObjectKind {
  if (object.has("template"))
    throw new LevelError(
      "unsupported",
      object.at,
      "is made from a template; detach it in Tiled (right click → Detach from Template)",
    );
  if (object.has("gid")) return "tile";
  if (object.flag("point")) return "point";
  if (object.flag("ellipse")) return "ellipse";
  if (object.has("polygon")) return "polygon";
  if (object.has("polyline")) return "polyline";
  return object.has("text") ? "text" : "rectangle";
}

function readPoints(object: Reader, kind: LevelObjectKind, limits: LevelLimits): readonly number[] {
  if (kind !== "polygon" && kind !== "polyline") return [];
  return object.list(kind, limits.objects).flatMap((point) => [point.number("x"), point.number("y")]);
}

// ── properties ───────────────────────────────────────────────────────────────────────────────────────────────────

const MOST_PROPERTIES = 1024;

/** Texts, numbers and flags; values that are made of others are left out. */
function readProperties(owner: Reader): Properties {
  const properties = new Map<string, PropertyValue>();
  if (!owner.has("properties")) return properties;
  for (const property of owner.list("properties", MOST_PROPERTIES)) {
    const value = property.value("value");
    if (typeof value === "string" || typeof value === "boolean" || typeof value === "number")
      properties.set(property.text("name"), value);
  }
  return properties;
}

function readTilesets(map: Reader, { tilesets = {} }: TiledOptions, limits: LevelLimits): Map<number, Properties> {
  const properties = new Map<number, Properties>();
  if (!map.has("tilesets")) return properties;
  for (const entry of map.list("tilesets", 256)) {
    const first = entry.whole("firstgid", 1, TILE_MASK);
    const tileset = wholeTileset(entry, tilesets);
    if (tileset?.has("tiles") !== true) continue;
    for (const tile of tileset.list("tiles", limits.tiles)) {
      const its = readProperties(tile);
      if (its.size > 0) properties.set(first + tile.whole("id", 0, TILE_MASK), its);
    }
  }
  return properties;
}

/** The tileset itself: within the map, or a file of its own that the caller brings. */
function wholeTileset(entry: Reader, given: NonNullable<TiledOptions["tilesets"]>): Reader | undefined {
  if (!entry.has("source")) return entry;
  if (given === "ignore") return undefined;
  const source = entry.text("source");
  if (Object.hasOwn(given, source)) return new Reader(given[source], `tileset ${source}`);
  const advice = `embed it in the map (Tilesets → Embed Tileset), or save it as JSON (.tsj) and pass it as tilesets[${JSON.stringify(source)}], or pass tilesets: "ignore"`;
  throw new LevelError("missing", `${entry.at}.source`, `names the file ${source}, which is not here; ${advice}`);
}
