/** Companions as clients of a server anywhere: visitors who stroll in its town. For `npm run bots` and the check of a fresh clone. */

import { type BotsOptions, type Crowd, joinCrowd } from "@nearfield/kit/node";
import { Companion } from "../companions/companion.ts";
import { companionName } from "../companions/names.ts";
import { protocol, ROUND_MS } from "../shared.ts";

/** What they have done in the game, by name. */
export interface Deeds {
  readonly raids: number;
}

export function joinBots(options: BotsOptions): Crowd<Deeds> {
  const { seed = 1 } = options;
  const companions: Companion[] = [];
  return joinCrowd(options, {
    protocol,
    roundMs: ROUND_MS,
    nickname: (index) => `Visitor ${companionName(index)}`,
    play: (client, index) => companions.push(new Companion(client, { seed: seed + index })),
    deeds: () => ({ raids: companions.reduce((sum, { raids }) => sum + raids, 0) }),
  });
}
