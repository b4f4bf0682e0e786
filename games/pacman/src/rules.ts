/**
 * The rules: one fixed step of the game on plain data. A game is a function of its seed and of the calls to `join`, `turn`, `again`,
 * `restart` and `leave` between its steps; it reads no clock and throws no dice but its own.
 *
 *   step: movePacs → eatDots → moveGhosts → meetGhosts → meetPlayers → comeBack → regrow
 *
 * What always holds: nobody stands in a wall, scores never fall while a player plays a match, and an eaten dot waits in exactly one place to come back.
 */

import { Dice } from "@nearfield/kit";
import { moveGhost } from "./ghosts.ts";
import { DX, DY, FLOOR, type Maze, opposite, ROOM, ROOMS, roomAt, SIDE, tileAt } from "./maze.ts";
import { walk } from "./mover.ts";
import {
  DYING_MS,
  distance,
  EXTRA_LIFE,
  FRIGHT_RANGE,
  GHOST_KINDS,
  type Ghost,
  type Happening,
  type Heading,
  isActive,
  LIVES,
  MOST_LIVES,
  type Pac,
  POINTS,
  POWER_MS,
  REGROW_MS,
  REST_DELAY_MS,
  SAFE_MS,
  SPEED,
  type Spot,
  STEP_MS,
  type Tile,
  TOUCH,
  ticks,
} from "./state.ts";

/** Ghosts hunt and rest in turn, as in the arcade. */
const REST_TICKS: number = ticks(6000);
const HUNT_TICKS: number = ticks(18_000);
/** Ghosts leave their home one after the other. */
const LEAVE_EVERY_MS = 2500;
/** Colours a player may have; more players share them. */
const COLOURS = 12;
/** A dot does not come back under a player's feet. */
const REGROW_CLEARANCE = 3;
const SPAWN_TRIES = 60;
const SPAWN_HEADINGS: readonly Heading[] = [1, 3, 0, 2];

export interface GameOptions {
  readonly maze: Maze;
  /** Seed of the game's dice. The same seed and the same calls give the same game. */
  readonly seed: number;
  /** Ghosts per home, 0–4. Default 4. */
  readonly ghostsPerHome?: number;
  /** Where players start, in the order in which they join; beyond the list, and without one, the dice decide. */
  readonly spawns?: readonly Spot[];
}

export interface Newcomer {
  readonly name: string;
  readonly bot: boolean;
}

export class Game {
  readonly maze: Maze;
  readonly pacs: Map<number, Pac> = new Map();
  readonly ghosts: Ghost[] = [];
  /** 1 where a dot or pellet lies. */
  readonly dots: Uint8Array;
  /** Rooms whose dots changed since the reader last cleared it. */
  readonly changedRooms: Set<number> = new Set();
  readonly #dice: Dice;
  readonly #spawns: readonly Spot[];
  readonly #spawnOf = new Map<number, Spot>();
  /** Eaten dots and the tick at which each comes back, oldest first. At most one entry a tile. */
  readonly #regrowing = new Map<Tile, number>();
  readonly #dotsInRoom: number[] = new Array<number>(ROOMS * ROOMS).fill(0);
  #tick = 0;
  #joined = 0;
  #happenings: Happening[] = [];

  constructor(options: GameOptions) {
    this.maze = options.maze;
    this.dots = options.maze.dots.slice();
    this.#dice = new Dice(options.seed, "game");
    this.#spawns = options.spawns ?? [];
    for (const { x, y } of this.#spawns) {
      if (!this.maze.open(x, y)) throw new RangeError(`spawns: (${x}, ${y}) is not a floor tile`);
    }
    this.#countDots();
    this.#placeGhosts(options.ghostsPerHome ?? GHOST_KINDS.length);
  }

  get tick(): number {
    return this.#tick;
  }

  get hunting(): boolean {
    return this.#tick % (REST_TICKS + HUNT_TICKS) >= REST_TICKS;
  }

  join(newcomer: Newcomer): Pac {
    const id = ++this.#joined;
    const spawn = this.#spawns[id - 1];
    if (spawn) this.#spawnOf.set(id, spawn);
    const pac: Pac = {
      id,
      name: newcomer.name,
      bot: newcomer.bot,
      colour: this.#freeColour(newcomer.bot),
      x: 0,
      y: 0,
      heading: 1,
      want: 1,
      moving: false,
      life: "playing",
      lives: LIVES,
      score: 0,
      best: 0,
      powerUntil: 0,
      safeUntil: 0,
      restFrom: Number.POSITIVE_INFINITY,
      backAt: 0,
      streak: 0,
      nextLifeAt: EXTRA_LIFE,
    };
    this.#place(pac);
    this.pacs.set(id, pac);
    return pac;
  }

  leave(pac: Pac): void {
    this.pacs.delete(pac.id);
    this.#spawnOf.delete(pac.id);
  }

  /** The player wants to go that way at the next chance. */
  turn(pac: Pac, want: Heading): void {
    pac.want = want;
    if (pac.life === "playing") pac.moving = true;
  }

  /** A player looks away, or is back. */
  rest(pac: Pac, on: boolean): void {
    const resting = pac.restFrom < Number.POSITIVE_INFINITY;
    if (resting === on) return;
    if (!on && pac.restFrom <= this.#tick) pac.safeUntil = this.#tick + ticks(SAFE_MS);
    pac.restFrom = on ? this.#tick + ticks(REST_DELAY_MS) : Number.POSITIVE_INFINITY;
  }

  /** A player without lives starts over. */
  again(pac: Pac): void {
    if (pac.life !== "out") return;
    pac.lives = LIVES;
    pac.score = 0;
    pac.nextLifeAt = EXTRA_LIFE;
    this.#revive(pac);
  }

  /** A new match: scores and lives as at first, every dot back, ghosts at home, everybody at a new place. Who was out plays again. */
  restart(): void {
    this.dots.set(this.maze.dots);
    this.#regrowing.clear();
    this.#countDots();
    for (let room = 0; room < this.#dotsInRoom.length; room++) this.changedRooms.add(room);
    for (const ghost of this.ghosts) this.#sendHome(ghost);
    for (const pac of this.pacs.values()) {
      Object.assign(pac, { lives: LIVES, score: 0, streak: 0, nextLifeAt: EXTRA_LIFE });
      this.#revive(pac);
    }
  }

  step(): Happening[] {
    this.#tick++;
    this.#happenings = [];
    this.#movePacs();
    this.#eatDots();
    this.#moveGhosts();
    this.#meetGhosts();
    this.#meetPlayers();
    this.#comeBack();
    this.#regrow();
    return this.#happenings;
  }

  #movePacs(): void {
    for (const pac of this.pacs.values()) {
      if (!isActive(pac, this.#tick) || !pac.moving) continue;
      const speed = pac.powerUntil > this.#tick ? SPEED.powered : SPEED.pac;
      pac.moving = walk(pac, pac.want, (speed * STEP_MS) / 1000, (x, y) => this.maze.open(x, y));
    }
  }

  #eatDots(): void {
    for (const pac of this.pacs.values()) {
      if (!isActive(pac, this.#tick)) continue;
      const tile = tileAt(Math.round(pac.x), Math.round(pac.y));
      if (this.dots[tile] === 0) continue;
      this.dots[tile] = 0;
      this.#regrowing.set(tile, this.#tick + ticks(REGROW_MS));
      const room = roomAt(pac.x, pac.y);
      this.changedRooms.add(room);
      if (this.maze.pellets.has(tile)) this.#power(pac);
      else this.#reward(pac, POINTS.dot);
      if (--this.#dotsInRoom[room]! === 0) {
        this.#reward(pac, POINTS.room);
        this.#happenings.push({ kind: "cleared", pac, points: POINTS.room, room, x: pac.x, y: pac.y });
      }
    }
  }

  #power(pac: Pac): void {
    this.#reward(pac, POINTS.pellet);
    pac.powerUntil = this.#tick + ticks(POWER_MS);
    pac.streak = 0;
    for (const ghost of this.ghosts) {
      if ((ghost.mood !== "roaming" && ghost.mood !== "frightened") || distance(ghost, pac) > FRIGHT_RANGE) continue;
      if (ghost.mood === "roaming") ghost.heading = opposite(ghost.heading);
      ghost.mood = "frightened";
      ghost.until = pac.powerUntil;
    }
    this.#happenings.push({ kind: "power", pac, x: pac.x, y: pac.y });
  }

  #reward(pac: Pac, points: number): void {
    pac.score += points;
    pac.best = Math.max(pac.best, pac.score);
    if (pac.score < pac.nextLifeAt) return;
    pac.nextLifeAt += EXTRA_LIFE;
    // Bots start over now and then, so that a newcomer can climb the scoreboard.
    if (pac.bot || pac.lives >= MOST_LIVES) return;
    pac.lives++;
    this.#happenings.push({ kind: "extraLife", pac, x: pac.x, y: pac.y });
  }

  #moveGhosts(): void {
    const sight = {
      maze: this.maze,
      dice: this.#dice,
      pacs: [...this.pacs.values()],
      tick: this.#tick,
      hunting: this.hunting,
    };
    for (const ghost of this.ghosts) {
      this.#changeMood(ghost);
      moveGhost(ghost, sight);
    }
  }

  #changeMood(ghost: Ghost): void {
    const home = this.maze.homes[ghost.home]!;
    const tile = tileAt(Math.round(ghost.x), Math.round(ghost.y));
    if (ghost.mood === "frightened" && ghost.until <= this.#tick) ghost.mood = "roaming";
    if (ghost.mood === "waiting" && ghost.until <= this.#tick) ghost.mood = "leaving";
    if (ghost.mood === "leaving" && tile === home.exit) ghost.mood = "roaming";
    if (ghost.mood === "eyes" && tile === home.inside) ghost.mood = "leaving";
  }

  #meetGhosts(): void {
    for (const pac of this.pacs.values()) {
      for (const ghost of this.ghosts) {
        if (!isActive(pac, this.#tick) || !touching(pac, ghost)) continue;
        if (ghost.mood === "frightened") this.#eatGhost(pac, ghost);
        else if (ghost.mood === "roaming" && pac.safeUntil <= this.#tick) this.#die(pac);
      }
    }
  }

  #eatGhost(pac: Pac, ghost: Ghost): void {
    ghost.mood = "eyes";
    const points = POINTS.ghost << Math.min(pac.streak, 3);
    pac.streak++;
    this.#reward(pac, points);
    this.#happenings.push({ kind: "ghostEaten", pac, ghost, points, x: ghost.x, y: ghost.y });
  }

  /** A player with power eats one without. */
  #meetPlayers(): void {
    for (const pac of this.pacs.values()) {
      if (pac.powerUntil <= this.#tick) continue;
      for (const victim of this.pacs.values()) {
        if (victim === pac || !isActive(pac, this.#tick) || !isActive(victim, this.#tick)) continue;
        if (victim.powerUntil > this.#tick || victim.safeUntil > this.#tick || !touching(pac, victim)) continue;
        this.#reward(pac, POINTS.player);
        this.#happenings.push({ kind: "pacEaten", pac, victim, points: POINTS.player, x: victim.x, y: victim.y });
        this.#die(victim);
      }
    }
  }

  #die(pac: Pac): void {
    pac.life = "dying";
    pac.lives--;
    pac.moving = false;
    pac.powerUntil = 0;
    pac.backAt = this.#tick + ticks(DYING_MS);
    this.#happenings.push({ kind: "died", pac, x: pac.x, y: pac.y });
  }

  #comeBack(): void {
    for (const pac of this.pacs.values()) {
      if (pac.life !== "dying" || pac.backAt > this.#tick) continue;
      if (pac.lives > 0) this.#revive(pac);
      else pac.life = "out";
    }
  }

  #revive(pac: Pac): void {
    pac.life = "playing";
    pac.safeUntil = this.#tick + ticks(SAFE_MS);
    this.#place(pac);
  }

  #regrow(): void {
    for (const [tile, at] of this.#regrowing) {
      if (at > this.#tick) return;
      const spot = { x: tile % SIDE, y: Math.floor(tile / SIDE) };
      this.#regrowing.delete(tile);
      if ([...this.pacs.values()].some((pac) => pac.life === "playing" && distance(pac, spot) < REGROW_CLEARANCE)) {
        this.#regrowing.set(tile, this.#tick + ticks(REGROW_MS));
        continue;
      }
      const room = roomAt(spot.x, spot.y);
      this.dots[tile] = 1;
      this.#dotsInRoom[room]!++;
      this.changedRooms.add(room);
    }
  }

  #countDots(): void {
    this.#dotsInRoom.fill(0);
    this.dots.forEach((dot, tile) => {
      if (dot !== 0) this.#dotsInRoom[roomAt(tile % SIDE, Math.floor(tile / SIDE))]!++;
    });
  }

  #placeGhosts(perHome: number): void {
    this.maze.homes.forEach((_, home) => {
      for (let member = 0; member < perHome; member++) {
        const kind = GHOST_KINDS[member % GHOST_KINDS.length]!;
        const id = this.ghosts.length + 1;
        const ghost: Ghost = { id, home, member, kind, x: 0, y: 0, heading: 1, mood: "waiting", until: 0, goal: -1 };
        this.#sendHome(ghost);
        this.ghosts.push(ghost);
      }
    });
  }

  /** Into its home, from where it leaves after those before it. */
  #sendHome(ghost: Ghost): void {
    const { inside } = this.maze.homes[ghost.home]!;
    const { member } = ghost;
    ghost.x = (inside % SIDE) + (member % 4) - 1.5;
    ghost.y = Math.floor(inside / SIDE);
    ghost.heading = member % 2 === 0 ? 1 : 3;
    ghost.mood = "waiting";
    ghost.until = this.#tick + ticks(LEAVE_EVERY_MS * (member + 0.4));
    ghost.goal = -1;
  }

  /** People choose from the bright end, bots from the other. */
  #freeColour(bot: boolean): number {
    const counts = new Array<number>(COLOURS).fill(0);
    for (const pac of this.pacs.values()) counts[pac.colour]!++;
    const rarest = Math.min(...counts);
    return bot ? counts.lastIndexOf(rarest) : counts.indexOf(rarest);
  }

  #place(pac: Pac): void {
    const spot = this.#spawnOf.get(pac.id) ?? this.#chooseSpawn(pac);
    pac.x = spot.x;
    pac.y = spot.y;
    pac.moving = false;
    pac.powerUntil = 0;
    pac.heading = SPAWN_HEADINGS.find((heading) => this.maze.open(spot.x + DX[heading], spot.y + DY[heading])) ?? 1;
    pac.want = pac.heading;
  }

  /** A place without ghosts close by, and a room or two away from another player: nobody starts in danger, nobody starts alone. */
  #chooseSpawn(self: Pac): Spot {
    let chosen: Spot | undefined;
    let chosenCost = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < SPAWN_TRIES; attempt++) {
      const spot = { x: 1 + this.#dice.int(SIDE - 2), y: 1 + this.#dice.int(SIDE - 2) };
      if (this.maze.at(spot.x, spot.y) !== FLOOR || this.dots[tileAt(spot.x, spot.y)] === 0) continue;
      const cost = this.#spawnCost(self, spot);
      if (cost >= chosenCost) continue;
      chosen = spot;
      chosenCost = cost;
    }
    if (chosen) return chosen;
    const tile = this.maze.middleOf(this.#dice.int(ROOMS * ROOMS));
    return { x: tile % SIDE, y: Math.floor(tile / SIDE) };
  }

  #spawnCost(self: Pac, spot: Spot): number {
    let nearestGhost = Number.POSITIVE_INFINITY;
    for (const ghost of this.ghosts) nearestGhost = Math.min(nearestGhost, distance(ghost, spot));
    let nearestPac = Number.POSITIVE_INFINITY;
    for (const pac of this.pacs.values()) if (pac !== self) nearestPac = Math.min(nearestPac, distance(pac, spot));
    const danger = nearestGhost < ROOM ? 100 * (ROOM - nearestGhost) : 0;
    const loneliness = nearestPac === Number.POSITIVE_INFINITY ? 0 : Math.abs(nearestPac - ROOM);
    return danger + loneliness;
  }
}

function touching(a: Spot, b: Spot): boolean {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) < TOUCH * TOUCH;
}
