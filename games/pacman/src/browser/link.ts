/**
 * What the page needs from the network, and nothing more: replicas to draw, a way to say what was pressed, and the state of the connection.
 * `network-link.ts` is the one file that knows the client library.
 */

import type { LinkStatus } from "@nearfield/kit";
import type { Values } from "@nearfield/schema";
import type { RoomDots } from "../dots.ts";
import type { Heading } from "../maze.ts";
import type { GhostObject, MatchObject, PacObject, ScoreObject } from "../shared.ts";

export type PacReplica = { readonly id: number } & Readonly<Values<(typeof PacObject)["shape"]>>;
export type GhostReplica = { readonly id: number } & Readonly<Values<(typeof GhostObject)["shape"]>>;
export type MatchReplica = Readonly<Values<(typeof MatchObject)["shape"]>>;
export type ScoreLine = Readonly<Values<(typeof ScoreObject)["shape"]>>;

/** Something to see and hear once. */
export type Moment =
  | {
      readonly kind: "eaten";
      readonly by: number;
      readonly what: "ghost" | "player" | "room";
      readonly points: number;
      readonly x: number;
      readonly y: number;
    }
  | { readonly kind: "died"; readonly who: number; readonly x: number; readonly y: number }
  | { readonly kind: "power"; readonly who: number; readonly x: number; readonly y: number }
  | { readonly kind: "extraLife"; readonly who: number };

/** The three dimensions of a bound or of a divergence; `Infinity` in a bound is no requirement. */
export interface Figures {
  readonly time: number;
  readonly sequence: number;
  readonly value: number;
}

/** How far one replica is from its primary, as the server measures it, against how far it may be. */
export interface Divergence {
  readonly id: number;
  readonly zone: number;
  readonly bound: Figures;
  readonly divergence: Figures;
}

export interface GameLink {
  readonly status: LinkStatus;
  /** Round trip, ms; undefined before the first measurement. */
  readonly pingMs: number | undefined;
  /** The match; undefined until the server has told it. Its seed is the maze's. */
  readonly match: MatchReplica | undefined;
  /** The server's time, ms. */
  readonly timeMs: number;
  own(): PacReplica | undefined;
  pacs(): Iterable<PacReplica>;
  ghosts(): Iterable<GhostReplica>;
  room(room: number): RoomDots | undefined;
  scores(): Iterable<ScoreLine>;
  /** What the server last said on the debug channel; empty while not watching. */
  divergences(): readonly Divergence[];
  turn(want: Heading): void;
  again(): void;
  /** The page is hidden, or back: the avatar rests meanwhile. */
  rest(on: boolean): void;
  watch(on: boolean): void;
  onMoment(handler: (moment: Moment) => void): void;
  close(): void;
}
