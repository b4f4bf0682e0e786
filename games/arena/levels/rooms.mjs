// @ts-check
/** The kinds of blocks a level is built of: rooms with doors, halls open at two sides, courts without walls, and what stands in them. */

import { TILE } from "./painter.mjs";

/** @typedef {import("./painter.mjs").Painter} Painter */
/** @typedef {import("./painter.mjs").Dice} Dice */
/** @typedef {import("./painter.mjs").Box} Box */
/** Sides of a block that lie on a street. @typedef {{ left: boolean, top: boolean, right: boolean, bottom: boolean }} Sides */

const DOOR = 4;

/** @param {Painter} painter @param {Box} box @param {Sides} sides @param {Dice} dice */
export function room(painter, box, sides, dice) {
  painter.frame(box, TILE.wall);
  doors(painter, box, sides, dice);
  furnish(painter, box, dice);
}

/** A room with a wall through its middle and a door in it. @param {Painter} painter @param {Box} box @param {Sides} sides @param {Dice} dice */
export function twin(painter, box, sides, dice) {
  painter.frame(box, TILE.wall);
  const wide = box.right - box.left > box.bottom - box.top;
  if (wide) {
    const x = Math.floor((box.left + box.right) / 2);
    painter.fill({ left: x, top: box.top, right: x + 1, bottom: box.bottom }, TILE.wall);
    const y = Math.floor((box.top + box.bottom - DOOR) / 2);
    painter.fill({ left: x, top: y, right: x + 1, bottom: y + DOOR }, TILE.floor);
    for (const at of [box.left + 2, box.right - 2 - DOOR]) openTop(painter, box, sides, at);
  } else {
    const y = Math.floor((box.top + box.bottom) / 2);
    painter.fill({ left: box.left, top: y, right: box.right, bottom: y + 1 }, TILE.wall);
    const x = Math.floor((box.left + box.right - DOOR) / 2);
    painter.fill({ left: x, top: y, right: x + DOOR, bottom: y + 1 }, TILE.floor);
    for (const at of [box.top + 2, box.bottom - 2 - DOOR]) openSide(painter, box, sides, at);
  }
  doors(painter, box, sides, dice);
}

/** Walls along two sides, and a row of pillars. @param {Painter} painter @param {Box} box @param {Sides} sides @param {Dice} dice */
export function hall(painter, box, sides, dice) {
  const along = box.right - box.left >= box.bottom - box.top;
  painter.frame(box, TILE.wall);
  if (along) {
    if (sides.left)
      painter.fill({ left: box.left, top: box.top + 1, right: box.left + 1, bottom: box.bottom - 1 }, TILE.floor);
    if (sides.right)
      painter.fill({ left: box.right - 1, top: box.top + 1, right: box.right, bottom: box.bottom - 1 }, TILE.floor);
  } else {
    if (sides.top)
      painter.fill({ left: box.left + 1, top: box.top, right: box.right - 1, bottom: box.top + 1 }, TILE.floor);
    if (sides.bottom)
      painter.fill({ left: box.left + 1, top: box.bottom - 1, right: box.right - 1, bottom: box.bottom }, TILE.floor);
  }
  doors(painter, box, sides, dice);
  colonnade(painter, box);
}

/** No walls but four corners. @param {Painter} painter @param {Box} box */
export function court(painter, box) {
  painter.fill(box, TILE.street);
  for (const x of [box.left, box.right - 3]) for (const y of [box.top, box.bottom - 3]) corner(painter, box, x, y);
  const [x, y] = [Math.floor((box.left + box.right) / 2), Math.floor((box.top + box.bottom) / 2)];
  for (const side of [-4, 3]) {
    painter.fill({ left: x + side, top: y - 1, right: x + side + 1, bottom: y + 1 }, TILE.crate);
    painter.fill({ left: x - 1, top: y + side, right: x + 1, bottom: y + side + 1 }, TILE.crate);
  }
}

/** The middle of the town. @param {Painter} painter @param {Box} box */
export function plaza(painter, box) {
  painter.fill(box, TILE.plaza);
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const [wide, high] = [(box.right - box.left) / 2, (box.bottom - box.top) / 2];
  for (let step = 0; step < 16; step++) {
    if (step % 4 === 0) continue;
    const angle = (step / 16) * 2 * Math.PI;
    painter.set(
      Math.floor(x + Math.cos(angle) * (wide - 1.6)),
      Math.floor(y + Math.sin(angle) * (high - 1.6)),
      TILE.pillar,
    );
  }
  for (const dx of [-3, 2]) for (const dy of [-3, 2]) painter.set(Math.floor(x) + dx, Math.floor(y) + dy, TILE.crate);
}

/** An angle of wall at a court's corner. @param {Painter} painter @param {Box} box @param {number} x @param {number} y */
function corner(painter, box, x, y) {
  const outerX = x === box.left ? x : x + 2;
  const outerY = y === box.top ? y : y + 2;
  painter.fill({ left: x, top: outerY, right: x + 3, bottom: outerY + 1 }, TILE.wall);
  painter.fill({ left: outerX, top: y, right: outerX + 1, bottom: y + 3 }, TILE.wall);
}

/** A door in most walls that lie on a street, in two at least. @param {Painter} painter @param {Box} box @param {Sides} sides @param {Dice} dice */
function doors(painter, box, sides, dice) {
  const open = /** @type {(keyof Sides)[]} */ (["left", "top", "right", "bottom"]).filter((side) => sides[side]);
  const shut = open.length > 2 && dice.chance(0.5) ? dice.pick(open) : undefined;
  for (const side of open) {
    if (side === shut) continue;
    const isSide = side === "left" || side === "right";
    const [from, to] = isSide ? [box.top, box.bottom] : [box.left, box.right];
    const middle = Math.floor((from + to - DOOR) / 2);
    const at = dice.chance(0.6) ? middle : dice.pick([from + 2, to - 2 - DOOR]);
    if (isSide)
      openAt(painter, { left: side === "left" ? box.left : box.right - 1, top: at, right: 0, bottom: at + DOOR }, 1, 0);
    else
      openAt(painter, { left: at, top: side === "top" ? box.top : box.bottom - 1, right: at + DOOR, bottom: 0 }, 0, 1);
  }
}

/** @param {Painter} painter @param {Box} box @param {number} wide @param {number} high */
function openAt(painter, { left, top, right, bottom }, wide, high) {
  painter.fill(
    { left, top, right: wide > 0 ? left + wide : right, bottom: high > 0 ? top + high : bottom },
    TILE.floor,
  );
}

/** @param {Painter} painter @param {Box} box @param {Sides} sides @param {number} at */
function openTop(painter, box, sides, at) {
  const top = sides.top ? box.top : box.bottom - 1;
  if (sides.top || sides.bottom) painter.fill({ left: at, top, right: at + DOOR, bottom: top + 1 }, TILE.floor);
}

/** @param {Painter} painter @param {Box} box @param {Sides} sides @param {number} at */
function openSide(painter, box, sides, at) {
  const left = sides.left ? box.left : box.right - 1;
  if (sides.left || sides.right) painter.fill({ left, top: at, right: left + 1, bottom: at + DOOR }, TILE.floor);
}

/** Crates or pillars, the same on both sides of the middle. @param {Painter} painter @param {Box} box @param {Dice} dice */
function furnish(painter, box, dice) {
  const [wide, high] = [box.right - box.left, box.bottom - box.top];
  if (wide < 12 || high < 12) return;
  const [x, y] = [Math.floor((box.left + box.right) / 2), Math.floor((box.top + box.bottom) / 2)];
  if (dice.chance(0.5)) {
    const tile = dice.pick([TILE.crate, TILE.pillar]);
    for (const dx of [-4, 3]) for (const dy of [-4, 3]) painter.set(x + dx, y + dy, tile);
  } else {
    for (const dy of [-4, 3]) painter.fill({ left: x - 2, top: y + dy, right: x + 2, bottom: y + dy + 1 }, TILE.crate);
  }
}

/** Two rows of pillars along the longer side. @param {Painter} painter @param {Box} box */
function colonnade(painter, box) {
  const along = box.right - box.left >= box.bottom - box.top;
  const [from, to] = along ? [box.left, box.right] : [box.top, box.bottom];
  const [low, high] = along ? [box.top, box.bottom] : [box.left, box.right];
  if (high - low < 12) return;
  for (let at = from + 3; at < (from + to) / 2; at += 4) {
    for (const across of [low + 3, high - 4]) {
      for (const place of [at, from + to - 1 - at]) {
        if (along) painter.set(place, across, TILE.pillar);
        else painter.set(across, place, TILE.pillar);
      }
    }
  }
}
