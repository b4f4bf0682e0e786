/** The town on the server: everybody who has joined walks in it. It knows nothing of goods, parties and dungeons; those who do tell it who is away. */

import type { Entity, World } from "@nearfield/core";
import type { Player, Room } from "@nearfield/server";
import { Avatar, ROUND_MS, Walk } from "../shared.ts";
import { townView } from "../views.ts";
import { ARRIVAL } from "./plan.ts";
import { walkInTown } from "./walking.ts";

const COLOURS = 16;
/** Who arrives stands on a ring around this place, so that nobody stands in another. */
const RING = 46;

export type AvatarEntity = Entity<typeof Avatar.shape>;

/** For `serve`: what the town needs of its server. */
export const townOptions = { roundMs: ROUND_MS, view: townView, takenNickname: "suffix" } as const;

export interface TownHostOptions {
  readonly room: Room;
  /** Whether the account is a bot's. */
  readonly isBot: (account: string) => boolean;
  /** Whether the account is of this visit alone: nobody can invite it or trade with it. */
  readonly isVisitor: (account: string) => boolean;
}

export class TownHost {
  readonly #room: Room;
  readonly #world: World;
  readonly #options: TownHostOptions;
  readonly #avatars = new Map<Player, AvatarEntity>();
  #arrivals = 0;

  constructor(options: TownHostOptions) {
    this.#room = options.room;
    this.#world = options.room.world;
    this.#options = options;
    this.#room.onJoin((player) => this.#enter(player));
    this.#room.onLeave((player) => this.#avatars.delete(player));
    this.#room.steps(Avatar, Walk, walkInTown);
  }

  get bots(): number {
    return this.#count(true);
  }

  get people(): number {
    return this.#count(false);
  }

  /** Everybody who has an avatar. */
  get players(): Iterable<Player> {
    return this.#avatars.keys();
  }

  avatarOf(player: Player): AvatarEntity | undefined {
    return this.#avatars.get(player);
  }

  isAway(player: Player): boolean {
    return this.#avatars.get(player)?.away ?? true;
  }

  setAway(player: Player, away: boolean): void {
    const avatar = this.#avatars.get(player);
    if (avatar === undefined) return;
    avatar.away = away;
    if (away) Object.assign(avatar, { vx: 0, vy: 0 });
  }

  /** The account has a lantern now, or has none any more. */
  setLantern(account: string, has: boolean): void {
    for (const [player, avatar] of this.#avatars)
      if (player.identity?.account === account && avatar.lantern !== has) avatar.lantern = has;
  }

  #enter(player: Player): void {
    const { isBot, isVisitor } = this.#options;
    const account = player.identity?.account ?? "";
    const turn = this.#arrivals++ * 2.4;
    const avatar = this.#world.spawn(
      Avatar,
      {
        x: ARRIVAL.x + RING * wave(turn),
        y: ARRIVAL.y + RING * 0.6 * wave(turn + 1),
        colour: this.#arrivals % COLOURS,
        name: player.nickname,
        account: isVisitor(account) ? "" : account,
        bot: isBot(account),
      },
      { owner: player.id },
    );
    this.#avatars.set(player, avatar);
    player.pivotOn(avatar);
  }

  #count(bot: boolean): number {
    let count = 0;
    for (const avatar of this.#avatars.values()) if (avatar.bot === bot) count++;
    return count;
  }
}

/** From −1 to 1 and back, over 4. */
function wave(turn: number): number {
  const phase = turn % 4;
  return phase < 2 ? phase - 1 : 3 - phase;
}
