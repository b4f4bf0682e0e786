/**
 * What server and page agree on: the objects, commands and events of the game, and the view every player gets.
 *
 * The maze does not travel; its seed does (`Match.seed`). Dots cost little: one object a room, one field a row of it, so that an eaten dot is an
 * update of a single 13-bit field, and only the players in that room get it at once.
 */

import type { ViewSettings } from "@nearfield/core";
import { MATCH_PHASES } from "@nearfield/kit";
import {
  bool,
  command,
  enumeration,
  event,
  NICKNAME_BYTES,
  object,
  Protocol,
  quantized,
  text,
  uint,
} from "@nearfield/schema";
import { ROOM, SIDE } from "./maze.ts";
import { GHOST_KINDS } from "./state.ts";

const place = quantized(0, SIDE, 0.01);
/** 0 up, 1 right, 2 down, 3 left, as in the maze. */
const way = uint(2);
/** A player's number, counted up from the start of the server; it ties together avatar, score and events. */
const player = uint(24);
/** Index into the palette of players. */
const colour = uint(4);
const points = uint(24);
/** Thirteen dots, bit 0 is the tile beside the left wall. */
const dotRow = uint(13);

export const PacObject = object(
  "pac",
  {
    x: place,
    y: place,
    heading: way,
    want: way,
    moving: bool(),
    condition: enumeration("normal", "safe", "powered", "fading", "resting", "dying", "out"),
    lives: uint(3),
    score: points,
    number: player,
    colour,
  },
  { position: ["x", "y"] },
);

export const GhostObject = object(
  "ghost",
  {
    x: place,
    y: place,
    heading: way,
    kind: enumeration(...GHOST_KINDS),
    mood: enumeration("pen", "calm", "frightened", "blinking", "eyes"),
  },
  { position: ["x", "y"] },
);

/** The dots of one room. It lies at the room's centre and never moves. Its rim holds no dots, so 13 rows suffice. */
export const RoomObject = object(
  "room",
  {
    x: place,
    y: place,
    row1: dotRow,
    row2: dotRow,
    row3: dotRow,
    row4: dotRow,
    row5: dotRow,
    row6: dotRow,
    row7: dotRow,
    row8: dotRow,
    row9: dotRow,
    row10: dotRow,
    row11: dotRow,
    row12: dotRow,
    row13: dotRow,
  },
  { position: ["x", "y"] },
);

/** A line of the scoreboard. It has no place in space and goes to everybody, so it is written once a second, not with every dot. */
export const ScoreObject = object("score", {
  number: player,
  name: text(NICKNAME_BYTES),
  colour,
  bot: bool(),
  score: points,
  best: points,
});

/** The match: one object, without a place. The clock needs no updates: `endsMs` is when the phase ends, in the server's time (`client.clock.timeMs`). */
export const MatchObject = object("match", {
  seed: uint(32),
  /** Matches since the server started, from 1. */
  match: uint(16),
  phase: enumeration(...MATCH_PHASES),
  endsMs: uint(40),
});

export const Turn = command("turn", { want: way });
/** Start over after the last life. */
export const Again = command("again", {});
/** The page is hidden, or back. */
export const Rest = command("rest", { on: bool() });

export const Eaten = event("eaten", {
  by: player,
  what: enumeration("ghost", "player", "room"),
  points: uint(14),
  x: place,
  y: place,
});
export const Died = event("died", { who: player, x: place, y: place });
export const Power = event("power", { who: player, x: place, y: place });
export const ExtraLife = event("extraLife", { who: player });

export const protocol: Protocol = new Protocol({
  objects: [PacObject, GhostObject, RoomObject, ScoreObject, MatchObject],
  commands: [Turn, Again, Rest],
  events: [Eaten, Died, Power, ExtraLife],
});

/** Ms between two rounds of the server. */
export const ROUND_MS = 50;

/**
 * What a player must know, and how exactly. Zones are squares around the avatar, as in the paper's Pac-Man (V §5.1), as large as rooms:
 *
 * - Within one room's length: exact. Wherever you stand in your room all of it is that near, and so is the ghost behind the next door.
 * - Within two: coarse. All rooms next to yours lie within it. They are not on the screen, but the beep must know who is in them: two tiles,
 *   eight steps or 0.4 s old is near enough to tell one room from another.
 * - Beyond: loose. It only feeds the map of the 64 rooms, which shows no more than the room: one room's length or 3 s.
 *
 * Rooms (their dots) have zones of their own, measured to the room's centre: half a room's length picks out the one you are in, one and a half those
 * around it, which are dimly seen beyond the walls.
 */
export const ZONE_RADII: readonly [number, number] = [ROOM, 2 * ROOM];
export const view: ViewSettings = {
  sets: [
    {
      match: { type: RoomObject.name },
      shape: "square",
      radii: [0.5 * ROOM, 1.5 * ROOM],
      bounds: [{ time: 0, sequence: 0 }, { time: 500, sequence: 5 }, { time: 5000 }],
    },
    {
      match: "everything",
      shape: "square",
      radii: ZONE_RADII,
      bounds: [
        { time: 0, sequence: 0, value: 0 },
        { time: 400, sequence: 8, value: 2 },
        { time: 3000, sequence: 60, value: ROOM },
      ],
    },
  ],
  pivots: [],
};
