/**
 * What a shooter says of the picture it aimed at (docs/guide/hits.md): the client's side. The server's is `unpack-claim.ts`.
 *
 * A claim has 46 bits, so that every command can carry it. Times are sent in quarters of a millisecond. The render time is sent modulo 16 s; the server
 * completes it from its own clock. The other times are sent as ages, with an upper limit: the picture of a target that old no longer moves.
 */

import type { Client } from "@nearfield/client";
import type { ObjectId } from "@nearfield/schema";
import type { ActValues } from "./movement.ts";
import { Avatar } from "./shared.ts";

export type PackedClaim = Pick<ActValues, "target" | "seenQuarters" | "appliedQuarters" | "roundLag">;

export const NO_CLAIM: Readonly<PackedClaim> = { target: 0, seenQuarters: 0, appliedQuarters: 0, roundLag: 0 };

/** Quarters of a millisecond after which the render time begins again at 0. */
export const SEEN_CYCLE: number = 2 ** 16;
const MOST_APPLIED: number = 2 ** 14 - 1;
const MOST_LAG = 255;

/** Notes when each avatar's replica took effect. Make one per client, before its first update. */
export class Sights {
  readonly #client: Client;
  readonly #came = new Map<ObjectId, { round: number; appliedMs: number }>();

  /** @param watchesAll notes every avatar in every update (default). Else only those that `note` is told of, in each update. */
  constructor(client: Client, watchesAll = true) {
    this.#client = client;
    if (watchesAll) {
      client.activity((world) => {
        for (const { id } of world.all(Avatar)) this.note(id);
      });
    }
    client.onDestroy(Avatar, ({ id }) => this.#came.delete(id));
    client.onLeave(Avatar, ({ id }) => this.#came.delete(id));
  }

  note(id: ObjectId): void {
    const { world } = this.#client;
    const round = world.roundOf(id);
    const came = this.#came.get(id);
    if (came === undefined) this.#came.set(id, { round, appliedMs: world.renderMs });
    else if (came.round !== round) {
      came.round = round;
      came.appliedMs = world.renderMs;
    }
  }

  /** What to say of an avatar that is aimed at now; of nobody in particular without one. */
  claimOn(avatar: { readonly id: ObjectId; readonly number: number } | undefined): PackedClaim {
    const { world, roundMs } = this.#client;
    const { renderMs } = world;
    if (!Number.isFinite(renderMs)) return NO_CLAIM;
    const seenQuarters = Math.round(renderMs * 4) % SEEN_CYCLE;
    const came = avatar && this.#came.get(avatar.id);
    if (came === undefined || roundMs === 0) return { ...NO_CLAIM, seenQuarters };
    return {
      target: avatar!.number,
      seenQuarters,
      appliedQuarters: clamp(Math.round((renderMs - came.appliedMs) * 4), MOST_APPLIED),
      roundLag: clamp(Math.floor(renderMs / roundMs) - came.round, MOST_LAG),
    };
  }
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value));
}
