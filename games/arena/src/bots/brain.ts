/**
 * What a bot thinks and does. About seven times a second it decides whom it sees, where it wants to go, and which weapon it uses. Between two such
 * thoughts it only steers along its way and turns its eyes, no faster than a hand turns a mouse.
 *
 * It is deterministic: its dice have a seed, the caller tells it the time, and it knows the world only by its senses. A thought looks paths up in
 * fields that were computed before, and tests only a few lines of sight.
 */

import { Dice } from "@nearfield/kit";
import { type ActValues, IDLE } from "../movement.ts";
import { AVATAR_RADIUS, FULL_STICK, ROCKET, type Spot } from "../state.ts";
import { chooseErrand, type Errand, hunt, joinFight, need } from "./errands.ts";
import { Eyes } from "./eyes.ts";
import type { SeenAvatar, Senses } from "./senses.ts";
import { type Traits, throwTraits } from "./traits.ts";

/** World units from a place at which it is reached. */
const ARRIVED = 22;
/** Share of a fight in which it runs on. */
const RUN_AND_GUN = 0.6;
/** Least and further time between two thoughts of going to a fight that is heard, ms. */
const LISTEN_MS = 2000;
/** A bot that has moved less than a given distance in this time, ms, is stuck, and tries something else. */
const STUCK_MS = 900;
const STUCK_WAY = 8;

export class Brain {
  readonly traits: Traits;
  readonly #dice: Dice;
  readonly #eyes: Eyes;
  readonly #act: ActValues = { ...IDLE };
  /** What it is about; and what comes before that: somebody who got away, or a fight. */
  #errand: Errand | undefined;
  #detour: Errand | undefined;
  #listenMs = 0;
  #thinkMs = 0;
  /** When it arrived where it stays; NaN while on the way. */
  #stayFromMs = Number.NaN;
  #lastSeen: Spot | undefined;
  /** Where it walks to. */
  #stepX = 0;
  #stepY = 0;
  #strafe = 1;
  #runs = false;
  #strafeUntilMs = 0;
  #strollUntilMs = 0;
  #zoomUntilMs = 0;
  #lastMs = Number.NaN;
  #stuckX = 0;
  #stuckY = 0;
  #stuckMs = 0;

  constructor(seed: number) {
    this.#dice = new Dice(seed, "brain");
    this.traits = throwTraits(this.#dice);
    this.#eyes = new Eyes(this.#dice, this.traits);
  }

  /** Whom it aims at now: what its command must claim. */
  get enemy(): SeenAvatar | undefined {
    return this.#eyes.enemy;
  }

  /** A new life, or another level: nothing of before counts. */
  reset({ own, nowMs }: Senses): void {
    this.#errand = undefined;
    this.#detour = undefined;
    this.#lastSeen = undefined;
    this.#stayFromMs = Number.NaN;
    this.#zoomUntilMs = 0;
    this.#thinkMs = 0;
    this.#eyes.open(own.heading);
    this.#lastMs = nowMs;
    this.#noteProgress(own, nowMs);
  }

  /** What it does in this frame. The same object each time. */
  step(senses: Senses): ActValues {
    const { nowMs, own } = senses;
    const seconds = Math.min(0.25, Math.max(0, (nowMs - this.#lastMs) / 1000 || 0));
    this.#lastMs = nowMs;
    this.#eyes.blink();
    if (nowMs >= this.#thinkMs) {
      this.#thinkMs = nowMs + this.traits.thinkMs * (0.8 + 0.4 * this.#dice.next());
      this.#think(senses);
    }
    this.#eyes.aim(this.#act, senses, seconds);
    this.#walk(own);
    this.#act.zooms = nowMs < this.#zoomUntilMs;
    return this.#act;
  }

  // ── thinking ───────────────────────────────────────────────────────────────────────────────────────────────────

  #think(senses: Senses): void {
    this.#look(senses);
    this.#plan(senses);
    const { enemy } = this.#eyes;
    if (enemy === undefined) this.#travel(senses);
    else this.#fight(senses, enemy);
  }

  /** Finds whom the bot sees, and where an opponent was whom it does not see any more. */
  #look(senses: Senses): void {
    const before = this.#eyes.enemy;
    this.#eyes.seek(senses);
    if (before !== undefined && this.#eyes.enemy === undefined) this.#lastSeen = { x: before.x, y: before.y };
  }

  /** Whether the errand goes on, and which is next. After a detour people go back to what they were about. */
  #plan(senses: Senses): void {
    const lost = this.#lastSeen;
    this.#lastSeen = undefined;
    if (this.#detour !== undefined && (this.#eyes.enemy !== undefined || this.#isOver(senses, this.#detour)))
      this.#turnTo(senses, this.#errand);
    if (this.#detour !== undefined) return;
    const detour = this.#temptation(senses, lost);
    if (detour !== undefined) this.#turnTo(senses, this.#errand, detour);
    else if (this.#errand === undefined || this.#isOver(senses, this.#errand) || this.#isPressed(senses, lost))
      this.#turnTo(senses, chooseErrand(senses, this.traits, this.#dice));
  }

  #turnTo({ own, nowMs }: Senses, errand: Errand | undefined, detour?: Errand): void {
    this.#errand = errand;
    this.#detour = detour;
    this.#stayFromMs = Number.NaN;
    this.#noteProgress(own, nowMs);
  }

  /** A bot chases an opponent who got away, or goes to a fight that it hears, unless it needs an item or is on its way to one. */
  #temptation(senses: Senses, lost: Spot | undefined): Errand | undefined {
    const { own, nowMs } = senses;
    if (this.#eyes.enemy !== undefined || need(senses) !== undefined) return undefined;
    if (lost !== undefined && own.health > 45 && this.#dice.chance(0.5)) return hunt(senses, lost);
    if (nowMs < this.#listenMs || this.#errand?.kind === "item") return undefined;
    this.#listenMs = nowMs + LISTEN_MS * (1 + this.#dice.next());
    return joinFight(senses, this.traits, this.#dice);
  }

  /** A fight has left it short of something, and what it was about will not bring that. */
  #isPressed(senses: Senses, lost: Spot | undefined): boolean {
    return lost !== undefined && this.#errand?.kind !== "item" && need(senses) !== undefined;
  }

  #isOver({ own, nowMs, navigation }: Senses, errand: Errand): boolean {
    if (nowMs > errand.untilMs || this.#isStuck(own, nowMs)) return true;
    if (Number.isNaN(this.#stayFromMs)) {
      const arrived = navigation.wayLeft(errand.field, own.x, own.y) < ARRIVED;
      if (!arrived) return false;
      this.#stayFromMs = nowMs;
    }
    return nowMs >= this.#stayFromMs + errand.stayMs;
  }

  /** On the way, or about the place where it stays. */
  #travel(senses: Senses): void {
    const { own, navigation, nowMs } = senses;
    const errand = this.#detour ?? this.#errand;
    if (errand === undefined) return this.#stand(own);
    if (!Number.isNaN(this.#stayFromMs)) return this.#linger(senses, errand);
    const corner = navigation.cornerAt(own.x, own.y);
    if (corner < 0) return this.#stand(own);
    const step = this.#furthestInSight(senses, errand, corner);
    this.#stepX = navigation.xOf(step);
    this.#stepY = navigation.yOf(step);
    const view = navigation.ahead(errand.field, step, 8);
    this.#eyes.lookAhead(own, navigation.xOf(view), navigation.yOf(view), nowMs);
    if (nowMs > this.#zoomUntilMs + 6000 && this.#dice.chance(0.01 + 0.02 * this.traits.patience))
      this.#zoomUntilMs = nowMs + 600 + 900 * this.#dice.next();
  }

  /** Corners are cut as far as there is room for the body. */
  #furthestInSight({ own, navigation }: Senses, { field }: Errand, corner: number): number {
    const { terrain } = navigation;
    for (const steps of [6, 3]) {
      const step = navigation.ahead(field, corner, steps);
      if (terrain.sees(own.x, own.y, navigation.xOf(step), navigation.yOf(step), AVATAR_RADIUS + 0.5)) return step;
    }
    return navigation.ahead(field, corner, 1);
  }

  /** People do not stand still: they stroll about the place and look round. */
  #linger({ own, navigation, nowMs }: Senses, errand: Errand): void {
    if (nowMs < this.#strollUntilMs) return;
    this.#strollUntilMs = nowMs + 500 + 900 * this.#dice.next();
    const [x, y] = [errand.x + 38 * this.#dice.bell(), errand.y + 38 * this.#dice.bell()];
    const corner = navigation.cornerAt(x, y);
    if (corner >= 0 && navigation.terrain.sees(own.x, own.y, navigation.xOf(corner), navigation.yOf(corner))) {
      this.#stepX = navigation.xOf(corner);
      this.#stepY = navigation.yOf(corner);
    }
    this.#eyes.lookRound(own);
    if (this.#eyes.enemy === undefined && this.#dice.chance(0.15 * this.traits.patience))
      this.#zoomUntilMs = nowMs + 1200;
    this.#noteProgress(own, nowMs);
  }

  #stand({ x, y }: Spot): void {
    this.#stepX = x;
    this.#stepY = y;
  }

  /**
   * Often on along its way, firing; else sideways, nearer or farther, as it likes to fight. Away, when it is hurt and knows where to go. Who holds
   * a place fights from there.
   */
  #fight(senses: Senses, enemy: SeenAvatar): void {
    const { own, navigation, nowMs } = senses;
    const [dx, dy] = [enemy.x - own.x, enemy.y - own.y];
    const distance = Math.sqrt(dx * dx + dy * dy) || 1;
    this.#chooseWeapon(senses, distance);
    if (distance > 300 && nowMs > this.#zoomUntilMs + 2500 && this.#dice.chance(0.12 + 0.2 * this.traits.patience))
      this.#zoomUntilMs = nowMs + 800 + 800 * this.#dice.next();
    if (nowMs >= this.#strafeUntilMs) {
      this.#strafeUntilMs = nowMs + 350 + 700 * this.#dice.next();
      this.#strafe = this.#dice.chance(0.5) ? 1 : -1;
      this.#runs = this.#dice.chance(RUN_AND_GUN);
    }
    const flees = need(senses) !== undefined && this.#errand?.kind === "item";
    if (flees || this.#runs || !Number.isNaN(this.#stayFromMs)) return this.#travel(senses);
    const closer = Math.max(-1, Math.min(1, (distance - this.traits.range) / 80));
    const [toX, toY] = [dx / distance, dy / distance];
    for (const side of [this.#strafe, -this.#strafe, 0]) {
      const [x, y] = [own.x + (toX * closer - toY * side) * 24, own.y + (toY * closer + toX * side) * 24];
      if (!navigation.terrain.isFree(x, y, AVATAR_RADIUS)) continue;
      this.#strafe = side === 0 ? this.#strafe : side;
      this.#stepX = x;
      this.#stepY = y;
      break;
    }
    this.#noteProgress(own, nowMs);
  }

  #chooseWeapon({ own }: Senses, distance: number): void {
    const fits = distance > ROCKET.blast + 15 && distance < 320;
    if (own.rockets > 0 && (own.bullets === 0 || (fits && this.#dice.chance(0.4)))) this.#act.weapon = "rocket";
    else if (own.bullets > 0 && (!fits || this.#dice.chance(0.25))) this.#act.weapon = "rifle";
  }

  // ── carrying on ────────────────────────────────────────────────────────────────────────────────────────────────

  #walk({ x, y }: Spot): void {
    const [dx, dy] = [this.#stepX - x, this.#stepY - y];
    const way = Math.sqrt(dx * dx + dy * dy);
    const strength = way < 3 ? 0 : FULL_STICK / way;
    this.#act.moveX = Math.round(dx * strength);
    this.#act.moveY = Math.round(dy * strength);
  }

  // ── getting stuck ──────────────────────────────────────────────────────────────────────────────────────────────

  #noteProgress({ x, y }: Spot, nowMs: number): void {
    this.#stuckX = x;
    this.#stuckY = y;
    this.#stuckMs = nowMs;
  }

  #isStuck(own: Spot, nowMs: number): boolean {
    if (!Number.isNaN(this.#stayFromMs)) return false;
    if (Math.abs(own.x - this.#stuckX) + Math.abs(own.y - this.#stuckY) > STUCK_WAY) this.#noteProgress(own, nowMs);
    return nowMs - this.#stuckMs > STUCK_MS;
  }
}
