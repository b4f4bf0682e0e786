// @ts-check
/**
 * Paints a level that is symmetric both ways: whatever is painted or placed in one quarter appears in all four. Bands divide each axis into blocks
 * and the streets between them, so that a level is a town of rooms, halls and courts around a plaza.
 */

/** @typedef {{ kind: "block" | "street", from: number, to: number }} Band */
/** @typedef {{ x: number, y: number, name: string, type: string, weight?: number }} Thing */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

export const TILE = { floor: 1, wall: 2, crate: 3, pillar: 4, street: 5, plaza: 6 };

/** Seeded dice; the same seed gives the same level on every machine. */
export class Dice {
  /** @param {number} seed */
  constructor(seed) {
    this.state = seed >>> 0;
  }

  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @param {number} share */
  chance(share) {
    return this.next() < share;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return /** @type {T} */ (list[Math.floor(this.next() * list.length)]);
  }
}

/** Bands from their widths: blocks and streets by turns, between the outer walls. @param {readonly number[]} half widths up to the middle one @returns {Band[]} */
export function bandsOf(half) {
  const widths = [...half, ...half.slice(0, -1).reverse()];
  let from = 1;
  return widths.map((width, at) => {
    const band = {
      kind: at % 2 === 0 ? /** @type {const} */ ("block") : /** @type {const} */ ("street"),
      from,
      to: from + width,
    };
    from = band.to;
    return band;
  });
}

export class Painter {
  /** @param {number} columns @param {number} rows */
  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    this.tiles = new Array(columns * rows).fill(TILE.floor);
    /** @type {Thing[]} */
    this.things = [];
    this.fill({ left: 0, top: 0, right: columns, bottom: rows }, TILE.wall);
    this.fill({ left: 1, top: 1, right: columns - 1, bottom: rows - 1 }, TILE.floor);
  }

  /** @param {number} x @param {number} y */
  at(x, y) {
    return this.tiles[y * this.columns + x];
  }

  /** @param {number} x @param {number} y @param {number} tile */
  set(x, y, tile) {
    if (x < 0 || y < 0 || x >= this.columns || y >= this.rows) return;
    for (const column of [x, this.columns - 1 - x])
      for (const row of [y, this.rows - 1 - y]) this.tiles[row * this.columns + column] = tile;
  }

  /** @param {Box} box right and bottom excluded @param {number} tile */
  fill({ left, top, right, bottom }, tile) {
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) this.set(x, y, tile);
  }

  /** The rim of a box, one tile thick. @param {Box} box @param {number} tile */
  frame({ left, top, right, bottom }, tile) {
    this.fill({ left, top, right, bottom: top + 1 }, tile);
    this.fill({ left, top: bottom - 1, right, bottom }, tile);
    this.fill({ left, top, right: left + 1, bottom }, tile);
    this.fill({ left: right - 1, top, right, bottom }, tile);
  }

  /** Something on the object layer, in tiles; where mirrors coincide it stands once. @param {Thing} thing */
  place(thing) {
    for (const x of [thing.x, this.columns - thing.x])
      for (const y of [thing.y, this.rows - thing.y])
        if (!this.things.some((other) => other.type === thing.type && other.x === x && other.y === y))
          this.things.push({ ...thing, x, y });
  }

  /** Whether a circle of a radius in tiles stands free there. @param {number} x @param {number} y @param {number} radius */
  isFree(x, y, radius) {
    for (let row = Math.floor(y - radius); row <= Math.floor(y + radius); row++) {
      for (let column = Math.floor(x - radius); column <= Math.floor(x + radius); column++) {
        const tile = this.at(column, row);
        if (tile === TILE.wall || tile === TILE.crate || tile === TILE.pillar) return false;
      }
    }
    return true;
  }
}
