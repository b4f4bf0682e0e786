/**
 * Bots in the server's own process: the same brains, without clients and links. They see the primaries, so their picture has no delay and no
 * error, and they cost a hundredth of what a client costs. They are company for a person who is alone on a server, and players for a benchmark that
 * needs ten minutes of a match in a few seconds. To put load on a server use `Bot`, which is a real client.
 */

import type { World } from "@nearfield/core";
import type { ObjectId } from "@nearfield/schema";
import type { LocalPlayer } from "@nearfield/server";
import type { AvatarEntity } from "../fighter.ts";
import { type ArenaHost, BOT_PREFIX } from "../host.ts";
import type { AvatarState } from "../movement.ts";
import { Avatar, Item } from "../shared.ts";
import { HEARD_RADIUS } from "../views.ts";
import { Brain } from "./brain.ts";
import { Ears } from "./ears.ts";
import type { Atlas, Navigation } from "./navigation.ts";
import type { SeenAvatar, SeenItem, Senses } from "./senses.ts";
import { botName } from "./traits.ts";

export interface LocalBotsOptions {
  readonly atlas: Atlas;
  readonly seed: number;
  readonly count: number;
}

interface Mind {
  readonly player: LocalPlayer;
  readonly brain: Brain;
  readonly ears: Ears;
  readonly avatar: AvatarEntity;
  readonly senses: Mutable<Senses>;
  wasDead: boolean;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class LocalBots {
  readonly #host: ArenaHost;
  readonly #atlas: Atlas;
  readonly #minds: readonly Mind[];
  /** What everybody sees in this round, as plain data: many eyes read it. */
  readonly #seen = new Map<ObjectId, Mutable<SeenAvatar>>();
  readonly #avatars: SeenAvatar[] = [];
  readonly #items: SeenItem[] = [];
  /** Who has fired since the round before. */
  readonly #firing: SeenAvatar[] = [];

  /** They join at once, and act from the next round on. */
  constructor(host: ArenaHost, { atlas, seed, count }: LocalBotsOptions) {
    this.#host = host;
    this.#atlas = atlas;
    this.#minds = Array.from({ length: count }, (_, index) => this.#join(index, seed));
    host.onDrive((dtMs) => this.#round(dtMs));
  }

  get count(): number {
    return this.#minds.length;
  }

  #join(index: number, seed: number): Mind {
    const player = this.#host.room.localPlayer(`${BOT_PREFIX}${botName(index)}`);
    const avatar = this.#host.avatarOf(player);
    if (avatar === undefined) throw new RangeError(`bot ${index + 1}: all places of the arena are taken`);
    const ears = new Ears();
    const senses: Mutable<Senses> = {
      nowMs: 0,
      own: avatar,
      isPlaying: true,
      navigation: this.#atlas.of(this.#host.terrain.name),
      fight: () => ears.fight(senses.nowMs),
      ageOf: () => 0,
      avatars: () => this.#avatars,
      items: () => this.#items,
    };
    return { player, brain: new Brain(seed + index), ears, avatar, senses, wasDead: true };
  }

  #round(dtMs: number): void {
    this.#look();
    const { nowMs, isPlaying, terrain } = this.#host;
    const navigation = this.#atlas.of(terrain.name);
    for (const mind of this.#minds) this.#act(mind, navigation, nowMs, isPlaying, dtMs);
  }

  #act(mind: Mind, navigation: Navigation, nowMs: number, isPlaying: boolean, dtMs: number): void {
    const { brain, senses, player } = mind;
    const isDead = mind.avatar.condition === "dead";
    const isElsewhere = senses.navigation !== navigation;
    senses.nowMs = nowMs;
    this.#listen(mind);
    senses.isPlaying = isPlaying;
    senses.navigation = navigation;
    if (isElsewhere || (mind.wasDead && !isDead)) brain.reset(senses);
    mind.wasDead = isDead;
    if (!isDead) this.#host.drive(player, brain.step(senses), dtMs);
  }

  /** Lets a bot hear what a person in its place would hear, its own shots apart. */
  #listen({ ears, avatar, senses }: Mind): void {
    for (const { x, y, number } of this.#firing) {
      const [dx, dy] = [x - avatar.x, y - avatar.y];
      if (number !== avatar.number && dx * dx + dy * dy < HEARD_RADIUS * HEARD_RADIUS)
        ears.hear(avatar, x, y, senses.nowMs);
    }
  }

  /** Copies the primaries of avatars and items. An avatar keeps its copy, so that an enemy is the same one from thought to thought. */
  #look(): void {
    const { world } = this.#host.room;
    this.#avatars.length = 0;
    this.#firing.length = 0;
    for (const avatar of world.all(Avatar)) {
      const { id, type, tags, owner, number, colour } = avatar;
      const seen = this.#seen.get(id) ?? { ...IDLE_AVATAR, id, type, tags, owner, alive: true, number, colour };
      this.#seen.set(id, seen);
      seen.x = avatar.x;
      seen.y = avatar.y;
      seen.vx = avatar.vx;
      seen.vy = avatar.vy;
      const hasFired = avatar.bullets < seen.bullets || avatar.rockets < seen.rockets;
      if (hasFired && seen.condition !== "dead") this.#firing.push(seen);
      seen.condition = avatar.condition;
      seen.bullets = avatar.bullets;
      seen.rockets = avatar.rockets;
      this.#avatars.push(seen);
    }
    if (this.#seen.size > this.#avatars.length) this.#forget(world);
    this.#items.length = 0;
    for (const { x, y, kind, ready } of world.all(Item)) this.#items.push({ x, y, kind, ready });
  }

  #forget(world: World): void {
    for (const [id, seen] of this.#seen) {
      if (world.get(id) !== undefined) continue;
      seen.alive = false;
      this.#seen.delete(id);
    }
  }
}

/** What a copy says before it is filled in. */
const IDLE_AVATAR: AvatarState = {
  x: 0,
  y: 0,
  vx: 0,
  vy: 0,
  heading: 0,
  weapon: "rifle",
  condition: "alive",
  zoomed: false,
  health: 0,
  armour: 0,
  bullets: 0,
  rockets: 0,
  number: 0,
  colour: 0,
};
