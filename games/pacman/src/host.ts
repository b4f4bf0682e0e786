/**
 * The game on a server: players join and press keys, the rules step, and what the rules decided is copied into replicated objects. It writes every
 * object every round; the world counts as an update only what changed in wire form, and each player's view decides what of it he is sent.
 *
 *   round: turn the match → rest the absent → step the game (and tell what happened) → mirror players, ghosts, dots, scores
 *
 * Between two matches nothing moves while the scores are looked at.
 */

import type { Entity, World } from "@nearfield/core";
import { MatchClock } from "@nearfield/kit";
import { near, type Player, type Server, to } from "@nearfield/server";
import { Bots } from "./bots.ts";
import { DOT_ROWS, packRoom, packRow } from "./dots.ts";
import { Maze, ROOM, ROOMS, roomCentre } from "./maze.ts";
import { Game } from "./rules.ts";
import {
  Again,
  Died,
  Eaten,
  ExtraLife,
  GhostObject,
  MatchObject,
  PacObject,
  Power,
  Rest,
  RoomObject,
  ScoreObject,
  Turn,
} from "./shared.ts";
import {
  BLINK_MS,
  type Ghost,
  type Happening,
  type Heading,
  MATCH_MS,
  OVER_MS,
  type Pac,
  type Spot,
  STEP_MS,
  ticks,
} from "./state.ts";

/** Scores go to everybody, so they are written at this pace. */
const SCORES_MS = 1000;
/** Effects are seen in the room, and heard a little beyond. */
const EVENT_RADIUS: number = 1.5 * ROOM;

export interface HostOptions {
  /** Seed of maze, ghosts and bots. */
  readonly seed: number;
  /** Players run by the server. Default 7. */
  readonly bots?: number;
  /** Ghosts in each of the four homes, 0–4. Default 4. */
  readonly ghostsPerHome?: number;
  /** How long a match lasts, and the scores after it, ms. Defaults 5 minutes and 10 s. */
  readonly matchMs?: number;
  readonly overMs?: number;
  /** Where players (bots first) start, in the order in which they join. Default: the dice decide. */
  readonly spawns?: readonly Spot[];
}

type PacEntity = Entity<(typeof PacObject)["shape"]>;
type GhostEntity = Entity<(typeof GhostObject)["shape"]>;
type RoomEntity = Entity<(typeof RoomObject)["shape"]>;
type ScoreEntity = Entity<(typeof ScoreObject)["shape"]>;
type MatchEntity = Entity<(typeof MatchObject)["shape"]>;

export class PacmanHost {
  readonly #server: Server;
  readonly #world: World;
  readonly #game: Game;
  readonly #bots: Bots;
  readonly #players = new Map<Player, Pac>();
  /** Players whose page is hidden. */
  readonly #hidden = new Set<Player>();
  readonly #pacs = new Map<Pac, PacEntity>();
  readonly #scores = new Map<Pac, ScoreEntity>();
  readonly #ghosts: readonly GhostEntity[];
  readonly #rooms: readonly RoomEntity[];
  readonly #clock: MatchClock;
  readonly #match: MatchEntity;

  constructor(server: Server, options: HostOptions) {
    this.#server = server;
    this.#world = server.world;
    const maze = new Maze(options.seed);
    const { ghostsPerHome, spawns } = options;
    this.#game = new Game({
      maze,
      seed: options.seed,
      ...(ghostsPerHome !== undefined && { ghostsPerHome }),
      ...(spawns && { spawns }),
    });
    this.#bots = new Bots(this.#game, options.seed);
    this.#clock = new MatchClock(this.#nowMs, options.matchMs ?? MATCH_MS, options.overMs ?? OVER_MS);
    this.#match = this.#world.spawn(MatchObject, { seed: options.seed, ...matchValues(this.#clock) });
    this.#ghosts = this.#game.ghosts.map((ghost) => this.#world.spawn(GhostObject, ghostValues(ghost, 0)));
    this.#rooms = Array.from({ length: ROOMS * ROOMS }, (_, room) =>
      this.#world.spawn(RoomObject, {
        x: roomCentre(room % ROOMS),
        y: roomCentre(Math.floor(room / ROOMS)),
        ...packRoom(this.#game.dots, room),
      }),
    );
    for (let bot = 0; bot < (options.bots ?? 7); bot++) this.#enter(this.#bots.add(), 0);
    this.#listen();
  }

  get people(): number {
    return this.#players.size;
  }

  get bots(): number {
    return this.#bots.count;
  }

  #listen(): void {
    this.#server.onJoin((player) => {
      const pac = this.#game.join({ name: player.nickname, bot: false });
      this.#players.set(player, pac);
      player.pivotOn(this.#enter(pac, player.id));
    });
    this.#server.onLeave((player) => {
      const pac = this.#players.get(player);
      if (pac) this.#exit(player, pac);
    });
    this.#server.onCommand(Turn, (player, { want }) =>
      this.#withPac(player, (pac) => this.#game.turn(pac, want as Heading)),
    );
    this.#server.onCommand(Again, (player) => this.#withPac(player, (pac) => this.#game.again(pac)));
    this.#server.onCommand(
      Rest,
      (player, { on }) => void (on ? this.#hidden.add(player) : this.#hidden.delete(player)),
    );
    this.#server.onRound((_, dtMs) => this.#round(dtMs));
  }

  #withPac(player: Player, act: (pac: Pac) => void): void {
    const pac = this.#players.get(player);
    if (pac) act(pac);
  }

  #enter(pac: Pac, owner: number): PacEntity {
    const entity = this.#world.spawn(PacObject, pacValues(pac, this.#game.tick), { owner });
    this.#pacs.set(pac, entity);
    this.#scores.set(pac, this.#world.spawn(ScoreObject, scoreValues(pac)));
    return entity;
  }

  /** The avatar goes with its owner by itself. */
  #exit(player: Player, pac: Pac): void {
    this.#game.leave(pac);
    this.#world.destroy(this.#scores.get(pac)!);
    this.#players.delete(player);
    this.#hidden.delete(player);
    this.#pacs.delete(pac);
    this.#scores.delete(pac);
  }

  /** The time of this round, ms: what a match is timed by, and what clients' clocks tell. */
  get #nowMs(): number {
    return this.#server.roundNumber * this.#server.roundMs;
  }

  #round(dtMs: number): void {
    const begun = this.#clock.advance(this.#nowMs, false);
    if (begun !== undefined) Object.assign(this.#match, matchValues(this.#clock));
    if (begun === "play") this.#game.restart();
    for (const [player, pac] of this.#players)
      this.#game.rest(pac, player.presence === "away" || this.#hidden.has(player));
    if (this.#clock.phase === "play") this.#play(dtMs);
    for (const [pac, entity] of this.#pacs) Object.assign(entity, pacValues(pac, this.#game.tick));
    for (const [at, ghost] of this.#game.ghosts.entries())
      Object.assign(this.#ghosts[at]!, ghostValues(ghost, this.#game.tick));
    this.#mirrorDots();
    if (begun !== undefined || this.#game.tick % ticks(SCORES_MS) < ticks(dtMs)) {
      for (const [pac, entity] of this.#scores) Object.assign(entity, scoreValues(pac));
    }
  }

  #play(dtMs: number): void {
    for (let left = dtMs; left >= STEP_MS; left -= STEP_MS) {
      this.#bots.act();
      for (const happening of this.#game.step()) this.#tell(happening);
    }
  }

  #mirrorDots(): void {
    for (const room of this.#game.changedRooms) {
      const entity = this.#rooms[room]!;
      DOT_ROWS.forEach((name, at) => {
        entity[name] = packRow(this.#game.dots, room, at + 1);
      });
    }
    this.#game.changedRooms.clear();
  }

  #tell(happening: Happening): void {
    const { x, y } = happening;
    const who = happening.pac.id;
    const audience = near([x, y], EVENT_RADIUS);
    switch (happening.kind) {
      case "ghostEaten":
      case "pacEaten":
      case "cleared": {
        const what = happening.kind === "ghostEaten" ? "ghost" : happening.kind === "pacEaten" ? "player" : "room";
        this.#server.emit(Eaten, { by: who, what, points: happening.points, x, y }, audience);
        return;
      }
      case "died":
        this.#server.emit(Died, { who, x, y }, audience);
        return;
      case "power":
        this.#server.emit(Power, { who, x, y }, audience);
        return;
      case "extraLife":
        for (const [player, pac] of this.#players)
          if (pac === happening.pac) this.#server.emit(ExtraLife, { who }, to(player));
    }
  }
}

function pacValues(pac: Pac, tick: number) {
  const { x, y, heading, want, moving, lives, score, colour } = pac;
  return { x, y, heading, want, moving, condition: conditionOf(pac, tick), lives, score, number: pac.id, colour };
}

function conditionOf(pac: Pac, tick: number): PacEntity["condition"] {
  if (pac.life !== "playing") return pac.life;
  if (pac.restFrom <= tick) return "resting";
  if (pac.powerUntil > tick) return pac.powerUntil - tick > ticks(BLINK_MS) ? "powered" : "fading";
  return pac.safeUntil > tick ? "safe" : "normal";
}

function ghostValues(ghost: Ghost, tick: number) {
  const { x, y, heading, kind } = ghost;
  return { x, y, heading, kind, mood: moodOf(ghost, tick) };
}

function moodOf(ghost: Ghost, tick: number): GhostEntity["mood"] {
  switch (ghost.mood) {
    case "roaming":
      return "calm";
    case "frightened":
      return ghost.until - tick > ticks(BLINK_MS) ? "frightened" : "blinking";
    case "eyes":
      return "eyes";
    case "waiting":
    case "leaving":
      return "pen";
  }
}

function matchValues({ match, phase, endsMs }: MatchClock) {
  return { match, phase, endsMs };
}

function scoreValues(pac: Pac) {
  const { name, colour, bot, score, best } = pac;
  return { number: pac.id, name, colour, bot, score, best };
}
