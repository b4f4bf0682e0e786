/**
 * A bot: one real client that is played by a `Brain` (F10). It acts in the client's own updates, knows only what that client's replica shows, and
 * steers its avatar as a page does: by commands that it predicts.
 */

import { type Client, type Prediction, predict } from "@nearfield/client";
import { Dice } from "@nearfield/kit";
import { NO_CLAIM, Sights } from "../claim.ts";
import { stepOn } from "../movement.ts";
import { Act, Avatar, Blast, Item, Kill, Launch, Match, Noise, Shot, Spectate } from "../shared.ts";
import { Brain } from "./brain.ts";
import { Ears } from "./ears.ts";
import type { Atlas, Navigation } from "./navigation.ts";
import type { SeenAvatar, SeenItem, Senses } from "./senses.ts";

export interface BotOptions {
  readonly atlas: Atlas;
  /** The same seed plays alike, as far as the world does. */
  readonly seed: number;
}

/** A correction longer than this is a birth elsewhere, world units. */
const SNAP_DISTANCE = 60;
/** Share of its deaths after which a bot follows the one who killed it. */
const CURIOSITY = 0.3;

export class Bot {
  readonly brain: Brain;
  /** Since it joined. */
  kills = 0;
  deaths = 0;
  readonly #client: Client;
  readonly #atlas: Atlas;
  readonly #sights: Sights;
  readonly #ears: Ears = new Ears();
  readonly #dice: Dice;
  #prediction: Prediction<typeof Avatar.shape, typeof Act.shape> | undefined;
  #navigation: Navigation | undefined;
  #wasDead = true;
  #senses: { nowMs: number; own: Senses["own"]; isPlaying: boolean; navigation: Navigation } & Senses;

  /** Call it before the client's first update. */
  constructor(client: Client, { atlas, seed }: BotOptions) {
    this.#client = client;
    this.#atlas = atlas;
    this.brain = new Brain(seed);
    this.#dice = new Dice(seed, "bot");
    this.#sights = new Sights(client, false);
    const { world } = client;
    this.#senses = {
      nowMs: 0,
      own: undefined as never,
      isPlaying: false,
      navigation: undefined as never,
      avatars: (): Iterable<SeenAvatar> => world.all(Avatar),
      items: (): Iterable<SeenItem> => world.all(Item),
      fight: () => this.#ears.fight(this.#senses.nowMs),
      ageOf: ({ id }) => this.#senses.nowMs - world.roundOf(id) * client.roundMs,
    };
    client.onSpawn(Avatar, (avatar) => this.#begin(avatar));
    client.onEvent(Shot, ({ by, fromX, fromY }) => this.#hear(by, fromX, fromY));
    client.onEvent(Launch, ({ by, x, y }) => this.#hear(by, x, y));
    client.onEvent(Blast, ({ by, x, y }) => this.#hear(by, x, y));
    client.onEvent(Noise, ({ x, y }) => this.#hear(0, x, y));
    client.onEvent(Kill, ({ by, target }) => this.#count(by, target));
    client.activity(() => this.#step());
  }

  /** Its avatar as it steers it; undefined before it has one. */
  get own(): Senses["own"] | undefined {
    return this.#prediction?.isActive ? this.#prediction.state : undefined;
  }

  #begin(avatar: SeenAvatar): void {
    if (!this.#client.world.isMine(avatar)) return;
    const step = stepOn(() => this.#navigation?.terrain);
    this.#prediction = predict(this.#client, avatar, Act, step, { snapDistance: SNAP_DISTANCE });
    this.#wasDead = true;
  }

  /** Its own shots tell it nothing. */
  #hear(by: number, x: number, y: number): void {
    const { own } = this;
    if (own !== undefined && by !== own.number) this.#ears.hear(own, x, y, this.#senses.nowMs);
  }

  #count(by: number, target: number): void {
    const number = this.own?.number;
    if (target === number) {
      this.deaths += 1;
      if (this.#dice.chance(CURIOSITY)) this.#client.send(Spectate, { number: by });
    } else if (by === number) this.kills += 1;
  }

  #step(): void {
    const prediction = this.#prediction;
    const [match] = this.#client.world.all(Match);
    if (!prediction?.isActive || match === undefined || !Number.isFinite(this.#client.clock.timeMs)) return;
    const navigation = this.#atlas.of(match.level);
    const senses = this.#senses;
    senses.nowMs = this.#client.clock.timeMs;
    senses.own = prediction.state;
    senses.isPlaying = match.phase === "play";
    senses.navigation = navigation;
    const isDead = senses.own.condition === "dead";
    if (navigation !== this.#navigation || (this.#wasDead && !isDead)) this.brain.reset(senses);
    this.#navigation = navigation;
    this.#wasDead = isDead;
    if (isDead) return;
    const act = this.brain.step(senses);
    const { enemy } = this.brain;
    if (enemy !== undefined) this.#sights.note(enemy.id);
    prediction.command(Object.assign(act, act.fires ? this.#sights.claimOn(enemy) : NO_CLAIM));
  }
}
