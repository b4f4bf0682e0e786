/**
 * What may be plugged into a room from outside its round: instruments, which look on when a round has ended and its decisions can still be
 * read, and a stopwatch. Rooms have none unless somebody watches, so a room that nobody watches pays for two empty checks a round.
 */

export interface Instrument {
  /** The last round's decisions can still be read, for the last time. */
  roundBegins?(): void;
  roundEnded(round: number): void;
}

/** Held by whoever has a clock. `lap` tells that a stage has ended, by its place in `STAGE_NAMES`. */
export interface Stopwatch {
  start(): void;
  lap(stage: number): void;
}
