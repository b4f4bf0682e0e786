/**
 * The game on a server: people take sides, bots play the others, and what the rules decide is written into replicated objects.
 *
 *   round: phase → (step → bots → heralds) twice → objects
 *
 * Orders have been carried out when the round begins. While nobody is connected, bots play on and no object is written.
 */

import type { Entity } from "@nearfield/core";
import { Dice, PLAYER_COLOURS } from "@nearfield/kit";
import type { ObjectId } from "@nearfield/schema";
import type { Player, Room, Server, ServerOptions } from "@nearfield/server";
import { Bot } from "./bots/bot.ts";
import { botName } from "./bots/names.ts";
import type { Strength } from "./bots/strengths.ts";
import { Desk, type OrderPlace } from "./hosting/desk.ts";
import { Heralds } from "./hosting/heralds.ts";
import { Mirror } from "./hosting/mirror.ts";
import { PhaseClock, type PhaseTimes } from "./hosting/phase-clock.ts";
import { Seats } from "./hosting/seats.ts";
import { Battle } from "./rules/battle.ts";
import { KIND, SIGHT } from "./rules/kinds.ts";
import { Building, Match, Purse, protocol, Ready, Rematch, Side, Unit, Works } from "./shared.ts";
import { FOG_CELL, MAP_SIZES, type MapName, NO_SIDE, type Phase, ROUND_MS, STEP_MS } from "./state.ts";
import { Terrain } from "./terrain/terrain.ts";
import { cameraAt, mayPivot, units, view, viewLimits, viewOf } from "./views.ts";

export interface SkirmishHostOptions extends PhaseTimes {
  /** Seed of the first match; those of later matches and of bots follow from it. */
  readonly seed: number;
  /** Default "medium". */
  readonly map?: MapName;
  /** 2 to 8. Default 4. Sides that no person plays are played by bots. */
  readonly sides?: number;
  /** Of the bots. Default "easy". */
  readonly strength?: Strength;
  /** Most units of a side. Default 250. */
  readonly unitsMost?: number;
}

/** What a server must be made with. */
type HostedOptions = Pick<
  ServerOptions,
  | "protocol"
  | "roundMs"
  | "view"
  | "viewLimits"
  | "mayPivot"
  | "mayExplain"
  | "units"
  | "visible"
  | "idsPerClient"
  | "objectsOfLeavers"
  | "times"
>;

type MatchEntity = Entity<typeof Match.shape>;
type SideEntity = Entity<typeof Side.shape>;

const STEPS_PER_ROUND: number = ROUND_MS / STEP_MS;

export class SkirmishHost {
  readonly #options: SkirmishHostOptions;
  readonly #sides: number;
  readonly #map: MapName;
  readonly #seats: Seats;
  readonly #seeds: Dice;
  readonly #bots: (Bot | undefined)[] = [];
  #server!: Server;
  #room!: Room;
  #heralds!: Heralds;
  #clock!: PhaseClock;
  #match!: MatchEntity;
  #lines!: readonly SideEntity[];
  #battle!: Battle;
  #mirror!: Mirror;
  #seed: number;

  constructor(options: SkirmishHostOptions) {
    this.#options = options;
    this.#sides = options.sides ?? 4;
    this.#map = options.map ?? "medium";
    this.#seats = new Seats(this.#sides);
    this.#seeds = new Dice(options.seed, "matches");
    this.#seed = options.seed >>> 0;
  }

  /** What the server must be made with; then call `open`. */
  get serverOptions(): HostedOptions {
    const size = MAP_SIZES[this.#map];
    return {
      protocol,
      roundMs: ROUND_MS,
      view,
      viewLimits,
      mayPivot,
      units,
      visible: {
        teams: {
          area: { min: [0, 0], max: [size, size] },
          cell: FOG_CELL,
          teamOf: (player) => (player.role === "spectator" ? "everything" : this.#seats.sideOf(player)),
          teamOfObject,
          sight: sightOf,
        },
      },
      idsPerClient: true,
      // An explanation tells how far a picture is from the truth: that is nobody's business who does not see everything.
      mayExplain: ({ role }) => role === "spectator",
      objectsOfLeavers: "keep",
      // Long enough for a page to be loaded anew; then a bot takes the side.
      times: { resumeMs: 20_000 },
    };
  }

  /** Begins the first match, in the server's main room unless another is named. Call it once. */
  open(server: Server, room: Room = server.main): void {
    const { world } = room;
    this.#server = server;
    this.#room = room;
    this.#heralds = new Heralds(room, this.#seats);
    this.#clock = new PhaseClock(this.nowMs, this.#options);
    this.#match = world.spawn(Match, { map: this.#map, sides: this.#sides });
    this.#lines = Array.from({ length: this.#sides }, (_, side) =>
      world.spawn(Side, { side, colour: side % PLAYER_COLOURS.length }),
    );
    this.#lay();
    this.#tellMatch();
    new Desk(room, this.#heralds, (player) => this.#placeOf(player));
    room.onJoin((player) => this.#enter(player));
    room.onLeave((player) => this.#exit(player));
    room.onCommand(Ready, (player) => this.#want(player, "waiting"));
    room.onCommand(Rematch, (player) => this.#want(player, "over"));
    room.onRound(() => this.#round());
  }

  // ── for those who look in ──────────────────────────────────────────────────────────────────────────────────────

  get room(): Room {
    return this.#room;
  }

  /** The match that is played now. */
  get battle(): Battle {
    return this.#battle;
  }

  get phase(): Phase {
    return this.#clock.phase;
  }

  /** Time of this round, ms. */
  get nowMs(): number {
    return this.#server.roundNumber * this.#server.roundMs;
  }

  /** Clients that play or look on. */
  get people(): number {
    return this.#room.players.size;
  }

  get bots(): number {
    return this.#seats.bots;
  }

  /** `undefined`: has none. */
  sideOf(player: Player): number | undefined {
    return this.#seats.sideOf(player);
  }

  /** The object that shows the piece in a slot of the battle. */
  objectAt(slot: number): { readonly id: ObjectId } | undefined {
    return this.#mirror.objectAt(slot);
  }

  // ── the round ──────────────────────────────────────────────────────────────────────────────────────────────────

  #round(): void {
    this.#turnPhase();
    if (this.#clock.phase === "play") this.#play();
    if (this.#room.players.size > 0) this.#mirror.level();
  }

  #play(): void {
    const { state } = this.#battle;
    for (let step = 0; step < STEPS_PER_ROUND; step++) {
      this.#battle.step();
      for (const bot of this.#bots) bot?.act();
      this.#heralds.tell(state);
    }
    for (let side = 0; side < this.#sides; side++) {
      const isStanding = state.standing[side] === 1;
      if (this.#lines[side]!.standing !== isStanding) this.#lines[side]!.standing = isStanding;
    }
  }

  #turnPhase(): void {
    const begun = this.#clock.advance(this.nowMs, {
      hasPeople: this.#seats.people > 0,
      allWilling: this.#seats.allWilling,
      isDecided: this.#battle.state.winner !== NO_SIDE,
    });
    if (begun === undefined) return;
    if (begun === "over") this.#battle.call();
    if (begun === "waiting") this.#layAnother();
    // Who asked for another match while the result stood is ready for it.
    else {
      this.#seats.clearWishes();
      for (const line of this.#lines) line.ready = false;
    }
    this.#tellMatch();
  }

  // ── matches ────────────────────────────────────────────────────────────────────────────────────────────────────

  #layAnother(): void {
    this.#mirror.clear();
    this.#seed = this.#seeds.int(2 ** 32);
    this.#lay();
  }

  /** Makes the terrain and everything on it; nothing moves before the phase is play. */
  #lay(): void {
    const { unitsMost } = this.#options;
    const terrain = new Terrain({ seed: this.#seed, map: this.#map, sides: this.#sides });
    this.#battle = new Battle({ terrain, ...(unitsMost === undefined ? {} : { unitsMost }) });
    this.#battle.begin();
    const owners = this.#lines.map((_, side) => this.#seats.playerOf(side)?.id ?? 0);
    this.#mirror = new Mirror(this.#room.world, this.#battle, owners);
    for (let side = 0; side < this.#sides; side++) {
      this.#lines[side]!.standing = true;
      this.#man(side);
    }
    this.#fillSeats();
  }

  #tellMatch(): void {
    const { phase, endsMs } = this.#clock;
    Object.assign(this.#match, { seed: this.#seed, phase, endsMs, winner: this.#battle.state.winner });
  }

  // ── sides ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #enter(player: Player): void {
    const middle = MAP_SIZES[this.#map] / 2;
    player.setPivots([cameraAt(middle, middle)]);
    if (player.role === "spectator") return;
    this.#seats.enter(player);
    // Who comes to a match of bots that nobody looks at begins a new one.
    const isAlone = this.#room.players.size === 1;
    if (isAlone && this.#clock.phase !== "waiting") {
      this.#clock.begin("waiting", this.nowMs);
      this.#layAnother();
      this.#tellMatch();
    } else this.#fillSeats();
  }

  /** The pieces are nobody's by then: the room keeps the objects of those who leave. */
  #exit(player: Player): void {
    const side = this.#seats.leave(player);
    if (side === undefined) return;
    this.#mirror.give(side, 0);
    this.#man(side);
    this.#fillSeats();
  }

  #fillSeats(): void {
    const { standing } = this.#battle.state;
    this.#seats.fill(
      (side) => standing[side] === 1,
      (player, side) => {
        this.#mirror.give(side, player.id);
        this.#man(side);
        this.#room.visibilityChanged(player);
      },
    );
  }

  /** Puts whoever plays the side in charge: its person, or a bot. */
  #man(side: number): void {
    const player = this.#seats.playerOf(side);
    const { seed, strength = "easy" } = this.#options;
    this.#bots[side] = player === undefined ? new Bot(this.#battle, { side, strength, seed }) : undefined;
    const line = this.#lines[side]!;
    line.name = player?.nickname ?? botName(side);
    line.bot = player === undefined;
    if (player === undefined) line.ready = false;
    if (player === undefined) return;
    const { x, y } = this.#battle.state.terrain.starts[side]!;
    player.setView(viewOf(side, cameraAt(x, y)));
  }

  #want(player: Player, phase: Phase): void {
    const side = this.#seats.sideOf(player);
    if (this.#clock.phase !== phase || side === undefined) return;
    this.#seats.want(player);
    this.#lines[side]!.ready = true;
  }

  #placeOf(player: Player): OrderPlace | undefined {
    const side = this.#seats.sideOf(player);
    if (side === undefined || this.#clock.phase !== "play") return undefined;
    return { battle: this.#battle, mirror: this.#mirror, side };
  }
}

/** What is nobody's is seen by all who see its place; the list of sides and the match have none. */
function teamOfObject(entity: Entity): number | undefined {
  const { type } = entity as { readonly type: unknown };
  const isSides = type === Unit || type === Building || type === Works || type === Purse;
  return isSides ? (entity as unknown as { readonly side: number }).side : undefined;
}

function sightOf(entity: Entity): number {
  const { type } = entity as { readonly type: unknown };
  if (type !== Unit && type !== Building) return 0;
  return SIGHT[KIND[(entity as unknown as { readonly kind: keyof typeof KIND }).kind]]!;
}
