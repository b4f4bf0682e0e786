/** Levels: what a map of Tiled becomes, and what hostile or wrong files are told. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64 } from "./base64.ts";
import { Level, type LevelOptions } from "./level.ts";
import { LevelError } from "./level-error.ts";

const WALL = 1;
const FLOOR = 2;

/** A room of 6 × 4 tiles with walls around it and a door. */
const TILES = [
  [WALL, WALL, WALL, WALL, WALL, WALL],
  [WALL, FLOOR, FLOOR, FLOOR, FLOOR, WALL],
  [WALL, FLOOR, FLOOR, FLOOR, FLOOR, 0],
  [WALL, WALL, WALL, WALL, WALL, WALL],
].flat();

type Json = Record<string, unknown>;

const layer = (more: Json = {}): Json => ({
  type: "tilelayer",
  name: "ground",
  width: 6,
  height: 4,
  data: TILES,
  ...more,
});

const map = (more: Json = {}): Json => ({
  type: "map",
  orientation: "orthogonal",
  infinite: false,
  width: 6,
  height: 4,
  tilewidth: 16,
  tileheight: 16,
  properties: [{ name: "title", type: "string", value: "cellar" }],
  tilesets: [
    { firstgid: 1, tiles: [{ id: 0, properties: [{ name: "solid", type: "bool", value: true }] }, { id: 1 }] },
  ],
  layers: [
    layer(),
    {
      type: "objectgroup",
      name: "things",
      objects: [
        { id: 1, name: "in", class: "spawn", x: 24, y: 24, width: 0, height: 0, point: true },
        { id: 2, name: "", type: "crate", x: 40, y: 20, width: 8, height: 8, properties: [solidity(true)] },
        {
          id: 3,
          name: "way",
          type: "patrol",
          x: 0,
          y: 0,
          polyline: [
            { x: 1, y: 2 },
            { x: 3, y: 4 },
          ],
        },
      ],
    },
  ],
  ...more,
});

function solidity(value: boolean): Json {
  return { name: "solid", type: "bool", value };
}

function refusal(source: unknown, options: LevelOptions = {}): string {
  try {
    Level.fromTiled(source, options);
  } catch (error) {
    if (error instanceof LevelError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "none";
}

describe("a level", () => {
  it("has the map's tiles, objects, properties and walls", () => {
    const level = Level.fromTiled(JSON.stringify(map()));
    expect([level.width, level.height, level.properties.get("title")]).toEqual([96, 64, "cellar"]);
    expect([level.tileAt(level.layers[0]!, 20, 20), level.tileAt(level.layers[0]!, -1, 0)]).toEqual([FLOOR, 0]);
    expect([level.tileProperties(WALL).get("solid"), level.tileProperties(FLOOR).size]).toEqual([true, 0]);
    expect(level.objectsOf("spawn")).toMatchObject([{ name: "in", kind: "point", x: 24, y: 24, layer: "things" }]);
    expect(level.objectsOf("patrol")).toMatchObject([{ kind: "polyline", points: [1, 2, 3, 4] }]);
    const walls = Array.from({ length: level.walls.count }, (_, wall) => level.walls.boundsOf(wall));
    expect(walls).toEqual([
      [0, 0, 96, 16],
      [0, 16, 16, 48],
      [80, 16, 96, 32],
      [0, 48, 96, 64],
      [40, 20, 48, 28],
    ]);
  });

  it("stops shots and movement at its walls", () => {
    const level = Level.fromTiled(map());
    expect(level.castRay([24, 24], [1, 0])).toEqual({ distance: 16, normalX: -1, normalY: 0, wall: 4 });
    expect(level.castCircle([24, 24], 4, [2, 0])).toMatchObject({ distance: 12 });
    expect(level.castRay([24, 40], [1, 0])).toBeUndefined();
    expect(level.castRay([24, 40], [0, 1], 7)).toBeUndefined();
    expect(level.castRay([24, 40], [0, 1], 8)).toMatchObject({ distance: 8, normalY: -1 });
    expect(level.castRay([24, 40], [0, 0])).toBeUndefined();
    expect(level.castRay([Number.NaN, 40], [1, 0])).toBeUndefined();
  });

  it("takes what is solid from layers as well", () => {
    const count = (properties: Json[]): number => Level.fromTiled(map({ layers: [layer({ properties })] })).walls.count;
    expect([count([]), count([solidity(true)]), count([solidity(false)])]).toEqual([4, 3, 0]);
  });

  it("reads base64 layers, and tiles that are flipped", () => {
    const bytes = new Uint8Array(
      Uint32Array.from(TILES, (tile) => (tile === WALL ? (tile | 0x8000_0000) >>> 0 : tile)).buffer,
    );
    const data = Buffer.from(bytes).toString("base64");
    const level = Level.fromTiled(map({ layers: [layer({ data, encoding: "base64", compression: "" })] }));
    expect([...level.layers[0]!.tiles]).toEqual(TILES);
  });

  it("reads groups, and tilesets that are passed along", () => {
    const layers = [{ type: "group", layers: [layer(), { type: "imagelayer" }] }];
    const tilesets = [{ firstgid: 1, source: "walls.tsj" }];
    const given = { tilesets: { "walls.tsj": { tiles: [{ id: 0, properties: [solidity(true)] }] } } };
    expect(Level.fromTiled(map({ layers, tilesets }), given).walls.count).toBe(4);
    expect(Level.fromTiled(map({ layers, tilesets }), { tilesets: "ignore" }).walls.count).toBe(0);
    expect(refusal(map({ layers, tilesets }))).toMatch(/^missing: .*walls\.tsj.*Embed Tileset/);
  });

  const solidThing = (more: Json): Json => ({
    layers: [
      {
        type: "objectgroup",
        objects: [{ id: 9, x: 0, y: 0, width: 9, height: 9, properties: [solidity(true)], ...more }],
      },
    ],
  });

  it.each<[string, unknown, RegExp]>([
    ["another kind of file", "<?xml version='1.0'?>", /^not-a-map: .*\.tmj/],
    ["something else in JSON", { hello: 1 }, /^not-a-map: .*Export As/],
    ["a list", [1, 2], /^malformed: the map is a list/],
    ["nothing", null, /^malformed: the map is null/],
    ["another orientation", map({ orientation: "hexagonal" }), /^unsupported: .*hexagonal/],
    ["an infinite map", map({ infinite: true }), /^unsupported: .*uncheck Infinite/],
    ["no size", map({ width: undefined }), /^malformed: the map\.width is missing/],
    ["half a tile", map({ width: 2.5 }), /^malformed: the map\.width is 2\.5/],
    ["a size that is too large", map({ width: 1_048_576, height: 1_048_576 }), /^too-large: .*limits\.tiles/],
    ["a size beyond everything", map({ width: 1e300 }), /^malformed: the map\.width is 1e\+300/],
    ["too many layers", map({ layers: Array(65).fill({ type: "imagelayer" }) }), /^too-large: .*65 entries/],
    ["a layer of another size", map({ layers: [layer({ width: 5 })] }), /^malformed: .*as large as the map/],
    ["a layer that is moved", map({ layers: [layer({ offsetx: 3 })] }), /^unsupported: .*Offset/],
    ["too few tiles", map({ layers: [layer({ data: [1] })] }), /^malformed: .*layers\[0\]\.data must be a list of 24/],
    ["tiles that are none", map({ layers: [layer({ data: TILES.map(() => "x") })] }), /^malformed: .*data\[0\] is x/],
    [
      "compressed tiles",
      map({ layers: [layer({ data: "AAAA", encoding: "base64", compression: "gzip" })] }),
      /^unsupported: .*gzip.*CSV/,
    ],
    [
      "base64 of another length",
      map({ layers: [layer({ data: "AAAA", encoding: "base64" })] }),
      /^malformed: .*3 bytes, but 24 tiles take 96/,
    ],
    [
      "base64 that is none",
      map({ layers: [layer({ data: "?".repeat(128), encoding: "base64" })] }),
      /^malformed: .*not base64/,
    ],
    ["an unknown layer", map({ layers: [{ type: "hologram" }] }), /^malformed: .*layers\[0\]\.type/],
    [
      "an object without a place",
      map({ layers: [{ type: "objectgroup", objects: [{ id: 1, x: "left" }] }] }),
      /^malformed: .*objects\[0\]\.x is "left"/,
    ],
    ["a template", map(solidThing({ template: "t.tj" })), /^unsupported: .*Detach/],
    ["a solid ellipse", map(solidThing({ ellipse: true })), /^unsupported: object 9 .*ellipse/],
    ["a solid that is turned", map(solidThing({ rotation: 30 })), /^unsupported: object 9 .*turned by 30°/],
    ["a file that is too long", " ".repeat(100), /^too-large: the file has 100 characters/],
  ])("refuses %s and says what to do", (_, source, expected) => {
    expect(refusal(source, { limits: { characters: 99 } })).toMatch(expected);
  });

  it("survives groups in groups without end", () => {
    let nested: Json = layer();
    for (let depth = 0; depth < 100; depth++) nested = { type: "group", layers: [nested] };
    expect(refusal(map({ layers: [nested] }))).toMatch(/^too-large: /);
  });

  it("reads or refuses whatever it is given, and throws nothing else", () => {
    const keys = [
      "type",
      "width",
      "height",
      "tilewidth",
      "layers",
      "data",
      "objects",
      "properties",
      "tilesets",
      "encoding",
    ];
    const junk = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom("map", "tilelayer", "objectgroup", "group", "base64", "", null, true),
        fc.integer({ min: -2, max: 9 }),
        fc.double(),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom(...keys), tie("value")),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), junk), fc.boolean(), (broken, isMap) => {
        expect(refusal(isMap ? { ...map(), ...broken } : broken)).toBeTypeOf("string");
      }),
      { numRuns: 500 },
    );
  });
});

it("base64 gives back what it was made of", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
      expect(decodeBase64(Buffer.from(bytes).toString("base64"))).toEqual(bytes);
    }),
  );
  expect([decodeBase64("A"), decodeBase64("A==="), decodeBase64("AA=A")]).toEqual([undefined, undefined, undefined]);
});
