// @ts-check
/**
 * Makes the levels: `node games/arena/levels/generate.mjs` writes `*.tmj` and the picture of their tiles. The output is committed; a test compares
 * it with this script's. To change a level by hand, open it in Tiled, and remove it from `PLANS` here.
 */

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bandsOf, Dice, Painter, TILE } from "./painter.mjs";
import { court, hall, plaza, room, twin } from "./rooms.mjs";
import { tilesPicture } from "./tiles-picture.mjs";

/** @typedef {import("./painter.mjs").Band} Band */
/** @typedef {import("./painter.mjs").Box} Box */
/** @typedef {{ name: string, seed: number, columns: readonly number[], rows: readonly number[], centre: number, spread: number }} Plan */

/** World units to a tile. */
export const TILE_SIZE = 10;

/**
 * Widths of blocks and streets by turns, from the edge to the middle, in tiles. `centre` is how much people like the plaza, `spread` how much they
 * like the rooms with the best items; a usual place has 1.
 *
 * @type {readonly Plan[]}
 */
const PLANS = [
  { name: "foundry", seed: 7, columns: [16, 6, 14, 5, 16], rows: [20, 6, 12, 5, 12], centre: 2, spread: 1.5 },
  {
    name: "citadel",
    seed: 12,
    columns: [18, 6, 16, 5, 14, 5, 20],
    rows: [18, 6, 16, 5, 14, 5, 20],
    centre: 12,
    spread: 3,
  },
  {
    name: "harbour",
    seed: 29,
    columns: [22, 6, 20, 6, 18, 6, 14, 5, 29],
    rows: [20, 6, 18, 6, 16, 6, 29],
    centre: 60,
    spread: 3,
  },
];

export const LEVELS = ["cell", ...PLANS.map(({ name }) => name)];

/** The map of a level, as Tiled saves it. @param {string} name */
export function makeLevel(name) {
  const plan = PLANS.find((candidate) => candidate.name === name);
  return tiled(name, plan === undefined ? paintCell() : paintTown(plan));
}

/** A town: streets first, then each block of a quarter, which the painter mirrors. @param {Plan} plan */
function paintTown(plan) {
  const [across, down] = [bandsOf(plan.columns), bandsOf(plan.rows)];
  const painter = new Painter(sizeOf(across), sizeOf(down));
  const dice = new Dice(plan.seed);
  for (const { kind, from, to } of across)
    if (kind === "street") painter.fill({ left: from, top: 1, right: to, bottom: painter.rows - 1 }, TILE.street);
  for (const { kind, from, to } of down)
    if (kind === "street") painter.fill({ left: 1, top: from, right: painter.columns - 1, bottom: to }, TILE.street);
  const [midX, midY] = [(across.length - 1) / 2, (down.length - 1) / 2];
  for (let column = 0; column <= midX; column += 2) {
    for (let row = 0; row <= midY; row += 2) {
      const box = boxOf(/** @type {Band} */ (across[column]), /** @type {Band} */ (down[row]));
      if (column === midX && row === midY) paintPlaza(painter, box, plan);
      else paintBlock(painter, box, { column, row, midX, midY, dice, spread: plan.spread });
    }
  }
  obstruct(painter, across, down, dice);
  return painter;
}

/**
 * One block and what lies in it. The outer walls serve for blocks at the edge.
 *
 * @param {Painter} painter
 * @param {Box} box
 * @param {{ column: number, row: number, midX: number, midY: number, dice: Dice, spread: number }} where
 */
function paintBlock(painter, box, { column, row, midX, midY, dice, spread }) {
  const sides = { left: column > 0, top: row > 0, right: true, bottom: true };
  const ring = Math.max((midX - column) / Math.max(1, midX), (midY - row) / Math.max(1, midY));
  const kind =
    column === midX || row === midY
      ? dice.pick(["hall", "court", "hall"])
      : dice.pick(["room", "room", "twin", "hall", "court"]);
  const outset = { ...box, left: box.left - (sides.left ? 0 : 1), top: box.top - (sides.top ? 0 : 1) };
  if (kind === "court") court(painter, box);
  else if (kind === "twin") twin(painter, outset, sides, dice);
  else if (kind === "hall") hall(painter, outset, sides, dice);
  else room(painter, outset, sides, dice);
  const item =
    ring < 0.5
      ? dice.pick(["armour", "launcher", "health", "ammo"])
      : dice.pick(["health", "ammo", "ammo", "health", "launcher", "armour"]);
  stock(painter, box, item, item === "launcher" || item === "armour" ? spread : 1);
}

/** An item in the middle, two places to be born beside it. @param {Painter} painter @param {Box} box @param {string} item @param {number} weight */
function stock(painter, { left, top, right, bottom }, item, weight) {
  const middle = nearestFree(painter, Math.round((left + right) / 2), Math.round((top + bottom) / 2));
  painter.place({ ...middle, type: "item", name: item });
  painter.place({ ...middle, type: "interest", name: "", weight });
  for (const [x, y] of /** @type {const} */ ([
    [left + 3, top + 3],
    [right - 3, bottom - 3],
  ])) {
    const spot = nearestFree(painter, x, y);
    painter.place({ ...spot, type: "spawn", name: "" });
  }
}

/** @param {Painter} painter @param {Box} box @param {Plan} plan */
function paintPlaza(painter, box, plan) {
  const wide = { left: box.left - 2, top: box.top - 2, right: box.right + 2, bottom: box.bottom + 2 };
  plaza(painter, wide);
  const [x, y] = [painter.columns / 2, painter.rows / 2];
  painter.place({ x, y, type: "item", name: "launcher" });
  painter.place({ x, y, type: "interest", name: "", weight: plan.centre });
  const [dx, dy] = [Math.floor((wide.right - wide.left) / 3), Math.floor((wide.bottom - wide.top) / 3)];
  const armour = nearestFree(painter, Math.floor(x) - dx, Math.floor(y));
  painter.place({ ...armour, type: "item", name: "armour" });
  const health = nearestFree(painter, Math.floor(x), Math.floor(y) - dy);
  painter.place({ ...health, type: "item", name: "health" });
  painter.place({ ...armour, type: "interest", name: "", weight: plan.centre / 3 });
}

/** Crates in the streets, so that nobody sees along all of one. @param {Painter} painter @param {readonly Band[]} across @param {readonly Band[]} down @param {Dice} dice */
function obstruct(painter, across, down, dice) {
  for (const column of across) {
    for (const row of down) {
      if (column.from > painter.columns / 2 || row.from > painter.rows / 2 || column.kind === row.kind) continue;
      const [x, y] = [Math.floor((column.from + column.to) / 2), Math.floor((row.from + row.to) / 2)];
      const isUpright = column.kind === "street";
      const width = isUpright ? column.to - column.from : row.to - row.from;
      const shift = dice.pick([-4, 0, 4]);
      const [left, top] = isUpright
        ? [x - (width - 4 > 1 ? 1 : 0), y + shift]
        : [x + shift, y - (width - 4 > 1 ? 1 : 0)];
      const size = width > 5 ? 2 : 1;
      if (dice.chance(0.8) && painter.at(left, top) === TILE.street)
        painter.fill(
          { left, top, right: left + (isUpright ? size : 2), bottom: top + (isUpright ? 2 : size) },
          TILE.crate,
        );
    }
  }
}

/** The smallest map: one hall, four angles of wall, a ring of pillars. */
function paintCell() {
  const painter = new Painter(25, 25);
  painter.fill({ left: 8, top: 8, right: 17, bottom: 17 }, TILE.plaza);
  painter.fill({ left: 5, top: 5, right: 9, bottom: 6 }, TILE.wall);
  painter.fill({ left: 5, top: 5, right: 6, bottom: 9 }, TILE.wall);
  painter.set(12, 4, TILE.crate);
  painter.set(4, 12, TILE.crate);
  painter.set(9, 9, TILE.pillar);
  painter.set(12, 8, TILE.pillar);
  painter.set(8, 12, TILE.pillar);
  painter.place({ x: 12.5, y: 12.5, type: "item", name: "launcher" });
  painter.place({ x: 12.5, y: 12.5, type: "interest", name: "", weight: 3 });
  painter.place({ x: 7.5, y: 7.5, type: "item", name: "health" });
  painter.place({ x: 7.5, y: 7.5, type: "interest", name: "", weight: 1 });
  painter.place({ x: 12.5, y: 2, type: "item", name: "armour" });
  painter.place({ x: 2, y: 12.5, type: "item", name: "ammo" });
  for (const [x, y] of /** @type {const} */ ([
    [2.5, 2.5],
    [7, 2.5],
    [2.5, 7],
    [10.5, 6.5],
  ]))
    painter.place({ x, y, type: "spawn", name: "" });
  return painter;
}

/** The nearest corner of tiles with room around it. @param {Painter} painter @param {number} x @param {number} y */
function nearestFree(painter, x, y) {
  for (let ring = 0; ring < 6; ring++) {
    for (let dy = -ring; dy <= ring; dy++)
      for (let dx = -ring; dx <= ring; dx++)
        if (Math.max(Math.abs(dx), Math.abs(dy)) === ring && painter.isFree(x + dx, y + dy, 0.95))
          return { x: x + dx, y: y + dy };
  }
  throw new Error(`no room around tile ${x}, ${y}`);
}

/** @param {readonly Band[]} bands */
function sizeOf(bands) {
  return /** @type {Band} */ (bands.at(-1)).to + 1;
}

/** @param {Band} across @param {Band} down @returns {Box} */
function boxOf(across, down) {
  return { left: across.from, top: down.from, right: across.to, bottom: down.to };
}

/** @param {string} name @param {Painter} painter */
function tiled(name, painter) {
  const solid = [{ name: "solid", type: "bool", value: true }];
  const point = { width: 0, height: 0, rotation: 0, visible: true, point: true };
  const objects = painter.things.map(({ x, y, name: called, type, weight }, at) => ({
    id: at + 1,
    name: called,
    type,
    x: x * TILE_SIZE,
    y: y * TILE_SIZE,
    ...point,
    ...(weight !== undefined && { properties: [{ name: "weight", type: "float", value: weight }] }),
  }));
  const { columns: width, rows: height } = painter;
  const layer = { x: 0, y: 0, opacity: 1, visible: true };
  return {
    type: "map",
    version: "1.10",
    orientation: "orthogonal",
    renderorder: "right-down",
    infinite: false,
    width,
    height,
    tilewidth: TILE_SIZE,
    tileheight: TILE_SIZE,
    nextlayerid: 3,
    nextobjectid: objects.length + 1,
    properties: [{ name: "name", type: "string", value: name }],
    tilesets: [
      {
        firstgid: 1,
        name: "arena",
        image: "tiles.png",
        imagewidth: 6 * TILE_SIZE,
        imageheight: TILE_SIZE,
        tilewidth: TILE_SIZE,
        tileheight: TILE_SIZE,
        tilecount: 6,
        columns: 6,
        margin: 0,
        spacing: 0,
        tiles: [TILE.wall, TILE.crate, TILE.pillar].map((tile) => ({ id: tile - 1, properties: solid })),
      },
    ],
    layers: [
      { id: 1, name: "ground", type: "tilelayer", width, height, ...layer, data: painter.tiles },
      { id: 2, name: "places", type: "objectgroup", draworder: "topdown", ...layer, objects },
    ],
  };
}

/** The file: one line a row of tiles, one line an object. @param {string} name */
export function levelText(name) {
  const map = makeLevel(name);
  const { data, width } = /** @type {{ data: number[], width: number }} */ (/** @type {unknown} */ (map.layers[0]));
  const { objects } = /** @type {{ objects: object[] }} */ (/** @type {unknown} */ (map.layers[1]));
  const rows = Array.from({ length: data.length / width }, (_, row) =>
    data.slice(row * width, (row + 1) * width).join(","),
  );
  const text = JSON.stringify(
    {
      ...map,
      layers: [
        { ...map.layers[0], data: "DATA" },
        { ...map.layers[1], objects: "OBJECTS" },
      ],
    },
    null,
    1,
  );
  return `${text.replace('"DATA"', `[\n${rows.join(",\n")}\n]`).replace('"OBJECTS"', `[\n${objects.map((object) => JSON.stringify(object)).join(",\n")}\n]`)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of LEVELS) writeFileSync(new URL(`${name}.tmj`, import.meta.url), levelText(name));
  writeFileSync(new URL("tiles.png", import.meta.url), tilesPicture(TILE_SIZE));
}
