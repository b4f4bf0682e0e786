/**
 * A bot as a real client of a server anywhere: it strolls in the town, and goes into every dungeon it is invited to, as a full member of the fight. A server
 * uses its own companions as witnesses too: what they saw become final is what is paid.
 */

import { type Client, type Prediction, predict, type Replicated } from "@nearfield/client";
import { TIMELINES } from "@nearfield/rollback/session";
import { enterSpace, type Invitation, onInvitation, type Space } from "@nearfield/social/peer";
import { Bot } from "../dungeon/bot.ts";
import { Dungeon, type Loot, lootOf } from "../dungeon/dungeon.ts";
import { INPUT_BYTES, writeInput } from "../dungeon/input.ts";
import { type DungeonColumns, type DungeonState, Fate, newState } from "../dungeon/state.ts";
import { Avatar, DUNGEON_KIND, Walk } from "../shared.ts";
import { walkInTown } from "../town/walking.ts";
import { Stroller } from "./stroller.ts";

/** What all members of a dungeon must have alike, beside the invitation. */
export const DUNGEON_SESSION = { inputBytes: INPUT_BYTES, ...TIMELINES.hybrid } as const;

/** The slots of people come first; the invitation says how many there are. */
export function peopleIn({ data }: Pick<Invitation, "data">): readonly number[] {
  return Array.from({ length: data[0] ?? 0 }, (_, slot) => slot);
}

export interface CompanionOptions {
  readonly seed: number;
  /** Opens data channels. Default: all goes over the server. */
  readonly peers?: Parameters<typeof enterSpace>[2]["peers"];
  /** Told once of each player who left a dungeon by an exit, when that has become final. */
  readonly onOut?: (space: number, slot: number, loot: Loot) => void;
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

  /** Hears invitations from now on: call it when the client has joined. */
  listen(): void {
    onInvitation(this.client, (invitation) => {
      if (invitation.kind === DUNGEON_KIND && this.#fighting === undefined) void this.#enter(invitation);
    });
  }

  get isFighting(): boolean {
    return this.#fighting !== undefined;
  }

  #begin(avatar: Replicated<typeof Avatar.shape>): void {
    if (this.client.world.isMine(avatar)) this.#prediction = predict(this.client, avatar, Walk, walkInTown);
  }

  async #enter(invitation: Invitation): Promise<void> {
    const { seed, slots, address } = invitation;
    const people = peopleIn(invitation);
    const dungeon = new Dungeon({ seed, players: slots, people: people.length });
    const witness = new Witness(newState(slots), people, (slot, loot) =>
      this.#options.onOut?.(invitation.space, slot, loot),
    );
    const { peers } = this.#options;
    try {
      const space = await enterSpace(this.client, invitation, {
        fight: dungeon,
        session: DUNGEON_SESSION,
        ...(peers !== undefined && { peers }),
        onSettled: (_, __, saved) => witness.look(saved),
      });
      const bot = new Bot({ layout: dungeon.layout, player: address, people, seed: this.#options.seed });
      this.#fighting = { space, dungeon, bot, people };
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

/** Notes who is out, in states that can no longer change. */
class Witness {
  readonly #state: DungeonState;
  readonly #at: DungeonColumns;
  readonly #inside: Set<number>;
  readonly #onOut: (slot: number, loot: Loot) => void;

  constructor(state: DungeonState, people: readonly number[], onOut: (slot: number, loot: Loot) => void) {
    this.#state = state;
    this.#at = state.at;
    this.#inside = new Set(people);
    this.#onOut = onOut;
  }

  look(saved: Uint8Array): void {
    if (this.#inside.size === 0) return;
    this.#state.load(saved);
    for (const slot of this.#inside) {
      if (this.#at.fate[slot] !== Fate.out) continue;
      this.#inside.delete(slot);
      this.#onOut(slot, lootOf(this.#at, slot));
    }
  }
}
