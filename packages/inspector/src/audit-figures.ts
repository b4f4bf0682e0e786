/**
 * The report's figures about the promise: what the room's auditor found while somebody watched, its faults by name, and the model's own
 * account.
 */

import type { RoomSeam } from "@nearfield/server/seam";
import type { AuditFigures, FaultyPairRow } from "./feed/report.ts";

export class AuditFiguresMaker {
  readonly #seam: RoomSeam;
  /** The auditor's counters when somebody began to watch. */
  readonly #since: { examined: number; promised: number; overDecided: number; overDelivered: number };

  constructor(seam: RoomSeam) {
    this.#seam = seam;
    const { examined, promised, overDecided, overDelivered } = seam.audit;
    this.#since = { examined, promised, overDecided, overDelivered };
  }

  figures(round: number): AuditFigures {
    const { audit } = this.#seam;
    const since = this.#since;
    const examined = audit.examined - since.examined;
    const promised = audit.promised - since.promised;
    const held = (over: number): number | null => (promised === 0 ? null : 1 - over / promised);
    const { roundsPerPass } = audit;
    return {
      pairs: examined === 0 ? 0 : Math.round((audit.pairs * promised) / examined),
      promised,
      heldDecided: held(audit.overDecided - since.overDecided),
      heldDelivered: held(audit.overDelivered - since.overDelivered),
      examined: audit.examined,
      roundsPerPass: Number.isFinite(roundsPerPass) ? roundsPerPass : null,
      faults: audit.faults,
      faultKinds: audit.faultsByKind(),
      faultyPairs: this.#faultyPairs(),
      decided: audit.decided,
      delivered: audit.deliveredUpTo(round),
      open: audit.open,
      shortfalls: (["decided", "delivered"] as const).flatMap((of) =>
        audit.shortfalls(of).map(({ zone, cause, spells, pairRounds, longest }) => {
          return { of, zone, cause, spells, pairRounds, longestRounds: longest };
        }),
      ),
    };
  }

  #faultyPairs(): FaultyPairRow[] {
    const { audit, players, world } = this.#seam;
    return audit.faultyPairs.map(({ session, id, ...rest }) => {
      const slot = world.store.liveSlot(id);
      const type = slot < 0 ? null : world.store.typeIndex[slot]!;
      return { ...rest, player: session, nickname: players.get(session)?.nickname ?? null, object: id, type };
    });
  }
}
