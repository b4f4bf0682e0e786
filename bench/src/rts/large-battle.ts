/**
 * Eight armies of 10,000 units on the large map, as a real server sees them: fog of war, a camera and units as pivots, clients that take and
 * acknowledge what they are sent. In every round 1,000 units of each army march. The rules of the game are left out: squads march straight on.
 */

import { Client } from "@nearfield/client";
import type { Entity } from "@nearfield/core";
import { Dice } from "@nearfield/netlab";
import { Server, type ServerOptions } from "@nearfield/server";
import { STAGE_NAMES, type Stopwatch } from "@nearfield/server/seam";
import { FOG_CELL, MAP_SIZES, protocol, ROUND_MS, tagOf, UNIT_KINDS, UNITS, Unit } from "@nearfield/skirmish";
import { MemoryListener } from "@nearfield/transport/internal";
import { CAMERA_SIZE, cameraAt, GAME_VIEW, playedView, UNIT_GROUPS } from "./views.ts";

export interface LargeBattleSize {
  readonly players: number;
  /** Units of each player, and how many of them march in a round. */
  readonly units: number;
  readonly marching: number;
}

const SIZE: number = MAP_SIZES.large;
const SQUAD = 500;
/** Units of a squad stand in a square, this far apart. */
const SPACING = 8;
const SQUAD_SIDE: number = Math.ceil(Math.sqrt(SQUAD));
const SPEED = 50;
/** Rounds that a squad marches before others do. */
const MARCH_ROUNDS = 80;
/** Chance in a round that a player looks elsewhere, as with a click on the minimap. */
const LOOKS_ELSEWHERE = 0.02;
const STEP_STAGE: number = STAGE_NAMES.indexOf("step");

type UnitEntity = Entity<typeof Unit.shape>;

/** Units that march together. */
interface Squad {
  readonly units: readonly UnitEntity[];
  x: number;
  y: number;
  stepX: number;
  stepY: number;
  heading: number;
}

export class LargeBattle {
  /** Ms of each stage of the last round, by its place in `STAGE_NAMES`. */
  readonly stageMs: Float64Array = new Float64Array(STAGE_NAMES.length);
  /** Processor time of the last round, the game's step and all threads of the process included, ms. */
  cpuMs = 0;
  readonly server: Server;
  readonly #listener = new MemoryListener();
  readonly #clients: Client[] = [];
  readonly #armies: Army[] = [];
  #nowMs = 0;
  #marches = false;

  constructor(size: LargeBattleSize, options: Partial<ServerOptions> = {}) {
    const dice = new Dice("large battle");
    const tokens = dice.fork("tokens");
    const sides = new Map<number, number>();
    const sights = UNIT_KINDS.map((kind) => UNITS[kind].sight);
    this.server = new Server({
      protocol,
      view: GAME_VIEW,
      units: UNIT_GROUPS,
      visible: {
        teams: {
          area: { min: [0, 0], max: [SIZE, SIZE] },
          cell: FOG_CELL,
          teamOf: (player) => sides.get(player.id),
          teamOfObject: (entity) => (entity as unknown as UnitEntity).side,
          sight: (entity) => sights[UNIT_KINDS.indexOf((entity as unknown as UnitEntity).kind)]!,
        },
      },
      roundMs: ROUND_MS,
      tokenSource: () => Uint8Array.from({ length: 16 }, () => tokens.int(256)),
      now: () => this.#nowMs,
      onError: "throw",
      ...options,
      limits: { backlogBytes: Number.POSITIVE_INFINITY, ...options.limits },
    });
    this.server.listen(this.#listener);
    this.server.onJoin((player) => {
      const side = this.#armies.length;
      sides.set(player.id, side);
      player.setView(playedView(side));
      this.#armies.push(new Army(side, player.id, size, this.server, dice.fork(side)));
    });
    this.server.onRound(() => {
      if (this.#marches) for (const army of this.#armies) army.march();
    });
    this.server.main.invite(() => ({ name: "stopwatch", stopwatch: this.#stopwatch() }));
    for (let side = 0; side < size.players; side++) this.#join(side, dice);
  }

  /** Lets everybody in and sends everybody what it may see. */
  begin(): void {
    while (this.#armies.length < this.#clients.length) this.round();
    this.#marches = true;
  }

  /** One round of the server; then clients look about, take what they were sent and acknowledge it. */
  round(): void {
    this.#nowMs += ROUND_MS;
    const before = process.cpuUsage();
    this.server.round();
    const { user, system } = process.cpuUsage(before);
    this.cpuMs = (user + system) / 1000;
    this.#listener.flush();
    this.#armies.forEach((army, side) => {
      const player = this.server.main.players.get(army.owner)!;
      if (this.#marches && army.look()) player.setPivots([cameraAt(army.cameraX, army.cameraY)]);
      this.#clients[side]!.update();
    });
    for (const client of this.#clients) client.update();
    this.#listener.flush();
  }

  /** Ms of the last round without the game's own step. */
  get roundMs(): number {
    return this.stageMs.reduce((sum, ms, stage) => (stage === STEP_STAGE ? sum : sum + ms), 0);
  }

  get clients(): readonly Client[] {
    return this.#clients;
  }

  #join(side: number, dice: Dice): void {
    const random = dice.fork(`client ${side}`);
    const client = new Client({
      protocol,
      nickname: `player ${side}`,
      connect: () => this.#listener.connect(),
      now: () => this.#nowMs,
      random: () => random.next(),
    });
    client.update();
    this.#clients.push(client);
  }

  #stopwatch(): Stopwatch {
    let last = 0;
    return {
      start: () => {
        last = performance.now();
      },
      lap: (stage) => {
        const now = performance.now();
        this.stageMs[stage] = now - last;
        last = now;
      },
    };
  }
}

/** One player's units and where it looks. */
class Army {
  readonly owner: number;
  cameraX = 0;
  cameraY = 0;
  readonly #squads: Squad[] = [];
  readonly #marching: Squad[] = [];
  readonly #most: number;
  readonly #dice: Dice;
  #next = 0;
  #rounds = 0;
  #glideX = 0;
  #glideY = 0;

  constructor(side: number, owner: number, { players, units, marching }: LargeBattleSize, server: Server, dice: Dice) {
    this.owner = owner;
    this.#dice = dice;
    // Players give their orders one after the other.
    this.#rounds = Math.round((side / players) * MARCH_ROUNDS);
    this.#most = marching / SQUAD;
    const angle = (side / players) * 2 * Math.PI;
    const homeX = SIZE / 2 + Math.cos(angle) * SIZE * 0.33;
    const homeY = SIZE / 2 + Math.sin(angle) * SIZE * 0.33;
    for (let squad = 0; squad < units / SQUAD; squad++) {
      const x = inside(homeX + dice.range(-1, 1) * SIZE * 0.16);
      const y = inside(homeY + dice.range(-1, 1) * SIZE * 0.16);
      this.#squads.push({ units: recruits(server, owner, side, x, y), x, y, stepX: 0, stepY: 0, heading: 0 });
    }
    this.#lookAtSquad();
  }

  march(): void {
    if (this.#rounds % MARCH_ROUNDS === 0 || this.#marching.length === 0) this.#setOut();
    this.#rounds += 1;
    for (const squad of this.#marching) advance(squad);
  }

  /** Moves the camera; false if it rests. */
  look(): boolean {
    if (this.#dice.chance(LOOKS_ELSEWHERE)) {
      this.#lookAtSquad();
      return true;
    }
    if (this.#glideX === 0 && this.#glideY === 0) return false;
    this.cameraX = inside(this.cameraX + this.#glideX);
    this.cameraY = inside(this.cameraY + this.#glideY);
    return true;
  }

  /** Other squads set out, each where it wants; those that marched stand. */
  #setOut(): void {
    for (const squad of this.#marching) for (const unit of squad.units) unit.doing = "idle";
    this.#marching.length = 0;
    while (this.#marching.length < this.#most) {
      const squad = this.#squads[this.#next++ % this.#squads.length]!;
      const way = (SPEED * ROUND_MS * MARCH_ROUNDS) / 1000;
      // Towards the middle while at home, and back from there.
      const out = Math.hypot(squad.x - SIZE / 2, squad.y - SIZE / 2) > way;
      const towards = Math.atan2(SIZE / 2 - squad.y, SIZE / 2 - squad.x) + (out ? 0 : Math.PI);
      squad.heading = towards + this.#dice.range(-0.5, 0.5);
      squad.stepX = (Math.cos(squad.heading) * SPEED * ROUND_MS) / 1000;
      squad.stepY = (Math.sin(squad.heading) * SPEED * ROUND_MS) / 1000;
      this.#marching.push(squad);
    }
    for (const squad of this.#marching) {
      for (const unit of squad.units) {
        unit.doing = "moving";
        unit.heading = squad.heading;
      }
    }
  }

  #lookAtSquad(): void {
    const squad = this.#dice.pick(this.#marching.length > 0 && this.#dice.chance(0.6) ? this.#marching : this.#squads);
    this.cameraX = inside(squad.x);
    this.cameraY = inside(squad.y);
    const glides = this.#dice.chance(0.5);
    this.#glideX = glides ? this.#dice.range(-1, 1) * CAMERA_SIZE[0] * 0.03 : 0;
    this.#glideY = glides ? this.#dice.range(-1, 1) * CAMERA_SIZE[1] * 0.03 : 0;
  }
}

function recruits(server: Server, owner: number, side: number, x: number, y: number): UnitEntity[] {
  return Array.from({ length: SQUAD }, (_, place) =>
    server.world.spawn(
      Unit,
      {
        x: inside(x + ((place % SQUAD_SIDE) - SQUAD_SIDE / 2) * SPACING),
        y: inside(y + (Math.floor(place / SQUAD_SIDE) - SQUAD_SIDE / 2) * SPACING),
        kind: place % 4 === 0 ? "tank" : place % 4 === 1 ? "lancer" : "trooper",
        side,
        health: 100,
      },
      { owner, tags: [tagOf(side)] },
    ),
  );
}

function advance(squad: Squad): void {
  squad.x += squad.stepX;
  squad.y += squad.stepY;
  for (const unit of squad.units) {
    unit.x = inside(unit.x + squad.stepX);
    unit.y = inside(unit.y + squad.stepY);
  }
}

function inside(place: number): number {
  return Math.min(SIZE - 1, Math.max(1, place));
}
