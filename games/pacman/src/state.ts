/**
 * What a game consists of, as plain data, and the numbers it is tuned by. `rules.ts` steps it, `ghosts.ts` and `bots.ts` read it to decide,
 * the server copies it into replicated objects. Times are ticks of `STEP_MS`; speeds are tiles per second; places are tiles.
 */

import type { Heading, Tile } from "./maze.ts";

/** One step of the game, ms. A server round is a whole number of steps. */
export const STEP_MS = 25;
export function ticks(ms: number): number {
  return Math.round(ms / STEP_MS);
}

export const SPEED = { pac: 5.6, powered: 6.3, ghost: 5.2, frightened: 3.1, eyes: 11, pen: 2.6 } as const;
export const POINTS = { dot: 10, pellet: 50, ghost: 200, player: 500, room: 500 } as const;
export const LIVES = 3;
export const MOST_LIVES = 5;
/** Every so many points bring a life. */
export const EXTRA_LIFE = 5000;
export const POWER_MS = 7500;
/** Frightened ghosts blink for the last part of their fright. */
export const BLINK_MS = 2000;
export const SAFE_MS = 2500;
export const DYING_MS = 1600;
/** Rest begins this long after the player asks for it, so that nobody can use it to escape a ghost. */
export const REST_DELAY_MS = 1000;
/** An eaten dot comes back after this, so that the world never runs empty. */
export const REGROW_MS = 60_000;
export const MATCH_MS = 300_000;
/** How long the scores stand between two matches. */
export const OVER_MS = 10_000;
/** Two things meet when they are closer than this. */
export const TOUCH = 0.65;
/** A pellet frightens the ghosts this near (Chebyshev): the room it lies in and what is close beyond its doors. */
export const FRIGHT_RANGE = 16;

export type Life = "playing" | "dying" | "out";

export interface Pac {
  readonly id: number;
  readonly name: string;
  readonly bot: boolean;
  readonly colour: number;
  x: number;
  y: number;
  heading: Heading;
  want: Heading;
  moving: boolean;
  life: Life;
  lives: number;
  score: number;
  best: number;
  /** Tick until which it eats players. */
  powerUntil: number;
  /** Tick until which nothing harms it. */
  safeUntil: number;
  /** Tick from which it rests: it stands still, harms nobody and is not harmed. `Infinity` while it does not want to. */
  restFrom: number;
  /** Tick at which a dying one comes back. */
  backAt: number;
  /** Ghosts eaten since its last pellet. */
  streak: number;
  nextLifeAt: number;
}

export const GHOST_KINDS = ["hunter", "ambusher", "flanker", "wanderer"] as const;
export type GhostKind = (typeof GHOST_KINDS)[number];
export type Mood = "waiting" | "leaving" | "roaming" | "frightened" | "eyes";

export interface Ghost {
  readonly id: number;
  readonly home: number;
  /** Its place among those of its home, from 0. */
  readonly member: number;
  readonly kind: GhostKind;
  x: number;
  y: number;
  heading: Heading;
  mood: Mood;
  /** Tick at which waiting or fright ends. */
  until: number;
  /** Room a roaming ghost is on its way to. */
  goal: number;
}

/** What happened in a step, for sounds, effects and events. */
export type Happening =
  | { readonly kind: "power"; readonly pac: Pac; readonly x: number; readonly y: number }
  | {
      readonly kind: "ghostEaten";
      readonly pac: Pac;
      readonly ghost: Ghost;
      readonly points: number;
      readonly x: number;
      readonly y: number;
    }
  | {
      readonly kind: "pacEaten";
      readonly pac: Pac;
      readonly victim: Pac;
      readonly points: number;
      readonly x: number;
      readonly y: number;
    }
  | { readonly kind: "died"; readonly pac: Pac; readonly x: number; readonly y: number }
  | {
      readonly kind: "cleared";
      readonly pac: Pac;
      readonly points: number;
      readonly room: number;
      readonly x: number;
      readonly y: number;
    }
  | { readonly kind: "extraLife"; readonly pac: Pac; readonly x: number; readonly y: number };

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export function distance(a: Spot, b: Spot): number {
  return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));
}

/** Whether a player moves, eats and can be harmed at all. */
export function isActive(pac: Pac, tick: number): boolean {
  return pac.life === "playing" && tick < pac.restFrom;
}

export type { Heading, Tile };
