/** The board without a clock or a socket: what server and page share. `startBoard` is in @nearfield/board/server. */

// What is described once

export * from "./shared.ts";
export * from "./views.ts";

// Ink and words

export { MOST_POINTS, packInk, REACH, unpackInk } from "./ink.ts";
export { inkOf, onBoard, type Piece, Pieces } from "./pieces.ts";
export { bytesOf, cleanWords, fitting } from "./words.ts";

// Somebody who writes by the dice

export { Scribbler } from "./scribbler.ts";

// The board on a server

export { BoardHost, type BoardHostOptions, boardOptions } from "./host.ts";
