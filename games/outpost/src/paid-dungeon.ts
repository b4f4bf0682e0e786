/**
 * A dungeon as a fight that is paid: what each of the people takes home, from the state on in which it is out; and how players and observers come in. Inputs are signed. What is paid is
 * what the signed inputs yield, on every machine that played, observed or replays them alike.
 */

import type { Client } from "@nearfield/client";
import { TIMELINES } from "@nearfield/rollback/session";
import type { Signer, Verifier } from "@nearfield/rollback/trust";
import {
  enterSpace,
  type Invitation,
  type ObservedSpace,
  observePaid,
  type PaidForm,
  type PaidRules,
  type Space,
  type SpaceOptions,
} from "@nearfield/social/peer";
import { Dungeon, lootOf } from "./dungeon/dungeon.ts";
import { INPUT_BYTES } from "./dungeon/input.ts";
import { Fate } from "./dungeon/state.ts";
import { goodsOf } from "./goods.ts";

/** The slots of people come first; the invitation says how many there are. */
export function peopleIn({ data }: Pick<PaidForm, "data">): readonly number[] {
  return Array.from({ length: data[0] ?? 0 }, (_, slot) => slot);
}

export const dungeonRules: PaidRules<Dungeon> = {
  inputBytes: INPUT_BYTES,
  fight: ({ seed, slots, data }) => new Dungeon({ seed, players: slots, people: data[0] ?? 0 }),
  // Who is out stays out with what it carried; companions carry nothing. Whoever is still inside when the dungeon falls in gets nothing, and nothing has to be told.
  earned: ({ state, people }, slot) =>
    slot < people && state.at.fate[slot] === Fate.out ? goodsOf(lootOf(state.at, slot)) : undefined,
};

/** What a member signs with, and by what it verifies the others. */
export interface MemberKey {
  readonly signer: Signer;
  readonly verifier: Verifier;
}

export interface EnterDungeonOptions extends Pick<SpaceOptions, "peers" | "random" | "onSettled"> {
  readonly key: MemberKey;
  /** Rules that differ from the game's are a forger's: for tests. */
  readonly rules?: PaidRules<Dungeon>;
}

/** Takes the player's seat. `dungeon` is what `dungeonRules.fight` made of the invitation. */
export function enterDungeon(
  client: Client,
  invitation: Invitation,
  dungeon: Dungeon,
  { key, rules = dungeonRules, ...rest }: EnterDungeonOptions,
): Promise<Space> {
  const session = { inputBytes: INPUT_BYTES, ...TIMELINES.hybrid };
  return enterSpace(client, invitation, { ...rest, fight: dungeon, session, paid: { rules, ...key } });
}

/** Takes the seat of an observer whom the server drew. It replays what the players signed, and tells the server, while the client runs. */
export function observeDungeon(
  client: Client,
  invitation: Invitation,
  { key, ...rest }: Pick<EnterDungeonOptions, "key" | "peers" | "random">,
): Promise<ObservedSpace> {
  return observePaid(client, invitation, { ...rest, paid: { rules: dungeonRules, verifier: key.verifier } });
}
