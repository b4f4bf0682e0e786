/**
 * What server, page and bots agree on: the objects, commands and events of the game. The terrain does not travel: `Match` names the seed, the map and the
 * number of sides, and both ends make the same terrain of these three.
 *
 * What others may not know of a building (what it trains, where its units gather) stands in an object of its own, `Works`. It has no place and belongs
 * to a side, so it is sent to that side alone. `Purse` likewise.
 */

import type { PresenterSettings } from "@nearfield/presentation";
import {
  angle,
  bool,
  command,
  enumeration,
  event,
  list,
  NICKNAME_BYTES,
  object,
  Protocol,
  quantized,
  text,
  uint,
} from "@nearfield/schema";
import {
  BUILDING_KINDS,
  DOINGS,
  FLIGHT_HEIGHT,
  HIGHEST_GROUND,
  LARGEST_MAP,
  MAP_NAMES,
  ORDER_UNITS_MOST,
  ORDERS,
  PHASES,
  REFUSALS,
  TRAINING_MOST,
  UNIT_KINDS,
} from "./state.ts";

const place = quantized(0, LARGEST_MAP, 1 / 16);
const height = quantized(0, HIGHEST_GROUND + FLIGHT_HEIGHT, 1 / 4);
const side = uint(4);
const percent = uint(7);
const amount = uint(20);
/** The id of an object, as the client knows it; 0: none. */
const id = uint(32);
const unitKind = enumeration(...UNIT_KINDS);
const buildingKind = enumeration(...BUILDING_KINDS);

/** A fighting unit's heading points at its target: the page draws shots from that. */
export const Unit = object(
  "unit",
  {
    x: place,
    y: place,
    z: height,
    heading: angle(8),
    kind: unitKind,
    side,
    health: percent,
    doing: enumeration(...DOINGS),
  },
  { position: ["x", "y", "z"], orientation: "heading" },
);

export const Building = object(
  "building",
  { x: place, y: place, z: height, kind: buildingKind, side, health: percent, built: percent },
  { position: ["x", "y", "z"] },
);

/** What a building trains and where its units gather: for its side alone. It names its building by the place: each client has ids of its own. */
export const Works = object("works", {
  side,
  x: place,
  y: place,
  training: enumeration("none", ...UNIT_KINDS),
  progress: percent,
  /** The units in the queue behind the one in the making. */
  waiting: list(unitKind, TRAINING_MOST - 1),
  rallyX: place,
  rallyY: place,
});

export const Ore = object("ore", { x: place, y: place, z: height, amount: uint(12) }, { position: ["x", "y", "z"] });

/** A line of the list of players. `ready`: wants the match, or another one, to begin. `standing` is false from the loss of the last building on. */
export const Side = object("side", {
  side,
  name: text(NICKNAME_BYTES),
  /** Index into the kit's player colours. */
  colour: uint(4),
  bot: bool(),
  ready: bool(),
  standing: bool(),
});

/** For its side alone. */
export const Purse = object("purse", { side, ore: amount, units: uint(14), unitsMost: uint(14) });

export const Match = object("match", {
  seed: uint(32),
  map: enumeration(...MAP_NAMES),
  /** Number of sides: the terrain depends on it. */
  sides: side,
  phase: enumeration(...PHASES),
  /** Side that won; `NO_SIDE` until then. */
  winner: side,
  /** When the phase ends, in the server's time; 0: it has no end. */
  endsMs: uint(40),
});

/**
 * Fields that an order has no use for are ignored: `target` of a move, `building` of an attack. To gather, `target` is an `Ore`, or 0 for the patch of the
 * terrain nearest to the place: a patch in the fog has no object at the client.
 */
export const Order = command("order", {
  units: list(id, ORDER_UNITS_MOST),
  what: enumeration(...ORDERS),
  x: place,
  y: place,
  target: id,
  building: buildingKind,
  /** Whether the order waits until those before it are done. */
  queued: bool(),
});

export const Train = command("train", { building: id, kind: unitKind, count: uint(3) });
/** Takes the last unit out of a building's queue; its ore comes back. */
export const CancelTraining = command("cancelTraining", { building: id });
export const Rally = command("rally", { building: id, x: place, y: place });
export const Ready = command("ready", {});
export const Rematch = command("rematch", {});

export const Refused = event("refused", { reason: enumeration(...REFUSALS) });
/** A shell goes off, or a piece is destroyed: to those who see the place. */
export const Blast = event("blast", { x: place, y: place, size: uint(6) });
/** To the side that is attacked. */
export const UnderAttack = event("underAttack", { x: place, y: place });

export const protocol: Protocol = new Protocol({
  objects: [Unit, Building, Works, Ore, Side, Purse, Match],
  commands: [Order, Train, CancelTraining, Rally, Ready, Rematch],
  events: [Refused, Blast, UnderAttack],
});

/** The model by which units move on between updates: a unit has no velocity, so its last two places tell where it goes. */
export const UNIT_MODEL = "historyLine";

/** How clients show units. */
export const unitPresentation: PresenterSettings = {
  model: UNIT_MODEL,
  convergence: "linear",
  positionMs: 150,
  snapDistance: 48,
};
