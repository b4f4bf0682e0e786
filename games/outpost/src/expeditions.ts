/**
 * Parties that go down: opens an action space for a party and for companions who fill it. What its people carry out is paid by what all players signed: observers drawn among those in town
 * check the fight, or the server does where nobody else is there, and each of the people is settled once (`PaidSpaces` of @nearfield/social).
 */

import type { Player } from "@nearfield/server";
import { SocialError } from "@nearfield/social/client";
import type { OpenSpaceOptions } from "@nearfield/social/spaces";
import { MOST_PLAYERS, STEP_MS } from "./dungeon/numbers.ts";
import { DUNGEON_KIND } from "./shared.ts";
import type { TownHost } from "./town/host.ts";

/** Ms until a fight begins: time to paint the dungeon and to connect. */
const START_IN_MS = 2500;

/** What this needs of the social space: `openSocial` of @nearfield/social/node has it. */
export interface PartyPart {
  of(
    account: string,
  ): { readonly leader: string; readonly members: readonly { readonly account: string }[] } | undefined;
}

/** Opens a space that is paid: `social.openPaidSpaces` gives one. */
export interface PaidPart {
  open(options: OpenDungeon): Promise<unknown>;
}

export interface OpenDungeon extends Omit<OpenSpaceOptions, "name" | "keys"> {
  readonly kind: string;
  /** Who may be drawn to check the fight. */
  readonly candidates: readonly Player[];
}

/** The companions that a server has. */
export interface Company {
  /** So many who are free, as players of the town. Fewer if there are no more. */
  hire(count: number): Promise<readonly Player[]>;
}

export interface ExpeditionsOptions {
  readonly town: TownHost;
  readonly parties: PartyPart;
  readonly paid: PaidPart;
  readonly company: Company;
  /** Whether a player's page has told what it signs with: without it nobody goes down. */
  readonly hasKey: (player: Player) => boolean;
  /** 32 bits that nobody can guess, for a dungeon. */
  readonly seed: () => number;
}

export class Expeditions {
  readonly #options: ExpeditionsOptions;
  #open = 0;

  constructor(options: ExpeditionsOptions) {
    this.#options = options;
  }

  /** Dungeons that are open now. */
  get open(): number {
    return this.#open;
  }

  /** The leader's party goes down, filled up to so many heroes. Throws `SocialError`. */
  async descend(leader: Player, account: string, heroes: number): Promise<{ readonly heroes: number }> {
    const { town, parties, company } = this.#options;
    const party = parties.of(account);
    if (party !== undefined && party.leader !== account)
      throw new SocialError("not-leader", "the leader of your party decides when you go down");
    if (town.isAway(leader)) throw new SocialError("busy", "you are in a dungeon already");
    const members = new Set(party?.members.map((member) => member.account));
    const people = [leader, ...this.#present(members)].filter((player, at, all) => all.indexOf(player) === at);
    if (people.length > MOST_PLAYERS) throw new SocialError("full", `at most ${MOST_PLAYERS} people go down together`);
    this.#mustSign(people);
    const companions = await company.hire(Math.max(0, Math.min(MOST_PLAYERS, heroes) - people.length));
    const present = people.filter((player) => player.presence !== "left" && !town.isAway(player));
    if (!present.includes(leader)) throw new SocialError("busy", "you are in a dungeon already");
    await this.#begin(present, companions);
    return { heroes: present.length + companions.length };
  }

  /** Somebody is back in the town, by an exit or because it gave up. */
  back(player: Player): void {
    this.#options.town.setAway(player, false);
  }

  async #begin(people: readonly Player[], companions: readonly Player[]): Promise<void> {
    const { town, paid, seed } = this.#options;
    const players = [...people, ...companions];
    // Away before the fight is on record, so that nobody goes down twice.
    for (const player of players) town.setAway(player, true);
    const back = (): void => {
      for (const player of players) town.setAway(player, false);
    };
    try {
      await paid.open({
        players,
        stepMs: STEP_MS,
        startInMs: START_IN_MS,
        seed: seed(),
        kind: DUNGEON_KIND,
        data: Uint8Array.of(people.length),
        candidates: this.#idle(),
        onEnd: () => {
          this.#open--;
          back();
        },
      });
      this.#open++;
    } catch (error) {
      back();
      throw error;
    }
  }

  #mustSign(people: readonly Player[]): void {
    const keyless = people.find((player) => !this.#options.hasKey(player));
    if (keyless !== undefined)
      throw new SocialError(
        "not-here",
        `${keyless.nickname}'s page cannot sign what it does: it needs https and a browser with Ed25519`,
      );
  }

  /** Who may be drawn to check the fight: people of the town who stand there. */
  #idle(): Player[] {
    const { town, hasKey } = this.#options;
    return [...town.players].filter(
      (player) => !town.isAway(player) && town.avatarOf(player)?.bot === false && hasKey(player),
    );
  }

  #present(accounts: ReadonlySet<string>): Player[] {
    const { town } = this.#options;
    return [...town.players].filter((player) => accounts.has(player.identity?.account ?? "") && !town.isAway(player));
  }
}
