/**
 * Parties that go down: opens an action space for a party and for companions who fill it, and pays what its people carry out.
 *
 * At least one companion of this server goes with every party. It is a full member of the fight, so it has every player's inputs at first hand; what it saw
 * become final is what is paid, whatever others say. Who carries something out is paid once, in one durable settlement under an id of its own.
 */

import type { Player } from "@nearfield/server";
import { SocialError } from "@nearfield/social/client";
import type { ActionSpaces } from "@nearfield/social/spaces";
import type { Loot } from "./dungeon/dungeon.ts";
import { MOST_PLAYERS, STEP_MS } from "./dungeon/numbers.ts";
import { type GoodsCount, goodsOf } from "./goods.ts";
import { DUNGEON_KIND } from "./shared.ts";
import type { TownHost } from "./town/host.ts";

/** Ms until a fight begins: time to paint the dungeon and to connect. */
const START_IN_MS = 2500;

/** What this needs of the social space: `openSocial` of @nearfield/social/node has it. */
export interface SocialPart {
  readonly parties: {
    of(
      account: string,
    ): { readonly leader: string; readonly members: readonly { readonly account: string }[] } | undefined;
  };
  settle(
    space: string,
    verdict: { readonly accepted: readonly { readonly account: string; readonly goods: readonly GoodsCount[] }[] },
  ): Promise<unknown>;
}

/** The companions that a server has. */
export interface Company {
  /** So many who are free, as players of the town. Fewer if there are no more. */
  hire(count: number): Promise<readonly Player[]>;
}

export interface ExpeditionsOptions {
  readonly town: TownHost;
  readonly social: SocialPart;
  readonly spaces: ActionSpaces;
  readonly company: Company;
  /** 32 bits that nobody can guess, for a dungeon. */
  readonly seed: () => number;
  /** A word that no other expedition has, also after a restart. */
  readonly randomId: () => string;
  readonly onError: (error: unknown, where: string) => void;
}

interface Expedition {
  readonly id: string;
  /** Accounts by slot; the slots of people come first. */
  readonly accounts: readonly string[];
}

export class Expeditions {
  readonly #options: ExpeditionsOptions;
  readonly #open = new Map<number, Expedition>();
  #settled = 0;

  constructor(options: ExpeditionsOptions) {
    this.#options = options;
  }

  /** Dungeons that are open now. */
  get open(): number {
    return this.#open.size;
  }

  /** Payments that are on disk, since the server started. */
  get settled(): number {
    return this.#settled;
  }

  /** The leader's party goes down, filled up to so many heroes. Throws `SocialError`. */
  async descend(leader: Player, account: string, heroes: number): Promise<{ readonly heroes: number }> {
    const { town, social, company } = this.#options;
    const party = social.parties.of(account);
    if (party !== undefined && party.leader !== account)
      throw new SocialError("not-leader", "the leader of your party decides when you go down");
    if (town.isAway(leader)) throw new SocialError("busy", "you are in a dungeon already");
    const members = new Set(party?.members.map((member) => member.account));
    const people = [leader, ...this.#present(members)].filter((player, at, all) => all.indexOf(player) === at);
    if (people.length >= MOST_PLAYERS)
      throw new SocialError("full", `at most ${MOST_PLAYERS - 1} people and one of the town go down together`);
    const wanted = Math.max(1, Math.min(MOST_PLAYERS, heroes) - people.length);
    const companions = await company.hire(wanted);
    if (companions.length === 0)
      throw new SocialError("busy", "nobody of the town can go with you now; try again soon");
    const present = people.filter((player) => player.presence !== "left" && !town.isAway(player));
    if (!present.includes(leader)) throw new SocialError("busy", "you are in a dungeon already");
    this.#begin(present, companions);
    return { heroes: present.length + companions.length };
  }

  /** A witness saw, in a final state, that somebody is out. */
  paid(space: number, slot: number, loot: Loot): void {
    const { social, onError } = this.#options;
    const expedition = this.#open.get(space);
    const account = expedition?.accounts[slot];
    if (expedition === undefined || account === undefined) return;
    social.settle(`dungeon-${expedition.id}-${slot}`, { accepted: [{ account, goods: goodsOf(loot) }] }).then(
      () => {
        this.#settled++;
      },
      (error: unknown) => onError(error, "settlement"),
    );
  }

  /** Somebody is back in the town, by an exit or because it gave up. */
  back(player: Player): void {
    this.#options.town.setAway(player, false);
  }

  #begin(people: readonly Player[], companions: readonly Player[]): void {
    const { town, spaces, seed, randomId } = this.#options;
    const players = [...people, ...companions];
    const space = spaces.open({
      players,
      stepMs: STEP_MS,
      startInMs: START_IN_MS,
      seed: seed(),
      kind: DUNGEON_KIND,
      data: Uint8Array.of(people.length),
      onEnd: ({ space: number }) => {
        this.#open.delete(number);
        for (const player of players) town.setAway(player, false);
      },
    });
    this.#open.set(space.id, { id: randomId(), accounts: people.map((player) => player.identity?.account ?? "") });
    for (const player of players) town.setAway(player, true);
  }

  #present(accounts: ReadonlySet<string>): Player[] {
    const { town } = this.#options;
    return [...town.players].filter((player) => accounts.has(player.identity?.account ?? "") && !town.isAway(player));
  }
}
