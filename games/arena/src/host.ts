/**
 * The game on a server: players join, command their avatars and shoot; the rules decide, and what they decide is written into replicated objects.
 *
 *   round: local players → match clock → births → rockets → crowd → items → blows → scores → views
 *
 * Commands have been applied when the round begins (`onStep`), pivots are placed when it is over.
 */

import type { Entity, World } from "@nearfield/core";
import { Dice, MatchClock } from "@nearfield/kit";
import type { Player, Room, Server, ServerOptions } from "@nearfield/server";
import { Combat, type Struck } from "./combat.ts";
import { Crowd } from "./crowd.ts";
import { Effects } from "./effects.ts";
import { type AvatarEntity, type Fighter, isStanding } from "./fighter.ts";
import { type ActValues, type ArenaStep, stepOn } from "./movement.ts";
import { Pickups } from "./pickups.ts";
import { bear, chooseBirth } from "./rules.ts";
import { Act, Avatar, avatarPresentation, Match, protocol, Score, Spectate } from "./shared.ts";
import {
  COLOURS,
  ITEMS,
  KILL_LIMIT,
  MATCH_MS,
  MOST_NUMBER,
  OVER_MS,
  RESPAWN_MS,
  ROUND_MS,
  SAFE_MS,
  type Spot,
} from "./state.ts";
import type { Terrain } from "./terrain.ts";
import { GAME_VIEWS, view } from "./views.ts";
import { mayPivot, type PlayerViews, Watchers } from "./watchers.ts";

/** A client with a nickname that begins so is a bot, and says so on the scoreboard. */
export const BOT_PREFIX = "bot ";

/** What a server or lab must be made with; a benchmark may replace the view and the length of a round. */
export const arenaOptions: Pick<
  ServerOptions,
  "protocol" | "view" | "roundMs" | "lagCompensation" | "mayPivot" | "spectators" | "times"
> = {
  protocol,
  view,
  roundMs: ROUND_MS,
  lagCompensation: { targets: [Avatar], presentation: avatarPresentation, capMs: 400 },
  mayPivot,
  spectators: "anybody",
  // Long enough for a page to be loaded anew, short enough that nobody's avatar stands about for long.
  times: { resumeMs: 10_000 },
};

export interface ArenaHostOptions {
  /** The levels, one a match, in turn. */
  readonly terrains: readonly [Terrain, ...Terrain[]];
  /** Seed of births. */
  readonly seed: number;
  /** Default: the server's main room. */
  readonly room?: Room;
  /** Length of a match and of the scoreboard after it, ms. Defaults 300,000 and 12,000. */
  readonly matchMs?: number;
  readonly overMs?: number;
  /** Kills that end a match early. Default 40. */
  readonly killLimit?: number;
  /** Where players start for the first time, in the order in which they join. Default: the dice decide. */
  readonly spawns?: readonly Spot[];
  /** What players see, without and with zoom. Default: the paper's views, by what is predicted. */
  readonly views?: PlayerViews;
}

type ScoreEntity = Entity<typeof Score.shape>;
type MatchEntity = Entity<typeof Match.shape>;

export class ArenaHost {
  readonly #server: Server;
  readonly room: Room;
  readonly #world: World;
  readonly #options: ArenaHostOptions;
  readonly #dice: Dice;
  readonly #clock: MatchClock;
  readonly #match: MatchEntity;
  readonly #effects: Effects;
  readonly #combat: Combat;
  readonly #pickups: Pickups;
  readonly #watchers: Watchers;
  readonly #crowd: Crowd = new Crowd();
  readonly #fighters = new Map<number, Fighter>();
  readonly #ofPlayer = new Map<Player, Fighter>();
  readonly #step: ArenaStep = stepOn(() => this.#terrain);
  readonly #drivers: ((dtMs: number) => void)[] = [];
  #terrain: Terrain;
  #joined = 0;
  #kills = 0;

  constructor(server: Server, options: ArenaHostOptions) {
    const room = options.room ?? server.main;
    this.#server = server;
    this.room = room;
    this.#world = room.world;
    this.#options = options;
    this.#terrain = options.terrains[0];
    this.#dice = new Dice(options.seed, "births");
    this.#clock = new MatchClock(this.nowMs, options.matchMs ?? MATCH_MS, options.overMs ?? OVER_MS);
    this.#match = this.#world.spawn(Match, { ...this.#matchValues(), leader: 0 });
    this.#effects = new Effects(room);
    this.#combat = new Combat(room, this.#effects, this.#fighters);
    this.#pickups = new Pickups(this.#world);
    this.#pickups.lay(this.#terrain);
    room.outlines = this.#terrain.level;
    this.#watchers = new Watchers(room, options.views ?? GAME_VIEWS);
    this.#listen();
  }

  /** The level that is played now. */
  get terrain(): Terrain {
    return this.#terrain;
  }

  /** Time of this round, ms. */
  get nowMs(): number {
    return this.#server.roundNumber * this.#server.roundMs;
  }

  /** Whether shots count: not while the scoreboard stands. */
  get isPlaying(): boolean {
    return this.#clock.phase === "play";
  }

  /** Players and spectators who are no bots. */
  get people(): number {
    return this.room.players.size - this.bots;
  }

  get bots(): number {
    let count = 0;
    for (const { score } of this.#fighters.values()) if (score.bot) count += 1;
    return count;
  }

  /** Since the server started. */
  get kills(): number {
    return this.#kills;
  }

  /** Everybody who stands, for a map. */
  get marks(): readonly { readonly id: number; readonly x: number; readonly y: number; readonly colour: number }[] {
    return [...this.#fighters.values()]
      .filter(isStanding)
      .map(({ number, avatar: { x, y, colour } }) => ({ id: number, x, y, colour }));
  }

  avatarOf(player: Player): AvatarEntity | undefined {
    return this.#ofPlayer.get(player)?.avatar;
  }

  /** Runs at the beginning of each round: for players in the server's own process, who act by `drive`. */
  onDrive(driver: (dtMs: number) => void): void {
    this.#drivers.push(driver);
  }

  /** Does what a command of this player would do: for players who have no link to send it over. */
  drive(player: Player, act: ActValues, dtMs: number): void {
    const avatar = this.avatarOf(player);
    if (avatar === undefined) return;
    this.#step(avatar, act, dtMs);
    this.#act(player, act);
  }

  // ── joining and leaving ────────────────────────────────────────────────────────────────────────────────────────

  #listen(): void {
    const room = this.room;
    room.onJoin((player) => this.#enter(player));
    room.onLeave((player) => this.#exit(player));
    room.onCommand(Spectate, (player, { number }) => this.#watchers.follow(player, number));
    room.steps(Avatar, Act, this.#step);
    room.onStep(Avatar, Act, (player, _, act) => this.#act(player, act));
    room.onRound((_, dtMs) => this.#round(dtMs));
  }

  #enter(player: Player): void {
    if (player.role === "spectator") return this.#watchers.enter(player, undefined);
    const number = this.#freeNumber();
    if (number === 0) return player.kick(`all ${MOST_NUMBER} places are taken`);
    const colour = (number - 1) % COLOURS;
    const avatar = this.#world.spawn(Avatar, { number, colour }, { owner: player.id });
    const fighter: Fighter = {
      number,
      player,
      avatar,
      score: this.#newScore(player, number, colour),
      readyMs: 0,
      safeUntilMs: 0,
      backMs: Number.POSITIVE_INFINITY,
      struckWith: "rifle",
    };
    this.#fighters.set(number, fighter);
    this.#ofPlayer.set(player, fighter);
    this.#watchers.enter(player, fighter);
    this.#bear(fighter, this.#options.spawns?.[this.#joined++]);
    player.pivotOn(avatar);
  }

  #newScore(player: Player, number: number, colour: number): ScoreEntity {
    const bot = player.nickname.startsWith(BOT_PREFIX);
    const name = bot ? player.nickname.slice(BOT_PREFIX.length) : player.nickname;
    return this.#world.spawn(Score, { number, name, colour, bot });
  }

  #freeNumber(): number {
    for (let number = 1; number <= MOST_NUMBER; number++) if (!this.#fighters.has(number)) return number;
    return 0;
  }

  /** The avatar goes with its owner by itself. */
  #exit(player: Player): void {
    this.#watchers.leave(player);
    this.#effects.leave(player);
    const fighter = this.#ofPlayer.get(player);
    if (fighter === undefined) return;
    this.#combat.leave(fighter);
    this.#world.destroy(fighter.score);
    this.#fighters.delete(fighter.number);
    this.#ofPlayer.delete(player);
  }

  #act(player: Player, act: ActValues): void {
    const fighter = this.#ofPlayer.get(player);
    if (fighter === undefined || !act.fires || !this.isPlaying) return;
    this.#combat.fire(fighter, act, this.#terrain, this.nowMs, this.#server.roundMs);
  }

  // ── the round ──────────────────────────────────────────────────────────────────────────────────────────────────

  #round(dtMs: number): void {
    const { nowMs } = this;
    for (const driver of this.#drivers) driver(dtMs);
    this.#turnMatch(nowMs);
    for (const fighter of this.#fighters.values()) this.#age(fighter, nowMs);
    this.#combat.fly(this.#terrain, nowMs, dtMs);
    this.#crowd.part(this.#fighters.values(), this.#terrain);
    this.#pickups.step(this.#fighters.values(), nowMs, (fighter, item) => {
      if (item.kind === "health") this.#combat.heal(fighter, ITEMS.health.amount, nowMs);
      this.#effects.pickup(fighter.number, item.kind, item);
    });
    this.#combat.settle(nowMs, (struck) => this.#publish(struck, nowMs));
    const leader = this.#leader();
    this.#match.leader = leader?.number ?? 0;
    this.#watchers.settle(this.#fighters, leader ?? this.#fighters.values().next().value);
  }

  #turnMatch(nowMs: number): void {
    const decided = (this.#leader()?.score.kills ?? 0) >= this.#killLimit;
    const begun = this.#clock.advance(nowMs, decided);
    if (begun === undefined) return;
    if (begun === "play") this.#beginMatch();
    Object.assign(this.#match, this.#matchValues());
  }

  #beginMatch(): void {
    const { terrains } = this.#options;
    this.#terrain = terrains[(this.#clock.match - 1) % terrains.length]!;
    this.room.outlines = this.#terrain.level;
    this.#combat.clear();
    this.#pickups.lay(this.#terrain);
    for (const fighter of this.#fighters.values()) {
      Object.assign(fighter.score, { kills: 0, deaths: 0, streak: 0 });
      this.#bear(fighter);
    }
  }

  #matchValues() {
    const { match, phase, endsMs } = this.#clock;
    return { level: this.#terrain.name, match, phase, endsMs, killLimit: this.#killLimit };
  }

  get #killLimit(): number {
    return this.#options.killLimit ?? KILL_LIMIT;
  }

  /** Births after deaths; the end of safety. */
  #age(fighter: Fighter, nowMs: number): void {
    const { avatar } = fighter;
    if (nowMs >= fighter.backMs) this.#bear(fighter);
    else if (avatar.condition === "safe" && nowMs >= fighter.safeUntilMs) avatar.condition = "alive";
  }

  #bear(fighter: Fighter, spot?: Spot): void {
    const others = [...this.#fighters.values()].filter((other) => other !== fighter && isStanding(other));
    const birth =
      spot ??
      chooseBirth(
        this.#terrain.spawns,
        others.map(({ avatar }) => avatar),
        this.#dice,
      );
    bear(fighter.avatar, birth);
    fighter.backMs = Number.POSITIVE_INFINITY;
    fighter.safeUntilMs = this.nowMs + SAFE_MS;
    this.#combat.enter(fighter, this.nowMs);
    this.#effects.respawn(fighter.number, birth);
  }

  #publish({ by, target, damage, killed }: Struck, nowMs: number): void {
    if (by !== undefined && damage > 0) this.#effects.hit(by, target, damage, killed);
    if (!killed) return;
    const { avatar, score } = target;
    Object.assign(avatar, { condition: "dead", vx: 0, vy: 0, zoomed: false });
    target.backMs = nowMs + RESPAWN_MS;
    Object.assign(score, { deaths: score.deaths + 1, streak: 0 });
    this.#kills += 1;
    this.#effects.kill(by?.number ?? 0, target, by?.struckWith ?? "rocket");
    if (by === target) score.kills = Math.max(0, score.kills - 1);
    else if (by !== undefined) Object.assign(by.score, { kills: by.score.kills + 1, streak: by.score.streak + 1 });
  }

  /** The one with the most kills; of several, who died less. */
  #leader(): Fighter | undefined {
    let best: Fighter | undefined;
    for (const fighter of this.#fighters.values()) {
      const { kills, deaths } = fighter.score;
      if (kills === 0) continue;
      const than = best?.score;
      if (than === undefined || kills > than.kills || (kills === than.kills && deaths < than.deaths)) best = fighter;
    }
    return best;
  }
}
