/** Counters of the whole server: clients that were refused, and errors that were not reported. */

import type { ReasonCode } from "@nearfield/protocol";

export class DoorTelemetry {
  /** Refused links, by reason. */
  readonly refused: Map<ReasonCode, number> = new Map();
  /** Links that have not said hello, now. */
  strangers = 0;

  countRefused(code: ReasonCode): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }
}
