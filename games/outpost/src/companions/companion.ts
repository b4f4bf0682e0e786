/** A bot as a real client of a server anywhere: it strolls in the town, and goes into every dungeon it is invited to, as a full member of the fight. */

import { type Client, type Prediction, predict, type Replicated } from "@nearfield/client";
import { type Invitation, onInvitation, type Space, tellKey } from "@nearfield/social/peer";
import { Bot } from "../dungeon/bot.ts";
import type { Dungeon } from "../dungeon/dungeon.ts";
import { INPUT_BYTES, writeInput } from "../dungeon/input.ts";
import { dungeonRules, type EnterDungeonOptions, enterDungeon, peopleIn } from "../paid-dungeon.ts";
import { Avatar, DUNGEON_KIND, Walk } from "../shared.ts";
import { walkInTown } from "../town/walking.ts";
import { Stroller } from "./stroller.ts";

export interface CompanionOptions {
  readonly seed: number;
  /** Opens data channels. Default: all goes over the server. */
  readonly peers?: EnterDungeonOptions["peers"];
}

interface Fighting {
  readonly space: Space;
  readonly dungeon: Dungeon;
  readonly bot: Bot;
  readonly people: readonly number[];
}

/** Ticks after the last of the people has gone until a companion leaves, so that what it knows can still become final. */
const LINGER = 60;

export class Companion {
  readonly client: Client;
  readonly #options: CompanionOptions;
  readonly #stroller: Stroller;
  readonly #input = new Uint8Array(INPUT_BYTES);
  #prediction: Prediction<typeof Avatar.shape, typeof Walk.shape> | undefined;
  #fighting: Fighting | undefined;
  #lingered = 0;
  /** Dungeons that it has left. */
  raids = 0;

  constructor(client: Client, options: CompanionOptions) {
    this.client = client;
    this.#options = options;
    this.#stroller = new Stroller(options.seed);
    client.onSpawn(Avatar, (avatar) => this.#begin(avatar));
    client.activity(() => this.#round());
  }

  /** Hears invitations from now on, and signs with this key: call it when the client has joined. */
  listen(key: EnterDungeonOptions["key"]): void {
    tellKey(this.client, key.signer.publicKey);
    onInvitation(this.client, (invitation) => {
      if (invitation.kind === DUNGEON_KIND && !invitation.isObserver && this.#fighting === undefined)
        void this.#enter(invitation, key);
    });
  }

  get isFighting(): boolean {
    return this.#fighting !== undefined;
  }

  #begin(avatar: Replicated<typeof Avatar.shape>): void {
    if (this.client.world.isMine(avatar)) this.#prediction = predict(this.client, avatar, Walk, walkInTown);
  }

  async #enter(invitation: Invitation, key: EnterDungeonOptions["key"]): Promise<void> {
    const { address: player } = invitation;
    const { seed, peers } = this.#options;
    const people = peopleIn(invitation);
    const dungeon = dungeonRules.fight(invitation);
    try {
      const space = await enterDungeon(this.client, invitation, dungeon, { key, ...(peers && { peers }) });
      this.#fighting = { space, dungeon, people, bot: new Bot({ layout: dungeon.layout, player, people, seed }) };
      this.#lingered = 0;
      space.onEnd(() => this.#leave());
    } catch {
      // The space ended before this companion was in; it strolls on.
    }
  }

  #round(): void {
    if (this.#fighting !== undefined) this.#fight(this.#fighting);
    else if (this.#prediction?.isActive) this.#prediction.command(this.#stroller.step(this.#prediction.state));
  }

  #fight({ space, dungeon, bot, people }: Fighting): void {
    const { at } = dungeon.state;
    writeInput(bot.decide(at, Math.max(0, space.head)), this.#input);
    space.tick(this.client.clock.timeMs, this.#input);
    const gone = new Set(space.peers.filter(({ state }) => state === "gone").map(({ address }) => address));
    const isAlone = space.status === "playing" && people.every((slot) => gone.has(slot));
    this.#lingered = isAlone ? this.#lingered + 1 : 0;
    if (this.#lingered > LINGER) space.leave();
  }

  #leave(): void {
    if (this.#fighting === undefined) return;
    this.#fighting = undefined;
    this.raids++;
  }
}
