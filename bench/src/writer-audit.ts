/**
 * An auditor for benchmarks that run a model and frame writers without a server: it reads the writers' ledgers, as a room's audit reads its
 * sessions'. Their links lose nothing and have no budget, so nothing is ever held back, and every pair over its bound is a fault.
 */

import type { ViewSettings, World } from "@nearfield/core";
import { type AuditedView, Auditor, type AuditorOptions, type ConsistencyModel } from "@nearfield/core/internal";
import type { FrameWriter } from "@nearfield/protocol/internal";

/** Pairs looked at in a round. */
const SAMPLE = 1024;

export class WriterAudit {
  readonly #auditor: Auditor;
  readonly #model: ConsistencyModel;

  constructor(world: World, model: ConsistencyModel, options: Omit<AuditorOptions, "sample">) {
    this.#model = model;
    this.#auditor = new Auditor(world, { ...options, sample: SAMPLE });
  }

  /** Pairs over their bound: found by the auditor, and by the model's own account. */
  get overBound(): number {
    return this.#auditor.findings.faults + this.#model.account.decided;
  }

  /** @param settings asked for in every round: the view as it is then. */
  add(writer: FrameWriter, session: number, settings: () => ViewSettings): AuditedView {
    const model = this.#model;
    const promised = settings();
    const { sets } = model.promised?.(promised) ?? promised;
    let [seen, pivots] = [{ sets, pivots: promised.pivots }, promised.pivots];
    writer.keepReceipts();
    return this.#auditor.add({
      session,
      get settings() {
        const now = settings();
        if (now.pivots !== pivots) [seen, pivots] = [{ sets, pivots: now.pivots }, now.pivots];
        return seen;
      },
      isPaused: false,
      isOut: false,
      outer: 1,
      inner: 1,
      sent: writer.ledger,
      isVisible: () => true,
      beginRound: () => {},
      endRound: () => {},
      isHeldBack: () => false,
      isCounted: () => false,
    });
  }

  remove(view: AuditedView): void {
    this.#auditor.remove(view);
  }

  examine(round: number): void {
    this.#auditor.examine(round);
  }

  conclude(round: number): void {
    this.#auditor.conclude(round);
  }
}
