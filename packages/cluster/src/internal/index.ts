/** @nearfield/cluster/internal: one world over many servers. */

// The bus that the servers share

export {
  type Answer,
  type Bus,
  checkName,
  checkPayload,
  type KeyEntry,
  type Keys,
  type Logs,
  MOST_PAYLOAD_BYTES,
  type Written,
} from "../bus/bus.ts";
export { LocalBus } from "../bus/local-bus.ts";
export { type HubClock, type HubOptions, LocalHub } from "../bus/local-hub.ts";

// Mistakes

export { ClusterError, type ClusterErrorCode } from "../errors.ts";
