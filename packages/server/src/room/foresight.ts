/**
 * What one client foresaw of its own objects. A client that predicts an object sends a digest of the predicted state with its commands. Here
 * the digest is compared with the state to which the same commands led on the server.
 *
 * An object that is as its owner predicted it is not sent to its owner. While it changes, numbers may be one wire step off, because the client
 * started from numbers that were rounded. Once it rests, the client must have it exactly: if not, it is sent, twice a second at most.
 * Why so: docs/decisions/0013-commands-carry-their-time.md.
 */

import type { Entity } from "@nearfield/core";
import { agrees, type Digest, type FieldValues, isExactly } from "@nearfield/protocol/internal";
import type { Session } from "../session/session.ts";
import { sendBack } from "./merge.ts";
import type { RoomCore } from "./room-core.ts";

/** What a client predicted: the same on the wire; with numbers up to one wire step off; something else; or it did not say. */
type Verdict = "right" | "near" | "wrong" | "unsaid";

/** Time between two sends of an object that rests otherwise than its owner predicted, ms: what is on its way may arrive meanwhile. */
const REPEAT_MS = 500;

/** Whether it is time for `settle` in this round. */
export function isSettlingRound({ host }: RoomCore, round: number): boolean {
  return round % Math.ceil(REPEAT_MS / host.resolved.roundMs) === 0;
}

export class Foresight {
  /** Of objects that were stepped in this round: how the client predicted them, by its last command for each. */
  readonly #verdicts = new Map<Entity, Verdict>();
  /** Objects that the client does not have exactly, and the round in which each last changed as predicted. */
  readonly #unsettled = new Map<Entity, number>();

  /** The object was stepped by a command to whose end this digest belongs. Every field is compared, whoever wrote it. */
  compare(entity: Entity, digest: Digest | undefined): void {
    this.#verdicts.set(entity, digest === undefined || !entity.alive ? "unsaid" : verdictOn(entity, digest));
  }

  /** All commands of this round were applied: what the client foresaw is not sent to it, and what it has not exactly is noted. */
  judge({ world }: RoomCore, session: number, round: number): void {
    for (const [entity, verdict] of this.#verdicts) {
      if (!entity.alive || verdict === "unsaid") continue;
      const hasChanged = verdict !== "wrong" && world.foresee(entity, session);
      if (verdict === "right") this.#unsettled.delete(entity);
      else this.#unsettled.set(entity, hasChanged ? round : (this.#unsettled.get(entity) ?? round - 1));
    }
    this.#verdicts.clear();
  }

  /** Sends objects that rest to the client, if it does not have them exactly. Call it in each round of `isSettlingRound`. */
  settle(room: RoomCore, session: Session, round: number): void {
    for (const [entity, changedIn] of this.#unsettled) {
      if (entity.alive && changedIn === round) continue;
      this.#unsettled.delete(entity);
      if (entity.alive) sendBack(room, session.player, entity, entity.type.allMask);
    }
  }
}

function verdictOn(entity: Entity, digest: Digest): Verdict {
  const values = entity as unknown as FieldValues;
  if (!agrees(digest, entity.type, values)) return "wrong";
  return isExactly(digest, entity.type, values) ? "right" : "near";
}
