/**
 * Shots and what they do. The rifle hits at once, judged by what the shooter saw (lag compensation); the rocket flies, and its blast counts in the
 * present. Both go through the life cycle, which holds blows back until no earlier blow can arrive. So nobody is killed by somebody who was
 * already dead.
 */

import type { Entity } from "@nearfield/core";
import type { ObjectId } from "@nearfield/schema";
import { LifeCycle, type Room } from "@nearfield/server";
import { exact } from "@nearfield/simulation";
import type { Effects } from "./effects.ts";
import { type AvatarEntity, type Fighter, isStanding } from "./fighter.ts";
import type { ActValues } from "./movement.ts";
import { absorb, blastDamage, distanceBetween, entryInto, reloadMs, spend } from "./rules.ts";
import { Rocket } from "./shared.ts";
import { AVATAR_RADIUS, FULL_HEALTH, RIFLE, ROCKET, type Spot, type Weapon } from "./state.ts";
import type { Terrain } from "./terrain.ts";
import { unpackClaim } from "./unpack-claim.ts";

/** The longest that a blow waits for one that struck before it, ms. */
const WINDOW_MS = 250;
/** What a target may have moved since it was seen, world units: who is farther from the line than this is not asked for. */
const SEEN_SLACK = 80;

interface Flight {
  readonly entity: Entity<typeof Rocket.shape>;
  readonly by: Fighter;
  readonly dx: number;
  readonly dy: number;
  readonly endsMs: number;
}

/** A hit that counts, with those it concerns. */
export interface Struck {
  readonly by: Fighter | undefined;
  readonly target: Fighter;
  readonly damage: number;
  readonly killed: boolean;
}

export class Combat {
  readonly #room: Room;
  readonly #effects: Effects;
  readonly #fighters: ReadonlyMap<number, Fighter>;
  readonly #byAvatar = new Map<ObjectId, Fighter>();
  readonly #life: LifeCycle = new LifeCycle({ windowMs: WINDOW_MS });
  #flights: Flight[] = [];

  constructor(room: Room, effects: Effects, fighters: ReadonlyMap<number, Fighter>) {
    this.#room = room;
    this.#effects = effects;
    this.#fighters = fighters;
  }

  // ── lives ──────────────────────────────────────────────────────────────────────────────────────────────────────

  enter(fighter: Fighter, nowMs: number): void {
    this.#byAvatar.set(fighter.avatar.id, fighter);
    this.#life.enter(fighter.avatar.id, FULL_HEALTH, nowMs);
  }

  leave(fighter: Fighter): void {
    this.#life.leave(fighter.avatar.id);
    this.#byAvatar.delete(fighter.avatar.id);
  }

  heal(fighter: Fighter, amount: number, nowMs: number): void {
    this.#life.strike({ atMs: nowMs, attacker: undefined, target: fighter.avatar.id, damage: -amount });
  }

  /** Publishes what struck, in the order in which it did. */
  settle(nowMs: number, publish: (struck: Struck) => void): void {
    this.#life.settle(
      nowMs,
      ({ attacker, target, damage, left, killed }) => {
        const fighter = this.#byAvatar.get(target);
        if (fighter === undefined) return;
        fighter.avatar.health = Math.round(left);
        const by = attacker === undefined ? undefined : this.#byAvatar.get(attacker);
        publish({ by, target: fighter, damage, killed });
      },
      this.#room.earliestShotMs,
    );
  }

  // ── firing ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The trigger is held down: a shot, if the weapon is ready and loaded. Asked in the handler of the command. */
  fire(fighter: Fighter, act: ActValues, terrain: Terrain, nowMs: number, roundMs: number): void {
    const { avatar } = fighter;
    if (avatar.condition === "dead" || nowMs < fighter.readyMs || !spend(avatar)) return;
    fighter.readyMs = nowMs + reloadMs(avatar.weapon);
    avatar.condition = "alive";
    const [dx, dy] = [exact.cosine(act.heading), exact.sine(act.heading)];
    if (avatar.weapon === "rocket") this.#launch(fighter, terrain, dx, dy, nowMs);
    else this.#shoot(fighter, act, terrain, dx, dy, nowMs, roundMs);
  }

  #shoot(
    fighter: Fighter,
    act: ActValues,
    terrain: Terrain,
    dx: number,
    dy: number,
    nowMs: number,
    roundMs: number,
  ): void {
    const { x, y } = fighter.avatar;
    const wall = terrain.reachOf(x, y, dx, dy, RIFLE.reach);
    const claim = unpackClaim(act, this.#fighters.get(act.target)?.avatar.id, nowMs, roundMs);
    const targets = this.#near(fighter, x, y, dx, dy, wall);
    const hit = this.#room.hitscan(
      fighter.player,
      { from: [x, y], direction: [dx, dy], reach: wall, targets, radius: AVATAR_RADIUS },
      claim,
    );
    const way = hit?.distance ?? wall;
    const at = hit ? "avatar" : wall < RIFLE.reach ? "wall" : "nothing";
    this.#effects.shot(fighter.number, { x, y }, { x: x + dx * way, y: y + dy * way }, at, nowMs);
    if (hit === undefined) return;
    const target = this.#byAvatar.get(hit.target.id);
    if (target !== undefined) this.#strike(fighter, target, "rifle", RIFLE.damage, hit.sighting.atMs);
  }

  /** Those who may have been seen on the line of a shot. */
  #near(shooter: Fighter, x: number, y: number, dx: number, dy: number, reach: number): AvatarEntity[] {
    const found: AvatarEntity[] = [];
    for (const fighter of this.#fighters.values()) {
      if (fighter === shooter || !isStanding(fighter)) continue;
      const [toX, toY] = [fighter.avatar.x - x, fighter.avatar.y - y];
      const along = toX * dx + toY * dy;
      if (along < -SEEN_SLACK || along > reach + SEEN_SLACK || Math.abs(toX * dy - toY * dx) > SEEN_SLACK) continue;
      found.push(fighter.avatar);
    }
    return found;
  }

  #strike(by: Fighter, target: Fighter, weapon: Weapon, damage: number, atMs: number): void {
    if (target.avatar.condition !== "alive" || damage <= 0) return;
    const { absorbed, hurt } = absorb(target.avatar.armour, damage);
    const answer = this.#life.strike({ atMs, attacker: by.avatar.id, target: target.avatar.id, damage: hurt });
    if (answer !== "held") return;
    target.avatar.armour -= absorbed;
    by.struckWith = weapon;
  }

  // ── rockets ────────────────────────────────────────────────────────────────────────────────────────────────────

  #launch(by: Fighter, terrain: Terrain, dx: number, dy: number, nowMs: number): void {
    const { x, y } = by.avatar;
    const muzzle = Math.max(0, Math.min(AVATAR_RADIUS + ROCKET.radius, terrain.reachOf(x, y, dx, dy, 20) - 1));
    const spot = { x: x + dx * muzzle, y: y + dy * muzzle };
    const velocity = { vx: dx * ROCKET.speed, vy: dy * ROCKET.speed };
    const entity = this.#room.world.spawn(Rocket, { ...spot, ...velocity, by: by.number });
    this.#flights.push({ entity, by, dx, dy, endsMs: nowMs + ROCKET.lifeMs });
    this.#effects.launch(by.number, spot);
  }

  /** Moves the rockets on; those that meet something go off. */
  fly(terrain: Terrain, nowMs: number, dtMs: number): void {
    this.#flights = this.#flights.filter((flight) => this.#flyOne(flight, terrain, nowMs, dtMs));
  }

  /** All rockets are gone: a match ended. */
  clear(): void {
    for (const { entity } of this.#flights) this.#room.world.destroy(entity);
    this.#flights = [];
  }

  #flyOne(flight: Flight, terrain: Terrain, nowMs: number, dtMs: number): boolean {
    const { entity, by, dx, dy } = flight;
    const way = (ROCKET.speed * dtMs) / 1000;
    let meets = terrain.reachOf(entity.x, entity.y, dx, dy, way + ROCKET.radius) - ROCKET.radius;
    for (const fighter of this.#fighters.values()) {
      if (fighter === by || !isStanding(fighter)) continue;
      meets = Math.min(meets, entryInto(fighter.avatar, AVATAR_RADIUS + ROCKET.radius, entity.x, entity.y, dx, dy));
    }
    if (meets >= way && nowMs < flight.endsMs) {
      entity.x += dx * way;
      entity.y += dy * way;
      return true;
    }
    const reached = Math.max(0, Math.min(meets, way));
    this.#blast(by, { x: entity.x + dx * reached, y: entity.y + dy * reached }, terrain, nowMs);
    this.#room.world.destroy(entity);
    return false;
  }

  #blast(by: Fighter, spot: Spot, terrain: Terrain, nowMs: number): void {
    this.#effects.blast(by.number, spot, nowMs);
    for (const fighter of this.#fighters.values()) {
      if (!isStanding(fighter)) continue;
      const damage = blastDamage(distanceBetween(fighter.avatar, spot), fighter === by);
      if (damage > 0 && terrain.sees(spot.x, spot.y, fighter.avatar.x, fighter.avatar.y))
        this.#strike(by, fighter, "rocket", damage, nowMs);
    }
  }
}
