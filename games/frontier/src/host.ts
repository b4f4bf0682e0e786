/**
 * The game in a room: in the country, on one server alone or on one of many, and in yards. The same code.
 *
 *   round: heroes → beasts → bolts → meetings → gold → dens
 *
 * Three rules make it so. A server steps only objects of its own. Two things meet only where one server owns both: a bolt that flies at somebody beyond a
 * border is handed over first, and strikes there, once. New beasts come from dens whose place this server owns.
 */

import type { Entity, World } from "@nearfield/core";
import { Dice } from "@nearfield/kit";
import type { ObjectType } from "@nearfield/schema";
import { type Player, type Room, type ServerOptions, to } from "@nearfield/server";
import { exact } from "@nearfield/simulation";
import { BOT_PREFIX } from "./bot-names.ts";
import { DENS, type Den } from "./dens.ts";
import {
  BEAST_HEALTH,
  BEAST_RADIUS,
  BEAST_SPEED,
  BITE_HARM,
  BOLT_FLIGHT,
  BOLT_HARM,
  BOLT_SPEED,
  DOWN_ROUNDS,
  distance,
  GOLD_RADIUS,
  HERO_HEALTH,
  HERO_RADIUS,
  isAtEdge,
  MUZZLE,
  move,
  type Placed,
  RELOAD_ROUNDS,
  steer,
  strikes,
  THINK_ROUNDS,
} from "./rules.ts";
import { Beast, Bolt, Cairn, COUNTRY, Go, Gold, Hero, protocol, Raise, Raised, ROUND_MS, Say } from "./shared.ts";
import { view } from "./views.ts";

/**
 * For one server of many, world units. Half of `lead` is more than a hero walks in a second. `margin`: a den's server knows of beasts that have strayed over
 * the border. Cairns are in the server's log before anybody hears of them.
 */
export const CLUSTER_SETTINGS = { lead: 350, margin: 340, durable: [Cairn] };

/** What a server must be made with. */
export const frontierOptions: Pick<ServerOptions, "protocol" | "view" | "roundMs" | "takenNickname" | "times"> = {
  protocol,
  view,
  roundMs: ROUND_MS,
  takenNickname: "suffix",
  times: { resumeMs: 10_000 },
};

export interface FrontierHostOptions {
  readonly seed: number;
  /** Whether this server owns a place. Default: all of them. */
  readonly owns?: (x: number, y: number) => boolean;
  /** Where beasts come from. Default: all dens of the country. */
  readonly dens?: readonly Den[];
  /** People come in within this distance of the middle, world units. Default 300. */
  readonly gathering?: number;
  /** Called when a hero falls. */
  readonly felled?: (hero: HeroEntity) => void;
}

type HeroEntity = Entity<typeof Hero.shape>;
type BoltEntity = Entity<typeof Bolt.shape>;
type BeastEntity = Entity<typeof Beast.shape>;
type GoldEntity = Entity<typeof Gold.shape>;

const COLOURS = 16;
const BEASTS_PER_DEN = 3;
/** A den brings forth a beast at most once in so many rounds. */
const DEN_ROUNDS = 100;
/** Beasts stay within this distance of their den, and see heroes within the other. */
const LEASH = 300;
const BEAST_SIGHT = 170;
const BITE_REACH = 26;
const MOST_GOLD = 20;
const MOST_CAIRNS = 255;

export class FrontierHost {
  readonly #room: Room;
  readonly #world: World;
  readonly #dice: Dice;
  readonly #owns: (x: number, y: number) => boolean;
  readonly #dens: readonly Den[];
  readonly #gathering: number;
  readonly #felled: (hero: HeroEntity) => void;
  #joined = 0;
  #rounds = 0;
  /** What happened here since the start. */
  readonly deeds: { shots: number; hits: number; felled: number } = { shots: 0, hits: 0, felled: 0 };

  constructor(room: Room, options: FrontierHostOptions) {
    const { seed, owns = () => true, dens = DENS, gathering = 300, felled = () => {} } = options;
    this.#room = room;
    this.#world = room.world;
    this.#dice = new Dice(seed, "frontier");
    this.#owns = owns;
    this.#dens = dens;
    this.#gathering = gathering;
    this.#felled = felled;
    room.onJoin((player) => this.#enter(player));
    room.onCommand(Go, (player, { moveX, moveY, heading, fires }) => {
      for (const hero of player.owned(Hero)) {
        if (hero.down === 0) steer(hero, moveX, moveY);
        hero.heading = heading;
        hero.fires = fires;
      }
    });
    room.onCommand(Say, (player, { words }) => {
      for (const hero of player.owned(Hero)) {
        hero.says = words;
        hero.said = (hero.said + 1) % 0x1_0000;
      }
    });
    room.onCommand(Raise, (player, { number }) => this.#raise(player, number));
    room.onRound((_, dtMs) => this.#round(dtMs));
  }

  /** Players of this server by what plays them; bots are known by their names. */
  get players(): { readonly people: number; readonly bots: number } {
    const { players } = this.#room;
    const bots = [...players.values()].filter(isBot).length;
    return { people: players.size - bots, bots };
  }

  #enter(player: Player): void {
    const bot = isBot(player);
    const spread = bot ? COUNTRY - 200 : 2 * this.#gathering;
    const hero = this.#world.spawn(
      Hero,
      {
        x: COUNTRY / 2 + (this.#dice.next() - 0.5) * spread,
        y: COUNTRY / 2 + (this.#dice.next() - 0.5) * spread,
        name: bot ? player.nickname.slice(BOT_PREFIX.length) : player.nickname,
        colour: this.#joined++ % COLOURS,
        bot,
        health: HERO_HEALTH,
      },
      { owner: player.id },
    );
    player.pivotOn(hero);
  }

  #raise(player: Player, number: number): void {
    for (const hero of player.owned(Hero)) {
      if (hero.down > 0 || hero.cairns === MOST_CAIRNS) continue;
      const { x, y, name } = hero;
      hero.cairns += 1;
      this.#world.spawn(Cairn, { x, y, name, number });
      this.#room.emit(Raised, { number }, to(player));
    }
  }

  #round(dtMs: number): void {
    const heroes = this.#own(Hero);
    const beasts = this.#own(Beast);
    for (const hero of heroes) this.#stepHero(hero, dtMs);
    for (const beast of beasts) this.#stepBeast(beast, heroes, dtMs);
    for (const bolt of this.#own(Bolt)) this.#stepBolt(bolt, heroes, beasts, dtMs);
    for (const gold of this.#own(Gold)) this.#offer(gold, heroes);
    this.#rounds += 1;
    if (this.#rounds % DEN_ROUNDS === 0) for (const den of this.#dens) this.#tend(den);
  }

  /** What this server owns of a type, and may change. */
  #own<T extends ObjectType>(type: T): Entity<T["shape"]>[] {
    return [...this.#world.all(type)].filter((entity) => !this.#world.isForeign(entity)) as Entity<T["shape"]>[];
  }

  #stepHero(hero: HeroEntity, dtMs: number): void {
    if (hero.down > 0) {
      hero.down -= 1;
      if (hero.down === 0) hero.health = HERO_HEALTH;
      return;
    }
    move(hero, dtMs);
    if (hero.reload > 0) hero.reload -= 1;
    else if (hero.fires) this.#shoot(hero);
  }

  #shoot(hero: HeroEntity): void {
    const [dx, dy] = [exact.cosine(hero.heading), exact.sine(hero.heading)];
    hero.reload = RELOAD_ROUNDS;
    this.deeds.shots += 1;
    const [x, y] = [hero.x + dx * MUZZLE, hero.y + dy * MUZZLE];
    if (isAtEdge({ x, y })) return;
    const { colour } = hero;
    this.#world.spawn(Bolt, { x, y, vx: dx * BOLT_SPEED, vy: dy * BOLT_SPEED, fromX: x, fromY: y, colour });
  }

  #stepBeast(beast: BeastEntity, heroes: readonly HeroEntity[], dtMs: number): void {
    if (beast.turn > 0) beast.turn -= 1;
    else this.#think(beast, heroes);
    move(beast, dtMs);
  }

  /** A beast goes for the nearest hero, back to its den, or anywhere. */
  #think(beast: BeastEntity, heroes: readonly HeroEntity[]): void {
    beast.turn = THINK_ROUNDS;
    const den = DENS[beast.den]!;
    const near = heroes.filter((hero) => hero.down === 0 && distance(hero, beast) <= BEAST_SIGHT);
    const [prey] = near.sort((a, b) => distance(a, beast) - distance(b, beast));
    if (prey !== undefined && distance(prey, beast) <= BITE_REACH) this.#harm(prey, BITE_HARM);
    const isFar = distance(beast, den) > LEASH;
    const goal = isFar ? den : prey;
    if (goal === undefined && this.#dice.chance(0.4)) {
      Object.assign(beast, { vx: 0, vy: 0 });
      return;
    }
    const heading =
      goal === undefined ? this.#dice.next() * 2 * Math.PI : exact.directionOf(goal.x - beast.x, goal.y - beast.y);
    const speed = goal === undefined ? BEAST_SPEED / 3 : BEAST_SPEED;
    Object.assign(beast, { heading, vx: exact.cosine(heading) * speed, vy: exact.sine(heading) * speed });
    if (prey !== undefined && !isFar) beast.turn = 4;
  }

  #stepBolt(bolt: BoltEntity, heroes: readonly HeroEntity[], beasts: readonly BeastEntity[], dtMs: number): void {
    move(bolt, dtMs);
    const isHit = (target: Placed, radius: number): boolean => strikes(bolt, target, radius, dtMs);
    const beast = beasts.find((one) => one.alive && isHit(one, BEAST_RADIUS));
    const hero = heroes.find((one) => one.down === 0 && isHit(one, HERO_RADIUS));
    if (beast !== undefined) this.#wound(beast);
    else if (hero !== undefined) this.#harm(hero, BOLT_HARM);
    else if (distance(bolt, { x: bolt.fromX, y: bolt.fromY }) < BOLT_FLIGHT && !isAtEdge(bolt)) return;
    if (beast !== undefined || hero !== undefined) this.deeds.hits += 1;
    this.#world.destroy(bolt);
  }

  #wound(beast: BeastEntity): void {
    beast.health = Math.max(0, beast.health - BOLT_HARM);
    if (beast.health > 0) return;
    const { x, y } = beast;
    this.deeds.felled += 1;
    this.#world.destroy(beast);
    this.#world.spawn(Gold, { x, y, worth: 1 + this.#dice.int(MOST_GOLD) });
  }

  #harm(hero: HeroEntity, harm: number): void {
    hero.health = Math.max(0, hero.health - harm);
    if (hero.health > 0) return;
    Object.assign(hero, { down: DOWN_ROUNDS, vx: 0, vy: 0 });
    this.deeds.felled += 1;
    this.#felled(hero);
  }

  #offer(gold: GoldEntity, heroes: readonly HeroEntity[]): void {
    const taker = heroes.find((hero) => hero.down === 0 && distance(hero, gold) <= GOLD_RADIUS);
    if (taker === undefined) return;
    taker.gold = Math.min(0xffff, taker.gold + gold.worth);
    this.#world.destroy(gold);
  }

  /** Copies of other servers' beasts count too, as far as there are any here. */
  #tend(den: Den): void {
    if (!this.#owns(den.x, den.y)) return;
    let count = 0;
    for (const beast of this.#world.all(Beast)) if (beast.den === den.number) count += 1;
    if (count >= BEASTS_PER_DEN) return;
    const { x, y, number } = den;
    this.#world.spawn(Beast, { x, y, den: number, health: BEAST_HEALTH, turn: this.#dice.int(THINK_ROUNDS) });
  }
}

function isBot({ nickname }: Player): boolean {
  return nickname.startsWith(BOT_PREFIX);
}
