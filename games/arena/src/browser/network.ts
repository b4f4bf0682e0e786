/**
 * The page's side of the wire: it joins, tells by its status how that went, predicts the player's own avatar, and hands out replicas and events. Only
 * this file knows the client library. After a lost connection the client itself reconnects, with the same avatar.
 */

import { type Client, type Prediction, predict, present, type Replicated } from "@nearfield/client";
import { join } from "@nearfield/client/browser";
import { setPivots } from "@nearfield/client/views";
import { PageLink } from "@nearfield/kit";
import type { Fields, ObjectId, Values } from "@nearfield/schema";
import { NO_CLAIM, Sights } from "../claim.ts";
import { type ActValues, stepOn } from "../movement.ts";
import {
  Act,
  Avatar,
  avatarPresentation,
  Blast,
  Following,
  Hit,
  Item,
  Kill,
  Launch,
  Match,
  Noise,
  Pickup,
  protocol,
  Respawn,
  Rocket,
  rocketPresentation,
  Score,
  Shot,
  Spectate,
} from "../shared.ts";
import type { Terrain } from "../terrain.ts";
import type { AvatarReport, FightReport } from "./report.ts";

export type AvatarReplica = Replicated<typeof Avatar.shape>;
export type RocketReplica = Replicated<typeof Rocket.shape>;
export type ItemReplica = Replicated<typeof Item.shape>;
/** Copied, because it is kept from frame to frame, and an object that is gone cannot be read. */
export type ScoreLine = Readonly<Values<typeof Score.shape>>;
export type MatchReplica = Replicated<typeof Match.shape>;
type Told<T extends { readonly shape: Fields }> = Values<T["shape"]>;

/** What happened, to be seen and heard once. */
export interface NetworkHandlers {
  shot(told: Told<typeof Shot>): void;
  launch(told: Told<typeof Launch>): void;
  blast(told: Told<typeof Blast>): void;
  noise(told: Told<typeof Noise>): void;
  pickup(told: Told<typeof Pickup>): void;
  hit(told: Told<typeof Hit>): void;
  kill(told: Told<typeof Kill>): void;
  respawn(told: Told<typeof Respawn>): void;
  /** Who is followed now; 0: the own avatar. */
  following(number: number): void;
}

/** A correction longer than this is a new life elsewhere, world units. */
const SNAP = 60;

export interface NetworkOptions {
  readonly url: string;
  readonly nickname: string;
  readonly role: "player" | "spectator";
  readonly handlers: NetworkHandlers;
  /** The level that is played, for the prediction of the own avatar. */
  readonly terrain: () => Terrain | undefined;
}

export class Network extends PageLink {
  readonly #options: NetworkOptions;
  readonly #avatars: AvatarReplica[] = [];
  readonly #rockets: RocketReplica[] = [];
  readonly #items: ItemReplica[] = [];
  #own: AvatarReplica | undefined;
  #match: MatchReplica | undefined;
  #sights: Sights | undefined;
  #mine: Prediction<typeof Avatar.shape, typeof Act.shape> | undefined;

  constructor(options: NetworkOptions) {
    const { url, nickname, role } = options;
    super((rejoining) => join(url, { protocol, nickname, role, ...rejoining }));
    this.#options = options;
  }

  get role(): "player" | "spectator" {
    return this.#options.role;
  }

  /** Reads what is there now; what the next five tell holds until the frame is over. Without a client nothing is there. */
  look(): void {
    const world = this.client?.world;
    refill(this.#avatars, world?.all(Avatar) ?? []);
    refill(this.#rockets, world?.all(Rocket) ?? []);
    refill(this.#items, world?.all(Item) ?? []);
    this.#own = this.client?.mine(Avatar);
    this.#match = undefined;
    for (const match of world?.all(Match) ?? []) this.#match = match;
  }

  match(): MatchReplica | undefined {
    return this.#match;
  }

  own(): AvatarReplica | undefined {
    return this.#own;
  }

  avatars(): readonly AvatarReplica[] {
    return this.#avatars;
  }

  rockets(): readonly RocketReplica[] {
    return this.#rockets;
  }

  items(): readonly ItemReplica[] {
    return this.#items;
  }

  scores(): ScoreLine[] {
    const lines: ScoreLine[] = [];
    for (const { number, name, colour, bot, kills, deaths, streak } of this.client?.world.all(Score) ?? [])
      lines.push({ number, name, colour, bot, kills, deaths, streak });
    return lines;
  }

  roundOf(id: ObjectId): number {
    return this.client?.world.roundOf(id) ?? 0;
  }

  /** What the player wants of its avatar in this frame; it acts here at once. `at`: whom the shot is meant for. */
  act(own: AvatarReplica, wish: Omit<ActValues, keyof typeof NO_CLAIM>, at: AvatarReplica | undefined): void {
    if (!this.client || !this.#sights) return;
    if (!this.#mine?.isActive)
      this.#mine = predict(this.client, own, Act, stepOn(this.#options.terrain), { snapDistance: SNAP });
    this.#mine.command({ ...wish, ...(wish.fires ? this.#sights.claimOn(at) : NO_CLAIM) });
  }

  /** The own avatar as predicted: weapon, heading and speed answer at once, not only its place. */
  get predicted(): Readonly<Values<typeof Avatar.shape>> | undefined {
    return this.#mine?.isActive ? this.#mine.shown : undefined;
  }

  /** Follow somebody; 0: oneself. Who only watches moves its own pivot; a player asks. */
  spectate(number: number): void {
    if (this.client?.state !== "active") return;
    if (this.role === "player") this.client.send(Spectate, { number });
    else
      for (const { id } of this.client.world.where(Avatar, (avatar) => avatar.number === number))
        setPivots(this.client, [{ object: id }]);
  }

  /** What is known of the fight, in figures. */
  report(
    camera: { screenX(x: number): number; screenY(y: number): number },
    nameOf: (number: number) => string,
  ): FightReport {
    this.look();
    const own = this.own();
    const place = this.predicted ?? own?.shown;
    const match = this.match();
    return {
      status: this.status.kind,
      linkKind: this.linkKind,
      level: match?.level,
      phase: match?.phase,
      own: own && place && { ...valuesOf(own), x: place.x, y: place.y, heading: place.heading, weapon: place.weapon },
      opponents: this.avatars()
        .filter(({ id }) => id !== own?.id)
        .map((avatar) => ({
          ...valuesOf(avatar),
          name: nameOf(avatar.number),
          screenX: camera.screenX(avatar.shown.x),
          screenY: camera.screenY(avatar.shown.y),
        })),
    };
  }

  protected override joined(client: Client): void {
    this.#mine = undefined;
    present(client, Avatar, avatarPresentation);
    present(client, Rocket, rocketPresentation);
    this.#sights = new Sights(client);
    const { handlers } = this.#options;
    client.onEvent(Shot, (told) => handlers.shot(told));
    client.onEvent(Launch, (told) => handlers.launch(told));
    client.onEvent(Blast, (told) => handlers.blast(told));
    client.onEvent(Noise, (told) => handlers.noise(told));
    client.onEvent(Pickup, (told) => handlers.pickup(told));
    client.onEvent(Hit, (told) => handlers.hit(told));
    client.onEvent(Kill, (told) => handlers.kill(told));
    client.onEvent(Respawn, (told) => handlers.respawn(told));
    client.onEvent(Following, ({ number }) => handlers.following(number));
  }
}

function valuesOf({ number, shown, condition, health, weapon, bullets, rockets, zoomed }: AvatarReplica): AvatarReport {
  const { x, y, heading } = shown;
  return { number, x, y, heading, condition, health, weapon, bullets, rockets, zoomed };
}

function refill<T>(list: T[], from: Iterable<T>): void {
  list.length = 0;
  for (const one of from) list.push(one);
}
