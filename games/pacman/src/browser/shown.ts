/**
 * Where things are drawn between two updates. Each replica is moved along its corridor at its speed, by the same rules that move the primary. When
 * the next update disagrees, the difference fades within a tenth of a second; the picture does not jump. The player's own avatar also obeys a key
 * before the server has heard of it. What is drawn is never written back to the replica.
 */

import type { Heading, Maze } from "../maze.ts";
import { type Mover, type Open, walk } from "../mover.ts";
import { SPEED, type Spot } from "../state.ts";
import type { GhostReplica, PacReplica } from "./link.ts";

/** Longest time a replica is carried on without news, ms. */
const CARRY_MS = 250;
/** Ms in which about two thirds of a difference fade. */
const FADE_MS = 70;
/** Tiles beyond which a difference is a jump (a new life elsewhere) and is shown as one. */
const JUMP = 2.5;
/** How long a pressed key counts for the picture while the server has not confirmed it, ms. */
const PRESS_MS = 400;

export interface Drawn {
  x: number;
  y: number;
  heading: Heading;
  moving: boolean;
  /** Tiles travelled, for the beat of mouths and skirts. */
  path: number;
}

interface Track {
  base: Mover;
  baseAt: number;
  want: Heading;
  speed: number;
  offsetX: number;
  offsetY: number;
  drawn: Drawn;
  seenAt: number;
}

export class Shown {
  readonly #maze: Maze;
  readonly #tracks = new Map<number, Track>();
  #pressed: { want: Heading; at: number } | undefined;
  #lastMs = 0;

  constructor(maze: Maze) {
    this.#maze = maze;
  }

  press(want: Heading, nowMs: number): void {
    this.#pressed = { want, at: nowMs };
  }

  /** Moves every picture to this moment and forgets those whose replica is gone. */
  update(nowMs: number, own: PacReplica | undefined, pacs: Iterable<PacReplica>, ghosts: Iterable<GhostReplica>): void {
    const elapsed = Math.min(100, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    for (const pac of pacs) {
      const still = pac.condition === "dying" || pac.condition === "out" || pac.condition === "resting";
      const wants = pac.id === own?.id ? this.#wantedNow(pac, nowMs) : pac.want;
      const moving = !still && (pac.moving || (pac.id === own?.id && this.#pressed !== undefined));
      const speed = pac.condition === "powered" || pac.condition === "fading" ? SPEED.powered : SPEED.pac;
      this.#carry(pac, wants as Heading, moving ? speed : 0, this.#openToPac, nowMs, elapsed);
    }
    for (const ghost of ghosts)
      this.#carry(ghost, ghost.heading as Heading, ghostSpeed(ghost), this.#openToGhost, nowMs, elapsed);
    for (const [id, track] of this.#tracks) if (track.seenAt !== nowMs) this.#tracks.delete(id);
  }

  get(id: number): Drawn | undefined {
    return this.#tracks.get(id)?.drawn;
  }

  readonly #openToPac = (x: number, y: number): boolean => this.#maze.open(x, y);
  readonly #openToGhost = (x: number, y: number): boolean => this.#maze.openToGhost(x, y, true);

  #wantedNow(own: PacReplica, nowMs: number): number {
    const confirmed = own.want === this.#pressed?.want && own.moving;
    if (this.#pressed && (confirmed || nowMs - this.#pressed.at > PRESS_MS)) this.#pressed = undefined;
    return this.#pressed?.want ?? own.want;
  }

  #carry(
    replica: Spot & { id: number; heading: number },
    want: Heading,
    speed: number,
    open: Open,
    nowMs: number,
    elapsed: number,
  ): void {
    const heading = replica.heading as Heading;
    let track = this.#tracks.get(replica.id);
    if (!track) {
      track = {
        base: { x: replica.x, y: replica.y, heading },
        baseAt: nowMs,
        want,
        speed,
        offsetX: 0,
        offsetY: 0,
        drawn: { x: replica.x, y: replica.y, heading, moving: false, path: 0 },
        seenAt: nowMs,
      };
      this.#tracks.set(replica.id, track);
    }
    track.seenAt = nowMs;
    const fade = Math.exp(-elapsed / FADE_MS);
    track.offsetX *= fade;
    track.offsetY *= fade;
    let place = placeAt(track, nowMs, open);
    if (takeNews(track, { x: replica.x, y: replica.y, heading }, want, speed, nowMs)) {
      const expected = place;
      place = placeAt(track, nowMs, open);
      track.offsetX += expected.x - place.x;
      track.offsetY += expected.y - place.y;
      if (Math.max(Math.abs(track.offsetX), Math.abs(track.offsetY)) > JUMP) track.offsetX = track.offsetY = 0;
    }
    draw(track.drawn, place, place.x + track.offsetX, place.y + track.offsetY);
  }
}

/** Where a track carries its replica by now. */
function placeAt(track: Track, nowMs: number, open: Open): Mover {
  const place = { ...track.base };
  walk(place, track.want, (track.speed * Math.min(CARRY_MS, nowMs - track.baseAt)) / 1000, open);
  return place;
}

/** Takes over what the replica says now; false if that is what it said before. */
function takeNews(track: Track, base: Mover, want: Heading, speed: number, nowMs: number): boolean {
  const moved = base.x !== track.base.x || base.y !== track.base.y || base.heading !== track.base.heading;
  const started = track.speed === 0 && speed > 0;
  if (!moved && want === track.want && speed === track.speed) return false;
  // A wish that changed in between leaves the time: its replica is as old as it was.
  if (moved || started) track.baseAt = nowMs;
  track.base = base;
  track.want = want;
  track.speed = speed;
  return true;
}

function draw(drawn: Drawn, { heading }: Mover, x: number, y: number): void {
  const step = Math.abs(x - drawn.x) + Math.abs(y - drawn.y);
  drawn.path += step < JUMP ? step : 0;
  drawn.moving = step > 0.001;
  drawn.x = x;
  drawn.y = y;
  drawn.heading = heading;
}

function ghostSpeed(ghost: GhostReplica): number {
  if (ghost.mood === "eyes") return SPEED.eyes;
  if (ghost.mood === "pen") return SPEED.pen;
  return ghost.mood === "calm" ? SPEED.ghost : SPEED.frightened;
}
