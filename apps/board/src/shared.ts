/**
 * The board as server and page share it: what lies on it, who is there, and what a person may ask for.
 *
 * Lengths are board units; at a zoom of 100 % one unit is one CSS pixel. Everything that lies on the board has a place and a key. The page makes
 * the key, at random, before it asks for the thing. So a request that is repeated after a broken link puts nothing down twice, and a thing that was
 * taken away and put back is the same thing.
 */

import {
  bool,
  bytes,
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

export const ROUND_MS = 50;

/** The board is a square of this side. Places are kept to a quarter of a unit. */
export const BOARD_SIDE = 8192;
export const PLACE_STEP = 0.25;
export const MOST_PLACE: number = BOARD_SIDE - PLACE_STEP;
export const CENTRE: number = BOARD_SIDE / 2;

/** Ink and paper each have so many colours. Strokes, notes and texts each have so many sizes: small, medium, large. */
export const COLOURS = 8;
export const SIZES = 3;

/** Bytes of UTF-8 on one note, and of ink in one piece of a stroke (`ink.ts`). */
export const NOTE_BYTES = 480;
export const INK_BYTES = 256;

/** Things on the board: of everybody together, and of one person. */
export const MOST_THINGS = 6000;
export const MOST_THINGS_OF_ONE = 1500;
/** Things that one request may name. */
export const MOST_KEYS = 64;
/** Requests of one person: so many at once, and so many a second for long. */
export const REQUEST_BURST = 240;
export const REQUESTS_PER_SECOND = 60;

export const KEY_BITS = 32;

const place = quantized(0, MOST_PLACE, PLACE_STEP);
const way = quantized(-BOARD_SIDE, BOARD_SIDE, PLACE_STEP);
const key = uint(KEY_BITS);
const keys = list(key, MOST_KEYS);
const person = uint(24);
const colour = uint(3);
const size = uint(2);
const words = text(NOTE_BYTES);
const at = { position: ["x", "y"] } as const;

// What lies on the board

/** One piece of a stroke. Its place is the first point; `ink` holds the points, none farther away than `REACH` of `ink.ts`. */
export const Stroke = object(
  "stroke",
  { x: place, y: place, key, whole: key, author: person, colour, size, ink: bytes(INK_BYTES) },
  at,
);

/** A note on paper, or text alone (`plain`). Its place is the upper left corner. Its words are written under its lock. */
export const Note = object(
  "note",
  { x: place, y: place, key, author: person, colour, size, order: uint(24), plain: bool(), words },
  { ...at, write: "locked" },
);

// Who is there

/** One of the people at the board. It has no place, so everybody is told at once. */
export const Person = object("person", { number: person, name: text(NICKNAME_BYTES), colour: uint(4), away: bool() });

/** Where somebody's pointer is; while it is nowhere on the board (`visible` is false), the middle of the screen. Written by its owner. */
export const Cursor = object(
  "cursor",
  { x: place, y: place, number: person, visible: bool() },
  { ...at, write: "owner" },
);

/** What somebody is writing, letter by letter, before it is on the board: for those who look there. Written by its owner. */
export const Draft = object(
  "draft",
  { x: place, y: place, number: person, open: bool(), key, colour, size, plain: bool(), words },
  { ...at, write: "owner" },
);

/** What a broadcast would have sent to each person since the board began, to be compared with what each was sent. */
export const Broadcast = object("broadcast", { updates: uint(40), bytes: uint(40) });

// What a person may ask for

/** Puts a piece of a stroke on the board; its author may ask again under the same key, with more ink. */
export const Draw = command("draw", { key, whole: key, x: place, y: place, colour, size, ink: bytes(INK_BYTES) });
/** Puts a note on the board. If the key is there already, nothing happens. */
export const Put = command("put", { key, x: place, y: place, colour, size, plain: bool(), words });
export const Move = command("move", { keys, dx: way, dy: way });
export const Paint = command("paint", { keys, colour });
/** Brings notes to the front. */
export const Raise = command("raise", { keys });
export const Erase = command("erase", { keys });

// What a person is told

export const REFUSALS = ["too-fast", "board-full", "too-many", "not-yours", "outside", "bad-ink"] as const;
export type RefusalOfBoard = (typeof REFUSALS)[number];
/** A request about this thing was refused; of several things, the first. */
export const Refused = event("refused", { key, reason: enumeration(...REFUSALS) });

export const protocol = new Protocol({
  objects: [Stroke, Note, Person, Cursor, Draft, Broadcast],
  commands: [Draw, Put, Move, Paint, Raise, Erase],
  events: [Refused],
});
