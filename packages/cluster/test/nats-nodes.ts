/** Three NATS nodes for tests of the bus alone, without secrets. */

import { NatsNodes as Nodes } from "../../../scripts/lib/nats.mjs";

export interface NatsNodes {
  readonly servers: readonly string[];
  end(): Promise<void>;
}

export function startNats(program: string): Promise<NatsNodes> {
  return Nodes.start({ program, hasSecrets: false });
}
