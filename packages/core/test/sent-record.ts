/**
 * What one view was sent over a link that loses nothing, for models that run without sessions: tests tell it the decisions that they carried out. A
 * server's sessions have their packets for that.
 */

import { DecisionKind, type Decisions, type ObjectId, type SentLog, type SentWindow, slotOf } from "../src/index.ts";

interface Sent {
  readonly id: ObjectId;
  readonly round: number;
  readonly removes: boolean;
}

export class SentRecord implements SentLog {
  /** By slot: the newest send of the object that was there last. */
  readonly #sent: (Sent | undefined)[] = [];

  /** Everything decided in this round was sent, but for what `isKeptBack` names. */
  carryOut({ count, ids, kinds }: Decisions, round: number, isKeptBack: (id: ObjectId) => boolean = () => false): void {
    // Removals first: an object that is gone and one that took its slot may be told of in one round.
    for (const removes of [true, false]) {
      for (let i = 0; i < count; i++) {
        const id = ids[i]! as ObjectId;
        const isRemoval = kinds[i] === DecisionKind.leave || kinds[i] === DecisionKind.destroy;
        if (isRemoval === removes && !isKeptBack(id)) this.#sent[slotOf(id)] = { id, round, removes };
      }
    }
  }

  tell(window: SentWindow): void {
    this.#tell(window, () => true);
  }

  tellRound(round: number, window: SentWindow): void {
    this.#tell(window, (sent) => sent.round === round);
  }

  #tell(window: SentWindow, isAsked: (sent: Sent) => boolean): void {
    for (let slot = window.from; slot < window.to; slot++) {
      const sent = this.#sent[slot];
      if (sent !== undefined && isAsked(sent)) window.sent(sent.id, sent.round, sent.removes);
    }
  }
}
