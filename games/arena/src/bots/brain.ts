/**
 * What a bot thinks and does. It thinks some seven times a second — whom it sees, where it wants to go, which weapon — and between two thoughts only
 * carries on: steers along its way, turns its eyes no faster than a hand turns a mouse, and pulls the trigger when they rest on somebody.
 *
 * Deterministic: dice from a seed, time as it is told, and no other world than its senses. A thought looks paths up in fields that exist, and asks
 * for at most a few lines of sight.
 */

import { angleBetween, directionOf } from "@nearfield/presentation";
import { Dice } from "../dice.ts";
import { type ActValues, IDLE } from "../movement.ts";
import { AVATAR_RADIUS, FULL_STICK, ROCKET, type Spot } from "../state.ts";
import { chooseErrand, type Errand, hunt, need } from "./errands.ts";
import type { SeenAvatar, Senses } from "./senses.ts";
import { type Traits, throwTraits } from "./traits.ts";

/** How far a bot sees, as far as a person's screen reaches; and how far it notices somebody behind its back. */
const SIGHT = 380;
const ZOOMED_SIGHT = 650;
const HEARING = 110;
/** Half the angle it sees, radians. */
const HALF_VIEW = 1.2;
/** Lines of sight asked for in one thought. */
const MOST_LOOKS = 4;
/** Older than this, nobody knows where the other has gone, ms. */
const MOST_AGE_MS = 200;
const ARRIVED = 22;
/** Share of a fight in which it runs on. */
const RUN_AND_GUN = 0.6;
const STUCK_MS = 900;
const STUCK_WAY = 8;

export class Brain {
  readonly traits: Traits;
  readonly #dice: Dice;
  readonly #act: ActValues = { ...IDLE };
  /** The nearest few it may see, and how far they are. */
  readonly #nearest: SeenAvatar[] = [];
  readonly #distances: Float64Array = new Float64Array(MOST_LOOKS);
  #errand: Errand | undefined;
  #thinkMs = 0;
  /** When it arrived where it stays; NaN while on the way. */
  #stayFromMs = Number.NaN;
  #enemy: SeenAvatar | undefined;
  /** It has seen its enemy since then. */
  #seenSinceMs = 0;
  #lastSeen: Spot | undefined;
  /** Where it walks to, and where it looks when there is no enemy. */
  #stepX = 0;
  #stepY = 0;
  #lookX = 0;
  #lookY = 0;
  #strafe = 1;
  #runs = false;
  #strafeUntilMs = 0;
  #strollUntilMs = 0;
  #zoomUntilMs = 0;
  #glanceUntilMs = 0;
  #error = 0;
  #burstUntilMs = 0;
  #pauseUntilMs = 0;
  #heading = 0;
  #lastMs = Number.NaN;
  #stuckX = 0;
  #stuckY = 0;
  #stuckMs = 0;

  constructor(seed: number) {
    this.#dice = new Dice(seed, "brain");
    this.traits = throwTraits(this.#dice);
  }

  /** Whom it aims at now: what its command must claim. */
  get enemy(): SeenAvatar | undefined {
    return this.#enemy;
  }

  /** A new life, or another level: nothing of before counts. */
  reset({ own, nowMs }: Senses): void {
    this.#errand = undefined;
    this.#enemy = undefined;
    this.#lastSeen = undefined;
    this.#stayFromMs = Number.NaN;
    this.#zoomUntilMs = 0;
    this.#thinkMs = 0;
    this.#heading = own.heading;
    this.#lastMs = nowMs;
    this.#noteProgress(own, nowMs);
  }

  /** What it does in this frame. The same object each time. */
  step(senses: Senses): ActValues {
    const { nowMs, own } = senses;
    const seconds = Math.min(0.25, Math.max(0, (nowMs - this.#lastMs) / 1000 || 0));
    this.#lastMs = nowMs;
    if (this.#enemy !== undefined && (!this.#enemy.alive || this.#enemy.condition === "dead")) this.#enemy = undefined;
    if (nowMs >= this.#thinkMs) {
      this.#thinkMs = nowMs + this.traits.thinkMs * (0.8 + 0.4 * this.#dice.next());
      this.#think(senses);
    }
    this.#aim(senses, seconds);
    this.#walk(own);
    this.#act.zooms = nowMs < this.#zoomUntilMs;
    return this.#act;
  }

  // ── thinking ───────────────────────────────────────────────────────────────────────────────────────────────────

  #think(senses: Senses): void {
    this.#look(senses);
    this.#plan(senses);
    if (this.#enemy === undefined) this.#travel(senses);
    else this.#fight(senses, this.#enemy);
    this.#error += (this.#dice.bell() * this.traits.aimError - this.#error) * 0.35;
  }

  /** Whom it sees: of the nearest few, the first with nothing between; rather the one it fights already. */
  #look(senses: Senses): void {
    const before = this.#enemy;
    const found = this.#nearestVisible(senses);
    if (found === undefined) {
      if (before !== undefined) this.#lastSeen = { x: before.x, y: before.y };
      this.#enemy = undefined;
      return;
    }
    this.#enemy = found;
    if (found === before) return;
    this.#seenSinceMs = senses.nowMs;
    this.#error = this.#dice.bell() * this.traits.aimError * 2;
  }

  #nearestVisible({ own, avatars, navigation }: Senses): SeenAvatar | undefined {
    const reach = own.zoomed ? ZOOMED_SIGHT : SIGHT;
    const { x, y, number } = own;
    const nearest = this.#nearest;
    const distances = this.#distances;
    let count = 0;
    for (const avatar of avatars()) {
      const dx = avatar.x - x;
      const dy = avatar.y - y;
      const distance = Math.sqrt(dx * dx + dy * dy) * (avatar === this.#enemy ? 0.6 : 1);
      if (distance > reach || (count === MOST_LOOKS && distance >= distances[count - 1]!)) continue;
      if (avatar.number === number || avatar.condition === "dead") continue;
      if (distance > HEARING && Math.abs(angleBetween(this.#heading, directionOf(dx, dy))) > HALF_VIEW) continue;
      let at = count < MOST_LOOKS ? count++ : count - 1;
      for (; at > 0 && distances[at - 1]! > distance; at--) {
        distances[at] = distances[at - 1]!;
        nearest[at] = nearest[at - 1]!;
      }
      distances[at] = distance;
      nearest[at] = avatar;
    }
    for (let at = 0; at < count; at++) {
      const avatar = nearest[at]!;
      if (navigation.terrain.sees(x, y, avatar.x, avatar.y)) return avatar;
    }
    return undefined;
  }

  /** Whether the errand goes on, and which is next. */
  #plan(senses: Senses): void {
    const { own, nowMs } = senses;
    const errand = this.#errand;
    if (errand !== undefined && !this.#isOver(senses, errand)) return;
    this.#stayFromMs = Number.NaN;
    const lost = this.#lastSeen;
    this.#lastSeen = undefined;
    const chases = lost !== undefined && need(senses) === undefined && own.health > 45 && this.#dice.chance(0.5);
    this.#errand = (chases ? hunt(senses, lost) : undefined) ?? chooseErrand(senses, this.traits, this.#dice);
    this.#noteProgress(own, nowMs);
  }

  #isOver({ own, nowMs, navigation }: Senses, errand: Errand): boolean {
    if (nowMs > errand.untilMs || this.#isStuck(own, nowMs)) return true;
    if (this.#lastSeen !== undefined && this.#enemy === undefined && errand.kind !== "item") return true;
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
    const errand = this.#errand;
    if (errand === undefined) return this.#stand(own);
    if (!Number.isNaN(this.#stayFromMs)) return this.#linger(senses, errand);
    const corner = navigation.cornerAt(own.x, own.y);
    if (corner < 0) return this.#stand(own);
    const step = this.#furthestInSight(senses, errand, corner);
    this.#stepX = navigation.xOf(step);
    this.#stepY = navigation.yOf(step);
    this.#lookAhead(senses, errand, step);
    if (nowMs > this.#zoomUntilMs + 6000 && this.#dice.chance(0.01 + 0.02 * this.traits.patience))
      this.#zoomUntilMs = nowMs + 600 + 900 * this.#dice.next();
  }

  /** Along the way, with a glance aside now and then: into doors and over the shoulder. */
  #lookAhead({ own, navigation, nowMs }: Senses, { field }: Errand, step: number): void {
    if (nowMs < this.#glanceUntilMs) return;
    if (nowMs > this.#glanceUntilMs + 400 && this.#dice.chance(0.5)) {
      this.#glanceUntilMs = nowMs + 400 + 600 * this.#dice.next();
      this.#lookX = own.x + 200 * this.#dice.bell();
      this.#lookY = own.y + 200 * this.#dice.bell();
      return;
    }
    const view = navigation.ahead(field, step, 8);
    this.#lookX = navigation.xOf(view);
    this.#lookY = navigation.yOf(view);
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
    this.#lookX = own.x + 200 * this.#dice.bell();
    this.#lookY = own.y + 200 * this.#dice.bell();
    if (this.#dice.chance(0.15 * this.traits.patience)) this.#zoomUntilMs = nowMs + 1200;
    this.#noteProgress(own, nowMs);
  }

  #stand({ x, y }: Spot): void {
    this.#stepX = x;
    this.#stepY = y;
  }

  /** Often on along its way, firing; else sideways, nearer or farther, as it likes to fight. Away, when it is hurt and knows where to go. */
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
    const isPressed = need(senses) !== undefined && this.#errand?.kind === "item";
    if (isPressed || (this.#runs && this.#errand?.kind !== "hunt")) return this.#travel(senses);
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

  /** Turns the eyes towards the enemy, or along the way, and pulls the trigger. */
  #aim({ own, nowMs, isPlaying, ageOf }: Senses, seconds: number): void {
    const enemy = this.#enemy;
    const act = this.#act;
    let dx = this.#lookX - own.x;
    let dy = this.#lookY - own.y;
    if (enemy !== undefined) {
      dx = enemy.x - own.x;
      dy = enemy.y - own.y;
      // The other has gone on since it was sent; and a rocket takes its time.
      const flightMs = own.weapon === "rocket" ? (Math.sqrt(dx * dx + dy * dy) / ROCKET.speed) * 800 : 0;
      const leadS = (Math.min(MOST_AGE_MS, ageOf(enemy)) + flightMs) / 1000;
      dx += enemy.vx * leadS;
      dy += enemy.vy * leadS;
    }
    const wanted = dx * dx + dy * dy < 1 ? this.#heading : directionOf(dx, dy) + (enemy ? this.#error : 0);
    const off = angleBetween(this.#heading, wanted);
    const most = this.traits.turnSpeed * seconds;
    this.#heading += Math.max(-most, Math.min(most, off));
    act.heading = this.#heading;
    act.fires = enemy !== undefined && isPlaying && this.#pulls(nowMs, Math.abs(off) - most);
  }

  /** In bursts, once the eyes are on the other and the mind has caught up. */
  #pulls(nowMs: number, off: number): boolean {
    if (nowMs < this.#seenSinceMs + this.traits.reactionMs || off > 0.06) return false;
    if (nowMs >= this.#pauseUntilMs) {
      this.#burstUntilMs = nowMs + 500 + 900 * this.#dice.next();
      this.#pauseUntilMs = this.#burstUntilMs + 100 + 400 * this.#dice.next();
    }
    return nowMs < this.#burstUntilMs;
  }

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
