/**
 * Commands that one client holds: it said that the same input goes on and that its object rests, and it sends no more of them. The server
 * repeats each in every round, for the time of a round. So a held trigger goes on shooting, and an object that somebody pushes moves on
 * at once. While the object rests, the steps change nothing, however long they are; if one does, the owner is sent the object.
 *
 * It ends with the client's next command for the object, or after `MOST_HELD_MS` without a word.
 * Why so: docs/decisions/0029-held-commands.md.
 */

import { MOST_HELD_MS, MOST_STEP_MS, type SteppedCommand } from "@nearfield/protocol/internal";
import type { ObjectId } from "@nearfield/schema";

/** A command as the server repeats it. */
interface Held {
  readonly id: ObjectId;
  readonly type: SteppedCommand["type"];
  readonly values: SteppedCommand["values"];
  stepMs: number;
  /** Time that passed and is not stepped yet, ms: less than 1. */
  restMs: number;
  /** The round in which the client last said so. */
  saidIn: number;
}

export class HeldCommands {
  readonly #held = new Map<ObjectId, Held>();
  readonly #due: Held[] = [];

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** A command of the client was applied in this round, or its object is not the client's any more. */
  applied({ id, type, values, isHeld }: SteppedCommand, isAlive: boolean, round: number): void {
    if (isHeld === true && isAlive) this.#held.set(id, { id, type, values, stepMs: 0, restMs: 0, saidIn: round });
    else this.#held.delete(id);
  }

  /** The commands to repeat in this round, each with its length: those whose object was not stepped in it. The list is used again. */
  due(round: number, roundMs: number): readonly SteppedCommand[] {
    this.#due.length = 0;
    for (const held of this.#held.values()) {
      if (held.saidIn === round) continue;
      if ((round - held.saidIn) * roundMs > MOST_HELD_MS) {
        this.#held.delete(held.id);
        continue;
      }
      const passedMs = held.restMs + roundMs;
      held.restMs = passedMs % 1;
      held.stepMs = Math.min(MOST_STEP_MS, Math.floor(passedMs));
      if (held.stepMs >= 1) this.#due.push(held);
    }
    return this.#due;
  }

  end(id: ObjectId): void {
    this.#held.delete(id);
  }

  clear(): void {
    this.#held.clear();
  }
}
