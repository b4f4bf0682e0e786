/** What came of those who wanted in and were not let in, and of errors nobody was told of: counters of the whole server. */

import type { ReasonCode } from "@nearfield/protocol";

export class DoorTelemetry {
  /** Links that were refused, by the reason they were given. */
  readonly refused: Map<ReasonCode, number> = new Map();
  /** Links that have not said hello, now. */
  strangers = 0;

  countRefused(code: ReasonCode): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }
}
