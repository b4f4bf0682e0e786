/** A server's place in its cluster, as the rooms need it: the bus, the lease, a clock, and the address where players find it. */

import type { Bus } from "../bus/bus.ts";
import type { Membership } from "../slices/membership.ts";

export interface ClusterPlace {
  readonly bus: Bus;
  readonly membership: Membership;
  /** This server's clock, ms. Only its rate matters. */
  readonly now: () => number;
  /** For players of other servers; undefined: they cannot come here. */
  readonly address: string | undefined;
}
